//! `eval`: behavioral evaluation contracts. A contract comes in from a file or from stdin; its canonical JSON, the brief that it
//! seals to, or the published schemas go out. It looks at no repository, and its exit codes are those of the evaluation sheet.

use std::thread::{self, ScopedJoinHandle};

use sdp_eval::artifacts::{self, SealedEvaluatorBrief};
use sdp_eval::compile::{CompileOptions, compile, gaps};
use sdp_eval::contract::EvalContract;
use sdp_eval::document::{self, Artifact, Document};
use sdp_eval::seal::seal;
use sdp_harness::progress;
use serde_json::Value;

use crate::errors::Exit;
use crate::output::{Output, OutputArgs};

pub(crate) mod arguments;
mod files;
mod render;

use arguments::Source;
use files::Written;
use render::Said;

/// What each exit code means, as the help and the guide have it.
pub(crate) const EXIT_CODES: &str = "\
Exit codes:
  0   it compiled, was sealed or was printed; of later commands every verdict but those below
  1   concerns, where --strict promotes them
  2   a verdict of FAIL
  3   an invalid run
  4   a structural failure: the contract could not be trusted
  5   a runtime fault: an artifact could not be read, or another version of it stands there
  64  a usage error

compile and seal end with 0, 4, 5 or 64, schemas with 0, 5 or 64. 1, 2 and 3 are for commands
that judge a run.";

/// The arguments of `eval`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Compile and seal behavioral evaluation contracts: what an evaluation must catch, and how that is proven",
    long_about = "\
Compile and seal behavioral evaluation contracts.

A contract is a JSON document: what must hold, which evidence proves it, and which bounds a run has. `compile` refuses what \
could not be trusted, the first fault by its code and its path. `seal` gives the brief for an evaluator: what it may know and \
nothing more. Nothing is run.",
    after_help = "\
`cargo sdp new contract` writes a contract to start from.

Examples:
  cargo sdp eval compile --in notes.json
  cargo sdp eval compile --in notes.json --out compiled/
  cargo sdp eval seal --in notes.json --out brief.json
  cargo sdp eval schemas eval-contract > eval-contract.schema.json

