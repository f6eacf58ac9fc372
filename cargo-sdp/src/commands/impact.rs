//! `impact`: two points of the history come in, or one and the working tree; what the files that differ reach in the graph goes
//! out. git says which files, the recipes 4 and 30 say what they reach. It writes nothing.

mod page;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::sync::Arc;

use sdp_core::carrier::{CarrierForm, MAX_CARRIER_BYTES, gherkin, markdown, typescript};
use sdp_core::discover;
use sdp_core::harmless;
use sdp_core::model::Document;
use sdp_core::reader::Reader;
use sdp_harness::event::counted;
use sdp_harness::progress;
use serde_json::{Value, json};

use crate::errors::{Exit, Refusal};
use crate::evaluate::{self, LimitArgs, rows, text};
use crate::git::{self, Change, Commit, Git, Side};
use crate::output::Output;
use crate::root::{self, CommonArgs, Workspace};

/// The arguments of `impact`.
#[derive(Clone, Debug, clap::Args)]
#[command(
    about = "Show what changed files reach: Specs, what stands on them, code and tests",
    long_about = "\
Show what changed files reach: the Specs that they author or bind, what stands on these, the code and tests that go with them.

git says which files changed, with renames under both names. Without a range these are the files of the working tree that \
differ from HEAD: staged, not staged, and not tracked unless ignored. `A` compares a commit with the working tree, `A..B` two \
commits, `A...B` what B changed since it parted from A. Files out of the root are counted and named apart.

The graph is always that of the working tree; a note on stderr says when B is not what stands there. A Spec that stood in a \
changed carrier at A and stands nowhere now is removed; what still names it is listed.",
    after_help = "\
Examples:
  cargo sdp impact                         what is not committed yet
  cargo sdp impact main...HEAD             what a branch changed
  cargo sdp impact HEAD~3 --json | jq '.tests[].id'
  cargo sdp impact 'HEAD@{1}' --cap 0      no list cut

JSON: {\"from\", \"to\", \"files\": [{\"status\", \"path\", \"from\"}], \"outside\": [PATH], \"removed\": [{\"id\", \"file\", \
\"namedBy\": [{\"from\", \"type\"}]}], \"unread\": [PATH], \"blastRadius\": the answer of recipe 4, \"designChange\": the answer of \
recipe 30, \"units\": [{\"id\", \"file\", \"line\"}], \"tests\": [{\"id\", \"file\", \"line\", \"symbol\"}]}. `to` is null for the working tree.

Exit codes: 0 whatever is reached; 1 a refusal, or a graph that does not derive; 2 usage."
)]
pub(crate) struct ImpactArgs {
    /// `A..B`, `A...B`, or `A` against the working tree [default: HEAD]
    #[arg(value_name = "RANGE")]
    pub(crate) range: Option<OsString>,
    /// Print the answer as JSON, whole
    #[arg(long)]
    pub(crate) json: bool,
    /// How many rows of each list are shown; 0 for all. What is left out is counted
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub(crate) cap: usize,
    /// What the recipes may use.
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Where to look.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// A Spec that is gone.
#[derive(Debug)]
struct Removed {
    id: String,
    /// The carrier that held it.
    file: String,
    /// Declared relations that still name it: who, and by which.
    named_by: Vec<(String, &'static str)>,
}

/// What the old texts of changed carriers tell.
struct Gone {
    removed: Vec<Removed>,
    /// The carriers that could be read.
    known: BTreeSet<String>,
    /// Those that could not.
    unread: Vec<String>,
}

/// A unit of code or a test, with its place.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Unit {
    id: String,
    file: Option<String>,
    line: Option<u32>,
    symbol: Option<String>,
}

/// Everything that is said of a change.
#[derive(Debug)]
struct Impact {
    from: Commit,
    to: Option<Commit>,
    /// Changes that touch the root.
    files: Vec<Change>,
    /// Names out of the root.
    outside: Vec<String>,
    removed: Vec<Removed>,
    /// Old names of carriers of which it is known what they held.
    known: BTreeSet<String>,
    /// Carriers whose old text cannot be read.
    unread: Vec<String>,
    blast_radius: Value,
    design_change: Value,
    units: Vec<Unit>,
    tests: Vec<Unit>,
}

/// Asks git, then the recipes.
#[sdp::satisfies(
    "spec:sdp.impact",
    component = "component:sdp.command-line",
    references = "spec:sdp.decisions.git-cli"
)]
pub(crate) fn run(args: &ImpactArgs, output: &mut Output) -> Result<Exit, Refusal> {
    let workspace = root::load(&args.common)?;
    let git = Git::open(workspace.root())?;
    let range = args.range.as_deref().map_or(Ok("HEAD"), git::text_of)?;
    let (from, to) = ends(range, &git)?;
    let changes = progress::during("asking git", || git.changes(&from, to.as_ref()))?;
    if let Some(to) = &to {
        note_other_tree(to, &git, output)?;
    }
    let reader = evaluate::reader(&workspace, output)?;

    let (outside, files) = apart(changes);
    let Gone { removed, known, unread } = gone(&files, &reader, &git, &workspace)?;
    let evaluator = evaluate::evaluator(&workspace, Arc::clone(&reader), &args.limits, output);
    let names: BTreeSet<&str> = files.iter().flat_map(names_of).collect();
    let blast_radius = evaluate::of_recipe(&evaluator, 4, json!({ "files": names }))?;
    let is_authored = |row: &&Value| reasons(row).any(|reason| reason.get("via").is_some_and(Value::is_null));
    let authored = rows(&blast_radius, "impactedSpecs").filter(is_authored).filter_map(id);
    let specs: BTreeSet<&str> = authored.chain(removed.iter().map(|removed| removed.id.as_str())).collect();
    let design_change = evaluate::of_recipe(&evaluator, 30, json!({ "specs": specs }))?;
    let (units, tests) = bound(&blast_radius, &design_change, &reader);
    let impact = Impact { from, to, files, outside, removed, known, unread, blast_radius, design_change, units, tests };
    if args.json {
        output.answer(&format!("{:#}", impact.json()), harmless::in_json);
    } else {
        output.out(&page::of(&impact, if args.cap == 0 { usize::MAX } else { args.cap }));
    }
    Ok(Exit::Fine)
}

