// @title Naming of ids
// @rule id-naming
// @description Ids keep the patterns of the team.
// `patterns` maps a kind of Spec (`behavior`, `decision`, …) or a namespace (`spec`, `pack`, `impl`, `api`, `component`, `test`, `oracle`) to a regular expression, which the whole id behind its namespace must match. The pattern of a kind goes before that of `spec`.
// Without `patterns` the ids of Specs and Packs are small words joined by hyphens and dots.
// @params patterns
const kinds = ["behavior", "workflow", "example", "rule", "constraint", "model", "decision", "contract"];
const namespaces = ["spec", "pack", "impl", "api", "component", "test", "oracle"];
const words = "[a-z][a-z0-9]*(-[a-z0-9]+)*";
const { patterns = { spec: `${words}(\\.${words})*`, pack: `${words}(\\.${words})*` } } = params;
const isTable = typeof patterns === "object" && patterns !== null && !Array.isArray(patterns);
if (!isTable || !Object.values(patterns).every((pattern) => typeof pattern === "string")) {
  throw new TypeError("patterns takes a table of regular expressions by kind or namespace");
}

const findings = [];
const byName = new Map();
for (const [name, pattern] of Object.entries(patterns)) {
  const path = `patterns.${name}`;
  if (!kinds.includes(name) && !namespaces.includes(name)) {
    findings.push({ path, message: `\`${path}\` names no kind and no namespace: ${[...kinds, ...namespaces].join(", ")}` });
    continue;
  }
  try {
    // On its own first: "a)|(b" would leave the group around it.
    new RegExp(pattern, "u");
    byName.set(name, { pattern, whole: new RegExp(`^(?:${pattern})$`, "u"), matched: 0 });
  } catch (error) {
    findings.push({ path, message: `\`${path}\` is no regular expression: ${error.message}` });
  }
}
for (const { id, specKind } of graph.nodes) {
  const colon = id.indexOf(":");
  const name = byName.has(specKind) ? specKind : id.slice(0, colon);
  const rule = byName.get(name);
  if (rule === undefined) continue;
  rule.matched += 1;
  if (!rule.whole.test(id.slice(colon + 1))) {
    findings.push({ subject: id, message: `"${id}" does not keep the pattern of "${name}": ${rule.pattern}. Rename it everywhere, or change the pattern` });
  }
}
for (const [name, { matched }] of byName) {
  if (matched === 0 && params.patterns !== undefined) {
    findings.push({ path: `patterns.${name}`, severity: "warning", message: `\`patterns.${name}\` judges nothing: no id is of this ${kinds.includes(name) ? "kind" : "namespace"}` });
  }
}
return { diagnostics: findings };
