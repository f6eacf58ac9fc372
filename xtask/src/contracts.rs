//! `cargo xtask contracts`: the index of our own corpus of evaluation contracts. The contracts of
//! `crates/sdp-eval/corpus/CODE/{fails,passes}.json` come in; the index goes out, with the digest of each file and what compiling and
//! sealing say of it. Every code has a contract that fails by it and one that passes, or there is no index.

use std::collections::BTreeSet;
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
/// Its index, below the workspace's root.
const INDEX: &str = "crates/sdp-eval/corpus/index.json";
/// What stands beside the contracts.
const BESIDE: &[&str] = &["README.md", "index.json"];

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
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(CORPUS);
        let index = index(&corpus)?;
        Generated { path: INDEX, command: "cargo xtask contracts" }.write_or_compare(&index, self.check)
    }
}

/// The text of the index of a corpus, in the order of the codes.
fn index(corpus: &Path) -> Result<String, Box<dyn Error>> {
    let mut entries: Vec<Value> = Vec::new();
    let mut strangers = files(corpus)?;
    strangers.retain(|path| !BESIDE.contains(&path.as_str()));
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
            strangers.remove(&path);
        }
    }
    if let Some(stranger) = strangers.first() {
        return Err(format!("{CORPUS}/{stranger} is there for no code").into());
    }
    Ok(format!("{:#}\n", json!({ "entries": entries })))
}

/// The files of a corpus and of its folders, by their path in it; an empty folder counts as one.
fn files(corpus: &Path) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut files = BTreeSet::new();
    for entry in fs::read_dir(corpus)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type()?.is_dir() {
            files.insert(name);
            continue;
        }
        let before = files.len();
        for inner in fs::read_dir(entry.path())? {
            files.insert(format!("{name}/{}", inner?.file_name().to_string_lossy()));
        }
        if files.len() == before {
            files.insert(name);
        }
    }
    Ok(files)
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

    #[test]
    fn a_file_that_no_code_reads_is_told() {
        let corpus = tempfile::tempdir().unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(CORPUS);
        for file in files(&path).unwrap() {
            let copy = corpus.path().join(&file);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(path.join(&file), copy).unwrap();
        }
        let told = || index(corpus.path()).map_err(|error| error.to_string());
        assert!(told().is_ok(), "{told:?}", told = told());
        for stranger in ["binding-cycle/also.json", "note.txt", "gone-code/fails.json"] {
            let copy = corpus.path().join(stranger);
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::write(&copy, "{}").unwrap();
            assert_eq!(told(), Err(format!("{CORPUS}/{stranger} is there for no code")));
            fs::remove_file(&copy).unwrap();
        }
        assert_eq!(told(), Err(format!("{CORPUS}/gone-code is there for no code")));
        fs::remove_dir(corpus.path().join("gone-code")).unwrap();
        fs::remove_file(corpus.path().join("binding-cycle/fails.json")).unwrap();
        assert!(told().unwrap_err().starts_with(&format!("{CORPUS}/binding-cycle/fails.json: ")));
    }
}
