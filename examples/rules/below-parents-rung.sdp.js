// @title Below the parent's rung
// @rule below-parents-rung
// @description A Spec states no rung above that of the Spec that it refines: a part is not settled before the whole is.
// `exempt` lists the kinds that may, such as "decision".
// @params exempt
const kinds = ["behavior", "workflow", "example", "rule", "constraint", "model", "decision", "contract"];
const rungs = ["idea", "scoped", "defined", "ready"];
const { exempt = [] } = params;
if (!Array.isArray(exempt) || !exempt.every((kind) => typeof kind === "string")) {
  throw new TypeError("exempt takes a list of kinds");
}

const findings = [];
const exempted = new Set();
for (const { id, specKind, statedReadiness } of g.specs()) {
  for (const { to, claim } of g.out(id, "refines")) {
    const parent = g.byId(to);
    if (claim !== "declared" || parent?.nodeType !== "Primitive") continue;
    if (rungs.indexOf(statedReadiness) <= rungs.indexOf(parent.readiness)) continue;
    if (exempt.includes(specKind)) exempted.add(specKind);
    else {
      findings.push({
        subject: id,
        path: "readiness",
        relatedId: to,
        message: `"${id}" states ${statedReadiness} and refines "${to}", which states ${parent.readiness}: raise "${to}" first, or state ${parent.readiness} here`,
      });
    }
  }
}
for (const [index, kind] of exempt.entries()) {
  const path = `exempt[${index}]`;
  if (!kinds.includes(kind)) {
    findings.push({ path, message: `\`${path}\` is "${kind}", which is no kind: ${kinds.join(", ")}` });
  } else if (!exempted.has(kind)) {
    findings.push({ path, severity: "warning", message: `\`${path}\` exempts "${kind}", and no Spec of that kind needs it: remove it` });
  }
}
return { diagnostics: findings };