/// The commits of a range; none at its end for the working tree. A missing end is HEAD, as git has it.
fn ends(range: &str, git: &Git) -> Result<(Commit, Option<Commit>), Refusal> {
    let Some((from, to)) = range.split_once("..") else { return Ok((git.commit(range)?, None)) };
    let (is_since, to) = to.strip_prefix('.').map_or((false, to), |to| (true, to));
    let [from, to] = [from, to].map(|name| if name.is_empty() { "HEAD" } else { name });
    let (from, to) = (git.commit(from)?, git.commit(to)?);
    let from = if is_since { git.merge_base(&from, &to)? } else { from };
    Ok((from, Some(to)))
}

/// Says when the working tree below the root is not what a commit holds there.
fn note_other_tree(to: &Commit, git: &Git, output: &mut Output) -> Result<(), Refusal> {
    let differing = git.changes(to, None)?.iter().filter(|change| names_of(change).next().is_some()).count();
    if differing > 0 {
        let is_head = git.head()?.is_some_and(|head| head == *to);
        let what = if is_head { "has changes that are not committed" } else { "is not what is checked out" };
        output.note(&format!(
            "note: the graph is that of the working tree; {} {what}: {} below the root",
            to.short(),
            counted_differ(differing)
        ));
    }
    Ok(())
}

fn counted_differ(count: usize) -> String {
    format!("{} {}", counted(count, "file"), if count == 1 { "differs" } else { "differ" })
}

/// The names of a change below the root.
fn names_of(change: &Change) -> impl Iterator<Item = &str> {
    change.from.iter().chain([&change.path]).filter_map(Side::inside)
}

/// The names out of the root, and the changes that touch the root.
fn apart(changes: Vec<Change>) -> (Vec<String>, Vec<Change>) {
    let mut outside = BTreeSet::new();
    for side in changes.iter().flat_map(|change| change.from.iter().chain([&change.path])) {
        if let Side::Outside(path) = side {
            outside.insert(path.clone());
        }
    }
    let inside = changes.into_iter().filter(|change| names_of(change).next().is_some()).collect();
    (outside.into_iter().collect(), inside)
}

