// @title What breaks if I change these files
// @description The Specs that changed files author or bind, the Packs that they author, and what stands one relation away from these.
// @description A reason's `via` is the binding that leads from the file to the Spec, or null where the file authors it. What is at risk stands with the edges that lead to it. A file that nothing stands in and code that binds no Spec are named apart: of these nothing is known.
// @params files
// @takes files a list of paths from the root
// @needs files
// @gives { changedFiles: [file], impactedSpecs: [{ id, reasons: [{ file, via, edgeType?, claim? }] }], impactedPacks: [id], atRiskSpecs: [{ id, nodeType, reasons: [{ from, edgeType, to, claim }] }], atRiskOther, coverageUnknownFiles: [file], unlinkedUnits: [{ id, file }] }
const accepts = ["files"];
const unknownParams = Object.keys(params).filter((name) => !accepts.includes(name));
if (unknownParams.length > 0) return { unknownParams, accepts };
const { files = [] } = params;
if (!Array.isArray(files) || !files.every((file) => typeof file === "string")) {
  throw new TypeError("files takes a list of paths from the root");
}

const radius = g.blastRadius(files);
const reasonOf = ({ file, throughBinding }) =>
  throughBinding === undefined
    ? { file, via: null }
    : { file, via: throughBinding.id, edgeType: throughBinding.edgeType, claim: throughBinding.claim };
const isSpec = (row) => row.nodeType === "Primitive";
const riskOf = ({ id, nodeType, reasons }) => ({ id, nodeType, reasons });
const answer = {
  changedFiles: radius.changedFiles,
  impactedSpecs: radius.impactedSpecs.map(({ id, reasons }) => ({ id, reasons: reasons.map(reasonOf) })),
  impactedPacks: radius.impactedPacks.map((pack) => pack.id),
  atRiskSpecs: radius.atRisk.filter(isSpec).map(riskOf),
  atRiskOther: radius.atRisk.filter((row) => !isSpec(row)).map(riskOf),
  coverageUnknownFiles: radius.coverageUnknown,
  unlinkedUnits: radius.unlinked.map(({ id, file }) => ({ id, file })),
};
return params.files === undefined ? { ...answer, needs: ["files"] } : answer;
