// @title Rules without citing example
// @description The rules with a key that no example names by their address, by id and in the Spec's own order. An example names a rule in its narrative or its sections, found as the check `conformance/prose-mentions` finds mentions: not in titles, example spaces and steps.
// @description Rules without a key have no address to be named by: `unkeyed` counts them for each Spec. `examples` counts the examples that refine or verify the Spec: where there are some, one of them may lack only the address.
// @description With `severity` (`error` or `warning`) it answers as a rule does: one finding for each rule with a key that no example names. It judges where the configuration runs it as a rule.
// @params severity
// @takes severity "error" or "warning"
// @opt-in
// @gives { totals: { specs, rules, keyed, unkeyed, cited, uncited }, rows: [{ id, key, address, file, line, rule, examples: count }], unkeyed: [{ id, rules: count }] }, or with severity { diagnostics: [finding] }
const accepts = ["severity"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { severity } = params;
if (severity !== undefined && severity !== "error" && severity !== "warning") {
  throw new TypeError('severity takes "error" or "warning"');
}

// The Protocol's token, as recipe 22 reads it: it opens at a word's edge and ends at white space or a closing mark.
const token =
  /(?<![A-Za-z0-9-])spec:(?:[^\p{White_Space}\P{ASCII}`"'()[\]{}<>|]|[^\p{ASCII}\p{White_Space}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}])*/gu;
const cited = new Set();
const cite = (text) => {
  // No letter can be escaped, but the signs around it can.
  if (!text.includes("rule")) return;
  const plain = text.includes("\\") ? text.replace(/\\([!-/:-@[-`{-~])/g, "$1") : text;
  for (const raw of plain.match(token) ?? []) {
    let end = raw.length;
    while (end > 0 && ".,;:!?*_~".includes(raw[end - 1])) end -= 1;
    cited.add(raw.slice(0, end));
  }
};
const visit = (value) => {
  if (typeof value === "string") cite(value);
  else if (typeof value === "object" && value !== null) for (const item of Object.values(value)) visit(item);
};

const specs = g.specs();
const isExample = (id) => g.byId(id)?.specKind === "example";
for (const { id, specKind } of specs) {
  if (specKind !== "example") continue;
  const { narrative, sections } = g.byId(id);
  visit(narrative);
  for (const [section, value] of Object.entries(sections ?? {})) {
    if (section !== "behavior") {
      visit(value);
      continue;
    }
    const { exampleSpace: _, examples = [], ...rest } = value;
    visit(rest);
    visit(examples.filter((example) => typeof example === "string"));
  }
}

let rules = 0;
let keyed = 0;
const uncited = [];
const unkeyed = [];
for (const { id, file } of specs) {
  const own = g.byId(id).sections?.behavior?.rules ?? [];
  const withoutKey = own.filter((rule) => rule.key === undefined).length;
  rules += own.length;
  keyed += own.length - withoutKey;
  if (withoutKey > 0) unkeyed.push({ id, rules: withoutKey });
  for (const [index, { rule, key }] of own.entries()) {
    const address = `${id}#rule.${key}`;
    if (key !== undefined && !cited.has(address)) uncited.push({ id, key, address, file, rule, index });
  }
}

if (severity !== undefined) {
  return {
    diagnostics: uncited.map(({ address, file }) => ({
      validatorId: "recipe::103-rules-without-citing-example",
      severity,
      message: `No example names the rule "${address}".`,
      subjectId: address,
      file,
    })),
  };
}
// The location table is as large as the corpus: it is read when a rule has a place to be told.
const lines = new Map();
if (uncited.length > 0) {
  for (const { spec, entry, line } of graph.locations) if (entry.startsWith("rule[")) lines.set(`${spec}#${entry}`, line);
}
const exampleCounts = new Map();
const examplesOf = (id) => {
  if (!exampleCounts.has(id)) {
    const edges = [...g.in(id, "refines"), ...g.in(id, "verifies")];
    exampleCounts.set(id, new Set(edges.map((edge) => edge.from).filter(isExample)).size);
  }
  return exampleCounts.get(id);
};
return {
  totals: { specs: specs.length, rules, keyed, unkeyed: rules - keyed, cited: keyed - uncited.length, uncited: uncited.length },
  rows: uncited.map(({ id, key, address, file, rule, index }) => ({
    id,
    key,
    address,
    file,
    line: lines.get(`${id}#rule[${index}]`) ?? null,
    rule,
    examples: examplesOf(id),
  })),
  unkeyed,
};
