// @title Each rule has a key
// @rule rules-have-keys
// @description Each rule of a Spec opens with a key, such as [#once], so that examples, tests and people can name it.
// @params severity
return graph.locations
  .filter((row) => row.entry.startsWith("rule[") && row.key === undefined)
  .map((row) => ({
    subject: `${row.spec}#${row.entry}`,
    message: "this rule has no key: open it with one, such as [#once]",
    severity: params.severity,
  }));
