// @title Where is this concept
// @description Specs, Packs and bindings whose id, title, prose or sections hold a term; at most 25, best first.
// @params term
// @takes term a text
// @needs term
// @gives { term, total, matches: [{ id, nodeType, title, matchedIn: [field] }] }
const accepts = ["term"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.term !== undefined && typeof params.term !== "string") throw new TypeError("term takes a text");

const shown = 25;
const term = params.term ?? "";
const found = g.findByConcept(term);
const answer = {
  term,
  total: found.length,
  matches: found.slice(0, shown).map(({ id, nodeType, title, matchedIn }) => ({
    id,
    nodeType,
    title: title ?? null,
    matchedIn,
  })),
};
return params.term === undefined ? { ...answer, needs: ["term"] } : answer;
