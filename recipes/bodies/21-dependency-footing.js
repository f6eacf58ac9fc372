// @title Dependency footing
// @description What one Spec stands on: the targets of its refines, dependsOn, constrainedBy and decidedBy, in that order and by id, with the rungs that they state and reach.
// @description `byFloorReached` counts the targets that are Specs; `none` are those that reach no rung. Without `spec` it answers for the first Spec by id; the answer names it.
// @params spec
// @takes spec a Spec id
// @gives { id, found, statedReadiness, floorReached, totals: { relations, byType: { type: count }, byStatedReadiness: { rung: count, unresolved, nonSpec }, byFloorReached: { rung: count, none } }, footing: [{ type, id, claim, resolved, statedReadiness, floorReached }] } or { id, found: false }
const accepts = ["spec"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.spec !== undefined && typeof params.spec !== "string") throw new TypeError("spec takes a Spec id");

const specs = g.specs();
const byId = new Map(specs.map((spec) => [spec.id, spec]));
const id = params.spec ?? specs[0]?.id ?? null;
const spec = byId.get(id);
if (spec === undefined) return { id, found: false };

const types = ["refines", "dependsOn", "constrainedBy", "decidedBy"];
const footing = types.flatMap((type) =>
  g
    .out(id, type)
    .filter((edge) => edge.claim === "declared")
    .map(({ to, claim }) => {
      const target = byId.get(to);
      return {
        type,
        id: to,
        claim,
        resolved: g.byId(to) !== undefined,
        statedReadiness: target?.statedReadiness ?? null,
        floorReached: target === undefined ? null : (target.derivedReadiness ?? "none"),
      };
    }),
);

const rungs = ["idea", "scoped", "defined", "ready"];
const zeros = (names) => Object.fromEntries(names.map((name) => [name, 0]));
const byType = zeros(types);
const byStatedReadiness = zeros([...rungs, "unresolved", "nonSpec"]);
const byFloorReached = zeros([...rungs, "none"]);
for (const row of footing) {
  byType[row.type] += 1;
  byStatedReadiness[row.statedReadiness ?? (row.resolved ? "nonSpec" : "unresolved")] += 1;
  if (row.floorReached !== null) byFloorReached[row.floorReached] += 1;
}
return {
  id,
  found: true,
  statedReadiness: spec.statedReadiness,
  floorReached: spec.derivedReadiness ?? "none",
  totals: { relations: footing.length, byType, byStatedReadiness, byFloorReached },
  footing,
};
