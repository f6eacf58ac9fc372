// @title Pinned declarations
// @description Design entries whose value opens with a code span on one line: the span's content, as it was written and never parsed.
// @gives { totals: { entries, specs }, rows: [{ spec, key, declaration }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const openingSpan = /^(`+)(?!`)([^\r\n]+?)(?<!`)\1(?!`)/;
const rows = [];
for (const { id } of g.specs()) {
  for (const [key, value] of Object.entries(g.byId(id).sections?.design ?? {})) {
    const span = key === "description" || typeof value !== "string" ? null : openingSpan.exec(value);
    if (span !== null) rows.push({ spec: id, key, declaration: span[2] });
  }
}
return { totals: { entries: rows.length, specs: new Set(rows.map((row) => row.spec)).size }, rows };
