// @title Pack design
// @description One Pack opened up for a review of its design: each member with the rungs it states and reaches, what its stated next rung asks for, its entries, questions, decisions and bindings; and what the Pack rests on and what rests on it.
// @description `heldBelowNextRung` counts members that miss a clause of the rung above the stated one, `waitingForAuthor` those that miss none and only lack the statement. A member that is no Spec of the graph has only its id and `resolved: false`. A member whose `verifiers.enabled` is 0 is without a verifier that counts. Without `pack` it answers for the first Pack by id; the answer names it.
// @params pack
// @takes pack a Pack id
// @gives { found, id, title, totals: { members, unresolved, heldBelowNextRung, waitingForAuthor, entries, declarations, openQuestions, blockingQuestions, withImplementations, withReferences, restsOn, restedOnBy }, members: [{ id, resolved, title, specKind, statedReadiness, floorReached, statedNextRung, statedNextRungFailures: [{ clauseId, description, targets? }], design: { entries, declarations, openQuestions, blockingQuestions }, questions: [{ key, blocking, address, line, question }], decisions: [{ id, statedReadiness, resolved }], implementedBy: [{ id, file, line, role, component: { id, layer, context } }], referencedBy, verifiers: { total, enabled }, examples: { total, enabled } } or { id, resolved: false }], boundary: { restsOn: [{ id, title, statedReadiness, implemented, via: [{ type, members: [id] }] }], restedOnBy } } or { id, found: false }
const accepts = ["pack"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
if (params.pack !== undefined && typeof params.pack !== "string") throw new TypeError("pack takes a Pack id");

const id = params.pack ?? g.packs()[0]?.id ?? null;
const context = id === null ? undefined : g.packContext(id);
if (context === undefined) return { id, found: false };

const unitOf = ({ codeId, file, line, role, component }) => ({
  id: codeId,
  file: file ?? null,
  line: line ?? null,
  role: role ?? null,
  component:
    component === undefined
      ? null
      : { id: component.id, layer: component.layer ?? null, context: component.context ?? null },
});
const memberOf = (member) => {
  if (!member.resolved) return { id: member.id, resolved: false };
  const { design } = member;
  const questions = design?.openQuestions ?? [];
  return {
    id: member.id,
    resolved: true,
    title: member.title ?? null,
    specKind: member.specKind ?? null,
    statedReadiness: member.statedReadiness ?? null,
    floorReached: member.derivedReadiness ?? "none",
    statedNextRung: member.statedNextRung ?? null,
    statedNextRungFailures: member.statedNextRungFailures ?? [],
    design: {
      entries: design?.entries ?? 0,
      declarations: design?.declarations ?? 0,
      openQuestions: questions.length,
      blockingQuestions: design?.blockingQuestions ?? 0,
    },
    questions: questions.map(({ key, blocking, line, question }) => ({
      key: key ?? null,
      blocking,
      address: key === undefined ? null : `${member.id}#question.${key}`,
      line: line ?? null,
      question,
    })),
    decisions: (design?.decisions ?? []).map((decision) => ({
      id: decision.id,
      statedReadiness: decision.statedReadiness ?? null,
      resolved: decision.resolved,
    })),
    implementedBy: (member.implementations ?? []).map(unitOf),
    referencedBy: (member.references ?? []).map(unitOf),
    verifiers: member.verifiers ?? { total: 0, enabled: 0 },
    examples: member.examples ?? { total: 0, enabled: 0 },
  };
};
const members = context.members.map(memberOf);
const resolved = members.filter((member) => member.resolved);
const neighbourOf = ({ id: neighbour, title, statedReadiness, implemented, via }) => ({
  id: neighbour,
  title: title ?? null,
  statedReadiness,
  implemented,
  via,
});
const boundary = {
  restsOn: context.boundary.restsOn.map(neighbourOf),
  restedOnBy: context.boundary.restedOnBy.map(neighbourOf),
};

const count = (holds) => resolved.filter(holds).length;
const sum = (name) => resolved.reduce((total, member) => total + member.design[name], 0);
const hasNextRung = (member) => member.statedNextRung !== null;
return {
  found: true,
  id,
  title: context.title ?? null,
  totals: {
    members: members.length,
    unresolved: members.length - resolved.length,
    heldBelowNextRung: count((member) => hasNextRung(member) && member.statedNextRungFailures.length > 0),
    waitingForAuthor: count((member) => hasNextRung(member) && member.statedNextRungFailures.length === 0),
    entries: sum("entries"),
    declarations: sum("declarations"),
    openQuestions: sum("openQuestions"),
    blockingQuestions: sum("blockingQuestions"),
    withImplementations: count((member) => member.implementedBy.length > 0),
    withReferences: count((member) => member.referencedBy.length > 0),
    restsOn: boundary.restsOn.length,
    restedOnBy: boundary.restedOnBy.length,
  },
  members,
  boundary,
};
