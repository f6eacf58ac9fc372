// @title Uses fan-in and fan-out
// @description Which components use which: each `uses` of a unit counts for the component that it belongs to, at both ends, and each pair of components once.
// @description A component whose own units use each other uses itself. A `uses` with an end outside all components counts nowhere.
// @gives { components: [{ id, fanOut, fanIn, usesOut: [id], usedBy: [id] }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const isComponent = (node) => node.nodeType === "CodeNode" && node.id.startsWith("component:");
const usesOut = new Map();
const usedBy = new Map();
for (const node of graph.nodes.filter(isComponent)) {
  usesOut.set(node.id, new Set());
  usedBy.set(node.id, new Set());
}
const componentOf = (id) => (usesOut.has(id) ? id : g.out(id, "memberOf")[0]?.to);
for (const edge of graph.edges) {
  if (edge.type !== "uses") continue;
  const from = componentOf(edge.from);
  const to = componentOf(edge.to);
  if (from === undefined || to === undefined) continue;
  // A unit may belong to a component that nothing declares: that one has no row.
  usesOut.get(from)?.add(to);
  usedBy.get(to)?.add(from);
}
const components = [...usesOut.keys()].map((id) => {
  const [out, by] = [usesOut, usedBy].map((uses) => [...uses.get(id)].sort());
  return { id, fanOut: out.length, fanIn: by.length, usesOut: out, usedBy: by };
});
return { components };
