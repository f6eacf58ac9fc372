// @title Planning slice
// @description What somebody who plans work on one Spec looks at: what it refines and what refines it, what it depends on and what depends on it, the decisions that shape it or one of these parents and children, the code and tests that are bound to it, and the files to open.
// @description A component stands here when it realizes the Spec itself (`directlySatisfies`) or one of its members does. Without `spec` it answers for the first Spec by id; the answer names it. The name of a test is in `g.specContext(id).verifiers`.
// @params spec
// @takes spec a Spec id
// @gives { id, found, refinementNeighborhood: { parents: [id], children: [id] }, dependencies: { dependsOn: [{ id, statedReadiness }], dependedOnBy }, shapingDecisions: [{ id, subjects: [id] }], implementations: [{ id, claim, file, line }], components: [{ id, label, file, line, directlySatisfies, implementations: [id] }], verifiers: [{ id, via, claim, enabled, file, line }], entryPoints: [{ role, id, file, line }], entryPointsLimit } or { id, found: false }
const accepts = ["spec"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.spec !== undefined && typeof params.spec !== "string") throw new TypeError("spec takes a Spec id");

const id = params.spec ?? g.specs()[0]?.id ?? null;
const context = id === null ? undefined : g.specContext(id);
if (context === undefined) return { id, found: false };

const distinct = (ids) => [...new Set(ids)].sort();
const isDeclared = (edge) => edge.claim === "declared";
const targets = (from, type) => distinct(g.out(from, type).filter(isDeclared).map((edge) => edge.to));
const sources = (to, type) => distinct(g.in(to, type).filter(isDeclared).map((edge) => edge.from));
const weighed = (ids) => ids.map((spec) => ({ id: spec, statedReadiness: g.byId(spec)?.readiness ?? null }));
const parents = targets(id, "refines");
const children = sources(id, "refines");

const shaped = new Map();
for (const subject of distinct([id, ...parents, ...children])) {
  for (const decision of targets(subject, "decidedBy")) {
    if (!shaped.has(decision)) shaped.set(decision, []);
    shaped.get(decision).push(subject);
  }
}

const place = ({ file, line }) => ({ file: file ?? null, line: line ?? null });
const bound = new Map();
const componentOf = (component) => {
  if (!bound.has(component)) bound.set(component, { directlySatisfies: false, implementations: [] });
  return bound.get(component);
};
for (const { codeId } of context.implementations) {
  if (codeId.startsWith("component:")) componentOf(codeId).directlySatisfies = true;
  for (const { to } of g.out(codeId, "memberOf")) componentOf(to).implementations.push(codeId);
}
const components = [...bound.keys()].sort().map((component) => {
  const node = g.byId(component) ?? {};
  const { directlySatisfies, implementations } = bound.get(component);
  return {
    id: component,
    label: node.label ?? null,
    ...place(node),
    directlySatisfies,
    implementations: distinct(implementations),
  };
});
const implementations = context.implementations.map((unit) => ({ id: unit.codeId, claim: unit.claim, ...place(unit) }));
const verifiers = context.verifiers.map((verifier) => ({
  id: verifier.verifierId,
  via: verifier.via,
  claim: verifier.claim,
  enabled: verifier.enabled,
  ...place(verifier),
}));

const entries = new Map();
const open = (role, { id: named, file, line }) => {
  if (file !== null) entries.set(JSON.stringify([file, role, named]), { role, id: named, file, line });
};
open("spec", { id, file: context.file, line: null });
for (const unit of implementations) open("implementation", unit);
for (const verifier of verifiers) open("verifier", verifier);
for (const component of components) open("component", component);
const byText = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
const entryPoints = [...entries.values()].sort(
  (left, right) => byText(left.file, right.file) || byText(left.role, right.role) || byText(left.id, right.id),
);

return {
  id,
  found: true,
  refinementNeighborhood: { parents, children },
  dependencies: { dependsOn: weighed(targets(id, "dependsOn")), dependedOnBy: weighed(sources(id, "dependsOn")) },
  shapingDecisions: [...shaped.keys()].sort().map((decision) => ({ id: decision, subjects: shaped.get(decision) })),
  implementations,
  components,
  verifiers,
  entryPoints,
  entryPointsLimit: "file-level graph-recorded paths only; no symbol-level impact graph",
};
