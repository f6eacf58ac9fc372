// @title Dependency cycles
// @description Sets of Specs that depend on each other through declared dependsOn, each with one shortest closed path from its first member.
// @description With `severity` (`error` or `warning`) it answers as a rule does: one finding for each set.
// @params severity
// @takes severity "error" or "warning"
// @gives { totals: { sets, selfDependent, specsInCycles }, cycles: [{ members: [id], cycle: [id] }] }, or with severity { diagnostics: [finding] }
const accepts = ["severity"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { severity } = params;
if (severity !== undefined && severity !== "error" && severity !== "warning") {
  throw new TypeError('severity takes "error" or "warning"');
}

const byText = (left, right) => (left < right ? -1 : left > right ? 1 : 0);
const ids = g.specs().map((spec) => spec.id);
const known = new Set(ids);
const needs = new Map(
  ids.map((id) => [
    id,
    [...new Set(g.out(id, "dependsOn").filter((edge) => edge.claim === "declared").map((edge) => edge.to))]
      .filter((to) => known.has(to))
      .sort(byText),
  ]),
);

// Tarjan's strongly connected components, with a stack of its own: a chain may be as long as the corpus.
const order = new Map();
const low = new Map();
const held = [];
const isHeld = new Set();
const sets = [];
for (const root of ids) {
  if (order.has(root)) continue;
  const path = [{ id: root, next: 0 }];
  while (path.length > 0) {
    const frame = path[path.length - 1];
    if (frame.next === 0) {
      order.set(frame.id, order.size);
      low.set(frame.id, order.get(frame.id));
      held.push(frame.id);
      isHeld.add(frame.id);
    }
    const to = needs.get(frame.id)[frame.next];
    frame.next += 1;
    if (to !== undefined) {
      if (!order.has(to)) path.push({ id: to, next: 0 });
      else if (isHeld.has(to)) low.set(frame.id, Math.min(low.get(frame.id), order.get(to)));
      continue;
    }
    path.pop();
    const parent = path[path.length - 1];
    if (parent !== undefined) low.set(parent.id, Math.min(low.get(parent.id), low.get(frame.id)));
    if (low.get(frame.id) !== order.get(frame.id)) continue;
    const members = held.splice(held.lastIndexOf(frame.id));
    for (const member of members) isHeld.delete(member);
    if (members.length > 1 || needs.get(frame.id).includes(frame.id)) sets.push(members.sort(byText));
  }
}
sets.sort((left, right) => byText(left[0], right[0]));

// The shortest way from the first member back to itself, neighbours in id order.
const closedPath = (members) => {
  const first = members[0];
  const inside = new Set(members);
  const cameFrom = new Map();
  const queue = [first];
  for (const id of queue) {
    for (const to of needs.get(id)) {
      if (to === first) {
        const back = [first];
        for (let at = id; at !== first; at = cameFrom.get(at)) back.push(at);
        back.push(first);
        return back.reverse();
      }
      if (inside.has(to) && !cameFrom.has(to)) {
        cameFrom.set(to, id);
        queue.push(to);
      }
    }
  }
  return [first];
};
const cycles = sets.map((members) => ({ members, cycle: closedPath(members) }));

if (severity !== undefined) {
  const most = 12;
  const told = (cycle) =>
    (cycle.length > most ? [...cycle.slice(0, most - 1), `… ${cycle.length - most} more …`, cycle.at(-1)] : cycle).join(" → ");
  return {
    diagnostics: cycles.map(({ members, cycle }) => ({
      validatorId: "recipe::26-dependency-cycles",
      severity,
      message:
        members.length === 1
          ? `Spec "${members[0]}" depends on itself.`
          : `${members.length} Specs depend on each other: ${told(cycle)}.`,
      subjectId: members[0],
      relatedId: cycle[1],
      path: "relations.dependsOn",
      file: g.byId(members[0]).file,
    })),
  };
}
return {
  totals: {
    sets: cycles.length,
    selfDependent: ids.filter((id) => needs.get(id).includes(id)).length,
    specsInCycles: new Set(sets.flat()).size,
  },
  cycles,
};
