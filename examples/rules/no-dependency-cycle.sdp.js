// @title No dependency cycle
// @rule no-dependency-cycle
// @description No Spec depends on itself through declared dependsOn, directly or through others.
// Recipe 26 finds the cycles. This rule tells each in words of yours, at the first dependency of the cycle.
// @params
const { cycles } = await recipes(26);
const most = 8;
const told = (cycle) => {
  if (cycle.length <= most) return cycle.join(" → ");
  return [...cycle.slice(0, most - 1), `… ${cycle.length - most} more …`, cycle[cycle.length - 1]].join(" → ");
};
return cycles.map(({ members, cycle }) => ({
  subject: { from: cycle[0], type: "dependsOn", to: cycle[1] ?? cycle[0] },
  message:
    members.length === 1
      ? `"${members[0]}" depends on itself: remove the relation`
      : `${members.length} Specs depend on each other: ${told(cycle)}. Remove one of these relations, or move what both need into a Spec of its own`,
}));
