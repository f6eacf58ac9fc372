//! `unbound`: a root comes in; the public items and the tests that no anchor binds go out, package by package. With a baseline
//! only what differs from it fails. It checks nothing else and writes nothing but the baseline that it is told to write.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::Path;

use sdp_canon::{create_parents, write_atomic};
use sdp_core::extract::unbound::{self, Count, Unbound, UnboundItem, UnboundPackage};
use sdp_core::files::{self, ReadError};
use sdp_core::finding::Finding;
use sdp_core::harmless;
use sdp_harness::progress;
use serde_json::{Value, json};

use crate::baseline::{Baseline, Delta};
use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::render::{self, counted};
use crate::root::{self, CommonArgs};

/// The most that a baseline may hold, in bytes.
const MAX_BASELINE: u64 = 16 << 20;

/// The arguments of `unbound`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "List the public items and tests that no anchor binds",
    long_about = "\
List the public items and tests that no anchor binds, package by package.

An anchor is an attribute of the crate `sdp-anchors`, `#[sdp::satisfies(\"spec:…\")]` on code and \
`#[sdp::verifies(\"spec:…\")]` on a test, or a comment with the tag `@sdpAnchor`. An item is bound when an anchor stands \
on it, or on a block, module or file that holds it. Public items are those \
of libraries that are plainly `pub`: functions, types, traits, constants, statics and methods; `#[doc(hidden)]` ones do \
not count. Tests are those of every target.

A baseline is a file with one accepted row a line, `PACKAGE KIND PATH`, sorted; lines that open with `#` are comments.",
    after_help = "\
Examples:
  cargo sdp unbound
  cargo sdp unbound --json | jq '.packages[] | {name, tests}'
  cargo sdp unbound --baseline unbound.txt --update-baseline    accept what is unbound today
  cargo sdp unbound --baseline unbound.txt                      fail on what is new, or bound by now

