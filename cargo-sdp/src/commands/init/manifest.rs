//! A `Cargo.toml` that gets more: its bytes and what to add come in, the new text goes out, or why it cannot be added to. Every byte that
//! was there stays, in its order; text is only ever put between. The result is parsed again and must say what the old one said and
//! what was added, and nothing else.

use std::fs;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sdp_core::config;
use sdp_harness::paths::shown;
use serde_json::{Map, Value as Json, json};
use toml_edit::{Document, Item, TableLike, Value};

/// The largest manifest that is read, in bytes; a byte more is refused as too large.
const MAX_BYTES: u64 = 1024 * 1024 + 1;

/// The name of the test target, and its file.
pub(super) const TARGET: &str = "specs";
pub(super) const TARGET_FILE: &str = "tests/specs.rs";
/// Where cargo looks for a test of that name too.
const TARGET_FOLDER_FILE: &str = "tests/specs/main.rs";
/// The table that the dependency goes into.
const DEV_DEPENDENCIES: &str = "dev-dependencies";
/// What a test target of ours calls.
pub(super) const TARGET_CALL: &str = "sdp_harness::main";
/// The crate that it depends on.
pub(super) const HARNESS: &str = "sdp-harness";

/// A manifest as it was read.
#[derive(Debug)]
pub(super) struct Manifest {
    pub(super) path: PathBuf,
    text: String,
    document: Document<Arc<str>>,
}

/// What is to be added.
#[derive(Debug, Default)]
pub(super) struct Additions {
    /// The table `metadata.sdp` of this table.
    pub(super) configuration: Option<&'static str>,
    /// The test target.
    pub(super) target: bool,
    /// The dependency of the test target, as the value of its key.
    pub(super) dependency: Option<String>,
}

/// A change of one manifest.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) path: PathBuf,
    pub(super) old: String,
    pub(super) new: String,
    /// What was added, for people.
    pub(super) added: Vec<String>,
}

impl Edit {
    /// Whether the file still holds what was read.
    pub(super) fn is_current(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|metadata| metadata.is_file())
            && fs::read(&self.path).is_ok_and(|bytes| bytes == self.old.as_bytes())
    }
}

/// What a manifest has of the test target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Nothing.
    Absent,
    /// One whose file calls ours; its name.
    Ours(String),
    /// It is declared as ours would be, and its file is not there.
    WithoutFile,
    /// Another target of this name or with this file.
    Other,
}

