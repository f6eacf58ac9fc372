// @title Drift alarm
// @description Which Specs are implemented although they do not state ready: code that ran ahead of its Spec.
// @description Lowest stated rung first, then by id.
// @gives { total, alarms: [{ id, statedReadiness, floorReached, firstUnmetClause, implementationBindings: count }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const rungs = ["idea", "scoped", "defined", "ready"];
const alarms = g
  .specs()
  .filter((spec) => spec.deliveryFacts.includes("implemented") && spec.statedReadiness !== "ready")
  .map((spec) => {
    const context = g.specContext(spec.id);
    return {
      id: spec.id,
      statedReadiness: spec.statedReadiness,
      floorReached: spec.derivedReadiness ?? "none",
      firstUnmetClause: context.floorFailures[0]?.clauseId ?? null,
      implementationBindings: context.implementations.length,
    };
  });
alarms.sort((left, right) => rungs.indexOf(left.statedReadiness) - rungs.indexOf(right.statedReadiness));
return { total: alarms.length, alarms };
