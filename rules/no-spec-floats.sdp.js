// @title No Spec floats
// @description Every Spec but an epic refines another one.
// @params severity
return g
  .specs()
  .filter((spec) => spec.altitude !== "epic" && g.out(spec.id, "refines").length === 0)
  .map((spec) => ({
    rule: "no-spec-floats",
    subject: spec.id,
    message: `"${spec.id}" refines nothing`,
    severity: params.severity,
  }));
