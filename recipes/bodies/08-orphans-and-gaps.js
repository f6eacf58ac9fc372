// @title Orphans and gaps
// @description The report in figures: errors, warnings, and the warnings by check; and the warnings themselves, the signals, at most 25 in the report's order.
// @gives { errors, warnings, byValidator: { validatorId: count }, signals: [{ validatorId, family, subjectId, message }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const shown = 25;
const signals = report.findings.filter((finding) => finding.severity === "warning");
const byValidator = {};
for (const { validatorId } of signals) byValidator[validatorId] = (byValidator[validatorId] ?? 0) + 1;
return {
  errors: report.findings.length - signals.length,
  warnings: signals.length,
  byValidator,
  signals: signals.slice(0, shown).map(({ validatorId, family, subjectId, message }) => ({
    validatorId,
    family,
    subjectId: subjectId ?? null,
    message,
  })),
};