JSON: {\"packages\": [{\"name\", \"publicItems\": {\"total\", \"unbound\"}, \"tests\": {\"total\", \"unbound\"}, \
\"items\": [{\"file\", \"line\", \"kind\", \"path\"}]}]}, with a baseline also {\"baseline\": {\"new\": [ROW], \
\"stale\": [ROW]}}.

Exit codes: 0 fine, and without a baseline whatever is unbound; 1 a row that is new or matches nothing, a file that \
cannot be read, or a refusal; 2 usage."
)]
pub(crate) struct UnboundArgs {
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// The accepted rows, relative to the current folder
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<OsString>,
    /// Write the rows of today into the baseline; comments of rows that stay are kept
    #[arg(long, requires = "baseline")]
    pub(crate) update_baseline: bool,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Lists what no anchor binds, and compares it.
pub(crate) fn run(args: &UnboundArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.baseline.as_ref().is_some_and(|path| path.is_empty()) {
        return Err(Refusal::MissingValue { flag: "--baseline", wants: "a path" });
    }
    let workspace = root::load(&args.common)?;
    let baseline = match &args.baseline {
        Some(path) => {
            let path = workspace.cwd.join(path);
            let read = read(&path, args.update_baseline)?;
            Some((path, read))
        }
        None => None,
    };
    let extraction = workspace.extract();
    render::lines(&extraction.findings, output);
    if extraction.has_errors() {
        return Err(Refusal::NotDerived);
    }
    let unbound = progress::during("looking for items", || unbound::unbound(&extraction, &workspace.discover));
    render::lines(&unbound.findings, output);
    let has_errors = unbound.findings.iter().any(Finding::is_error);
    let exit = if has_errors { Exit::Failed } else { Exit::Fine };
    let rows: BTreeSet<String> = unbound.packages.iter().flat_map(rows).collect();
    let Some((path, baseline)) = baseline else {
        print(&unbound, None, args.json, output);
        return Ok(exit);
    };
    if args.update_baseline {
        if has_errors {
            let message = "the baseline was not written, because a file could not be read.".to_owned();
            return Err(Refusal::Baseline { message, hint: "mend the files that are named above, or exclude them" });
        }
        write(&path, &baseline.updated(&rows))?;
        output.note(&format!("Wrote {} ({})", shown(&path), counted(rows.len(), "row")));
        return Ok(Exit::Fine);
    }
    let delta = baseline.delta(&rows);
    print(&unbound, Some(&delta), args.json, output);
    if delta.is_empty() {
        return Ok(exit);
    }
    Err(Refusal::BaselineDiffers { fresh: delta.fresh.len(), stale: delta.stale.len() })
}

/// The baseline at a path. One that is to be written anew may be missing.
fn read(path: &Path, may_be_missing: bool) -> Result<Baseline, Refusal> {
    match files::read_text(path, MAX_BASELINE) {
        Ok(text) => Ok(Baseline::read(&text)),
        Err(ReadError::Io(error)) if may_be_missing && error.kind() == ErrorKind::NotFound => Ok(Baseline::default()),
        Err(error) => Err(Refusal::Baseline {
            message: format!("the baseline {} could not be read ({error}).", shown(path)),
            hint: "`--update-baseline` writes it where none is",
        }),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let unwritten = |error: &dyn std::error::Error| Refusal::Baseline {
        message: format!("the baseline could not be written ({}).", harmless::one_line(&error.to_string())),
        hint: "`--baseline FILE` names a regular file in a folder that can be written",
    };
    create_parents(path).map_err(|error| unwritten(&error))?;
    write_atomic(path, text.as_bytes()).map_err(|error| unwritten(&error))
}

/// The rows of a package, as a baseline has them.
fn rows(package: &UnboundPackage) -> impl Iterator<Item = String> {
    package.rows.iter().map(|item| row(package, item))
}

fn row(package: &UnboundPackage, item: &UnboundItem) -> String {
    format!("{} {} {}", harmless::one_line(&package.name), item.kind.as_str(), item.path)
}

fn print(unbound: &Unbound, delta: Option<&Delta>, as_json: bool, output: &mut Output) {
    if as_json {
        output.answer(&format!("{:#}", json_of(unbound, delta)), harmless::in_json);
        return;
    }
    match delta {
        None => output.out(&page(unbound)),
        Some(delta) => output.out(&difference(unbound, delta)),
    }
}

fn page(unbound: &Unbound) -> String {
    let mut page = String::new();
    for package in &unbound.packages {
        page.push_str(&format!("{}\n", heading(package)));
        for item in &package.rows {
            page.push_str(&format!("  {}\n", place_of(item)));
        }
    }
    page
}

/// `shop-core: 3 of 12 public items and 1 of 9 tests are unbound`.
fn heading(package: &UnboundPackage) -> String {
    let of = |count: Count, noun: &str| format!("{} of {}", count.unbound, counted(count.total, noun));
    let (items, tests) = (of(package.public_items, "public item"), of(package.tests, "test"));
    format!("{}: {items} and {tests} are unbound", harmless::one_line(&package.name))
}

fn place_of(item: &UnboundItem) -> String {
    let place = format!("{}:{} {} {}", harmless::path(&item.file), item.line, item.kind.as_str(), item.path);
    harmless::one_line(&place).into_owned()
}

/// What is new, with its place, and what matches nothing.
fn difference(unbound: &Unbound, delta: &Delta) -> String {
    let mut page = String::new();
    for package in &unbound.packages {
        for item in package.rows.iter().filter(|item| delta.fresh.contains(&row(package, item))) {
            page.push_str(&format!("new: {}\n", place_of(item)));
        }
    }
    for row in &delta.stale {
        page.push_str(&format!("stale: {}\n", harmless::one_line(row)));
    }
    page
}

fn json_of(unbound: &Unbound, delta: Option<&Delta>) -> Value {
    let count = |count: Count| json!({ "total": count.total, "unbound": count.unbound });
    let item = |item: &UnboundItem| json!({ "file": item.file, "line": item.line, "kind": item.kind.as_str(), "path": item.path });
    let package = |package: &UnboundPackage| {
        json!({
            "name": package.name,
            "publicItems": count(package.public_items),
            "tests": count(package.tests),
            "items": package.rows.iter().map(item).collect::<Vec<_>>(),
        })
    };
    let mut answer = json!({ "packages": unbound.packages.iter().map(package).collect::<Vec<_>>() });
    if let (Some(delta), Some(answer)) = (delta, answer.as_object_mut()) {
        answer.insert("baseline".to_owned(), json!({ "new": delta.fresh, "stale": delta.stale }));
    }
    answer
}

fn shown(path: &Path) -> String {
    harmless::one_line(&path.to_string_lossy()).into_owned()
}
