//! `q`: one JavaScript body comes in, from the argument or from stdin; what it returns goes out. It writes nothing else and
//! starts nothing, and each of its refusals is the line that the evaluation sink's contract pins, with exit 1.

pub(crate) mod arguments;
mod body;

use crate::errors::{Exit, Refusal};
use crate::evaluate::{self, LimitArgs, Question};
use crate::output::Output;
use crate::params;
use crate::root::{self, CommonArgs};

/// What the long help says before the options: all that one needs to write a body.
const MANUAL: &str = "\
Ask the graph: run one JavaScript body over it and print what it returns.

The body is the inside of an async function; `return` is the output contract. It runs in \
strict mode, may `await`, and sees five bindings:

  g        the reader; its methods stand below
  graph    { schemaVersion, nodes, edges, locations }, as graph.json has it
  report   { validatorId, findings } of the checks, which never keep a body
           from running
  params   the object that --params gives, or {}
  recipes  recipes(number, parameters?) runs a shipped recipe, such as
           `await recipes(26)`; `cargo sdp recipes` lists them

The reader. `?` marks what may be absent.

  g.specs()             [spec]; a spec is { id, title?, narrative?, specKind,
                        kindDisplayLabel, altitude, statedReadiness,
                        derivedReadiness?, deliveryFacts, file, packs }
  g.packs()             [{ id, title?, framing?, file, modelRefs }]
  g.findings()          [{ validatorId, family, severity, message, subjectId?,
                        relatedId?, path?, file? }]
  g.specContext(id)     a spec with sections?, floorFailures, nextRungFailures,
                        relationsOut, relationsIn, implementations, references,
                        verifiers, oracle?, entryLocations, findings;
                        or undefined
  g.packContext(id)     a Pack with members, verifierGaps, boundary, findings;
                        or undefined
  g.exampleSpace(id, { pairs }?)
                        { id, title, file, steps, dimensions, outcomes,
                        examples, untakenPairs?, findings }; or undefined
  g.findByConcept(text) [{ id, nodeType, title?, matchedIn }], best first
  g.byFile(path)        { path, nodes: [{ id, nodeType, line? }], specs: [id] }
  g.blastRadius(files)  of an array of paths: { changedFiles, impactedSpecs,
                        impactedPacks, atRisk, coverageUnknown, unlinked }
  g.byId(id)            a node, or undefined
  g.out(id, type?)      the edges that leave an id
  g.in(id, type?)       the edges that reach an id
  g.graph               the same as graph

  relationsOut, relationsIn    { type, claim, otherId, resolved, otherNodeType?,
                               otherTitle? }
  implementations, references  { codeId, claim, label?, file?, line?, role?,
                               layer?, context?, component? }
  verifiers                    { verifierId, via, claim, enabled, label?, file?,
                               line?, symbol?, symbolMatch? }
  floorFailures                { clauseId, description, targets? }

Nodes. Each has id, nodeType, claim, file.

  Primitive  a Spec: specKind, altitude, readiness, title?, narrative?,
             sections?, deliveryFacts?
  Pack       title?, framing?, members, modelRefs?
  CodeNode   impl:, api: or component:; line?, label?, role?, layer?, context?
  Anchor     test: or oracle:; line, label?, symbol?, symbolMatch?

Edges. Each is { from, type, to, claim }; claim is declared (a Spec says it) or \
anchored (a binding in the source does).

  of a Spec   refines, dependsOn, constrainedBy, decidedBy, verifies,
              supersedes, belongsTo (to its Packs)
  of code     satisfies, references, uses, memberOf
  of a test   verifies; of an oracle models

Words: specKind is behavior, workflow, example, rule, constraint, model, decision or \
contract; altitude is epic, feature or story; readiness is idea, scoped, defined or \
ready; a delivery fact is implemented or has-verifier.

Parameters merge, and a key that is given twice is refused:

  --params '{\"spec\": \"spec:a.b\"}'   the keys of the object
  --params @file.json               the keys of the object in the file
  --params key=@file.json           the whole value in the file, under the key

Limits: 10 seconds and 256 MB on top of the graph. A body has no files, no network, no \
processes, no timers and no modules. What graph and report hold is \
frozen, and so are the rows that g gives; a list of g is your own and may be sorted. Look an id up with g.byId, g.out and g.in; a search in graph.nodes for each of \
many Specs takes quadratic time.

The answer is printed as util.inspect prints it, which shortens deep and long values, or \
whole as JSON with --json. console.log writes to stdout too, so a body whose answer a \
program reads leaves it alone.";

/// The arguments of `q`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    about = "Ask the graph: run one JavaScript body over it and print what it returns",
    long_about = MANUAL,
    after_help = "\
Examples:
  cargo sdp q 'return g.specs().length'
  cargo sdp q 'return g.specContext(params.spec)' --params '{\"spec\":\"spec:shop.refund\"}' --json

Exit codes: 0 an answer, or a body that returned nothing; 1 every refusal and failure.
`cargo sdp q --help` lists what a body has, with the shape of each answer.",
    after_long_help = "\
Examples:
  cargo sdp q 'return g.specs().length'
  cargo sdp q 'return g.specs().filter((s) => s.deliveryFacts.length === 0).map((s) => s.id)'
  cargo sdp q 'return g.specContext(params.spec)' --params '{\"spec\":\"spec:shop.refund\"}' --json
  cargo sdp q 'return g.in(\"spec:shop.refund\", \"verifies\").map((e) => g.byId(e.from).symbol)'
  cargo sdp q --params files=@changed.json 'return g.blastRadius(params.files).impactedSpecs'
  cargo sdp q --json 'return await recipes(19, { spec: \"spec:shop.refund\" })'
  cargo sdp q --params @params.json < body.js

Exit codes: 0 an answer, or a body that returned nothing; 1 every refusal and failure."
)]
pub(crate) struct QArgs {
    /// The body; without one it is read from stdin, unless stdin is a terminal
    #[arg(value_name = "BODY", allow_hyphen_values = true)]
    pub(crate) body: Option<String>,
    /// Parameters of the body, may be repeated: a JSON object, @PATH of a file with one, or KEY=@PATH for a file with any
    /// JSON value
    #[arg(long, value_name = "JSON|@PATH|KEY=@PATH")]
    pub(crate) params: Vec<String>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// What the body may use.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Judges the arguments in the contract's order, then derives, then runs the body.
#[sdp::satisfies("spec:sdp.q", component = "component:sdp.command-line")]
pub(crate) fn run(args: &QArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let workspace = root::load(&args.common)?;
    let params = params::merge(&args.params, &workspace.cwd).map_err(Refusal::Params)?;
    let body = body::obtain(args.body.as_deref())?;
    evaluate::answer(&workspace, Question { command: "q", body, params, json: args.json, limits: &args.limits }, output)
}
