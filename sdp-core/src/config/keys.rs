//! The keys of a configuration: its TOML table comes in, typed settings go out. Every problem is collected as a finding
//! at line and column; a key that is not known is refused, never skipped.

mod languages;
pub(super) mod roots;
mod rules;
mod typescript;
mod waivers;

use std::ops::Range;
use std::time::Duration;

use toml_edit::{Item, Key, TableLike, Value};

use self::roots::Roots;
use super::file::place;
use super::folder::invalid;
use super::paths::{check_exclude, compile_glob};
use super::{Limits, Places, RuleConfig, Waiver};
use crate::anchor::{Authored, ConfiguredLanguage};
use crate::finding::Finding;
use crate::severity::{Level, Override, Severities};
use crate::suggest::first_nearest;

/// The unit of `limits.memory`, in bytes.
pub(super) const MEGABYTE: u64 = 1024 * 1024;

const MAX_NAME_CHARS: usize = 200;

/// How many globs a configuration holds at most: each file below the root is held against all of them.
const MAX_GLOBS: usize = 200;

/// How many problems of one table are told; the rest is counted as one.
const MAX_PROBLEMS: usize = 100;

pub(super) const KEYS: &[&str] = &[
    "roots",
    "exclude",
    "rule-globs",
    "contracts",
    "rules",
    "limits",
    "severity",
    "waivers",
    "baseline",
    "out-dir",
    "comment-languages",
    "typescript",
];
/// Keys that nothing reads yet. To accept one would be silence: what is configured would have no effect, and nothing would say so.
pub(super) const LATER_KEYS: &[&str] = &["link-base"];
const LIMIT_KEYS: &[&str] = &["time", "memory"];

/// What a configuration table says, with paths relative to its file.
#[derive(Clone, Default)]
pub(super) struct Settings {
    pub(super) roots: Option<Roots>,
    pub(super) exclude: Vec<String>,
    pub(super) rule_globs: Option<Vec<String>>,
    pub(super) contracts: Vec<(String, Authored)>,
    pub(super) rules: Vec<RuleConfig>,
    pub(super) limits: Limits,
    pub(super) severities: Severities,
    pub(super) out_dir: Option<String>,
    pub(super) languages: Vec<ConfiguredLanguage>,
    pub(super) modules: Vec<(String, Authored)>,
    pub(super) waivers: Vec<Waiver>,
    pub(super) baseline: Option<String>,
    /// Where each key stands, with those of `limits`, `severity` and `typescript` behind a dot.
    pub(super) places: Places,
}

/// Reads a configuration table out of the text of `file`. What is wrong is added to `findings`.
pub(super) fn read(file: &'static str, text: &str, table: &dyn TableLike, findings: &mut Vec<Finding>) -> Settings {
    let line_starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect();
    let mut reader = Reader { file, text, line_starts, problems: 0, findings };
    let mut settings = Settings::default();
    for (name, item) in table.iter() {
        let entry = Entry::new(table, name, item);
        reader.keep_places(&entry, &mut settings.places);
        match name {
            "roots" => settings.roots = Some(reader.roots(&entry)),
            "exclude" => {
                settings.exclude =
                    reader.strings(&entry, |path| check_exclude(path).map_err(|error| error.to_string()));
            }
            "rule-globs" => {
                let check = |glob: &str| compile_glob(glob).map(drop).map_err(|error| error.to_string());
                let globs = reader.strings(&entry, check);
                if globs.len() > MAX_GLOBS {
                    reader.problem(entry.key_span(), format!("`rule-globs` holds more than {MAX_GLOBS} patterns"));
                }
                settings.rule_globs = Some(globs);
            }
            "contracts" => settings.contracts = reader.contracts(&entry),
            "rules" => settings.rules = reader.rules(&entry),
            "limits" => settings.limits = reader.limits(&entry),
            "severity" => settings.severities = reader.severities(&entry),
            "waivers" => settings.waivers = reader.waivers(&entry),
            "baseline" => settings.baseline = reader.line(&entry),
            "out-dir" => settings.out_dir = reader.line(&entry),
            "comment-languages" => settings.languages = reader.languages(&entry),
            "typescript" => settings.modules = reader.typescript(&entry),
            later if LATER_KEYS.contains(&later) => {
                reader.problem(entry.key_span(), format!("`{later}` is not supported yet"));
            }
            _ => reader.unknown_key(&entry, "configuration", KEYS),
        }
    }
    settings
}

