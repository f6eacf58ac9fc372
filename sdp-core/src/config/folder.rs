//! One folder: which configuration stands in it, and what cargo and git see there. A folder's `Cargo.toml` that says
//! nothing of this tool is never an error, whatever else is odd about it.

use std::path::Path;

use toml_edit::{Item, TableLike};

use super::file::{self, Parsed, Refusal, Toml};
use super::keys::{self, Settings};
use crate::finding::{Finding, FindingId};

const MANIFEST: &str = "Cargo.toml";
const OWN_FILE: &str = "sdp.toml";

/// What a `Cargo.toml` is to cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CargoRole {
    /// The root of a workspace.
    Workspace,
    /// A package.
    Package,
}

/// What was found in one folder.
#[derive(Default)]
pub(super) struct Folder {
    /// The settings, with the name of the file that holds them.
    pub(super) settings: Option<(&'static str, Settings)>,
    /// All that is wrong with the configuration.
    pub(super) findings: Vec<Finding>,
    /// What cargo sees here.
    pub(super) role: Option<CargoRole>,
}

/// A place that holds a configuration.
struct Home {
    file: &'static str,
    /// As a sentence names it.
    name: String,
    place: (u32, u32),
}

impl Folder {
    /// Whether a configuration stands here, right or wrong.
    pub(super) fn is_configured(&self) -> bool {
        self.settings.is_some() || !self.findings.is_empty()
    }

    /// Reads what stands in a folder. A configuration that stands in two places is an error that names both.
    pub(super) fn examine(folder: &Path) -> Folder {
        let mut found = Folder::default();
        let mut homes = Vec::new();
        found.read_manifest(folder, &mut homes);
        found.read_own_file(folder, &mut homes);
        if let [first, second, ..] = homes.as_slice() {
            let message =
                format!("the configuration stands in {} and in {}: keep one of them", first.name, second.name);
            found.findings.push(invalid(second.file, Some(second.place), message));
        }
        found
    }

    fn read_manifest(&mut self, folder: &Path, homes: &mut Vec<Home>) {
        match file::read(&folder.join(MANIFEST)) {
            Toml::Absent => {}
            Toml::Parsed(document) => {
                self.role = role_of(&document);
                for (owner, name) in [
                    ("workspace", "`[workspace.metadata.sdp]` of Cargo.toml"),
                    ("package", "`[package.metadata.sdp]` of Cargo.toml"),
                ] {
                    let metadata = member(document.as_table(), owner).and_then(|owner| member(owner, "metadata"));
                    let Some((key, item)) = metadata.and_then(|metadata| metadata.get_key_value("sdp")) else {
                        continue;
                    };
                    let place = keys::place_of(document.raw(), item.span().or_else(|| key.span()));
                    match item.as_table_like() {
                        Some(table) => self.take(MANIFEST, &document, table),
                        None => {
                            let message = format!("{name} must be a table, not {}", keys::kind_of(item));
                            self.findings.push(invalid(MANIFEST, Some(place), message));
                        }
                    }
                    homes.push(Home { file: MANIFEST, name: name.to_owned(), place });
                }
            }
            Toml::Refused(refusal) => {
                self.role = refusal.text.as_deref().and_then(role_in_lines);
                // A file that cannot be read may hold anything; one that was read must speak of us.
                if refusal.text.as_deref().is_none_or(mentions_us) {
                    self.refuse(MANIFEST, &refusal);
                }
            }
        }
    }

    fn read_own_file(&mut self, folder: &Path, homes: &mut Vec<Home>) {
        match file::read(&folder.join(OWN_FILE)) {
            Toml::Absent => return,
            Toml::Parsed(document) => self.take(OWN_FILE, &document, document.as_table()),
            Toml::Refused(refusal) => self.refuse(OWN_FILE, &refusal),
        }
        homes.push(Home { file: OWN_FILE, name: "sdp.toml".to_owned(), place: (1, 1) });
    }

    fn take(&mut self, file: &'static str, document: &Parsed, table: &dyn TableLike) {
        let settings = keys::read(file, document.raw(), table, &mut self.findings);
        self.settings = Some((file, settings));
    }

    fn refuse(&mut self, file: &'static str, refusal: &Refusal) {
        self.findings.push(invalid(file, refusal.place, format!("{file} {}", refusal.why)));
    }
}

/// Whether cargo sees a workspace or a package in a folder.
#[must_use]
pub fn is_of_cargo(folder: &Path) -> bool {
    cargo_role(folder).is_some()
}

/// What cargo sees in a folder.
pub(super) fn cargo_role(folder: &Path) -> Option<CargoRole> {
    match file::read(&folder.join(MANIFEST)) {
        Toml::Absent => None,
        Toml::Parsed(document) => role_of(&document),
        Toml::Refused(refusal) => refusal.text.as_deref().and_then(role_in_lines),
    }
}

/// An error finding about a configuration file.
pub(super) fn invalid(file: &str, place: Option<(u32, u32)>, message: String) -> Finding {
    let mut finding = Finding::error(FindingId::InvalidConfig, message).at(file, place.map(|(line, _)| line));
    finding.column = place.map(|(_, column)| column);
    finding
}

fn member<'a>(table: &'a dyn TableLike, key: &str) -> Option<&'a dyn TableLike> {
    table.get(key).and_then(Item::as_table_like)
}

fn role_of(document: &Parsed) -> Option<CargoRole> {
    if document.as_table().contains_key("workspace") {
        Some(CargoRole::Workspace)
    } else {
        document.as_table().contains_key("package").then_some(CargoRole::Package)
    }
}

/// The role as far as the table headers of a file that does not parse tell it.
fn role_in_lines(text: &str) -> Option<CargoRole> {
    let mut role = None;
    for line in text.lines().map(bare) {
        if line.starts_with("[workspace]") || line.starts_with("[workspace.") {
            return Some(CargoRole::Workspace);
        }
        if line.starts_with("[package]") {
            role = Some(CargoRole::Package);
        }
    }
    role
}

/// Whether a manifest that does not parse speaks of this tool: a line names `metadata.sdp`, or an `sdp` key stands below
/// a `metadata` header. Other text, a dependency called `sdp` for one, does not count.
fn mentions_us(text: &str) -> bool {
    let mut in_metadata = false;
    text.lines().map(bare).any(|line| {
        if line.starts_with('[') {
            in_metadata = line.starts_with("[workspace.metadata]") || line.starts_with("[package.metadata]");
        }
        line.contains("metadata.sdp") || (in_metadata && (line.starts_with("sdp=") || line.starts_with("sdp.")))
    })
}

/// A line without its comment, whitespace and quotes.
fn bare(line: &str) -> String {
    let code = line.split('#').next().unwrap_or_default();
    code.chars().filter(|character| !character.is_whitespace() && !matches!(character, '"' | '\'')).collect()
}
