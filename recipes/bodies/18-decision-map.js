// @title Decision map
// @description The decisions, what ties them to each other, and the Specs that they decide. `fanIn` counts the decisions that depend on one or refine it and the Specs that name it under decidedBy; to be superseded is no weight.
// @description The ranking is by fan-in, then by id. `decidedSubjectsByFamily` groups the Specs by the first segment of their id.
// @gives { total, ranking: [{ id, fanIn }], decisions: [{ id, title, fanIn, fanInByType: { dependsOn, refines, supersedes, decidedBy }, dependsOn: [id], dependedOnBy: [id], refines: [id], refinedBy: [id], supersedes: [id], supersededBy: [id], decidedSubjectsByFamily: { family: [id] } }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const isDecision = (id) => g.byId(id)?.specKind === "decision";
const isDeclared = (edge) => edge.claim === "declared";
const targets = (id, type) => g.out(id, type).filter(isDeclared).map((edge) => edge.to).filter(isDecision);
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
    const [dependedOnBy, refinedBy, supersededBy] = ["dependsOn", "refines", "supersedes"].map((type) =>
      sources(id, type).filter(isDecision),
    );
    const subjects = sources(id, "decidedBy");
    return {
      id,
      title: title ?? null,
      fanIn: dependedOnBy.length + refinedBy.length + subjects.length,
      fanInByType: {
        dependsOn: dependedOnBy.length,
        refines: refinedBy.length,
        supersedes: supersededBy.length,
        decidedBy: subjects.length,
      },
      dependsOn: targets(id, "dependsOn"),
      dependedOnBy,
      refines: targets(id, "refines"),
      refinedBy,
      supersedes: targets(id, "supersedes"),
      supersededBy,
      decidedSubjectsByFamily: byFamily(subjects),
    };
  });
// The rows come by id, and sorting keeps that order among equals.
const ranking = decisions.map(({ id, fanIn }) => ({ id, fanIn })).sort((left, right) => right.fanIn - left.fanIn);
return { total: decisions.length, ranking, decisions };
