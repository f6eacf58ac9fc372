// @title Cited addresses resolve
// @rule cited-addresses-resolve
// @description Entry addresses that stand outside the Specs, in a handbook, a ticket template or a comment of code, lead to an entry.
// A rule reads no file, so they come in as `addresses`: lines of `git grep -n`, as `docs/handbook.md:12:spec:shop.refund#rule.once`, or addresses alone. Recipe 25 resolves them.
// @params addresses
const { addresses } = params;
if (addresses === undefined) {
  return { diagnostics: [{ path: "addresses", message: "`addresses` is not given: hand in what `git grep` finds, as the guide shows" }] };
}
if (!Array.isArray(addresses) || !addresses.every((address) => typeof address === "string")) {
  throw new TypeError("addresses takes a list of entry addresses, or of lines such as docs/handbook.md:12:spec:shop.refund#rule.once");
}
if (addresses.length === 0) {
  return { diagnostics: [{ path: "addresses", severity: "warning", message: "`addresses` is empty, so nothing is judged: see that the search finds what it should" }] };
}

const cited = addresses.map((text) => {
  const [, file, line, address] = /^(?:\.\/)*(.+?):([1-9]\d{0,8}):(spec:.*)$/.exec(text) ?? [];
  return address === undefined ? { address: text } : { address, file, line };
});
const { rows } = await recipes(25, { addresses: cited.map(({ address }) => address) });
const complaint = {
  malformed: () => "is no entry address: write `spec:…#rule.key`, or `design`, `ui` or `question` for `rule`",
  spec: ({ id }) => `names the Spec "${id}", which does not exist`,
  entry: ({ id, section, key }) => `names the entry "${section}.${key}", which "${id}" does not have`,
};
return {
  diagnostics: rows.flatMap((row, index) => {
    if (row.resolves) return [];
    const { file, line } = cited[index];
    const message = `the address "${row.address}" ${complaint[row.reason](row)}`;
    if (file === undefined) return [{ path: `addresses[${index}]`, message }];
    // A finding can point at a file in which something of the graph stands.
    const isKnown = g.byFile(file).nodes.length > 0;
    return [isKnown ? { subject: `${file}:${line}`, message } : { path: `addresses[${index}]`, message: `${file}:${line}: ${message}` }];
  }),
};
