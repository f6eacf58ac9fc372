// @title Architecture map
// @description The components with their members, the components that they use and are used by, the Specs that they and their members realize, and the decisions that shape these Specs.
// @description `declared` is false where units belong to a component that nothing declares. Fans count other components, each once; every `uses` stands in `usesEdges` as it is bound, and in `unresolvedUses` where an end belongs to no component.
// @description `subjects` are the realized Specs: what each is for, its Design in a sentence, and its relations.
// @gives { components: [{ id, declared, members: [{ id, label, file, line }], fanOut, fanIn, usesOut: [id], usedBy: [id], satisfiedSpecs: [id], realizations: [{ from, to, claim }], shapingDecisions: [{ id, subjects: [id] }] }], subjects: [{ id, resolved, title, specKind, outcome, design, relations: [{ type, claim, otherId, resolved, otherNodeType?, otherTitle? }] }], usesEdges: [{ from, to, claim }], unresolvedUses: [{ from, to }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const distinct = (ids) => [...new Set(ids)].sort();
const ends = ({ from, to, claim }) => ({ from, to, claim });
const isComponent = (node) => node.nodeType === "CodeNode" && node.id.startsWith("component:");
const declared = new Set(graph.nodes.filter(isComponent).map((node) => node.id));
const named = graph.edges.filter((edge) => edge.type === "memberOf").map((edge) => edge.to);
const ids = distinct([...declared, ...named]);

const usesOut = new Map(ids.map((id) => [id, new Set()]));
const usedBy = new Map(ids.map((id) => [id, new Set()]));
const componentOf = (id) => (usesOut.has(id) ? id : g.out(id, "memberOf")[0]?.to);
const usesEdges = graph.edges.filter((edge) => edge.type === "uses").map(ends);
const unresolvedUses = [];
for (const { from, to } of usesEdges) {
  const user = componentOf(from);
  const used = componentOf(to);
  if (user === undefined || used === undefined) {
    unresolvedUses.push({ from, to });
  } else if (user !== used) {
    usesOut.get(user).add(used);
    usedBy.get(used).add(user);
  }
}

const memberOf = (id) => {
  const { label, file, line } = g.byId(id) ?? {};
  return { id, label: label ?? null, file: file ?? null, line: line ?? null };
};
const decisionsOf = (specs) => {
  const subjects = new Map();
  for (const spec of specs) {
    for (const { to } of g.out(spec, "decidedBy")) {
      if (!subjects.has(to)) subjects.set(to, []);
      subjects.get(to).push(spec);
    }
  }
  return [...subjects.keys()].sort().map((id) => ({ id, subjects: distinct(subjects.get(id)) }));
};
const components = ids.map((id) => {
  const members = distinct(g.in(id, "memberOf").map((edge) => edge.from));
  const realizations = distinct([id, ...members]).flatMap((unit) => g.out(unit, "satisfies").map(ends));
  const satisfiedSpecs = distinct(realizations.map((edge) => edge.to));
  const [out, by] = [usesOut, usedBy].map((uses) => [...uses.get(id)].sort());
  return {
    id,
    declared: declared.has(id),
    members: members.map(memberOf),
    fanOut: out.length,
    fanIn: by.length,
    usesOut: out,
    usedBy: by,
    satisfiedSpecs,
    realizations,
    shapingDecisions: decisionsOf(satisfiedSpecs),
  };
});

// As the reader lists them, without the floors and findings that a whole context brings: the subjects may be very many.
const authored = ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies", "supersedes"];
const relationOf = ({ type, claim, to }) => {
  const other = g.byId(to);
  const end = { type, claim, otherId: to, resolved: other !== undefined };
  if (other !== undefined) end.otherNodeType = other.nodeType;
  if (other?.title !== undefined) end.otherTitle = other.title;
  return end;
};
const relationsOf = (id) =>
  g.out(id).filter((edge) => edge.claim === "declared" && authored.includes(edge.type)).map(relationOf);
const subjects = distinct(components.flatMap((component) => component.satisfiedSpecs)).map((id) => {
  const node = g.byId(id);
  const spec = node?.nodeType === "Primitive" ? node : undefined;
  return {
    id,
    resolved: spec !== undefined,
    title: spec?.title ?? null,
    specKind: spec?.specKind ?? null,
    outcome: spec?.sections?.intent?.outcome ?? null,
    design: spec?.sections?.design?.description ?? null,
    relations: spec === undefined ? [] : relationsOf(id),
  };
});
return { components, subjects, usesEdges, unresolvedUses };
