// @title The lower ladder
// @description Every Spec that states less than ready, grouped by the first segment of its id: the rung stated, the rung reached, and the first clause that it misses at its stated rung and at the next one.
// @gives { total, byFamily: { family: [{ id, statedReadiness, floorReached, nextUnmetClause, nextRungUnmetClause }] } }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const lower = g.specs().filter((spec) => spec.statedReadiness !== "ready");
const byFamily = {};
for (const spec of lower) {
  const family = spec.id.slice(spec.id.indexOf(":") + 1).split(".")[0];
  const context = g.specContext(spec.id);
  // A family may have the name of a member that every object inherits.
  if (!Object.hasOwn(byFamily, family)) byFamily[family] = [];
  byFamily[family].push({
    id: spec.id,
    statedReadiness: spec.statedReadiness,
    floorReached: spec.derivedReadiness ?? "none",
    nextUnmetClause: context.floorFailures[0]?.clauseId ?? null,
    nextRungUnmetClause: context.nextRungFailures[0]?.clauseId ?? null,
  });
}
return { total: lower.length, byFamily };
