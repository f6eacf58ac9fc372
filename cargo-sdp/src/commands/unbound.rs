//! `unbound`: roots come in; the public items and the tests that no anchor binds go out, package by package. With a baseline
//! only what differs from it fails. It checks nothing else and writes nothing but the baseline that it is told to write.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use sdp_core::extract::unbound::{self, Count, ItemKind, UnboundItem, UnboundPackage};
use sdp_core::finding::{Finding, Severity};
use sdp_core::harmless;
use sdp_core::rules::name::in_root;
use sdp_core::rules::{CARRIERS_CASE, Place, RuleFinding};
use sdp_harness::accept::{self, AcceptError};
use sdp_harness::baseline::{Baseline, Delta};
use sdp_harness::diagnostic::{self, Diagnostic};
use sdp_harness::event::{RunRoot, counted};
use sdp_harness::outputs::{Format, People};
use sdp_harness::paths::shown;
use sdp_harness::progress;
use serde_json::{Map, Value, json};

use crate::errors::{Exit, Refusal};
use crate::output::Output;
use crate::render;
use crate::report::{OutputsArgs, Report, case_id};
use crate::root::{self, CommonArgs, Workspace};

/// What opens a new baseline.
const HEAD: &str = "# What no anchor binds, and is accepted so. `cargo sdp unbound --baseline FILE --update-baseline` writes it anew.\n\
                    # Comments stay with the row below them.\n";

/// The case that what is unbound stands under in the other forms.
const CASE: &str = "unbound";

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

`--output human` is the list for people. In the other forms each item is a warning `unbound/…`, or with a baseline each row that is \
new or matches nothing an error.

A baseline is a file with one accepted row a line, `PACKAGE KIND PATH`, sorted; lines that open with `#` are comments. \
Of two or more roots each has its name before its packages: `backend::shop-core`.",
    after_help = "\
Examples:
  cargo sdp unbound
  cargo sdp unbound --json | jq '.packages[] | {name, tests}'
  cargo sdp unbound --baseline unbound.txt --update-baseline    accept what is unbound today
  cargo sdp unbound --baseline unbound.txt                      fail on what is new, or bound by now

JSON: {\"packages\": [{\"name\", \"publicItems\": {\"total\", \"unbound\"}, \"tests\": {\"total\", \"unbound\"}, \
\"items\": [{\"file\", \"line\", \"kind\", \"path\"}]}]}, of two or more roots each package with its \"root\", with a baseline also {\"baseline\": {\"new\": [ROW], \
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
    /// Forms of output.
    #[command(flatten)]
    pub(crate) outputs: OutputsArgs,
}

