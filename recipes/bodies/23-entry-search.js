// @title Entry search
// @description Entries of sections that hold the words of a term as a run of whole words, without regard to case. Words end at what is neither letter nor digit, and at the humps of camel case.
// @description A key is searched where an author coined it: in Design and UI, among terms, and on questions and rules. `address` and `line` are given where the entry has them; at most 50 matches are shown, by id and in the Spec's own order.
// @params term
// @takes term a text
// @needs term
// @gives { term, tokens: [word], totals: { matches, specs, shown }, matches: [{ id, section, entry, address, line, matchedIn: [key | text], text }] }
const accepts = ["term"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.term !== undefined && typeof params.term !== "string") throw new TypeError("term takes a text");

const hump = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;
const word = /[\p{L}\p{M}\p{N}]+/gu;
// The words of a text in lower case, a space around each.
const run = (text) => ` ${(text.replace(hump, " ").match(word) ?? []).join(" ").toLowerCase()} `;
const term = params.term ?? "";
const wanted = run(term);
const tokens = wanted.split(" ").filter((token) => token !== "");
const distinct = [...new Set(tokens)];
const holds = (text) => {
  // Most texts lack a word altogether; only the others are split.
  const lower = text.toLowerCase();
  return distinct.every((token) => lower.includes(token)) && run(text).includes(wanted);
};

// Every text of a Spec: where it stands, the key that its author coined, its address and its name in the location table.
const entriesOf = ({ id, sections }) => {
  const entries = [];
  const push = (section, entry, text, { key = null, address = null, located = null } = {}) =>
    entries.push({ id, section, entry, text, key, address, located });
  const addressed = (name, key) => (/^[a-z][A-Za-z0-9]*$/.test(key) ? `${id}#${name}.${key}` : null);
  const keyed = (section, name, list, text) => {
    for (const [index, item] of (Array.isArray(list) ? list : []).entries()) {
      const key = item.key ?? null;
      const address = key === null ? null : addressed(name, key);
      const entry = `${name === "question" ? "openQuestions" : "rules"}[${index}]`;
      push(section, entry, typeof item === "string" ? item : item[text], { key, address, located: `${name}[${index}]` });
    }
  };
  const plain = (section, value, entry) => {
    if (typeof value === "string") push(section, entry, value);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) plain(section, item, `${entry}[${index}]`);
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) plain(section, item, entry === "" ? key : `${entry}.${key}`);
    }
  };
  for (const [section, value] of Object.entries(sections ?? {})) {
    if (Array.isArray(value)) {
      plain(section, value, "");
      continue;
    }
    for (const [key, item] of Object.entries(value)) {
      if ((section === "design" || section === "ui") && key !== "description" && typeof item === "string") {
        push(section, key, item, { key, address: addressed(section, key), located: `${section}.${key}` });
      } else if (section === "model" && key === "terms") {
        for (const [name, meaning] of Object.entries(item)) push(section, `terms.${name}`, meaning, { key: name });
      } else if (section === "intent" && key === "openQuestions") {
        keyed(section, "question", item, "question");
      } else if (section === "behavior" && key === "rules") {
        keyed(section, "rule", item, "rule");
      } else {
        plain(section, item, key);
      }
    }
  }
  return entries;
};

const shown = 50;
const matches = [];
let total = 0;
let specs = 0;
for (const spec of tokens.length === 0 ? [] : g.specs()) {
  let here = 0;
  for (const entry of entriesOf(g.byId(spec.id))) {
    const inKey = entry.key !== null && holds(entry.key);
    const inText = typeof entry.text === "string" && holds(entry.text);
    if (!inKey && !inText) continue;
    here += 1;
    if (matches.length < shown) {
      matches.push({ ...entry, matchedIn: [...(inKey ? ["key"] : []), ...(inText ? ["text"] : [])] });
    }
  }
  total += here;
  if (here > 0) specs += 1;
}

const lines = new Map();
for (const { id } of matches) {
  if (lines.has(id)) continue;
  lines.set(id, new Map(g.specContext(id).entryLocations.map((row) => [row.entry, row.line])));
}
const answer = {
  term,
  tokens,
  totals: { matches: total, specs, shown: matches.length },
  matches: matches.map(({ id, section, entry, address, located, matchedIn, text }) => ({
    id,
    section,
    entry,
    address,
    line: lines.get(id).get(located) ?? null,
    matchedIn,
    text,
  })),
};
return params.term === undefined ? { ...answer, needs: ["term"] } : answer;
