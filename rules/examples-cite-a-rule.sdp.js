// @title Examples cite a rule
// @description An example names the rule of its parent that it shows, by its entry address.
// @params severity
const rulesOf = new Map(
  g.specs().map((spec) => {
    const keys = (g.byId(spec.id).sections?.behavior?.rules ?? []).map((rule) => rule.key).filter(Boolean);
    return [spec.id, keys.map((key) => `${spec.id}#rule.${key}`)];
  }),
);
return g
  .specs()
  .filter((spec) => spec.specKind === "example")
  .filter((spec) => {
    const parents = g.out(spec.id, "refines").map((edge) => edge.to);
    const addresses = parents.flatMap((parent) => rulesOf.get(parent) ?? []);
    const narrative = spec.narrative ?? "";
    // A longer key may open with a shorter one.
    const cites = (address) => narrative.split(address).slice(1).some((rest) => !/^[\w-]/.test(rest));
    return !addresses.some(cites);
  })
  .map((spec) => ({
    rule: "examples-cite-a-rule",
    subject: spec.id,
    message: `"${spec.id}" names no rule of the Spec that it refines`,
    severity: params.severity,
  }));
