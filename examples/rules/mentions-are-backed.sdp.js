// @title Mentions are backed
// @rule mentions-are-backed
// @description A Spec that names another one in its prose is tied to it by a declared relation, so that what the text says can be asked of the graph.
// Recipe 22 finds the mentions. `scope` is a Pack (its members) or a Spec (it and those whose ids continue it); without it every Spec is read. A relation from either of the two counts; with `direction` "own" only one of the Spec that mentions.
// @params scope, direction
const { scope, direction = "either" } = params;
if (scope !== undefined && typeof scope !== "string") throw new TypeError("scope takes a Spec id or a Pack id");
if (direction !== "either" && direction !== "own") throw new TypeError('direction takes "either" or "own"');

const audit = await recipes(22, scope === undefined ? {} : { scope });
if (!audit.found || audit.totals.specs === 0) {
  return { diagnostics: [{ path: "scope", message: `\`scope\` is "${scope}", which holds no Spec: correct it` }] };
}
const place = ({ section, entry }) => {
  if (entry === null) return section;
  return entry.startsWith("[") ? `${section}${entry}` : `${section}.${entry}`;
};
const more = (count) => (count === 0 ? "" : ` and ${count} more ${count === 1 ? "place" : "places"}`);
const told = ({ from, to, at }, remedy) => ({
  subject: from,
  relatedId: to,
  path: place(at[0]),
  message: `"${from}" names "${to}" in \`${place(at[0])}\`${more(at.length - 1)}, and ${remedy}`,
});
return [
  ...audit.unbacked.map((row) => told(row, "no relation ties them: declare one, or say it without the id")),
  ...(direction === "own" ? audit.reverseOnly : []).map((row) => told(row, `only "${row.to}" declares a relation: declare one here, or say it without the id`)),
];
