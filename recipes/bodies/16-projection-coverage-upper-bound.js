// @title Projection coverage upper bound
// @description The most that each kind of page can cover of this corpus: a view may show less, never more. `memberSpecs` counts each member of each Pack. Anchors are the bindings of code, tests and oracles.
// @gives { designReview: { packs, memberSpecs }, census: { specs, anchors }, mermaid: { diagramSubjects }, gherkin: { specs } }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const specs = g.specs().length;
const packs = g.packs().length;
const isBinding = (node) => node.nodeType === "Anchor" || node.nodeType === "CodeNode";
return {
  designReview: { packs, memberSpecs: graph.edges.filter((edge) => edge.type === "belongsTo").length },
  census: { specs, anchors: graph.nodes.filter(isBinding).length },
  mermaid: { diagramSubjects: specs + packs },
  gherkin: { specs },
};