/// The 1-based line and column where a span starts, or the start of the text.
pub(super) fn place_of(text: &str, span: Option<Range<usize>>) -> (u32, u32) {
    place(text, span.map_or(0, |span| span.start))
}

/// What an item is, with its article.
pub(super) fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Value(value) => kind_of_value(value),
        Item::Table(_) => "a table",
        Item::ArrayOfTables(_) => "an array of tables",
    }
}

fn kind_of_value(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a string",
        Value::Integer(_) => "an integer",
        Value::Float(_) => "a float",
        Value::Boolean(_) => "a boolean",
        Value::Datetime(_) => "a date or time",
        Value::Array(_) => "an array",
        Value::InlineTable(_) => "a table",
    }
}

/// One key with its value.
struct Entry<'t> {
    name: &'t str,
    key: Option<&'t Key>,
    item: &'t Item,
}

impl<'t> Entry<'t> {
    fn new(table: &'t dyn TableLike, name: &'t str, item: &'t Item) -> Self {
        Entry { name, key: table.key(name), item }
    }

    fn key_span(&self) -> Option<Range<usize>> {
        self.key.and_then(Key::span).or_else(|| self.item.span())
    }

    /// A table that dotted keys imply has no span of its own.
    fn span(&self) -> Option<Range<usize>> {
        self.item.span().or_else(|| self.key_span())
    }
}

struct Reader<'r> {
    file: &'static str,
    text: &'r str,
    /// Byte offsets, ascending.
    line_starts: Vec<usize>,
    problems: usize,
    findings: &'r mut Vec<Finding>,
}

