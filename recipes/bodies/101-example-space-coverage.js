// @title Example space coverage
// @description What the examples of each example space show, and what none of them shows: values, outcomes, pairs of values, and whole combinations.
// @description Only booleans and enums can be exhausted. `combinations` counts those of all of them: how many there are (null where there is none to count, or more than a number holds exactly), and how many the examples show that bind each of them. `untaken` is null for numbers and strings.
// @description At most 25 untaken pairs are listed for a Spec, and `untakenPairs` counts all of them; `unpairedDimensions` counts the dimensions that are too many to pair. `unmatched` names the examples with a step that no space knows. `scope` takes a Pack id (its members), or a Spec id (that Spec and those whose ids continue it). Without it every Spec is read.
// @params scope
// @takes scope a Spec id or a Pack id
// @needs scope
// @gives { scope, found, totals: { specs, spaces, examples, enabled, values, untakenValues, outcomes, unreachedOutcomes, untakenPairs, unpairedDimensions }, rows: [{ id, title, totals: { examples, enabled, values, untakenValues, outcomes, unreachedOutcomes, untakenPairs, unpairedDimensions, findings }, combinations: { possible, shown }, dimensions: [{ name, type, taken, untaken: [value] }], outcomes: [{ skeleton, examples: [id] }], untakenPairs: [[{ dimension, value }]], unmatched: [id] }] } or { scope, found: false }
const accepts = ["scope"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.scope !== undefined && typeof params.scope !== "string") throw new TypeError("scope takes a Spec id or a Pack id");

const scope = params.scope ?? null;
const named = scope === null ? undefined : g.byId(scope);
const members = named?.nodeType === "Pack" ? new Set(named.members) : null;
const isInScope = ({ id }) => {
  if (scope === null) return true;
  return members === null ? id === scope || id.startsWith(`${scope}.`) : members.has(id);
};
const specs = g.specs().filter(isInScope);
if (specs.length === 0 && scope !== null && members === null) return { scope, found: false };

const sum = (list, count) => list.reduce((total, item) => total + count(item), 0);
const combinationsOf = (closed, examples) => {
  const possible = closed.reduce((product, dimension) => product * dimension.values.length, 1);
  const names = new Set(closed.map((dimension) => dimension.name));
  const shown = new Set();
  for (const { point } of examples) {
    // A point holds what it binds, in the order of the dimensions.
    const bound = Object.entries(point).filter(([name]) => names.has(name));
    if (bound.length === names.size) shown.add(JSON.stringify(bound));
  }
  return names.size === 0
    ? { possible: null, shown: 0 }
    : { possible: Number.isSafeInteger(possible) ? possible : null, shown: shown.size };
};
const most = 25;
const rowOf = (space) => {
  const closed = space.dimensions.filter((dimension) => dimension.values !== undefined);
  const reachedBy = new Map(space.outcomes.map(({ skeleton }) => [skeleton, []]));
  for (const example of space.examples) {
    for (const skeleton of new Set(example.outcomes)) reachedBy.get(skeleton)?.push(example.id);
  }
  const outcomes = space.outcomes.map(({ skeleton }) => ({ skeleton, examples: reachedBy.get(skeleton) }));
  return {
    id: space.id,
    title: space.title ?? null,
    totals: {
      examples: space.examples.length,
      enabled: space.examples.filter((example) => example.enabled).length,
      values: sum(closed, (dimension) => dimension.values.length),
      untakenValues: sum(closed, (dimension) => dimension.untaken.length),
      outcomes: outcomes.length,
      unreachedOutcomes: outcomes.filter((outcome) => outcome.examples.length === 0).length,
      untakenPairs: space.untakenPairs.length + (space.untakenPairsLeftOut ?? 0),
      unpairedDimensions: space.pairedDimensionsLeftOut ?? 0,
      findings: space.findings.length,
    },
    combinations: combinationsOf(closed, space.examples),
    dimensions: space.dimensions.map(({ name, type, taken, untaken }) => ({
      name,
      type,
      taken: taken.length,
      untaken: untaken ?? null,
    })),
    outcomes,
    untakenPairs: space.untakenPairs.slice(0, most),
    unmatched: space.examples.filter((example) => !example.matched).map((example) => example.id),
  };
};
const rows = specs.flatMap(({ id }) => {
  const space = g.exampleSpace(id, { pairs: true });
  return space === undefined ? [] : [rowOf(space)];
});
const total = (name) => sum(rows, (row) => row.totals[name]);
const answer = {
  scope,
  found: true,
  totals: {
    specs: specs.length,
    spaces: rows.length,
    examples: total("examples"),
    enabled: total("enabled"),
    values: total("values"),
    untakenValues: total("untakenValues"),
    outcomes: total("outcomes"),
    unreachedOutcomes: total("unreachedOutcomes"),
    untakenPairs: total("untakenPairs"),
    unpairedDimensions: total("unpairedDimensions"),
  },
  rows,
};
return params.scope === undefined ? { ...answer, needs: ["scope"] } : answer;
