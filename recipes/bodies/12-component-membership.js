// @title Component membership
// @description Every component that source code declares, by id, with the units that name it as theirs. A component without a member stands here too.
// @gives { components: [{ id, members: [id], memberCount }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const isComponent = (node) => node.nodeType === "CodeNode" && node.id.startsWith("component:");
const components = graph.nodes.filter(isComponent).map(({ id }) => {
  const members = [...new Set(g.in(id, "memberOf").map((edge) => edge.from))].sort();
  return { id, members, memberCount: members.length };
});
return { components };
