// @title Every Spec belongs to a Pack
// @description A Spec that no Pack lists is read by nobody.
// @params severity
return g
  .specs()
  .filter((spec) => spec.packs.length === 0)
  .map((spec) => ({
    rule: "every-spec-belongs-to-a-pack",
    subject: spec.id,
    message: `no Pack lists "${spec.id}"`,
    severity: params.severity,
  }));
