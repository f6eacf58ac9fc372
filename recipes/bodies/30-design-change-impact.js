// @title Design-change impact
// @description The Specs that stand on changed ones, near ones first: reached against refines, dependsOn, constrainedBy and decidedBy, each by one shortest path, with the code, tests and Packs that go with them. The changed Specs stand at distance 0.
// @description A path leads from the change to the row's Spec; at most its last 25 steps are shown, and the Spec before them has a row of its own. `units` counts the code that implements or references a row.
// @params specs
// @takes specs a list of Spec ids
// @needs specs
// @gives { changed: [{ id, resolved }], totals: { specs, dependents, units }, rows: [{ id, distance, path: [{ from, type, to }], statedReadiness, implementedBy: [{ id, file, line }], referencedBy, enabledVerifiers: [id], packs: [id] }] }
const accepts = ["specs"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { specs = [] } = params;
if (!Array.isArray(specs) || !specs.every((id) => typeof id === "string")) {
  throw new TypeError("specs takes a list of Spec ids");
}

const isSpec = (id) => g.byId(id)?.nodeType === "Primitive";
const changed = [...new Set(specs)].map((id) => ({ id, resolved: isSpec(id) }));

const types = ["refines", "dependsOn", "constrainedBy", "decidedBy"];
const byText = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
const nearer = (left, right) => byText(left.from, right.from) || byText(left.type, right.type);
const reached = new Map();
const queue = changed.filter((row) => row.resolved).map((row) => row.id);
for (const id of queue) reached.set(id, { distance: 0, step: null });
for (const id of queue) {
  const distance = reached.get(id).distance + 1;
  const inward = g.in(id).filter((edge) => edge.claim === "declared" && types.includes(edge.type) && isSpec(edge.from));
  for (const { from, type, to } of inward.sort(nearer)) {
    if (reached.has(from)) continue;
    reached.set(from, { distance, step: { from, type, to } });
    queue.push(from);
  }
}

// A chain may be as long as the corpus, and whole paths would grow with its square.
const most = 25;
const pathOf = (id) => {
  const path = [];
  for (let { step } = reached.get(id); step !== null && path.length < most; { step } = reached.get(step.to)) path.push(step);
  return path.reverse();
};
const unitsOf = (id, type) =>
  g.in(id, type).map(({ from }) => {
    const { file = null, line = null } = g.byId(from) ?? {};
    return { id: from, file, line };
  });
const enabledVerifiers = (id) =>
  g.in(id, "verifies").length === 0
    ? []
    : g.specContext(id).verifiers.filter((verifier) => verifier.enabled).map((verifier) => verifier.verifierId);
const rows = g
  .specs()
  .filter((spec) => reached.has(spec.id))
  .map(({ id, statedReadiness, packs }) => ({
    id,
    distance: reached.get(id).distance,
    path: pathOf(id),
    statedReadiness,
    implementedBy: unitsOf(id, "satisfies"),
    referencedBy: unitsOf(id, "references"),
    enabledVerifiers: enabledVerifiers(id),
    packs,
  }));
// They come by id, and sorting keeps that order among equals.
rows.sort((left, right) => left.distance - right.distance);
const answer = {
  changed,
  totals: {
    specs: rows.length,
    dependents: rows.filter((row) => row.distance > 0).length,
    units: new Set(rows.flatMap((row) => [...row.implementedBy, ...row.referencedBy].map((unit) => unit.id))).size,
  },
  rows,
};
return params.specs === undefined ? { ...answer, needs: ["specs"] } : answer;
