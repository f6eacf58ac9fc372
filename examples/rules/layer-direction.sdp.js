// @title Layer direction
// @rule layer-direction
// @description Code uses its own layer or one further inward, never one further outward.
// Layers come from components; a unit has that of its component. `order` lists the layers from the outermost inward, such as ["edge", "adapter", "application", "domain"].
// @params order
const { order } = params;
if (order === undefined) {
  return { diagnostics: [{ path: "order", message: '`order` is not given: list the layers from the outermost inward, such as ["edge", "adapter", "application", "domain"]' }] };
}
if (!Array.isArray(order) || !order.every((layer) => typeof layer === "string")) {
  throw new TypeError('order takes a list of layers, the outermost first, such as ["edge", "adapter", "application", "domain"]');
}

const findings = [];
const told = (path, message) => findings.push({ path, severity: "warning", message });

const units = graph.nodes.filter((node) => node.nodeType === "CodeNode" && node.layer !== undefined);
const stated = new Set(units.map((unit) => unit.layer));
if (stated.size === 0) told("layer", "no component states a layer, so nothing is judged: state `layer` where components are bound");
const rank = new Map();
for (const [index, layer] of order.entries()) {
  const path = `order[${index}]`;
  if (rank.has(layer)) findings.push({ path, message: `\`${path}\` lists the layer "${layer}" once more: list it once` });
  else rank.set(layer, index);
  if (!stated.has(layer)) told(path, `\`${path}\` lists the layer "${layer}", which no component states: correct or remove it`);
}
for (const { id, layer } of units) {
  if (!rank.has(layer)) findings.push({ subject: id, message: `"${id}" states the layer "${layer}", which \`order\` does not list: add it, or state another layer` });
}

const layerOf = (id) => {
  const component = id.startsWith("component:") ? id : g.out(id, "memberOf")[0]?.to;
  return component === undefined ? undefined : g.byId(component)?.layer;
};
const unplaced = [];
for (const edge of graph.edges) {
  // An end that does not exist is what `conformance/referential-integrity` tells.
  if (edge.type !== "uses" || g.byId(edge.from) === undefined || g.byId(edge.to) === undefined) continue;
  const from = layerOf(edge.from);
  const to = layerOf(edge.to);
  if (from === undefined || to === undefined) unplaced.push(edge);
  else if (rank.get(from) > rank.get(to)) {
    findings.push({
      subject: edge,
      message: `the layer "${from}" reaches outward to "${to}": "${edge.from}" uses "${edge.to}". Let the outer layer hand it in, or move one of them`,
    });
  }
}
if (stated.size > 0 && unplaced.length > 0) {
  findings.push({
    subject: unplaced[0],
    severity: "warning",
    message: `an end of this use stands in no layer, so it is not judged${unplaced.length > 1 ? `, nor are ${unplaced.length - 1} more` : ""}: state \`component\` for the unit and \`layer\` for the component`,
  });
}
return { diagnostics: findings };
