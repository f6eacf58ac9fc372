// @title Open questions by age
// @description Every open question with the day on which its line was written, the oldest first; those without a day stand last, by Spec and place.
// @description The graph knows no days: `dates` brings them, by entry (`spec:x#question[0]`) or address (`spec:x#question.key`), each a day or `{ date, commit }`; `today` is the day from which ages count. `cargo sdp questions --by-age` asks git for both. What of `dates` names no question is listed.
// @params dates, today
// @takes dates an object of days, or of { date, commit }, by entry or address
// @takes today a day, such as 2027-01-31
// @needs dates
// @gives { today, totals: { questions, blocking, dated, undated }, rows: [{ spec, statedReadiness, entry, address, question, blocking, file, line, date, commit, ageDays }], unmatched: [entry] }
const accepts = ["dates", "today"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

// Days since 1970 of a day of the calendar, or null; `Date` takes the 31st of a short month for a day of the next one.
const dayOf = (text) => {
  if (typeof text !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? null : time / 86400000;
};
const { dates = {}, today } = params;
if (typeof dates !== "object" || dates === null || Array.isArray(dates)) {
  throw new TypeError("dates takes an object of days, or of { date, commit }, by entry or address");
}
if (today !== undefined && dayOf(today) === null) throw new TypeError("today takes a day, such as 2027-01-31");
const known = new Map();
for (const [entry, value] of Object.entries(dates)) {
  const { date, commit = null } = typeof value === "string" ? { date: value } : (value ?? {});
  const day = dayOf(date);
  if (day === null || !(commit === null || typeof commit === "string")) {
    throw new TypeError(`dates takes a day, such as 2027-01-31, or { date, commit } for ${entry}`);
  }
  known.set(entry, { date, commit, day });
}

const until = today === undefined ? null : dayOf(today);
const matched = new Set();
const rows = [];
for (const { id, statedReadiness, file } of g.specs()) {
  const entries = g.byId(id).sections?.intent?.openQuestions;
  if (!Array.isArray(entries) || entries.length === 0) continue;
  const lines = new Map(g.specContext(id).entryLocations.map((row) => [row.entry, row.line]));
  for (const [index, written] of entries.entries()) {
    const { question, blocking = false, key = null } = typeof written === "string" ? { question: written } : (written ?? {});
    // What is malformed stands in the register, recipe 20.
    if (typeof question !== "string" || typeof blocking !== "boolean") continue;
    const entry = `${id}#question[${index}]`;
    const address = typeof key === "string" ? `${id}#question.${key}` : null;
    const given = [address, entry].filter((name) => known.has(name));
    for (const name of given) matched.add(name);
    const { date, commit, day } = known.get(given[0]) ?? { date: null, commit: null, day: null };
    const ageDays = day === null || until === null ? null : until - day;
    const line = lines.get(`question[${index}]`) ?? null;
    rows.push({ spec: id, statedReadiness, entry, address, question, blocking, file, line, date, commit, ageDays });
  }
}
// Equals keep their order: by Spec, then as they were written.
const rank = (row) => (row.date === null ? "~" : row.date);
rows.sort((left, right) => (rank(left) < rank(right) ? -1 : rank(left) > rank(right) ? 1 : 0));
const dated = rows.filter((row) => row.date !== null).length;
const answer = {
  today: today ?? null,
  totals: { questions: rows.length, blocking: rows.filter((row) => row.blocking).length, dated, undated: rows.length - dated },
  rows,
  unmatched: [...known.keys()].filter((entry) => !matched.has(entry)),
};
return params.dates === undefined ? { ...answer, needs: ["dates"] } : answer;
