// @title Promotion preflight
// @description What holds one Spec below its stated rung, and below the rung above the one it reaches.
// @description It answers what the structure says; a person states the rung. Without `spec` it answers for the first Spec by id.
// @params spec
// @takes spec a Spec id
// @gives { id, found, statedReadiness, floorReached, nextRung, currentFloorFailures: [{ clauseId, description, targets? }], firstUnmetClause, nextRungFailures: [{ clauseId, description, targets? }], nextRungFirstUnmetClause, promotionRequiresHumanStatement } or { id, found: false }
const accepts = ["spec"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.spec !== undefined && typeof params.spec !== "string") throw new TypeError("spec takes a Spec id");

const id = params.spec ?? g.specs()[0]?.id ?? null;
const context = id === null ? undefined : g.specContext(id);
if (context === undefined) return { id, found: false };

const rungs = ["idea", "scoped", "defined", "ready"];
return {
  id,
  found: true,
  statedReadiness: context.statedReadiness,
  floorReached: context.derivedReadiness ?? "none",
  nextRung: rungs[rungs.indexOf(context.derivedReadiness) + 1] ?? null,
  currentFloorFailures: context.floorFailures,
  firstUnmetClause: context.floorFailures[0]?.clauseId ?? null,
  nextRungFailures: context.nextRungFailures,
  nextRungFirstUnmetClause: context.nextRungFailures[0]?.clauseId ?? null,
  promotionRequiresHumanStatement: true,
};