impl Manifest {
    /// Reads the manifest of a folder; none where there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Manifest>, String> {
        let path = folder.join("Cargo.toml");
        let metadata = match fs::symlink_metadata(&path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(format!("{} cannot be looked at ({error})", shown(&path))),
        };
        if metadata.is_symlink() {
            return Err(format!("{} is a symbolic link, which is neither replaced nor followed", shown(&path)));
        }
        if !metadata.is_file() {
            return Err(format!("{} is not a regular file", shown(&path)));
        }
        let mut bytes = Vec::new();
        fs::File::open(&path)
            .and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes))
            .map_err(|error| format!("{} cannot be read ({error})", shown(&path)))?;
        let document = config::parse_toml(bytes).map_err(|fault| {
            let place = fault.place.map(|(line, column)| format!(":{line}:{column}")).unwrap_or_default();
            format!("{}{place} {}", shown(&path), fault.why)
        })?;
        Ok(Some(Manifest { path, text: document.raw().to_owned(), document }))
    }

    /// A table or a value of it by its keys.
    fn at(&self, keys: &[&str]) -> Option<&Item> {
        let (last, above) = keys.split_last()?;
        let mut table: &dyn TableLike = self.document.as_table();
        for key in above {
            table = table.get(key)?.as_table_like()?;
        }
        table.get(last)
    }

    /// Whether it is that of a package.
    pub(super) fn is_package(&self) -> bool {
        self.at(&["package"]).is_some_and(Item::is_table_like)
    }

    /// Whether it is that of a workspace.
    pub(super) fn is_workspace(&self) -> bool {
        self.at(&["workspace"]).is_some_and(Item::is_table_like)
    }

    /// The package's name.
    pub(super) fn package_name(&self) -> Option<&str> {
        self.at(&["package", "name"])?.as_str()
    }

    /// A list of texts below `[workspace]`.
    pub(super) fn workspace_list(&self, key: &str) -> Vec<&str> {
        let list = self.at(&["workspace", key]).and_then(Item::as_array);
        list.into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Whether cargo finds the other tests of the package when one target is declared. In the edition 2015 it does not, and the
    /// edition may be the workspace's.
    pub(super) fn finds_other_tests(&self) -> bool {
        if self.at(&["package", "autotests"]).is_some() || self.at(&["test"]).is_some() {
            return true;
        }
        match self.at(&["package", "edition"]) {
            None => false,
            Some(edition) if edition.is_table_like() => {
                let above = self.path.ancestors().skip(1).filter_map(|folder| Manifest::read(folder).ok().flatten());
                let workspace = above.into_iter().find(Manifest::is_workspace);
                workspace.is_none_or(|workspace| {
                    let edition = workspace.at(&["workspace", "package", "edition"]);
                    edition.is_some_and(|edition| edition.as_str() != Some("2015"))
                })
            }
            Some(edition) => edition.as_str() != Some("2015"),
        }
    }

    /// The table of the development dependencies: the old spelling where that alone is there, since cargo does not read it beside
    /// the new one.
    fn dev_dependencies(&self) -> &'static str {
        const OLD: &str = "dev_dependencies";
        if self.at(&[DEV_DEPENDENCIES]).is_none() && self.at(&[OLD]).is_some() { OLD } else { DEV_DEPENDENCIES }
    }

    /// Whether the harness is a dependency, in whatever form and on whatever target.
    pub(super) fn depends_on_harness(&self) -> bool {
        let of_targets = self.at(&["target"]).and_then(Item::as_table_like);
        let of_targets = of_targets.into_iter().flat_map(TableLike::iter).filter_map(|(_, item)| item.as_table_like());
        let owners = std::iter::once(self.document.as_table() as &dyn TableLike).chain(of_targets);
        let tables = [DEV_DEPENDENCIES, "dev_dependencies", "dependencies"];
        owners.flat_map(|owner| tables.map(|table| owner.get(table))).any(|table| {
            let entries = table.and_then(Item::as_table_like);
            entries.is_some_and(|entries| {
                entries.iter().any(|(key, item)| {
                    key == HARNESS
                        || item.as_table_like().and_then(|entry| entry.get("package")).and_then(Item::as_str)
                            == Some(HARNESS)
                })
            })
        })
    }

    /// Whether cargo looks for tests that are not declared.
    fn finds_tests(&self) -> bool {
        self.at(&["package", "autotests"]).and_then(Item::as_bool) != Some(false)
    }

    /// The declared test targets.
    fn targets(&self) -> Vec<TestTarget> {
        let list = self.at(&["test"]);
        let tables = list.and_then(Item::as_array_of_tables).into_iter().flatten().map(|table| table as &dyn TableLike);
        let inline = list.and_then(Item::as_array).into_iter().flatten();
        let inline = inline.filter_map(|value| value.as_inline_table().map(|table| table as &dyn TableLike));
        tables.chain(inline).filter_map(TestTarget::of).collect()
    }

    /// What it has of the test target: one whose file calls ours, or one of its name or with its file.
    pub(super) fn target(&self) -> Target {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        let targets = self.targets();
        let is_ours = |target: &&TestTarget| !target.has_harness && calls_ours(&folder.join(&target.path));
        if let Some(ours) = targets.iter().find(is_ours) {
            return Target::Ours(ours.name.clone());
        }
        let of_our_name = targets.iter().find(|target| target.name == TARGET || target.path == TARGET_FILE);
        match of_our_name {
            Some(target)
                if !target.has_harness && !folder.join(&target.path).exists() && target.path == TARGET_FILE =>
            {
                Target::WithoutFile
            }
            Some(_) => Target::Other,
            // Cargo finds this one by itself, until another of its name is declared.
            None if self.finds_tests() && folder.join(TARGET_FOLDER_FILE).exists() => Target::Other,
            None => Target::Absent,
        }
    }

    /// The manifest with what is to be added; none where nothing is.
    ///
    /// # Errors
    /// Where the text cannot be added to.
    pub(super) fn with(&self, additions: &Additions) -> Result<Option<Edit>, CannotAdd> {
        let Additions { configuration, target, dependency } = additions;
        let line_end = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut blocks: Vec<String> = Vec::new();
        let mut added = Vec::new();
        if let Some(owner) = configuration {
            added.push(format!("[{owner}.metadata.sdp]"));
            blocks.push(configuration_block(owner));
        }
        if *target {
            added.push("[[test]]".to_owned());
            blocks.push(target_block());
        }
        let mut candidates = vec![(self.text.clone(), blocks.clone())];
        if let Some(value) = dependency {
            let table = self.dev_dependencies();
            added.push(format!("[{table}] {HARNESS}"));
            let line = format!("{HARNESS} = {value}");
            let with = |block: String| blocks.iter().cloned().chain([block]).collect();
            candidates = vec![
                (self.text.clone(), with(format!("[{table}]\n{line}\n"))),
                (self.text.clone(), with(format!("[{table}.{HARNESS}]\n{}", keys_of(value)))),
            ];
            if let Some(at) = self.end_of_dependencies() {
                let (before, after) = self.text.split_at(at);
                let before_end = if before.is_empty() || before.ends_with('\n') { "" } else { line_end };
                let text = format!("{before}{before_end}{line}{line_end}{after}");
                candidates.insert(0, (text, blocks));
            }
        }
        if added.is_empty() {
            return Ok(None);
        }
        let wanted = self.wanted(additions);
        let is_wanted = |text: &String| {
            let parsed = config::parse_toml(text.clone().into_bytes());
            parsed.is_ok_and(|document| wanted.as_ref() == Some(&plain_table(document.as_table())))
        };
        let mut texts = candidates.into_iter().map(|(text, blocks)| appended(text, &blocks, line_end));
        match texts.find(is_wanted) {
            Some(new) => Ok(Some(Edit { path: self.path.clone(), old: self.text.clone(), new, added })),
            None => Err(CannotAdd { by_hand: by_hand(additions) }),
        }
    }

    /// Where a line is put so that it ends the table of the development dependencies: behind its last line that says something. Only a
    /// guess from the lines; the result is judged.
    fn end_of_dependencies(&self) -> Option<usize> {
        let table = self.dev_dependencies();
        let headers = [format!("[{table}]"), format!("[\"{table}\"]"), format!("['{table}']")];
        let mut offset = 0;
        let mut end = None;
        for line in self.text.split_inclusive('\n') {
            offset += line.len();
            let bare = line.trim();
            if bare.starts_with('[') {
                if end.is_some() {
                    break;
                }
                let header: String = bare.split('#').next().unwrap_or_default().split_whitespace().collect();
                if headers.contains(&header) {
                    end = Some(offset);
                }
            } else if end.is_some() && !bare.is_empty() && !bare.starts_with('#') {
                end = Some(offset);
            }
        }
        end
    }

    /// What the new manifest must say.
    fn wanted(&self, additions: &Additions) -> Option<Json> {
        let mut wanted = plain_table(self.document.as_table());
        let Additions { configuration, target, dependency } = additions;
        if let Some(owner) = configuration {
            table_of(table_of(wanted.as_object_mut()?, owner)?, "metadata")?.insert("sdp".to_owned(), json!({}));
        }
        if *target {
            let targets = wanted.as_object_mut()?.entry("test").or_insert_with(|| json!([]));
            targets.as_array_mut()?.push(json!({ "name": TARGET, "path": TARGET_FILE, "harness": false }));
        }
        if let Some(value) = dependency {
            let value: Value = value.parse().ok()?;
            table_of(wanted.as_object_mut()?, self.dev_dependencies())?.insert(HARNESS.to_owned(), plain_value(&value));
        }
        Some(wanted)
    }
}

