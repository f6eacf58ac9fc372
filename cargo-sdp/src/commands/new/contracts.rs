//! `new contract`: a name and a Spec come in; an evaluation contract that compiles and seals goes out, in a place where the configuration
//! finds it.

use std::path::PathBuf;

use sdp_core::harmless;
use sdp_eval::compile::{CompileOptions, compile};
use sdp_eval::contract::EvalContract;
use sdp_eval::document;
use sdp_eval::seal::{SealFault, seal};
use sdp_harness::paths;

use super::arguments::quoted;
use super::bodies::{MAX_NAME, checked_name, configuration, listed, path_in};
use super::carriers::check_id;
use super::{ContractArgs, Document, refused};
use crate::errors::Refusal;
use crate::root::{CommonArgs, Workspace};

const CONTRACT: &str = "new contract";
const CONTRACT_TEXT: &str = include_str!("contract.json");

/// A kind of interface that a contract is written for.
#[derive(Clone, Copy, Debug)]
enum Interface {
    Cli,
    Api,
    Mcp,
}

impl Interface {
    const ALL: [Self; 3] = [Self::Cli, Self::Api, Self::Mcp];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Cli => "cli",
            Self::Api => "api",
            Self::Mcp => "mcp",
        }
    }
}

/// The contract that the arguments ask for.
pub(super) fn contract(args: &ContractArgs, common: &CommonArgs) -> Result<Document, Refusal> {
    let spec = args.spec.as_deref().unwrap_or_default();
    check_id(CONTRACT, "--spec", spec, "spec")?;
    let interface = interface(args.interface.as_deref())?;
    let name =
        checked_name(CONTRACT, args.name.as_deref().unwrap_or_default(), &[".contract.json", ".json"], "evals/")?;
    let Workspace { config, cwd, .. } = configuration(common)?;
    let globs: Vec<String> = config.contracts.iter().map(|(glob, _)| glob.clone()).collect();
    let file = format!("{name}.contract.json");
    let path = match globs.as_slice() {
        [] => format!("evals/{file}"),
        globs => path_in(globs, "evals/", &file).ok_or_else(|| {
            let message =
                format!("no pattern of `contracts` in the configuration would find {name}: {}.", listed(globs));
            refused(CONTRACT, message, "add `evals/**/*.contract.json` to `contracts`".to_owned())
        })?,
    };
    let called = quoted(&paths::from(&cwd, &config.base.join(&path)));
    let unread = if globs.is_empty() {
        "; `cargo sdp check` judges its link once the configuration says `contracts = [\"evals/**/*.contract.json\"]`"
    } else {
        ""
    };
    let text = interface.contract(&slug_of(&name), spec);
    check_contract(&text)?;
    Ok(Document {
        command: CONTRACT,
        base: config.base,
        base_name: "the configuration's folder",
        path: PathBuf::from(path),
        text,
        next: Some(format!(
            "`cargo sdp eval compile --in {called}` compiles it; write your own operation, behaviors and oracles next{unread}"
        )),
        walked: (!globs.is_empty()).then_some("its link"),
        dry_run: args.dry_run,
    })
}

/// Whether what would be written compiles and seals: a name or an id can be shaped like what no contract may carry.
fn check_contract(text: &str) -> Result<(), Refusal> {
    let sealed = document::read_from::<EvalContract>("it", text.as_bytes())
        .map_err(SealFault::from)
        .and_then(|document| Ok(compile(&document.artifact, CompileOptions::default()).map(|()| document)?))
        .and_then(|document| seal(&document));
    sealed.map(drop).map_err(|fault| {
        let message = format!("the contract would not compile: {}", harmless::one_line(&fault.to_string()));
        refused(CONTRACT, message, "choose another NAME, or another Spec; nothing was written".to_owned())
    })
}

/// The kind of interface that a word names; without one a command.
fn interface(word: Option<&str>) -> Result<Interface, Refusal> {
    let Some(word) = word else { return Ok(Interface::Cli) };
    Interface::ALL.into_iter().find(|interface| interface.as_str() == word).ok_or_else(|| {
        let message = format!("--interface expects cli, api or mcp, got {}", harmless::cut(word, MAX_NAME));
        let hint = "cli is a program that is started, api an HTTP service, mcp a server of tools";
        refused(CONTRACT, message, hint.to_owned())
    })
}

impl Interface {
    /// A contract that compiles.
    fn contract(self, name: &str, spec: &str) -> String {
        let (operation, sent, answer, status, fine, binding) = match self {
            Self::Cli => (
                include_str!("contract.cli.json"),
                "call-inputs/argument",
                "stdout",
                "exit-code",
                "0",
                r#"{ "argument": { "id": { "literal": "one" } }, "option": null, "environment": null, "stdin": null }"#,
            ),
            Self::Api => (
                include_str!("contract.api.json"),
                "call-inputs/path",
                "response-body",
                "response-status",
                "200",
                r#"{ "path": { "id": { "literal": "one" } }, "query": null, "header": null, "body": null }"#,
            ),
            Self::Mcp => (
                include_str!("contract.mcp.json"),
                "call-inputs/arguments",
                "response-body",
                "response-status",
                "0",
                r#"{ "arguments": { "id": { "literal": "one" } } }"#,
            ),
        };
        let operation = operation.trim_end().replace('\n', "\n        ");
        [
            ("@@OPERATION@@", operation.as_str()),
            ("@@BINDING@@", binding),
            ("@@SENT@@", sent),
            ("@@ANSWER@@", answer),
            ("@@STATUS@@", status),
            ("@@FINE@@", fine),
            ("@@KIND@@", self.as_str()),
            ("@@NAME@@", name),
            ("@@SPEC@@", spec),
        ]
        .into_iter()
        .fold(CONTRACT_TEXT.to_owned(), |text, (place, by)| text.replace(place, by))
    }
}

/// A name as contracts write one: lower-case words with one `-` between them.
fn slug_of(name: &str) -> String {
    let words = name.split(['/', '-', '_']).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}
