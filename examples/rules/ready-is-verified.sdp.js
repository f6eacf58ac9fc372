// @title Ready is verified
// @rule ready-is-verified
// @description A Spec that states ready has a verifier that counts: a test that is bound to it, or an example that verifies it and has a bound test of its own.
// `exempt` lists the kinds that need none; a decision needs none by default.
// @params exempt
const kinds = ["behavior", "workflow", "example", "rule", "constraint", "model", "decision", "contract"];
const { exempt = ["decision"] } = params;
if (!Array.isArray(exempt) || !exempt.every((kind) => typeof kind === "string")) {
  throw new TypeError("exempt takes a list of kinds");
}

const findings = [];
const exempted = new Set();
for (const { id, specKind, statedReadiness, deliveryFacts } of g.specs()) {
  if (statedReadiness !== "ready" || deliveryFacts.includes("has-verifier")) continue;
  if (exempt.includes(specKind)) {
    exempted.add(specKind);
    continue;
  }
  const remedy = specKind === "example" ? "bind a test to it" : "bind a test to it, or an example that verifies it";
  findings.push({
    subject: id,
    path: "readiness",
    message: `"${id}" states ready and nothing verifies it: ${remedy}, or state a lower rung`,
  });
}
for (const [index, kind] of (params.exempt ?? []).entries()) {
  const path = `exempt[${index}]`;
  if (!kinds.includes(kind)) {
    findings.push({ path, message: `\`${path}\` is "${kind}", which is no kind: ${kinds.join(", ")}` });
  } else if (!exempted.has(kind)) {
    findings.push({ path, severity: "warning", message: `\`${path}\` exempts "${kind}", and no Spec of that kind needs it: remove it` });
  }
}
return { diagnostics: findings };
