// @title Structural neighborhood
// @description One component, or other unit of code, with its members, what itself uses and what uses itself, and the Specs that its members realize.
// @description Only a component has members. The uses are those that name the unit itself; recipe 13 adds those of a component's members. Without `component` it answers for the first component by id; the answer names it.
// @params component
// @takes component the id of a component or other unit of code
// @gives { found, id, members: [id], usesOut: [id], usedBy: [id], satisfiedSpecs: [id] } or { id, found: false }
const accepts = ["component"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.component !== undefined && typeof params.component !== "string") {
  throw new TypeError("component takes the id of a component or other unit of code");
}

const isUnit = (node) => node?.nodeType === "CodeNode";
const isComponent = (node) => isUnit(node) && node.id.startsWith("component:");
const node = params.component === undefined ? graph.nodes.find(isComponent) : g.byId(params.component);
if (!isUnit(node)) return { id: params.component ?? null, found: false };

const { id } = node;
const distinct = (ids) => [...new Set(ids)].sort();
const sources = (type) => distinct(g.in(id, type).map((edge) => edge.from));
const members = sources("memberOf");
return {
  found: true,
  id,
  members,
  usesOut: distinct(g.out(id, "uses").map((edge) => edge.to)),
  usedBy: sources("uses"),
  satisfiedSpecs: distinct(members.flatMap((member) => g.out(member, "satisfies").map((edge) => edge.to))),
};
