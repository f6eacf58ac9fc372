// @title Pack review backbone
// @description One Pack in figures: its members by stated rung (`unresolved` where no Spec is), what does not resolve, what is implemented, what is without a verifier that counts, and how many findings name it. Members come by id.
// @description Without `pack` it answers for the first Pack by id; the answer names it.
// @params pack
// @takes pack a Pack id
// @gives { id, found, title, memberCount, byStatedReadiness: { rung: count }, unresolvedMembers: [id], implementedCount, verifierGaps: [{ id, statedReadiness, priority }], findings: count } or { id, found: false } or { packs: 0 }
const accepts = ["pack"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.pack !== undefined && typeof params.pack !== "string") throw new TypeError("pack takes a Pack id");

const id = params.pack ?? g.packs()[0]?.id;
if (id === undefined) return { packs: 0 };
const context = g.packContext(id);
if (context === undefined) return { id, found: false };

const byId = (left, right) => (left.id < right.id ? -1 : left.id > right.id ? 1 : 0);
const members = [...context.members].sort(byId);
const byStatedReadiness = {};
for (const { statedReadiness: rung = "unresolved" } of members) {
  byStatedReadiness[rung] = (byStatedReadiness[rung] ?? 0) + 1;
}
return {
  id,
  found: true,
  title: context.title ?? null,
  memberCount: members.length,
  byStatedReadiness,
  unresolvedMembers: members.filter((member) => !member.resolved).map((member) => member.id),
  implementedCount: members.filter((member) => member.deliveryFacts.includes("implemented")).length,
  verifierGaps: [...context.verifierGaps].sort(byId).map(({ id: gap, statedReadiness, priority }) => ({
    id: gap,
    statedReadiness: statedReadiness ?? null,
    priority,
  })),
  findings: context.findings.length,
};
