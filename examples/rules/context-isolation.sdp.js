// @title Context isolation
// @rule context-isolation
// @description What code of one context uses lies in the same context, or in one that an allowed pair opens to it.
// Contexts come from components; a unit has that of its component. `allow` lists pairs such as "orders -> shared", and `*` stands for any context.
// @params allow
const { allow = [] } = params;
if (!Array.isArray(allow) || !allow.every((pair) => typeof pair === "string")) {
  throw new TypeError('allow takes a list of pairs such as "orders -> shared"');
}

const findings = [];
const told = (path, message) => findings.push({ path, severity: "warning", message });

const units = graph.nodes.filter((node) => node.nodeType === "CodeNode");
const contexts = new Set(units.map((unit) => unit.context).filter((context) => context !== undefined));
if (contexts.size === 0) told("context", "no component states a context, so nothing is judged: state `context` where components are bound");

const pairs = allow.map((text, index) => {
  const [, from, to] = /^\s*(\S+)\s*->\s*(\S+)\s*$/.exec(text) ?? [];
  const path = `allow[${index}]`;
  if (from === undefined) {
    findings.push({ path, message: `\`${path}\` is "${text}", which is no pair: write "orders -> shared"` });
    return { unused: false };
  }
  const unknown = [from, to].filter((context) => context !== "*" && !contexts.has(context));
  if (unknown.length > 0) told(path, `\`${path}\` names the context "${unknown[0]}", which no component states: correct or remove the pair "${text}"`);
  return { name: `${from} -> ${to}`, text, path, unused: unknown.length === 0 };
});
const byName = new Map();
for (const pair of pairs) {
  if (pair.name !== undefined && !byName.has(pair.name)) byName.set(pair.name, pair);
}
const isAllowed = (from, to) => {
  const found = [`${from} -> ${to}`, `${from} -> *`, `* -> ${to}`, "* -> *"].filter((name) => byName.has(name));
  for (const name of found) byName.get(name).unused = false;
  return found.length > 0;
};

const contextOf = (id) => {
  const component = id.startsWith("component:") ? id : g.out(id, "memberOf")[0]?.to;
  return component === undefined ? undefined : g.byId(component)?.context;
};
const unplaced = [];
for (const edge of graph.edges) {
  // An end that does not exist is what `conformance/referential-integrity` tells.
  if (edge.type !== "uses" || g.byId(edge.from) === undefined || g.byId(edge.to) === undefined) continue;
  const from = contextOf(edge.from);
  const to = contextOf(edge.to);
  if (from === undefined || to === undefined) unplaced.push(edge);
  else if (from !== to && !isAllowed(from, to)) {
    findings.push({
      subject: edge,
      message: `the context "${from}" reaches into "${to}": "${edge.from}" uses "${edge.to}". Go through a context that both may use, or allow "${from} -> ${to}"`,
    });
  }
}
if (contexts.size > 0 && unplaced.length > 0) {
  findings.push({
    subject: unplaced[0],
    severity: "warning",
    message: `an end of this use stands in no context, so it is not judged${unplaced.length > 1 ? `, nor are ${unplaced.length - 1} more` : ""}: state \`component\` for the unit and \`context\` for the component`,
  });
}
for (const { text, path, unused } of pairs) {
  if (unused) told(path, `\`${path}\` allows "${text}", which no use needs: remove it`);
}
return { diagnostics: findings };
