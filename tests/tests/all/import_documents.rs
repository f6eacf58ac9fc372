//! Every Markdown Spec at hand is emitted again and reads back as the same Spec; and each of them, written in TypeScript and
//! imported, derives the graph that it derived before. The recorded corpora are not part of the project; where they are
//! missing each test says that it was skipped.

use std::fs;
use std::path::{Path, PathBuf};

use sdp_core::carrier::markdown;
use sdp_core::discover::{DiscoverOptions, walk};
use sdp_core::import;
use sdp_core::model::{Document, SpecDocument};
use sdp_tests::{Repo, copy_folder};
use serde_json::{Value, json};

use crate::corpora::corpora;

fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// The Markdown Specs below a folder that are well-formed: path, text, Spec.
fn specs(folder: &Path) -> Vec<(String, String, SpecDocument)> {
    let carriers = walk(folder, &DiscoverOptions::default()).carriers.into_iter();
    let markdown = carriers.filter(|file| file.path.ends_with(".sdp.md"));
    let read = markdown.filter_map(|file| {
        let text = fs::read_to_string(folder.join(&file.path)).ok()?;
        match markdown::read(&file.path, &text) {
            Ok(Document::Spec(spec)) => Some((file.path, text, spec)),
            _ => None,
        }
    });
    read.collect()
}

/// A Spec without what says where it stands.
fn placeless(spec: &SpecDocument) -> SpecDocument {
    let mut spec = SpecDocument { line: 0, entries: Vec::new(), ..spec.clone() };
    spec.relations.sort();
    spec
}

/// Emits every Spec of a folder and reads it again; gives how many there are, and how many were written as they are emitted.
fn round_trip(folder: &Path) -> (usize, usize) {
    let mut as_written = 0;
    let specs = specs(folder);
    for (file, text, spec) in &specs {
        let emitted = import::markdown(file, spec).unwrap_or_else(|refused| panic!("{file}: {refused:?}"));
        let Ok(Document::Spec(read)) = markdown::read(file, &emitted) else { panic!("{file}: {emitted}") };
        assert_eq!(placeless(&read), placeless(spec), "{file}");
        assert_eq!(import::markdown(file, &read).unwrap(), emitted, "{file}");
        as_written += usize::from(*text == emitted);
    }
    (specs.len(), as_written)
}

#[test]
fn every_markdown_spec_of_the_project_is_emitted_faithfully() {
    let (own, as_written) = round_trip(&project("specs"));
    assert!(own > 40 && as_written > 0, "{own}, {as_written}");
    let (fixtures, as_written) = round_trip(&project("tests/fixtures"));
    assert!(fixtures > 50 && as_written > 0, "{fixtures}, {as_written}");
    assert!(round_trip(&project("examples")).0 > 5);
}

#[test]
fn every_markdown_spec_of_the_corpora_is_emitted_faithfully() {
    let Some(corpora) = corpora() else { return };
    let (protocol, as_written) = round_trip(&corpora.join("protocol/specs"));
    assert_eq!(protocol, 157);
    assert!(as_written > 0, "{as_written}");
    assert_eq!(round_trip(&corpora.join("checkout/specs")).0, 11);
}

/// A Spec as somebody would write it in TypeScript.
pub(crate) fn typescript(spec: &SpecDocument) -> String {
    let SpecDocument { id, kind, altitude, readiness, relations, title, narrative, sections, .. } = spec;
    let mut object = json!({ "id": id, "kind": kind, "altitude": altitude, "readiness": readiness });
    let fields = object.as_object_mut().unwrap();
    fields.extend(title.iter().map(|title| ("title".to_owned(), json!(title))));
    fields.extend(narrative.iter().map(|narrative| ("narrative".to_owned(), json!(narrative))));
    // Written by the serializer of the sections, which keeps the authored order of open entries.
    let sections = serde_json::to_string(sections).unwrap();
    let sections = sections.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap();
    let comma = if sections.is_empty() { "" } else { ",\n  " };
    let relations: Vec<String> = relations.iter().map(|(kind, target)| format!("{kind}({target:?})")).collect();
    let object = object.to_string();
    format!(
        "import {{ spec, refines, dependsOn, constrainedBy, decidedBy, verifies, supersedes }} from \"@libar-dev/software-delivery-protocol\";\n\nexport const it = spec({},\n  relations: [{}]{comma}{sections}}});\n",
        object.strip_suffix('}').unwrap(),
        relations.join(", ")
    )
}

/// The graph without the files and lines in which things stand.
pub(crate) fn placeless_graph(repo: &Repo) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("file");
                fields.remove("line");
                fields.values_mut().for_each(strip);
            }
            Value::Array(values) => values.iter_mut().for_each(strip),
            _ => {}
        }
    }
    let run = repo.sdp(["build", "--out-dir", "o"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut graph: Value = serde_json::from_str(&fs::read_to_string(repo.path("o/graph.json")).unwrap()).unwrap();
    strip(&mut graph);
    graph
}

/// Removes every file below a folder whose name ends so; gives how many.
fn remove(folder: &Path, ending: &str) -> usize {
    let carriers = walk(folder, &DiscoverOptions::default()).carriers;
    let doomed: Vec<PathBuf> =
        carriers.iter().filter(|file| file.path.ends_with(ending)).map(|file| folder.join(&file.path)).collect();
    doomed.iter().for_each(|path| fs::remove_file(path).unwrap());
    doomed.len()
}

/// Puts every Markdown Spec of a folder into TypeScript and imports it: the graph stays the same, in TypeScript and in
/// Markdown, and so does what the documents say.
fn there_and_back(folder: &Path) {
    let repo = Repo::new();
    copy_folder(folder, &repo.path("specs"));
    let before = placeless_graph(&repo);
    let specs = specs(&repo.path("specs"));
    for (path, _, spec) in &specs {
        fs::remove_file(repo.path("specs").join(path)).unwrap();
        repo.write(&format!("specs/{}", path.replace(".sdp.md", ".sdp.ts")), typescript(spec));
    }
    assert_eq!(placeless_graph(&repo), before, "in TypeScript");
    let run = repo.sdp(["import", "specs", "--output", "short"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout.lines().count(), specs.len());
    assert_eq!(remove(&repo.path("specs"), ".sdp.ts"), specs.len());
    assert_eq!(placeless_graph(&repo), before, "in Markdown");
    for (path, _, spec) in &specs {
        let text = fs::read_to_string(repo.path("specs").join(path)).unwrap();
        assert_eq!(text, import::markdown(path, spec).unwrap(), "{path}");
    }
}

#[test]
fn specs_of_the_project_go_through_typescript_and_back() {
    there_and_back(&project("specs"));
    there_and_back(&project("tests/fixtures/sound/root/specs"));
}

#[sdp::verifies("spec:sdp.import")]
#[test]
fn specs_of_the_corpora_go_through_typescript_and_back() {
    let Some(corpora) = corpora() else { return };
    there_and_back(&corpora.join("protocol/specs"));
    there_and_back(&corpora.join("checkout/specs"));
}
