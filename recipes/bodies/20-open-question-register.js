// @title Open-question register
// @description Every open question: Specs with a blocking one first, then by id; in each Spec in the order in which they were written. A bare text is a question that does not block.
// @description An entry that is neither a text nor a well-formed question is malformed and counted apart.
// @gives { totals: { questions, blocking, nonBlocking, specs, specsWithBlocking, malformed }, specs: [{ id, statedReadiness, totals: { questions, blocking }, questions: [{ blocking, question, key, address }] }], malformed: [{ id, section, entry, reason }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const faultOf = (entry) => {
  if (typeof entry === "string") return null;
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return "neither a text nor a question";
  if (typeof entry.question !== "string") return "the question has no text";
  if (entry.blocking !== undefined && typeof entry.blocking !== "boolean") return "blocking is neither true nor false";
  if (entry.key !== undefined && !(typeof entry.key === "string" && /^[a-z][A-Za-z0-9]*$/.test(entry.key))) {
    return "the key is not lower-camel ASCII";
  }
  return null;
};

const specs = [];
const malformed = [];
for (const { id, statedReadiness } of g.specs()) {
  const entries = g.byId(id).sections?.intent?.openQuestions ?? [];
  if (!Array.isArray(entries)) {
    malformed.push({ id, section: "intent", entry: "openQuestions", reason: "not a list" });
    continue;
  }
  const questions = [];
  for (const [index, entry] of entries.entries()) {
    const reason = faultOf(entry);
    if (reason !== null) {
      malformed.push({ id, section: "intent", entry: `openQuestions[${index}]`, reason });
      continue;
    }
    const { question, blocking = false, key = null } = typeof entry === "string" ? { question: entry } : entry;
    questions.push({ blocking, question, key, address: key === null ? null : `${id}#question.${key}` });
  }
  if (questions.length === 0) continue;
  const blocking = questions.filter((question) => question.blocking).length;
  specs.push({ id, statedReadiness, totals: { questions: questions.length, blocking }, questions });
}
specs.sort((left, right) => (right.totals.blocking > 0) - (left.totals.blocking > 0));

const sum = (count) => specs.reduce((total, spec) => total + spec.totals[count], 0);
return {
  totals: {
    questions: sum("questions"),
    blocking: sum("blocking"),
    nonBlocking: sum("questions") - sum("blocking"),
    specs: specs.length,
    specsWithBlocking: specs.filter((spec) => spec.totals.blocking > 0).length,
    malformed: malformed.length,
  },
  specs,
  malformed,
};
