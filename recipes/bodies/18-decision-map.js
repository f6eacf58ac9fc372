// @title Decision map
// @description The decisions and what leans on them. `fanIn` counts the declared relations of any type that reach a decision; the ranking is by fan-in, then by id.
// @description `decidedSubjectsByFamily` holds the Specs that name it under decidedBy, grouped by the first segment of their id.
// @gives { total, ranking: [{ id, fanIn }], decisions: [{ id, title, fanIn, fanInByType: { type: count }, dependsOn: [id], dependedOnBy: [id], refines: [id], refinedBy: [id], supersedes: [id], supersededBy: [id], decidedSubjectsByFamily: { family: [id] } }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const types = ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies", "supersedes"];
const isDeclared = (edge) => edge.claim === "declared";
const targets = (id, type) => g.out(id, type).filter(isDeclared).map((edge) => edge.to);
const sources = (id, type) => g.in(id, type).filter(isDeclared).map((edge) => edge.from);
const byFamily = (ids) => {
  const families = {};
  for (const id of ids) {
    const family = id.slice(id.indexOf(":") + 1).split(".")[0];
    // A family may have the name of a member that every object inherits.
    if (!Object.hasOwn(families, family)) families[family] = [];
    families[family].push(id);
  }
  return families;
};

const decisions = g
  .specs()
  .filter((spec) => spec.specKind === "decision")
  .map(({ id, title }) => {
    const inward = Object.fromEntries(types.map((type) => [type, sources(id, type)]));
    return {
      id,
      title: title ?? null,
      fanIn: types.reduce((sum, type) => sum + inward[type].length, 0),
      fanInByType: Object.fromEntries(types.map((type) => [type, inward[type].length])),
      dependsOn: targets(id, "dependsOn"),
      dependedOnBy: inward.dependsOn,
      refines: targets(id, "refines"),
      refinedBy: inward.refines,
      supersedes: targets(id, "supersedes"),
      supersededBy: inward.supersedes,
      decidedSubjectsByFamily: byFamily(inward.decidedBy),
    };
  });
// The rows come by id, and sorting keeps that order among equals.
const ranking = decisions.map(({ id, fanIn }) => ({ id, fanIn })).sort((left, right) => right.fanIn - left.fanIn);
return { total: decisions.length, ranking, decisions };
