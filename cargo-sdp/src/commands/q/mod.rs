//! `q`: one JavaScript body comes in, from the argument or from stdin; what it returns goes out. It writes nothing else and
//! starts nothing, and each of its refusals is the line that the evaluation sink's contract pins, with exit 1.

pub(crate) mod arguments;
mod body;

use crate::errors::{Exit, Refusal};
use crate::evaluate::{self, LimitArgs, Question};
use crate::output::Output;
use crate::params;
use crate::root::{self, CommonArgs};

/// The arguments of `q`.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    about = "Ask the graph: run one JavaScript body over it and print what it returns",
    long_about = "\
Ask the graph: run one JavaScript body over it and print what it returns.

The body is the inside of an async function; `return` is the output contract. It sees five bindings:

  g        the reader: g.specs(), g.packs(), g.findings(),
           g.specContext(id), g.packContext(id), g.exampleSpace(id, { pairs }?),
           g.findByConcept(text), g.byFile(path), g.blastRadius(files),
           g.byId(id), g.out(id, type?), g.in(id, type?)
  graph    the graph as graph.json has it
  report   the report of the checks, which never keep a body from running
  params   the object that --params gives
  recipes  recipes(number, parameters?) runs a shipped recipe

The answer is printed as util.inspect prints it, or as JSON with --json. console.log writes to stdout too, so \
a body whose answer a program reads leaves it alone. A body has no files, no network, no processes and no \
modules.",
    after_help = "\
Examples:
  cargo sdp q 'return g.specs().length'
  cargo sdp q 'return g.specContext(params.spec)' --params '{\"spec\":\"spec:checkout.pay\"}' --json
  cargo sdp q --params @params.json --params files=@changed.json < body.js
  cargo sdp q 'return await recipes(26)'

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
