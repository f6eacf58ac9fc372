// @title What does this Spec guarantee, and who verifies it
// @description One Spec with its rungs, sections, relations both ways, implementations, verifiers and findings.
// @description Without `spec` it answers for the first Spec by id; the answer names it.
// @params spec
// @takes spec a Spec id
// @gives { id, found, title, kind, altitude, statedReadiness, floorReached, unmetFloorClauses: [clauseId], sections: [name], relationsOut: [{ type, other, claim, resolved }], relationsIn: [{ type, other, claim, resolved }], implementations: [{ codeId, claim, label?, file?, line?, role?, layer?, context?, component? }], verifiers: [{ verifierId, via, claim, enabled, label?, file?, line?, symbol?, symbolMatch? }], verifierBindingMeans, findings: [finding] } or { id, found: false }
const accepts = ["spec"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.spec !== undefined && typeof params.spec !== "string") throw new TypeError("spec takes a Spec id");

const id = params.spec ?? g.specs()[0]?.id ?? null;
const context = id === null ? undefined : g.specContext(id);
if (context === undefined) return { id, found: false };

const ends = (relations) =>
  relations.map(({ type, otherId, claim, resolved }) => ({ type, other: otherId, claim, resolved }));
return {
  id,
  found: true,
  title: context.title ?? null,
  kind: context.specKind,
  altitude: context.altitude,
  statedReadiness: context.statedReadiness,
  floorReached: context.derivedReadiness ?? "none",
  unmetFloorClauses: context.floorFailures.map((failure) => failure.clauseId),
  sections: Object.keys(context.sections ?? {}),
  relationsOut: ends(context.relationsOut),
  relationsIn: ends(context.relationsIn),
  implementations: context.implementations,
  verifiers: context.verifiers,
  verifierBindingMeans: "a resolving verifier exists; the graph never records pass or fail",
  findings: context.findings,
};
