// @title Build backlog
// @description Which ready Specs nothing implements yet, grouped by the first segment of their id.
// @description Examples and decisions are not built; the ready ones among them are counted apart.
// @gives { total, byFamily: { family: [{ id, kind, altitude, hasVerifier }] }, excludedReadyExamples, excludedReadyDecisions, excludedWithoutVerifier: [id] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const open = g.specs().filter((spec) => spec.statedReadiness === "ready" && !spec.deliveryFacts.includes("implemented"));
const isBuilt = (spec) => spec.specKind !== "example" && spec.specKind !== "decision";
const hasVerifier = (spec) => spec.deliveryFacts.includes("has-verifier");
const backlog = open.filter(isBuilt);
const excluded = open.filter((spec) => !isBuilt(spec));

const byFamily = {};
for (const spec of backlog) {
  const family = spec.id.slice(spec.id.indexOf(":") + 1).split(".")[0];
  // A family may have the name of a member that every object inherits.
  if (!Object.hasOwn(byFamily, family)) byFamily[family] = [];
  byFamily[family].push({
    id: spec.id,
    kind: spec.specKind,
    altitude: spec.altitude,
    hasVerifier: hasVerifier(spec),
  });
}
return {
  total: backlog.length,
  byFamily,
  excludedReadyExamples: excluded.filter((spec) => spec.specKind === "example").length,
  excludedReadyDecisions: excluded.filter((spec) => spec.specKind === "decision").length,
  excludedWithoutVerifier: excluded
    .filter((spec) => spec.specKind === "example" && !hasVerifier(spec))
    .map((spec) => spec.id),
};