/// The Specs that changed carriers held and that stand nowhere now, and the carriers whose old text cannot be read.
fn gone(files: &[Change], reader: &Reader, git: &Git, workspace: &Workspace) -> Result<Gone, Refusal> {
    let mut carriers: Vec<((&str, CarrierForm), &str)> = Vec::new();
    let (mut known, mut unread) = (BTreeSet::new(), Vec::new());
    for change in files {
        let Some(path) = change.old_path().inside() else { continue };
        let Some(form) = CarrierForm::of_file_name(path) else { continue };
        if !discover::is_in_reach(path, &workspace.discover) {
            continue;
        }
        match &change.old {
            Some(blob) => carriers.push(((path, form), blob)),
            None if matches!(change.status, git::Status::Added | git::Status::Untracked) => {}
            None => unread.push(path.to_owned()),
        }
    }
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    git.blobs(&carriers, MAX_CARRIER_BYTES, |(path, form), blob| {
        let documents = blob.and_then(|bytes| String::from_utf8(bytes).ok()).and_then(|text| match form {
            CarrierForm::Markdown => markdown::read(path, &text).ok().map(|document| vec![document]),
            CarrierForm::Gherkin => gherkin::read(path, &text).ok(),
            CarrierForm::TypeScript => {
                let read = typescript::read(path, &text, &workspace.discover.modules);
                read.findings.is_empty().then_some(read.documents)
            }
        });
        let Some(documents) = documents else {
            unread.push((*path).to_owned());
            return;
        };
        known.insert((*path).to_owned());
        let specs = documents.iter().filter(|document| matches!(document, Document::Spec(_)));
        for spec in specs.filter(|spec| reader.index().node(reader.graph(), spec.id()).is_none()) {
            ids.insert(spec.id().to_owned(), (*path).to_owned());
        }
    })?;
    let removed = ids.into_iter().map(|(id, file)| {
        let edges = reader.in_edges(&id, None).into_iter().filter_map(|at| reader.graph().edges.get(at));
        let named_by = edges.map(|edge| (edge.from.clone(), edge.edge_type.as_str())).collect();
        Removed { id, file, named_by }
    });
    unread.sort();
    Ok(Gone { removed: removed.collect(), known, unread })
}

/// The code and the tests that go with the Specs that are reached by a change, or stand on those.
fn bound(blast_radius: &Value, design_change: &Value, reader: &Reader) -> (Vec<Unit>, Vec<Unit>) {
    let reached = rows(blast_radius, "impactedSpecs").chain(rows(design_change, "rows")).filter_map(id);
    let mut waiting: Vec<String> = reached.map(str::to_owned).collect();
    let mut seen: BTreeSet<String> = waiting.iter().cloned().collect();
    let (mut units, mut tests) = (BTreeSet::new(), BTreeSet::new());
    while let Some(context) = waiting.pop().map(|id| reader.spec_context(&id)) {
        let Some(context) = context else { continue };
        for code in context.implementations.iter().chain(&context.references) {
            let (file, line) = (code.file.clone(), code.line);
            units.insert(Unit { id: code.code_id.clone(), file, line, symbol: None });
        }
        for verifier in context.verifiers.into_iter().filter(|verifier| verifier.enabled) {
            // An example verifies by tests of its own.
            if reader.index().spec(reader.graph(), &verifier.verifier_id).is_some() {
                if seen.insert(verifier.verifier_id.clone()) {
                    waiting.push(verifier.verifier_id);
                }
                continue;
            }
            let (file, line, symbol) = (verifier.file, verifier.line, verifier.symbol);
            tests.insert(Unit { id: verifier.verifier_id, file, line, symbol });
        }
    }
    (units.into_iter().collect(), tests.into_iter().collect())
}

impl Impact {
    fn json(&self) -> Value {
        let file = |change: &Change| {
            let (path, from) = (change.path.inside(), change.from.as_ref().map(|from| from.inside()));
            match (path, from) {
                (Some(path), Some(Some(from))) => {
                    json!({ "status": change.status.as_str(), "path": path, "from": from })
                }
                // The other name lies out of the root.
                (Some(path), Some(None)) => json!({ "status": git::Status::Added.as_str(), "path": path }),
                (None, Some(from)) => json!({ "status": git::Status::Deleted.as_str(), "path": from }),
                (path, None) => json!({ "status": change.status.as_str(), "path": path }),
            }
        };
        let removed = |removed: &Removed| {
            let named_by = removed.named_by.iter().map(|(from, by)| json!({ "from": from, "type": by }));
            json!({ "id": removed.id, "file": removed.file, "namedBy": named_by.collect::<Vec<_>>() })
        };
        let unit = |unit: &Unit| json!({ "id": unit.id, "file": unit.file, "line": unit.line });
        let test = |unit: &Unit| json!({ "id": unit.id, "file": unit.file, "line": unit.line, "symbol": unit.symbol });
        json!({
            "from": self.from.name(),
            "to": self.to.as_ref().map(Commit::name),
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "outside": self.outside,
            "removed": self.removed.iter().map(removed).collect::<Vec<_>>(),
            "unread": self.unread,
            "blastRadius": self.blast_radius,
            "designChange": self.design_change,
            "units": self.units.iter().map(unit).collect::<Vec<_>>(),
            "tests": self.tests.iter().map(test).collect::<Vec<_>>(),
        })
    }
}

fn reasons(row: &Value) -> impl Iterator<Item = &Value> {
    rows(row, "reasons")
}

fn id(row: &Value) -> Option<&str> {
    text(row, "id")
}
