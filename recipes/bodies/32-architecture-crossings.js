// @title Architecture crossings
// @description Each `uses` whose two ends belong to components that state different contexts or different layers, with the direction in which it runs. What may cross is for your own rules to say.
// @description A component belongs to itself. A layer or context that one of the two does not state is no difference, and a `uses` with an end outside all declared components is left out.
// @gives { totals: { usesEdges, resolvedToComponents, crossings, contextCrossings, layerCrossings, byContextPair: { pair: count }, byLayerPair: { pair: count } }, rows: [{ from, to, fromComponent: { id, layer, context }, toComponent, differs: [context | layer] }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const componentOf = (id) => {
  const node = g.byId(id);
  if (node?.nodeType !== "CodeNode") return undefined;
  const component = id.startsWith("component:") ? node : g.byId(g.out(id, "memberOf")[0]?.to ?? "");
  return component?.nodeType === "CodeNode" ? component : undefined;
};
const shown = ({ id, layer, context }) => ({ id, layer: layer ?? null, context: context ?? null });
const uses = graph.edges.filter((edge) => edge.type === "uses");
let resolvedToComponents = 0;
const rows = [];
for (const { from, to } of uses) {
  const user = componentOf(from);
  const used = componentOf(to);
  if (user === undefined || used === undefined) continue;
  resolvedToComponents += 1;
  const differs = ["context", "layer"].filter(
    (name) => user[name] !== undefined && used[name] !== undefined && user[name] !== used[name],
  );
  if (differs.length > 0) rows.push({ from, to, fromComponent: shown(user), toComponent: shown(used), differs });
}

const crossing = (name) => rows.filter((row) => row.differs.includes(name));
const byPair = (name) => {
  const counts = new Map();
  for (const { fromComponent, toComponent } of crossing(name)) {
    const pair = `${fromComponent[name]} -> ${toComponent[name]}`;
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return Object.fromEntries([...counts.keys()].sort().map((pair) => [pair, counts.get(pair)]));
};
return {
  totals: {
    usesEdges: uses.length,
    resolvedToComponents,
    crossings: rows.length,
    contextCrossings: crossing("context").length,
    layerCrossings: crossing("layer").length,
    byContextPair: byPair("context"),
    byLayerPair: byPair("layer"),
  },
  rows,
};
