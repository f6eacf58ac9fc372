// @title Address resolution
// @description Where entry addresses such as `spec:shop.refund#rule.once` lead: one row for each, in the order given, repeats kept. `reason` says what an address lacks: its form (`malformed`), the Spec (`spec`) or the entry (`entry`).
// @description With `severity` (`error` or `warning`) it answers as a rule does: one finding for each address that leads nowhere.
// @params addresses, severity
// @takes addresses a list of entry addresses
// @takes severity "error" or "warning"
// @needs addresses
// @gives { totals: { addresses, resolved, malformed, spec, entry }, rows: [{ address, resolves, id, section, key, value, file, line, reason }] }, or with severity { diagnostics: [finding] }
const accepts = ["addresses", "severity"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { addresses = [], severity } = params;
if (!Array.isArray(addresses) || !addresses.every((address) => typeof address === "string")) {
  throw new TypeError("addresses takes a list of entry addresses");
}
if (severity !== undefined && severity !== "error" && severity !== "warning") {
  throw new TypeError('severity takes "error" or "warning"');
}
if (severity !== undefined && params.addresses === undefined) {
  throw new TypeError("severity judges addresses, and none are given");
}

const form =
  /^(spec:[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*)#(design|ui|question|rule)\.([a-z][A-Za-z0-9]*)$/;
// The location table is as large as the corpus: it is read when an address first leads somewhere.
let places;
const placeOf = (name) => {
  places ??= new Map(graph.locations.map((row) => [`${row.spec}#${row.entry}`, row]));
  return places.get(name);
};
const entryLists = new Map();
// The entries of one Spec by `<section>.<key>`: what each says and its name in the location table.
const entriesOf = (node) => {
  const kept = entryLists.get(node.id);
  if (kept !== undefined) return kept;
  const entries = new Map();
  for (const section of ["design", "ui"]) {
    for (const [key, value] of Object.entries(node.sections?.[section] ?? {})) {
      const name = `${section}.${key}`;
      if (key !== "description") entries.set(name, { value, located: name });
    }
  }
  const keyed = (list, section, text) => {
    for (const [index, item] of (list ?? []).entries()) {
      if (item.key !== undefined) entries.set(`${section}.${item.key}`, { value: item[text], located: `${section}[${index}]` });
    }
  };
  keyed(node.sections?.intent?.openQuestions, "question", "question");
  keyed(node.sections?.behavior?.rules, "rule", "rule");
  entryLists.set(node.id, entries);
  return entries;
};

const rows = addresses.map((address) => {
  const [, id = null, section = null, key = null] = form.exec(address) ?? [];
  const row = { address, resolves: false, id, section, key, value: null, file: null, line: null };
  if (id === null) return { ...row, reason: "malformed" };
  const node = g.byId(id);
  if (node?.nodeType !== "Primitive") return { ...row, reason: "spec" };
  const entry = entriesOf(node).get(`${section}.${key}`);
  if (entry === undefined) return { ...row, file: node.file, reason: "entry" };
  const { value, located } = entry;
  const place = placeOf(`${id}#${located}`);
  return { ...row, resolves: true, value, file: place?.file ?? node.file, line: place?.line ?? null, reason: null };
});

if (severity !== undefined) {
  const complaint = {
    malformed: () => "is no entry address",
    spec: ({ id }) => `names the Spec "${id}", which does not exist`,
    entry: ({ id, section, key }) => `names the entry "${section}.${key}", which "${id}" does not have`,
  };
  return {
    diagnostics: rows.flatMap((row, index) => {
      if (row.resolves) return [];
      const finding = {
        validatorId: "recipe::25-address-resolution",
        severity,
        message: `Address "${row.address}" ${complaint[row.reason](row)}.`,
        path: `addresses[${index}]`,
      };
      return row.reason === "entry" ? { ...finding, subjectId: row.id, file: row.file } : finding;
    }),
  };
}
const counted = (reason) => rows.filter((row) => row.reason === reason).length;
const answer = {
  totals: {
    addresses: rows.length,
    resolved: rows.filter((row) => row.resolves).length,
    malformed: counted("malformed"),
    spec: counted("spec"),
    entry: counted("entry"),
  },
  rows,
};
return params.addresses === undefined ? { ...answer, needs: ["addresses"] } : answer;
