//! `cargo xtask contracts`: the index of our own corpus of evaluation contracts. The contracts of
//! `crates/sdp-eval/corpus/CODE/{fails,passes}.json` come in; the index goes out, with the digest of each file and what compiling and
//! sealing say of it. Every code has a contract that fails by it and one that passes, or there is no index.

use std::error::Error;
use std::fs;
use std::path::Path;

use sdp_eval::compile::{CompileOptions, compile};
use sdp_eval::contract::EvalContract;
use sdp_eval::document;
use sdp_eval::fault::{FailureCode, StructuralFailure};
use sdp_eval::seal::{SealFault, seal};
use serde_json::{Value, json};

use crate::generated::Generated;

/// The corpus, below the workspace's root.
const CORPUS: &str = "crates/sdp-eval/corpus";

/// Write the index of the corpus of evaluation contracts
#[derive(clap::Args)]
pub(crate) struct Contracts {
    /// Write nothing; fail and show the difference when the saved index is another
    #[arg(long)]
    check: bool,
}

impl Contracts {
    /// The command with `--check`.
    pub(crate) fn checking() -> Self {
        Contracts { check: true }
    }

    /// Judges every contract, then writes or compares the index.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let path = "crates/sdp-eval/corpus/index.json";
        Generated { path, command: "cargo xtask contracts" }.write_or_compare(&index()?, self.check)
    }
}

/// The text of the index, in the order of the codes.
fn index() -> Result<String, Box<dyn Error>> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(CORPUS);
    let mut entries: Vec<Value> = Vec::new();
    for code in FailureCode::ALL {
        for name in ["fails", "passes"] {
            let path = format!("{code}/{name}.json");
            let bytes = fs::read(corpus.join(&path)).map_err(|error| format!("{CORPUS}/{path}: {error}"))?;
            let failure = judge(&bytes).map_err(|fault| format!("{CORPUS}/{path}: {fault}"))?;
            let told = failure.as_ref().map(|failure| failure.code);
            if told != (name == "fails").then_some(*code) {
                let told = failure.map_or("nothing".to_owned(), |failure| failure.to_string());
                return Err(format!("{CORPUS}/{path} is there for {code}, and {told} was told").into());
            }
            entries.push(json!({
                "path": path,
                "digest": format!("sha256:{}", sdp_canon::Digest::of(&bytes)),
                "structuralFailure": failure.map(|failure| json!({
                    "code": failure.code.as_str(),
                    "artifactPath": failure.artifact_path,
                    "detail": failure.detail,
                })),
            }));
        }
    }
    let known = fs::read_dir(&corpus)?.filter_map(Result::ok).filter(|entry| entry.path().is_dir()).count();
    if known != FailureCode::ALL.len() {
        return Err(format!("{CORPUS} has {known} folders for {} codes", FailureCode::ALL.len()).into());
    }
    Ok(format!("{:#}\n", json!({ "entries": entries })))
}

/// What compiling, and then sealing, says of a contract.
fn judge(bytes: &[u8]) -> Result<Option<StructuralFailure>, Box<dyn Error>> {
    let document = document::read::<EvalContract>(bytes)?;
    if let Err(failure) = compile(&document.artifact, CompileOptions::default()) {
        return Ok(Some(failure));
    }
    match seal(&document) {
        Ok(_) => Ok(None),
        Err(SealFault::Structural(failure)) => Ok(Some(failure)),
        Err(SealFault::Runtime(fault)) => Err(fault.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_contract_that_fails_by_it_and_one_that_passes() {
        Contracts::checking().run().unwrap();
    }
}
