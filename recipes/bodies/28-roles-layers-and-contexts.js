// @title Roles, layers and contexts
// @description The words that bindings of code use for the part that a unit plays, and for the layer and context of a component: each with the units that state it, by id. Read it before you write a new word.
// @description `references` counts edges: a unit that references three Specs has three.
// @gives { totals: { codeUnits, withRole, withLayer, withContext, references, referencingUnits, referencedSpecs }, roles: [{ value, units: [id] }], layers: [{ value, units: [id] }], contexts: [{ value, units: [id] }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const units = graph.nodes.filter((node) => node.nodeType === "CodeNode");
const valuesOf = (name) => {
  const byValue = new Map();
  for (const { id, [name]: value } of units) {
    if (value === undefined) continue;
    if (!byValue.has(value)) byValue.set(value, []);
    byValue.get(value).push(id);
  }
  return [...byValue.keys()].sort().map((value) => ({ value, units: byValue.get(value).sort() }));
};
const stated = (name) => units.filter((unit) => unit[name] !== undefined).length;
const references = graph.edges.filter((edge) => edge.type === "references");
return {
  totals: {
    codeUnits: units.length,
    withRole: stated("role"),
    withLayer: stated("layer"),
    withContext: stated("context"),
    references: references.length,
    referencingUnits: new Set(references.map((edge) => edge.from)).size,
    referencedSpecs: new Set(references.map((edge) => edge.to)).size,
  },
  roles: valuesOf("role"),
  layers: valuesOf("layer"),
  contexts: valuesOf("context"),
};
