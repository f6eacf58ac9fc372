// @title Readiness divergence
// @description Specs that state a rung above the one that their structure reaches, with the first clause they miss.
// @gives [{ id, statedReadiness, floorReached, firstUnmetClause, firstUnmetDescription }]
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const rungs = ["idea", "scoped", "defined", "ready"];
return g
  .specs()
  .filter((spec) => rungs.indexOf(spec.derivedReadiness) < rungs.indexOf(spec.statedReadiness))
  .map((spec) => {
    const first = g.specContext(spec.id).floorFailures[0];
    return {
      id: spec.id,
      statedReadiness: spec.statedReadiness,
      floorReached: spec.derivedReadiness ?? "none",
      firstUnmetClause: first?.clauseId ?? null,
      firstUnmetDescription: first?.description ?? null,
    };
  });
