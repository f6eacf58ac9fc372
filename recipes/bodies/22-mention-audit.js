// @title Mention audit
// @description Spec ids and entry addresses in prose, found as the check `conformance/prose-mentions` finds them: in narrative and sections, not in titles, example spaces and the steps of examples; a Spec's own id is no mention.
// @description `occurrences` counts each token. A pair is a Spec and another one that it mentions; it is backed by a declared relation either way, and `reverseOnly` are the backed pairs whose relations all come from the mentioned Spec.
// @description What names no id, no Spec or no entry is unresolved: one row for each Spec and token; where only the entry is missing, the pair counts all the same. `scope` takes a Pack id (its members), or a Spec id (that Spec and those whose ids continue it). Without it every Spec is read.
// @params scope
// @takes scope a Spec id or a Pack id
// @needs scope
// @gives { scope, found, totals: { specs, occurrences, pairs, backed, unbacked, reverseOnly, unresolved }, unresolved: [{ from, to, reason: malformed | spec | entry, totals: { occurrences }, at: [{ section, entry }] }], unbacked: [{ from, to, totals, at }], reverseOnly: [{ from, to, totals, at }] } or { scope, found: false }
const accepts = ["scope"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.scope !== undefined && typeof params.scope !== "string") throw new TypeError("scope takes a Spec id or a Pack id");

const scope = params.scope ?? null;
const named = scope === null ? undefined : g.byId(scope);
const members = named?.nodeType === "Pack" ? new Set(named.members) : null;
const isInScope = ({ id }) => {
  if (scope === null) return true;
  return members === null ? id === scope || id.startsWith(`${scope}.`) : members.has(id);
};
const specs = g.specs().filter(isInScope);
if (specs.length === 0 && scope !== null && members === null) return { scope, found: false };

// The Protocol's token: it opens at a word's edge and ends at white space or a closing mark.
const token =
  /(?<![A-Za-z0-9-])spec:(?:[^\p{White_Space}\P{ASCII}`"'()[\]{}<>|]|[^\p{ASCII}\p{White_Space}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}])*/gu;
const address =
  /^(spec:[A-Za-z0-9][A-Za-z0-9-]*(?:\.[A-Za-z0-9][A-Za-z0-9-]*)*)(?:#((?:design|ui|question|rule)\.[a-z][A-Za-z0-9]*))?$/;
const prefix = "spec:";
const mentionsIn = (text, own) => {
  // No letter can be escaped, but the colon can.
  if (!text.includes("spec")) return [];
  const found = [];
  const plain = text.includes("\\") ? text.replace(/\\([!-/:-@[-`{-~])/g, "$1") : text;
  for (const raw of plain.match(token) ?? []) {
    let end = raw.length;
    while (end > prefix.length && ".,;:!?*_~".includes(raw[end - 1])) end -= 1;
    const mention = raw.slice(0, end);
    if (end > prefix.length && mention !== own) found.push(mention);
  }
  return found;
};

// Every text of a Spec with the section and the entry that hold it.
const textsOf = ({ narrative, sections }) => {
  const texts = [];
  const visit = (value, section, entry) => {
    if (typeof value === "string") {
      texts.push({ text: value, section, entry });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (section === "behavior" && entry === "examples" && typeof item !== "string") continue;
        const place = `${entry ?? ""}[${index}]`;
        const isKeyedRule = section === "behavior" && entry === "rules" && typeof item !== "string";
        visit(isKeyedRule ? item.rule : item, section, place);
      }
    } else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (section === "behavior" && key === "exampleSpace") continue;
        visit(item, section, entry === null ? key : `${entry}.${key}`);
      }
    }
  };
  if (narrative !== undefined) visit(narrative, "narrative", null);
  for (const [section, value] of Object.entries(sections ?? {})) visit(value, section, null);
  return texts;
};

const entryLists = new Map();
const entriesOf = (node) => {
  const kept = entryLists.get(node.id);
  if (kept !== undefined) return kept;
  const { design, ui, intent, behavior } = node.sections ?? {};
  const bag = (section, name) => Object.keys(section ?? {}).filter((key) => key !== "description").map((key) => `${name}.${key}`);
  const keyed = (list, name) => (list ?? []).filter((item) => item.key !== undefined).map((item) => `${name}.${item.key}`);
  const entries = new Set([
    ...bag(design, "design"),
    ...bag(ui, "ui"),
    ...keyed(intent?.openQuestions, "question"),
    ...keyed(behavior?.rules, "rule"),
  ]);
  entryLists.set(node.id, entries);
  return entries;
};
const resolve = (mention) => {
  const [, id, entry] = address.exec(mention) ?? [];
  if (id === undefined) return { reason: "malformed" };
  const node = g.byId(id);
  if (node?.nodeType !== "Primitive") return { reason: "spec" };
  return entry === undefined || entriesOf(node).has(entry) ? { id } : { id, reason: "entry" };
};
// Prose names few things often.
const known = new Map();
const resolved = (mention) => {
  if (!known.has(mention)) known.set(mention, resolve(mention));
  return known.get(mention);
};

const related = new Map();
const declares = (from, to) => {
  if (!related.has(from)) {
    const authored = ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies", "supersedes"];
    const edges = g.out(from).filter((edge) => edge.claim === "declared" && authored.includes(edge.type));
    related.set(from, new Set(edges.map((edge) => edge.to)));
  }
  return related.get(from).has(to);
};

let occurrences = 0;
const pairs = [];
const unresolved = [];
const count = (rows, row, place) => {
  const name = `${row.reason ?? ""} ${row.to}`;
  if (!rows.has(name)) rows.set(name, { ...row, totals: { occurrences: 0 }, at: [] });
  const { totals, at } = rows.get(name);
  totals.occurrences += 1;
  const last = at.at(-1);
  if (last?.section !== place.section || last.entry !== place.entry) at.push(place);
};
const byText = (left, right) => (left.to < right.to ? -1 : left.to > right.to ? 1 : 0);
for (const { id: from } of specs) {
  const rows = new Map();
  for (const { text, section, entry } of textsOf(g.byId(from))) {
    for (const mention of mentionsIn(text, from)) {
      occurrences += 1;
      const { id, reason } = resolved(mention);
      if (id !== undefined && id !== from) count(rows, { from, to: id }, { section, entry });
      if (reason !== undefined) count(rows, { from, to: mention, reason }, { section, entry });
    }
  }
  const found = [...rows.values()].sort(byText);
  for (const row of found) (row.reason === undefined ? pairs : unresolved).push(row);
}

const unbacked = pairs.filter(({ from, to }) => !declares(from, to) && !declares(to, from));
const reverseOnly = pairs.filter(({ from, to }) => !declares(from, to) && declares(to, from));
const answer = {
  scope,
  found: true,
  totals: {
    specs: specs.length,
    occurrences,
    pairs: pairs.length,
    backed: pairs.length - unbacked.length,
    unbacked: unbacked.length,
    reverseOnly: reverseOnly.length,
    unresolved: unresolved.length,
  },
  unresolved,
  unbacked,
  reverseOnly,
};
return params.scope === undefined ? { ...answer, needs: ["scope"] } : answer;
