// @title Census structural coverage
// @description The structure of the code in counts and ids: components, `memberOf` and `uses` edges, and the findings of the report about such an edge with an end that is missing.
// @description An edge is written `from -> to`; a finding by the id that it is about.
// @gives { components: { count, ids: [id] }, memberOfEdges: { count, ids: [edge] }, usesEdges: { count, ids: [edge] }, danglingStructuralFindings: { count, ids: [id] } }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const counted = (ids) => ({ count: ids.length, ids: ids.sort() });
const told = (edges) => counted(edges.map(({ from, to }) => `${from} -> ${to}`));
const isComponent = (node) => node.nodeType === "CodeNode" && node.id.startsWith("component:");
const memberOfEdges = graph.edges.filter((edge) => edge.type === "memberOf");
const usesEdges = graph.edges.filter((edge) => edge.type === "uses");
// A finding names both ends of its edge, the one that is there first. A unit may miss a Spec too: that is no structure.
const ends = new Set([...memberOfEdges, ...usesEdges].flatMap(({ from, to }) => [`${from} ${to}`, `${to} ${from}`]));
const dangling = report.findings.filter(
  ({ validatorId, subjectId, relatedId }) =>
    validatorId === "conformance/referential-integrity" && ends.has(`${subjectId} ${relatedId}`),
);
return {
  components: counted(graph.nodes.filter(isComponent).map((node) => node.id)),
  memberOfEdges: told(memberOfEdges),
  usesEdges: told(usesEdges),
  danglingStructuralFindings: counted(dangling.map(({ subjectId, relatedId }) => subjectId ?? relatedId)),
};
