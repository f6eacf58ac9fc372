// @title Decision register
// @description Every decision by id: the rung it states, what it replaces and what replaces it, the Specs that it shapes (they name it under decidedBy), its open questions that have a key, and its Packs. Recipe 20 lists those without one too.
// @gives { totals: { decisions, byRung: { rung: count }, superseded, shapingNothing }, rows: [{ id, title, statedReadiness, supersedes: [id], supersededBy: [id], shapes: [id], questions: [{ key, blocking, address }], packs: [id] }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const isDeclared = (edge) => edge.claim === "declared";
const rows = g
  .specs()
  .filter((spec) => spec.specKind === "decision")
  .map(({ id, title, statedReadiness, packs }) => ({
    id,
    title: title ?? null,
    statedReadiness,
    supersedes: g.out(id, "supersedes").filter(isDeclared).map((edge) => edge.to),
    supersededBy: g.in(id, "supersedes").filter(isDeclared).map((edge) => edge.from),
    shapes: g.in(id, "decidedBy").filter(isDeclared).map((edge) => edge.from),
    questions: (g.byId(id).sections?.intent?.openQuestions ?? [])
      .filter(({ key }) => key !== undefined)
      .map(({ key, blocking = false }) => ({ key, blocking, address: `${id}#question.${key}` })),
    packs,
  }));

const byRung = { idea: 0, scoped: 0, defined: 0, ready: 0 };
for (const row of rows) byRung[row.statedReadiness] += 1;
return {
  totals: {
    decisions: rows.length,
    byRung,
    superseded: rows.filter((row) => row.supersededBy.length > 0).length,
    shapingNothing: rows.filter((row) => row.shapes.length === 0).length,
  },
  rows,
};
