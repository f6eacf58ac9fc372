//! Evaluation contracts, so far as the graph is concerned: the bytes of one come in; the links from its behaviors to Specs go out, each with
//! its line, and what is wrong where they cannot be taken. Nothing else of a contract is judged here.

use std::fmt::Arguments;
use std::path::Path;

use memchr::memchr_iter;
use sdp_canon::json::{self, DuplicateKeys, Limits, MAX_DEPTH, Step};
use serde_json::{Map, Value};

use crate::discover::in_root;
use crate::files::{ReadError, read_text};
use crate::finding::{Finding, FindingId};
use crate::harmless::{one_line, shown};
use crate::model::MAX_ID_BYTES;

#[cfg(test)]
mod tests;

/// The most that a contract may hold, in bytes.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The scheme of links that lead into the graph. Any other one is somebody else's.
const SCHEME: &str = "sdp";

/// How many faults of one contract are said; whether there are more is said once.
const MAX_FAULTS: usize = 20;

/// How many characters of a text a message shows.
const MAX_SHOWN: usize = 80;

/// How long the id of a link may be, in bytes: that of a Spec with the address of an entry. Of a longer one only the beginning is kept,
/// which is no id either.
const MAX_LINK_BYTES: usize = 2 * MAX_ID_BYTES;

/// What one contract brings to the graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contract {
    /// Its file, root-relative.
    pub file: String,
    /// The links of scheme `sdp`, in the order of the file.
    pub links: Vec<ContractLink>,
    /// Why links could not be taken; errors, but for one that says that more were left out.
    pub faults: Vec<Finding>,
}

/// One requirement link of a behavior.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractLink {
    /// The behavior, as a path in the contract: `behaviors[id=B-001]`.
    pub behavior: String,
    /// What it names, as authored.
    pub id: String,
    /// The 1-based line of its `id`.
    pub line: u32,
}

impl Contract {
    /// One that brings nothing.
    pub(crate) fn of(file: &str) -> Contract {
        Contract { file: file.to_owned(), links: Vec::new(), faults: Vec::new() }
    }
}

/// Reads a contract below a root, by its root-relative path.
pub(crate) fn read_file(root: &Path, file: &str) -> Contract {
    match read_text(&in_root(root, file), MAX_BYTES as u64) {
        Ok(text) => read(file, &text),
        // The system's own words differ from one to the next.
        Err(ReadError::Io(error)) => refused(file, fault(file, None, &format!("it cannot be read: {}", error.kind()))),
        Err(error) => refused(file, fault(file, None, &error.to_string())),
    }
}

/// A contract of which nothing is read.
pub(crate) fn refused(file: &str, fault: Finding) -> Contract {
    Contract { file: file.to_owned(), links: Vec::new(), faults: vec![fault] }
}

/// The error that a contract, or a part of it, is not read.
pub(crate) fn fault(file: &str, line: Option<u32>, why: &str) -> Finding {
    let message = format!("The contract is not read, so that its requirement links are not judged: {why}.");
    Finding::error(FindingId::UnreadableContract, message).about(file).at(file, line)
}

/// Reads the text of a contract.
#[sdp::satisfies("spec:sdp.eval.requirement-links", component = "component:sdp.extract")]
pub(crate) fn read(file: &str, text: &str) -> Contract {
    let limits = Limits { max_bytes: MAX_BYTES, max_depth: MAX_DEPTH, duplicate_keys: DuplicateKeys::Refuse };
    let value = match json::read(text, &limits) {
        Ok(value) => value,
        Err(error) => {
            let finding = fault(file, u32::try_from(error.line).ok(), &error.kind.to_string());
            let column = u32::try_from(error.column).ok();
            return refused(file, Finding { column, ..finding });
        }
    };
    let mut reading = Reading { file, text, lines: Lines::of(text), faults: Vec::new(), left_out: 0 };
    let links = reading.links(&value);
    let Reading { mut faults, left_out, .. } = reading;
    if left_out > 0 {
        let message = format!("The contract has {left_out} more faults, which are said when these are mended.");
        faults.push(Finding::left_out(FindingId::UnreadableContract, message).about(file).at(file, None));
    }
    Contract { file: file.to_owned(), links, faults }
}

struct Reading<'t> {
    file: &'t str,
    text: &'t str,
    lines: Lines,
    faults: Vec<Finding>,
    left_out: usize,
}

/// A link before its line is known.
struct Unplaced<'v> {
    behavior: String,
    id: &'v str,
    /// The positions of the behavior and of the link in it.
    at: [usize; 2],
}

