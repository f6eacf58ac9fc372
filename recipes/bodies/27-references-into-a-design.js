// @title References into a design
// @description The members of one Pack, each with the code that references it, the code that realizes it, whether something verifies it, and the implemented Specs that it depends on or refines. None of these follows from another.
// @description `unbound` counts the members that no code and no verifier is bound to. Without `pack` it answers for the first Pack by id; the answer names it.
// @params pack
// @takes pack a Pack id
// @gives { found, id, totals: { members, withReferences, withImplementations, withVerifier, withBuildsOn, unbound }, rows: [{ id, resolved, referencedBy: [{ id, file }], implementedBy: [id], hasVerifier, buildsOn: [{ id, via, implementedBy: [{ id, file }] }] }] } or { id, found: false }
const accepts = ["pack"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.pack !== undefined && typeof params.pack !== "string") throw new TypeError("pack takes a Pack id");

const id = params.pack ?? g.packs()[0]?.id ?? null;
const pack = id === null ? undefined : g.byId(id);
if (pack?.nodeType !== "Pack") return { id, found: false };

const facts = new Map(g.specs().map((spec) => [spec.id, spec.deliveryFacts]));
const has = (spec, fact) => facts.get(spec)?.includes(fact) ?? false;
const unitsOf = (spec, type) => g.in(spec, type).map(({ from }) => ({ id: from, file: g.byId(from)?.file ?? null }));
// Many members may build on one Spec.
const realizers = new Map();
const realizersOf = (spec) => {
  if (!realizers.has(spec)) realizers.set(spec, unitsOf(spec, "satisfies"));
  return realizers.get(spec);
};
const buildsOn = (member) =>
  ["dependsOn", "refines"].flatMap((via) =>
    g
      .out(member, via)
      .filter((edge) => edge.claim === "declared" && has(edge.to, "implemented"))
      .map((edge) => ({ id: edge.to, via, implementedBy: realizersOf(edge.to) })),
  );
const rows = [...new Set(pack.members)].map((member) => {
  const resolved = facts.has(member);
  return {
    id: member,
    resolved,
    referencedBy: resolved ? unitsOf(member, "references") : [],
    implementedBy: resolved ? realizersOf(member).map((unit) => unit.id) : [],
    hasVerifier: has(member, "has-verifier"),
    buildsOn: resolved ? buildsOn(member) : [],
  };
});

const count = (holds) => rows.filter(holds).length;
const isReferenced = (row) => row.referencedBy.length > 0;
const isImplemented = (row) => row.implementedBy.length > 0;
return {
  found: true,
  id,
  totals: {
    members: rows.length,
    withReferences: count(isReferenced),
    withImplementations: count(isImplemented),
    withVerifier: count((row) => row.hasVerifier),
    withBuildsOn: count((row) => row.buildsOn.length > 0),
    unbound: count((row) => !isReferenced(row) && !isImplemented(row) && !row.hasVerifier),
  },
  rows,
};