/// Lists what no anchor binds, and compares it.
pub(crate) fn run(args: &UnboundArgs, output: &mut Output) -> Result<Exit, Refusal> {
    if args.baseline.as_ref().is_some_and(|path| path.is_empty()) {
        return Err(Refusal::MissingValue { flag: "--baseline", wants: "a path" });
    }
    let mut outputs = args.outputs.open(Format::Human, People::Stdout, output)?;
    let is_page = outputs.stdout() == Some(Format::Human);
    if args.json && !is_page {
        return Err(Refusal::Opposed("--json", "--output FORMAT without a file"));
    }
    outputs.leave_stdout_to_the_runner();
    let workspaces = root::load_all(&args.common)?;
    let baseline = match (&args.baseline, workspaces.first()) {
        (Some(path), Some(first)) => {
            let path = first.cwd.join(path);
            outputs.spare(&path, "the baseline").map_err(Refusal::Outputs)?;
            let read = read(&path, args.update_baseline)?;
            if args.update_baseline {
                refuse_foreign(&path, &read)?;
            }
            Some((path, read))
        }
        _ => None,
    };
    let mut run = outputs.run("unbound", workspaces.iter().map(|workspace| workspace.seen.clone()).collect());
    let (mut packages, mut findings, mut is_derived) = (Vec::new(), Vec::new(), true);
    for workspace in &workspaces {
        let extraction = workspace.extract();
        render::lines(&extraction.findings, &workspace.seen, output);
        let mut of_root = extraction.findings.clone();
        let judged = [CARRIERS_CASE, CASE].into_iter().take(if extraction.has_errors() { 1 } else { 2 });
        run.checks.extend(judged.map(|case| case_id(&workspace.seen, case)));
        if extraction.has_errors() {
            is_derived = false;
        } else {
            let doing = workspace.config.said("looking for items");
            let found = progress::during(&doing, || unbound::unbound(&extraction, &workspace.discover));
            render::lines(&found.findings, &workspace.seen, output);
            of_root.extend(found.findings);
            packages.extend(found.packages.into_iter().map(|found| Package { root: workspace.seen.clone(), found }));
        }
        findings.push((workspace.seen.clone(), of_root));
    }
    let has_errors = is_derived && findings.iter().any(|(_, findings)| findings.iter().any(Finding::is_error));
    let mut rows: BTreeSet<String> = packages.iter().flat_map(Package::rows).collect();
    if let ([Workspace { config, .. }], Some((_, baseline))) = (workspaces.as_slice(), &baseline)
        && let Some(name) = &config.name
    {
        // The rows of roots that are not run are not judged.
        let own = format!("{}::", harmless::one_line(name));
        rows.extend(baseline.rows().map(|(row, _)| row.to_owned()).filter(|row| !row.starts_with(&own)));
    }
    let delta = baseline.as_ref().filter(|_| !args.update_baseline).map(|(_, baseline)| baseline.delta(&rows));
    if is_derived && is_page && !args.update_baseline {
        print(&packages, delta.as_ref(), args.json, output);
    }
    if is_derived && packages.is_empty() {
        output.note("note: no cargo package was found below the root, so that there is nothing to list");
    }
    let mut report = Report::begin(outputs, &run, output);
    for (root, findings) in &findings {
        report.findings(findings, root);
    }
    if is_derived {
        for one in diagnostics(&packages, delta.as_ref()) {
            report.diagnostic(&one);
        }
        report.end(format!("{} unbound", counted(rows.len(), "row")));
    } else {
        report.is_not_whole();
        report.end("the graph did not derive".to_owned());
    }
    report.finish()?;
    if !is_derived {
        return Err(Refusal::NotDerived);
    }
    if let (Some((path, baseline)), true) = (&baseline, args.update_baseline) {
        if has_errors {
            let message = "the baseline was not written, because a file could not be read.".to_owned();
            return Err(Refusal::Baseline { message, hint: "mend the files that are named above, or exclude them" });
        }
        write(path, &baseline.updated(&rows, HEAD))?;
        output.note(&format!("Wrote {} ({})", shown(path), counted(rows.len(), "row")));
        return Ok(Exit::Fine);
    }
    match delta {
        Some(delta) if !delta.is_empty() => {
            Err(Refusal::BaselineDiffers { fresh: delta.fresh.len(), stale: delta.stale.len() })
        }
        _ => Ok(if has_errors { Exit::Failed } else { Exit::Fine }),
    }
}

/// Each item that counts, as the forms for programs have it.
fn diagnostics(packages: &[Package], delta: Option<&Delta>) -> Vec<Diagnostic> {
    let severity = if delta.is_some() { Severity::Error } else { Severity::Warning };
    let one = |rule: &str, message: String, row: String, place, root: Option<&RunRoot>| {
        let rule = rule.to_owned();
        let finding = RuleFinding { rule, severity, message, subject: Some(row), related: None, place };
        let described = Some("Public items and tests are bound to Specs by anchors");
        Diagnostic {
            root: root.and_then(|root| root.name.clone()),
            ..Diagnostic::of_rule(&finding, &in_root(root.and_then(|root| root.name.as_deref()), CASE), described)
        }
    };
    let mut diagnostics = Vec::new();
    for package in packages {
        for item in &package.found.rows {
            let row = package.row(item);
            if delta.is_some_and(|delta| !delta.fresh.contains(&row)) {
                continue;
            }
            let place = Place { file: item.file.clone(), line: Some(item.line) };
            let message = format!("no anchor binds the {} `{}`", item.kind.as_str(), item.path);
            diagnostics.push(one("unbound/item", message, row, Some(place), Some(&package.root)));
        }
    }
    for row in delta.iter().flat_map(|delta| &delta.stale) {
        let message = format!("the baseline accepts `{row}`, which matches nothing");
        diagnostics.push(one("unbound/stale", message, row.clone(), None, None));
    }
    diagnostic::identify(&mut diagnostics);
    diagnostics
}

/// The baseline at a path. One that is to be written anew may be missing.
fn read(path: &Path, may_be_missing: bool) -> Result<Baseline, Refusal> {
    let text = accept::read_baseline(path, may_be_missing)
        .map_err(|error| refused(&error, "`--update-baseline` writes it where none is"))?;
    Ok(text.as_deref().map(Baseline::read).unwrap_or_default())
}