impl Reader<'_> {
    fn problem(&mut self, span: Option<Range<usize>>, message: String) {
        self.refuse(span, invalid(self.file, None, message));
    }

    /// Takes up a finding, at a place.
    fn refuse(&mut self, span: Option<Range<usize>>, finding: Finding) {
        self.problems += 1;
        if self.problems <= MAX_PROBLEMS {
            let (line, column) = place_of(self.text, span);
            self.findings.push(Finding { column: Some(column), ..finding.at(self.file, line) });
        } else if self.problems == MAX_PROBLEMS + 1 {
            let message = format!("more than {MAX_PROBLEMS} problems: the others are not shown");
            self.findings.push(invalid(self.file, Some(place_of(self.text, span)), message));
        }
    }

    /// Keeps the line of a key, and those of the keys in it where each of them is set by itself.
    fn keep_places(&self, entry: &Entry<'_>, places: &mut Places) {
        places.insert(entry.name.to_owned(), self.line_of(entry.key_span()));
        if let ("limits" | "severity" | "typescript", Some(table)) = (entry.name, entry.item.as_table_like()) {
            for (name, item) in table.iter() {
                let line = self.line_of(Entry::new(table, name, item).key_span());
                places.insert(format!("{}.{name}", entry.name), line);
            }
        }
    }

    /// The 1-based line of a span's start.
    fn line_of(&self, span: Option<Range<usize>>) -> u32 {
        let offset = span.map_or(0, |span| span.start);
        u32::try_from(self.line_starts.partition_point(|&start| start <= offset)).unwrap_or(u32::MAX)
    }

    fn wrong_kind(&mut self, entry: &Entry<'_>, wanted: &str) {
        self.problem(entry.span(), format!("`{}` must be {wanted}, not {}", entry.name, kind_of(entry.item)));
    }

    fn unknown_key(&mut self, entry: &Entry<'_>, owner: &str, known: &[&'static str]) {
        let hint = match first_nearest(entry.name, known.iter().copied(), 2) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("the keys are {}", known.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", "))
            }
        };
        self.problem(entry.key_span(), format!("`{}` is not a {owner} key: {hint}", entry.name));
    }

    /// A string of one line that is not empty.
    fn line(&mut self, entry: &Entry<'_>) -> Option<String> {
        let Some(text) = entry.item.as_str() else {
            self.wrong_kind(entry, "a string");
            return None;
        };
        if text.trim().is_empty() {
            self.problem(entry.span(), format!("`{}` must not be empty", entry.name));
            return None;
        }
        if text.chars().any(char::is_control) {
            self.problem(
                entry.span(),
                format!("`{}` must not hold a line break or another control character", entry.name),
            );
            return None;
        }
        Some(text.to_owned())
    }

    /// An array of strings that each pass a check; a repeated one counts once.
    fn strings(&mut self, entry: &Entry<'_>, check: impl Fn(&str) -> Result<(), String>) -> Vec<String> {
        let mut strings: Vec<String> = Vec::new();
        let Some(elements) = entry.item.as_array() else {
            self.wrong_kind(entry, "an array of strings");
            return strings;
        };
        let mut seen = std::collections::HashSet::new();
        for element in elements {
            let Some(text) = element.as_str() else {
                let message = format!("`{}` must hold strings only, not {}", entry.name, kind_of_value(element));
                self.problem(element.span(), message);
                continue;
            };
            match check(text) {
                Err(message) => self.problem(element.span(), message),
                Ok(()) if seen.insert(text) => strings.push(text.to_owned()),
                Ok(()) => {}
            }
        }
        strings
    }

    /// The globs of contracts, each with where it stands; a repeated one counts once.
    fn contracts(&mut self, entry: &Entry<'_>) -> Vec<(String, Authored)> {
        let globs = self.strings(entry, |glob| compile_glob(glob).map(drop).map_err(|error| error.to_string()));
        if globs.len() > MAX_GLOBS {
            self.problem(entry.key_span(), format!("`contracts` holds more than {MAX_GLOBS} patterns"));
            return Vec::new();
        }
        let elements: Vec<&Value> = entry.item.as_array().into_iter().flatten().collect();
        let placed = globs.into_iter().map(|glob| {
            let element = elements.iter().find(|element| element.as_str() == Some(&glob));
            let (line, column) = place_of(self.text, element.and_then(|element| element.span()));
            (glob, Authored { file: self.file, line, column })
        });
        placed.collect()
    }

    /// Each table of an array, in either notation: `[[key]]` headers or inline. How many elements there are goes out; none
    /// where it is no array.
    fn tables(
        &mut self,
        entry: &Entry<'_>,
        mut take: impl FnMut(&mut Self, &dyn TableLike, Option<Range<usize>>),
    ) -> Option<usize> {
        match entry.item {
            Item::ArrayOfTables(tables) => {
                tables.iter().for_each(|table| take(self, table, table.span()));
                Some(tables.len())
            }
            Item::Value(Value::Array(elements)) => {
                for element in elements {
                    match element.as_inline_table() {
                        Some(table) => take(self, table, table.span()),
                        None => {
                            let found = kind_of_value(element);
                            self.problem(
                                element.span(),
                                format!("`{}` must hold tables only, not {found}", entry.name),
                            );
                        }
                    }
                }
                Some(elements.len())
            }
            _ => {
                self.wrong_kind(entry, "an array of tables");
                None
            }
        }
    }

    fn limits(&mut self, entry: &Entry<'_>) -> Limits {
        let mut limits = Limits::default();
        let Some(table) = entry.item.as_table_like() else {
            self.wrong_kind(entry, "a table");
            return limits;
        };
        for (name, item) in table.iter() {
            let entry = Entry::new(table, name, item);
            match name {
                "time" => match seconds(item) {
                    Some(time) => limits.time = time,
                    None => {
                        self.problem(entry.span(), format!("`limits.time` must be {}", Limits::SECONDS));
                    }
                },
                "memory" => match megabytes(item) {
                    Some(memory) => limits.memory = memory,
                    None => {
                        self.problem(entry.span(), format!("`limits.memory` must be {}", Limits::MEGABYTES));
                    }
                },
                _ => self.unknown_key(&entry, "`limits`", LIMIT_KEYS),
            }
        }
        limits
    }

    fn severities(&mut self, entry: &Entry<'_>) -> Severities {
        let mut severities = Severities::default();
        let Some(table) = entry.item.as_table_like() else {
            self.wrong_kind(entry, "a table");
            return severities;
        };
        for (name, item) in table.iter() {
            let entry = Entry::new(table, name, item);
            let Some(word) = item.as_str() else {
                self.wrong_kind(&entry, "a string");
                continue;
            };
            match Level::parse(word) {
                Err(message) => self.problem(entry.span(), format!("`severity`: {message}")),
                Ok(level) => match Override::new(name, level) {
                    Ok(one) => severities.configure(one),
                    Err(finding) => self.refuse(entry.key_span(), *finding),
                },
            }
        }
        severities
    }
}

fn seconds(item: &Item) -> Option<Duration> {
    let seconds = item.as_float().or_else(|| item.as_integer().map(|whole| whole as f64))?;
    Limits::seconds(seconds)
}

fn megabytes(item: &Item) -> Option<u64> {
    Limits::megabytes(u64::try_from(item.as_integer()?).ok()?)
}
