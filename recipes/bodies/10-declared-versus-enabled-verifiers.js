// @title Declared versus enabled verifiers
// @description Every Spec that something verifies: the examples that declare it, and the tests and examples that a binding enables. `withDeclaredOnly` counts the Specs that an example declares to verify and no binding enables to.
// @gives { total, withDeclaredOnly, rows: [{ id, declared: [id], enabled: [id] }] }
const accepts = [];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };

const rows = g
  .specs()
  .filter((spec) => g.in(spec.id, "verifies").length > 0)
  .map(({ id }) => {
    const { verifiers } = g.specContext(id);
    return {
      id,
      declared: verifiers.filter((verifier) => verifier.claim === "declared").map((verifier) => verifier.verifierId),
      enabled: verifiers.filter((verifier) => verifier.enabled).map((verifier) => verifier.verifierId),
    };
  });
const hasDeclaredOnly = ({ declared, enabled }) => {
  const counted = new Set(enabled);
  return declared.some((id) => !counted.has(id));
};
return { total: rows.length, withDeclaredOnly: rows.filter(hasDeclaredOnly).length, rows };