impl Reading<'_> {
    fn links(&mut self, contract: &Value) -> Vec<ContractLink> {
        let mut links = Vec::new();
        let Some(contract) = self.object(contract, &[], format_args!("it")) else { return Vec::new() };
        let Some(behaviors) = self.list(contract, "behaviors", &[], format_args!("it")) else { return Vec::new() };
        for (position, behavior) in behaviors.iter().enumerate() {
            let path = [Step::Key("behaviors"), Step::Index(position)];
            let name = format!("behaviors[{position}]");
            let Some(behavior) = self.object(behavior, &path, format_args!("{name}")) else { continue };
            let name = match behavior.get("id") {
                Some(Value::String(id)) => format!("behaviors[id={}]", one_line(&shown(id, MAX_SHOWN))),
                _ => name,
            };
            let Some(own) = self.list(behavior, "requirementLinks", &path, format_args!("{name}")) else { continue };
            for (at, link) in own.iter().enumerate() {
                let path = [path[0], path[1], Step::Key("requirementLinks"), Step::Index(at)];
                let Some((scheme, id)) = self.link(link, &path, format_args!("{name}.requirementLinks[{at}]")) else {
                    continue;
                };
                if scheme == SCHEME {
                    links.push(Unplaced { behavior: name.clone(), id, at: [position, at] });
                }
            }
        }
        self.placed(links)
    }

    /// The scheme and the id of a link.
    fn link<'v>(&mut self, link: &'v Value, path: &[Step<'_>], name: Arguments<'_>) -> Option<(&'v str, &'v str)> {
        let link = self.object(link, path, name)?;
        Some((self.text(link, "scheme", path, name)?, self.text(link, "id", path, name)?))
    }

    /// The links with their lines: one pass over the text finds all of them.
    fn placed(&self, links: Vec<Unplaced<'_>>) -> Vec<ContractLink> {
        if links.is_empty() {
            return Vec::new();
        }
        let path = [Step::Key("behaviors"), Step::Each, Step::Key("requirementLinks"), Step::Each, Step::Key("id")];
        let mut places = json::find(self.text, &path).into_iter();
        let placed = links.into_iter().map(|Unplaced { behavior, id, at }| {
            // Both are in the order of the text.
            let place = places.find(|place| place.indices == at);
            let id = if id.len() > MAX_LINK_BYTES { shown(id, MAX_SHOWN).into_owned() } else { id.to_owned() };
            ContractLink { behavior, id, line: self.lines.of_offset(place.map_or(0, |place| place.offset)) }
        });
        placed.collect()
    }

    fn object<'v>(
        &mut self,
        value: &'v Value,
        path: &[Step<'_>],
        name: Arguments<'_>,
    ) -> Option<&'v Map<String, Value>> {
        let object = value.as_object();
        if object.is_none() {
            self.refuse(path, || format!("{name} is {}, and must be an object", kind(value)));
        }
        object
    }

    fn list<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        key: &'static str,
        path: &[Step<'_>],
        name: Arguments<'_>,
    ) -> Option<&'v Vec<Value>> {
        let value = self.member(object, key, path, name)?;
        let list = value.as_array();
        if list.is_none() {
            let path = [path, &[Step::Key(key)]].concat();
            self.refuse(&path, || format!("`{key}` of {name} is {}, and must be an array", kind(value)));
        }
        list
    }

    fn text<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        key: &'static str,
        path: &[Step<'_>],
        name: Arguments<'_>,
    ) -> Option<&'v str> {
        let value = self.member(object, key, path, name)?;
        let text = value.as_str();
        if text.is_none() {
            let path = [path, &[Step::Key(key)]].concat();
            self.refuse(&path, || format!("`{key}` of {name} is {}, and must be a string", kind(value)));
        }
        text
    }

    fn member<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        key: &'static str,
        path: &[Step<'_>],
        name: Arguments<'_>,
    ) -> Option<&'v Value> {
        let value = object.get(key);
        if value.is_none() {
            self.refuse(path, || format!("{name} has no `{key}`"));
        }
        value
    }

    /// Says a fault at the line of a value. A pass for each: there are few.
    fn refuse(&mut self, path: &[Step<'_>], why: impl FnOnce() -> String) {
        if self.faults.len() == MAX_FAULTS {
            self.left_out += 1;
            return;
        }
        let line = self.lines.of_offset(json::locate(self.text, path).unwrap_or(0));
        self.faults.push(fault(self.file, Some(line), &why()));
    }
}

/// What a value is, with its article.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Where the lines of a text start, in bytes, ascending.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(std::iter::once(0).chain(memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect())
    }

    /// The 1-based line of an offset.
    fn of_offset(&self, offset: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }
}