Exit codes: 0 fine; 4 a structural failure; 5 a runtime fault; 64 usage; `cargo sdp eval compile --help` has the table.",
    disable_help_subcommand = true,
    version
)]
pub(crate) struct EvalArgs {
    /// What to do.
    #[command(subcommand)]
    pub(crate) action: Action,
    /// How much is printed.
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What can be done with contracts.
#[derive(Clone, Debug, clap::Subcommand)]
pub(crate) enum Action {
    /// Check a contract by all rules and print it in canonical JSON
    #[command(after_help = concat_help("\
Examples:
  cargo sdp eval compile --in notes.json > /dev/null
  cargo sdp eval compile < notes.json
  cargo sdp eval compile --in notes.json --no-strict-inputs --out compiled/"))]
    Compile(ContractArgs),
    /// Compile a contract and print the sealed brief for an evaluator
    #[command(after_help = concat_help("\
Examples:
  cargo sdp eval seal --in notes.json
  cargo sdp eval seal --in notes.json --out brief.json"))]
    Seal(ContractArgs),
    /// List the published JSON Schemas, print one, or write all
    #[command(after_help = concat_help("\
Examples:
  cargo sdp eval schemas
  cargo sdp eval schemas eval-contract
  cargo sdp eval schemas --out schemas/"))]
    Schemas(SchemasArgs),
}

/// Examples, and the table of exit codes below them.
fn concat_help(examples: &str) -> String {
    format!("{examples}\n\n{EXIT_CODES}")
}

/// The arguments of `compile` and of `seal`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ContractArgs {
    /// The contract; without it, or with `-`, stdin
    #[arg(long = "in", value_name = "PATH")]
    pub(crate) input: Option<String>,
    /// Write to this file, where it ends with `.json`, else into this folder; without it to stdout
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<String>,
    /// Refuse inputs that an operation does not declare, and operations with inputs but without a witness [default]
    #[arg(long)]
    pub(crate) strict_inputs: bool,
    /// Let those pass; of the two flags the last one counts
    #[arg(long)]
    pub(crate) no_strict_inputs: bool,
    /// Promote concerns to a failure, in commands that judge a run; no effect here
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The arguments of `schemas`.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SchemasArgs {
    /// Which one, such as `eval-contract`; all are listed without it
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Write each as `<name>.schema.json` into this folder, or the named one to a file that ends with `.json`
    #[arg(long, value_name = "PATH")]
    pub(crate) out: Option<String>,
}

/// The stack of a run, in bytes. A contract nests as deep as JSON may, and the stack of a process need not have room for that.
const STACK: usize = 8 << 20;

/// Does what the arguments ask for, on a stack of its own; on that of the process where there can be none. A defect of this program
/// ends as a runtime fault does.
pub(crate) fn run(args: &arguments::Run, output: &mut Output) -> Exit {
    let builder = thread::Builder::new().name("sdp-eval".to_owned()).stack_size(STACK);
    let done = thread::scope(|scope| {
        let started = builder.spawn_scoped(scope, || perform(args, output));
        started.map(ScopedJoinHandle::join)
    });
    match done {
        Ok(Ok(exit)) => exit,
        // The panic is on stderr already.
        Ok(Err(_)) => Exit::RuntimeFault,
        Err(_) => perform(args, output),
    }
}

/// Does what the arguments ask for. Everything that goes wrong is printed here, in the shapes of the evaluation sheet.
fn perform(args: &arguments::Run, output: &mut Output) -> Exit {
    let done = match args {
        arguments::Run::Compile(args) => compiled(args, output),
        arguments::Run::Seal(args) => sealed(args, output),
        arguments::Run::Schemas(args) => schemas(args, output),
    };
    match done {
        Ok(()) => Exit::Fine,
        Err(said) => {
            said.print(output);
            said.exit()
        }
    }
}

/// Says what is wrong with the arguments.
pub(crate) fn usage(message: String, output: &mut Output) -> Exit {
    let said = Said::Usage(message);
    said.print(output);
    said.exit()
}

/// The contract that the arguments name, read and compiled.
fn contract(args: &arguments::Contract, output: &mut Output) -> Result<Document<EvalContract>, Said> {
    let bytes = files::read(&args.source, output)?;
    let document = progress::during("reading the contract", || document::read_from::<EvalContract>("--in", &bytes))?;
    let EvalContract { behaviors, oracles, permitted_interfaces, interaction_plan, .. } = &document.artifact;
    progress::detail(|| {
        let operations: usize = permitted_interfaces.iter().map(|interface| interface.operations().count()).sum();
        format!(
            "behaviors: {}, oracles: {}, operations: {operations}, steps: {}",
            behaviors.len(),
            oracles.len(),
            interaction_plan.len()
        )
    });
    let options = CompileOptions { strict_inputs: args.strict_inputs };
    progress::during("compiling", || compile(&document.artifact, options))?;
    progress::detail(|| match sdp_canon::canonical::digest(&document.value) {
        Ok(digest) => format!("contract digest: sha256:{digest}"),
        Err(fault) => format!("contract digest: {fault}"),
    });
    render::tell(&gaps(&document.artifact), output);
    Ok(document)
}

fn compiled(args: &arguments::Contract, output: &mut Output) -> Result<(), Said> {
    let written = written(args)?;
    let document = contract(args, output)?;
    files::write(&written, EvalContract::SLUG, &canonical(&document)?, output)
}

fn sealed(args: &arguments::Contract, output: &mut Output) -> Result<(), Said> {
    let written = written(args)?;
    let document = contract(args, output)?;
    let brief: Document<SealedEvaluatorBrief> = seal(&document)?;
    files::write(&written, SealedEvaluatorBrief::SLUG, &canonical(&brief)?, output)
}

/// Where the arguments say that the answer goes; it is never what is read.
fn written(args: &arguments::Contract) -> Result<Written, Said> {
    let slug = if args.seals { SealedEvaluatorBrief::SLUG } else { EvalContract::SLUG };
    let written = Written::of(args.out.as_deref());
    let Some(path) = written.path(slug) else { return Ok(written) };
    let (is_one, input) = match &args.source {
        Source::File(input) => (files::is_one(&path, input), input.to_string_lossy()),
        Source::Stdin => (files::is_stdin(&path), "-".into()),
    };
    if is_one {
        return Err(Said::Usage(format!("--out resolves to \"{}\", which is also --in \"{input}\"", path.display())));
    }
    Ok(written)
}

/// One canonical line.
fn canonical<T>(document: &Document<T>) -> Result<String, Said> {
    document.canonical().map_err(Said::from)
}

fn schemas(args: &arguments::Schemas, output: &mut Output) -> Result<(), Said> {
    let published = artifacts::schemas();
    let Some(name) = &args.name else {
        if let Some(folder) = &args.out {
            for (slug, schema) in &published {
                files::write_new(&folder.join(format!("{slug}.schema.json")), &format!("{schema:#}\n"))?;
            }
            return Ok(());
        }
        for (slug, schema) in &published {
            let title = schema.get("description").and_then(Value::as_str).unwrap_or_default();
            output.out_line(&format!("{slug:<26}{title}"));
        }
        return Ok(());
    };
    let Some((slug, schema)) = published.iter().find(|(slug, _)| slug == name) else {
        let known: Vec<&str> = published.iter().map(|(slug, _)| *slug).collect();
        return Err(Said::Usage(format!("unknown schema \"{name}\"; expected one of {}", known.join(", "))));
    };
    let text = format!("{schema:#}\n");
    match &args.out {
        None => output.out(&text),
        Some(path) if files::names_a_file(path) => files::write_new(path, &text)?,
        Some(folder) => files::write_new(&folder.join(format!("{slug}.schema.json")), &text)?,
    }
    Ok(())
}
