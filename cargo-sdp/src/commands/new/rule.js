// @title @@NAME@@
// @rule @@NAME@@
// @description @@DESCRIPTION@@
// @params severity
//
// `cargo sdp rules` runs this body over the graph, and fails where the list that it returns holds an error.
// Try a condition with `cargo sdp q` first: `cargo sdp q --help` lists what `g` and `graph` have.
return g
  .specs()
  // The condition: decisions need no test, and an idea has none yet.
  .filter((spec) => spec.statedReadiness === "ready" && spec.specKind !== "decision")
  .filter((spec) => !spec.deliveryFacts.includes("has-verifier"))
  .map((spec) => ({
    // What it is about decides the line: an id stands at its Spec, an entry address such as `${spec.id}#rule.once` at its
    // entry, `specs/a.sdp.md:7` at that line, and an edge `{ from, type, to }` where it is authored.
    subject: spec.id,
    // What is wrong, and what to do about it.
    message: `"${spec.title}" is ready, and no test verifies it: bind a test to ${spec.id}, or state a lower rung`,
    // "error" fails the case and "warning" does not; the configuration may say which.
    severity: params.severity,
  }));