/// Refuses to write over what is no baseline: a path that is wrong must not cost a Spec or a configuration.
fn refuse_foreign(path: &Path, baseline: &Baseline) -> Result<(), Refusal> {
    let is_kind = |word: &str| ItemKind::ALL.iter().any(|kind| kind.as_str() == word);
    let is_path = |word: &str| word.chars().all(|one| one.is_alphanumeric() || matches!(one, '_' | ':'));
    let is_row = |row: &str| {
        let words: Vec<&str> = row.split(' ').collect();
        matches!(words.as_slice(), [_, kind, path] if is_kind(kind) && is_path(path))
    };
    let (rows, others): (Vec<&str>, Vec<&str>) = baseline.rows().map(|(row, _)| row).partition(|row| is_row(row));
    if others.len() <= rows.len() {
        return Ok(());
    }
    let message = format!(
        "the baseline could not be written ({} is not written over: most of its lines are no rows of a baseline).",
        shown(path)
    );
    Err(Refusal::Baseline {
        message,
        hint: "`--baseline FILE` names the baseline of `unbound`, or a file that is not there yet",
    })
}

fn write(path: &Path, text: &str) -> Result<(), Refusal> {
    let hint = "`--baseline FILE` names a regular file in a folder that can be written";
    accept::write_baseline(path, text).map_err(|error| refused(&error, hint))
}

fn refused(error: &AcceptError, hint: &'static str) -> Refusal {
    Refusal::Baseline { message: format!("{error}."), hint }
}

/// A package of a root.
struct Package {
    /// Its root.
    root: RunRoot,
    /// What was found in it.
    found: UnboundPackage,
}

impl Package {
    /// Its name, which opens with the root's where there are several: `backend::shop-core`.
    fn name(&self) -> String {
        harmless::one_line(&in_root(self.root.name.as_deref(), &self.found.name)).into_owned()
    }

    /// Its rows, as a baseline has them.
    fn rows(&self) -> impl Iterator<Item = String> {
        self.found.rows.iter().map(|item| self.row(item))
    }

    fn row(&self, item: &UnboundItem) -> String {
        format!("{} {} {}", self.name(), item.kind.as_str(), item.path)
    }
}

fn print(packages: &[Package], delta: Option<&Delta>, as_json: bool, output: &mut Output) {
    if as_json {
        output.answer(&format!("{:#}", json_of(packages, delta)), harmless::in_json);
        return;
    }
    match delta {
        None => output.out(&page(packages)),
        Some(delta) => output.out(&difference(packages, delta)),
    }
}

fn page(packages: &[Package]) -> String {
    let mut page = String::new();
    for package in packages {
        page.push_str(&format!("{}\n", heading(package)));
        for item in &package.found.rows {
            page.push_str(&format!("  {}\n", place_of(package, item)));
        }
    }
    page
}

/// `shop-core: 3 of 12 public items and 1 of 9 tests are unbound`.
fn heading(package: &Package) -> String {
    let of = |count: Count, noun: &str| format!("{} of {}", count.unbound, counted(count.total, noun));
    let (items, tests) = (of(package.found.public_items, "public item"), of(package.found.tests, "test"));
    format!("{}: {items} and {tests} are unbound", package.name())
}

fn place_of(package: &Package, item: &UnboundItem) -> String {
    let file = package.root.file(&item.file);
    let place = format!("{}:{} {} {}", harmless::path(&file), item.line, item.kind.as_str(), item.path);
    harmless::one_line(&place).into_owned()
}

/// What is new, with its place, and what matches nothing.
fn difference(packages: &[Package], delta: &Delta) -> String {
    let mut page = String::new();
    for package in packages {
        for item in package.found.rows.iter().filter(|item| delta.fresh.contains(&package.row(item))) {
            page.push_str(&format!("new: {}\n", place_of(package, item)));
        }
    }
    for row in &delta.stale {
        page.push_str(&format!("stale: {}\n", harmless::one_line(row)));
    }
    page
}

fn json_of(packages: &[Package], delta: Option<&Delta>) -> Value {
    let count = |count: Count| json!({ "total": count.total, "unbound": count.unbound });
    let item = |root: &RunRoot, item: &UnboundItem| json!({ "file": root.file(&item.file), "line": item.line, "kind": item.kind.as_str(), "path": item.path });
    let package = |Package { root, found }: &Package| {
        let mut package = Map::new();
        if let Some(root) = &root.name {
            package.insert("root".to_owned(), json!(root));
        }
        package.insert("name".to_owned(), json!(found.name));
        package.insert("publicItems".to_owned(), count(found.public_items));
        package.insert("tests".to_owned(), count(found.tests));
        package.insert("items".to_owned(), found.rows.iter().map(|one| item(root, one)).collect());
        Value::Object(package)
    };
    let mut answer = json!({ "packages": packages.iter().map(package).collect::<Vec<_>>() });
    if let (Some(delta), Some(answer)) = (delta, answer.as_object_mut()) {
        answer.insert("baseline".to_owned(), json!({ "new": delta.fresh, "stale": delta.stale }));
    }
    answer
}