/// A declared test target.
struct TestTarget {
    name: String,
    path: String,
    has_harness: bool,
}

impl TestTarget {
    fn of(table: &dyn TableLike) -> Option<Self> {
        let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
        let name = text("name")?;
        let path = text("path").unwrap_or_else(|| format!("tests/{name}.rs"));
        let has_harness = table.get("harness").and_then(Item::as_bool) != Some(false);
        Some(TestTarget { name, path, has_harness })
    }
}

/// A manifest that cannot be added to.
#[derive(Debug)]
pub(super) struct CannotAdd {
    /// What an author adds instead.
    pub(super) by_hand: String,
}

/// Whether a file is a test target of ours.
pub(super) fn calls_ours(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() < MAX_BYTES);
    is_file && fs::read(path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(TARGET_CALL))
}

/// What an author adds by hand, as lines of TOML.
pub(super) fn by_hand(additions: &Additions) -> String {
    let Additions { configuration, target, dependency } = additions;
    let blocks = [
        configuration.map(|owner| format!("[{owner}.metadata.sdp]\n")),
        target.then(target_block),
        dependency.as_ref().map(|value| format!("[dev-dependencies]\n{HARNESS} = {value}\n")),
    ];
    blocks.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

fn configuration_block(owner: &str) -> String {
    format!("[{owner}.metadata.sdp]\n# The Specs of this folder: `cargo sdp config` shows each key with its default.\n")
}

fn target_block() -> String {
    format!("[[test]]\nname = \"{TARGET}\"\npath = \"{TARGET_FILE}\"\nharness = false\n")
}

/// A text with blocks behind it, each after an empty line.
fn appended(mut text: String, blocks: &[String], line_end: &str) -> String {
    for block in blocks {
        if !text.is_empty() {
            if !text.ends_with('\n') {
                text.push_str(line_end);
            }
            text.push_str(line_end);
        }
        text.push_str(&block.replace('\n', line_end));
    }
    text
}

/// The keys of an inline table, a line each.
fn keys_of(value: &str) -> String {
    let parsed: Option<Value> = value.parse().ok();
    let table = parsed.as_ref().and_then(Value::as_inline_table);
    match table {
        Some(table) => table.iter().map(|(key, value)| format!("{key} = {}\n", value.to_string().trim())).collect(),
        None => format!("version = {value}\n"),
    }
}

fn table_of<'j>(table: &'j mut Map<String, Json>, key: &str) -> Option<&'j mut Map<String, Json>> {
    table.entry(key).or_insert_with(|| json!({})).as_object_mut()
}

/// What a table says, whatever it is written like. The parser has bounded how deep it is.
fn plain_table(table: &dyn TableLike) -> Json {
    Json::Object(table.iter().map(|(key, item)| (key.to_owned(), plain(item))).collect())
}

fn plain(item: &Item) -> Json {
    match item {
        Item::None => Json::Null,
        Item::Value(value) => plain_value(value),
        Item::Table(table) => plain_table(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| plain_table(table)).collect(),
    }
}

fn plain_value(value: &Value) -> Json {
    match value {
        Value::String(text) => json!(text.value()),
        Value::Array(list) => list.iter().map(plain_value).collect(),
        Value::InlineTable(table) => plain_table(table),
        // As it is written: nothing of it is changed.
        Value::Integer(number) => json!({ "integer": number.value() }),
        Value::Float(number) => json!({ "float": number.value().to_bits() }),
        Value::Boolean(truth) => json!(truth.value()),
        Value::Datetime(time) => json!({ "time": time.value().to_string() }),
    }
}

#[cfg(test)]
mod tests;
