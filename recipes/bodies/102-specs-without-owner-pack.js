// @title Specs without owner Pack
// @description The Specs that no Pack lists, by id: nobody reviews them as part of a whole. `inSeveral` counts the Specs that more than one Pack lists.
// @description With `severity` (`error` or `warning`) it answers as a rule does: one finding for each of them. It judges where the configuration runs it as a rule.
// @params severity
// @takes severity "error" or "warning"
// @opt-in
// @gives { totals: { specs, packs, owned, inSeveral, unowned }, rows: [{ id, title, specKind, altitude, statedReadiness, file }] }, or with severity { diagnostics: [finding] }
const accepts = ["severity"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { severity } = params;
if (severity !== undefined && severity !== "error" && severity !== "warning") {
  throw new TypeError('severity takes "error" or "warning"');
}

const specs = g.specs();
const unowned = specs.filter((spec) => spec.packs.length === 0);
if (severity !== undefined) {
  return {
    diagnostics: unowned.map(({ id, file }) => ({
      validatorId: "recipe::102-specs-without-owner-pack",
      severity,
      message: `Spec "${id}" stands in no Pack.`,
      subjectId: id,
      file,
    })),
  };
}
return {
  totals: {
    specs: specs.length,
    packs: g.packs().length,
    owned: specs.length - unowned.length,
    inSeveral: specs.filter((spec) => spec.packs.length > 1).length,
    unowned: unowned.length,
  },
  rows: unowned.map(({ id, title, specKind, altitude, statedReadiness, file }) => ({
    id,
    title: title ?? null,
    specKind,
    altitude,
    statedReadiness,
    file,
  })),
};
