// @title A Pack has an owner
// @rule pack-has-owner
// @description Each Pack says who answers for it: a paragraph `Owner: team-name` below its title, or a row of `owners`, which maps a Pack to an owner or a list of them.
// `teams` lists the owners that exist. With it an owner that is none of them is a finding, and so is a team that owns nothing.
// @params owners, teams
const { owners = {}, teams } = params;
const isName = (name) => typeof name === "string" && name.trim() !== "";
const isTable = typeof owners === "object" && owners !== null && !Array.isArray(owners);
if (!isTable || !Object.values(owners).every((value) => isName(value) || (Array.isArray(value) && value.length > 0 && value.every(isName)))) {
  throw new TypeError("owners takes a table of Pack ids with an owner, or a list of owners, each");
}
if (teams !== undefined && (!Array.isArray(teams) || !teams.every(isName))) throw new TypeError("teams takes a list of names");

const findings = [];
// The word and the names may be marked up: `**Owner:** team-name`.
const opening = /^\s*[*_]*owners?[*_]*\s*:[*_]*/i;
const isMarkup = (character) => character === "*" || character === "`" || character.trim() === "";
const bare = (name) => {
  let [start, end] = [0, name.length];
  while (start < end && isMarkup(name[start])) start += 1;
  while (end > start && isMarkup(name[end - 1])) end -= 1;
  return name.slice(start, end);
};
const named = (text) => text.split(",").map(bare).filter((name) => name !== "");
const packs = g.packs();
const known = teams === undefined ? undefined : new Set(teams);
const owning = new Set();
for (const { id, framing, file } of packs) {
  const lines = (framing ?? "").split("\n").filter((text) => opening.test(text));
  const own = [...new Set(lines.flatMap((line) => named(line.replace(opening, ""))))];
  const row = Object.hasOwnProperty.call(owners, id) ? [...new Set([].concat(owners[id]).map((name) => name.trim()))] : [];
  if (own.length === 0 && row.length === 0) {
    const place = file.endsWith(".ts") ? "in its `framing`" : "below its title";
    findings.push({ subject: id, message: `"${id}" has no owner: write a paragraph "Owner: team-name" ${place}, or list it in \`owners\`` });
  }
  if (own.length > 0 && row.length > 0 && [...own].sort().join() !== [...row].sort().join()) {
    findings.push({ subject: id, message: `"${id}" says that ${own.join(", ")} owns it, and \`owners\` says ${row.join(", ")}: say it in one place` });
  }
  for (const name of new Set([...own, ...row])) {
    owning.add(name);
    if (known !== undefined && !known.has(name)) findings.push({ subject: id, message: `"${id}" is owned by "${name}", which \`teams\` does not list` });
  }
}
const ids = new Set(packs.map((pack) => pack.id));
for (const id of Object.keys(owners)) {
  if (!ids.has(id)) findings.push({ path: `owners.${id}`, severity: "warning", message: `\`owners\` lists "${id}", which is no Pack: correct or remove it` });
}
for (const [index, name] of (teams ?? []).entries()) {
  if (!owning.has(name)) findings.push({ path: `teams[${index}]`, severity: "warning", message: `\`teams[${index}]\` is "${name}", which owns no Pack` });
}
return { diagnostics: findings };
