//! Frontmatter: its text comes in, the typed envelope of a Spec or a Pack goes out. All that breaks a rule is reported,
//! each at its line; only an error of the YAML library stops at once (fact sheet part 3.2 and 4).

use hashbrown::HashSet;

use memchr::{memchr_iter, memmem};

use crate::carrier::words::is_reserved;
use crate::finding::{Finding, FindingId};
use crate::model::{Altitude, Readiness, RelationType, SpecKind, parse_slot_id};

use super::findings::{Findings, LIMIT_REACHED, shown};
use super::yaml::{self, NodeKind, Stream};

/// The most nodes, keys included.
const NODES: usize = 2_000;

/// The deepest nesting; the root counts as 1.
const DEPTH: usize = 16;

/// The most bytes of one scalar.
const SCALAR_BYTES: usize = 16 * 1024;

const SPEC_KEYS: [&str; 5] = ["id", "kind", "altitude", "readiness", "relations"];

const PACK_KEYS: [&str; 2] = ["id", "specs"];

/// An envelope.
#[derive(Debug)]
pub(super) enum Front {
    /// A Spec's.
    Spec(SpecFront),
    /// A Pack's.
    Pack(PackFront),
}

/// The envelope of a Spec.
#[derive(Debug)]
pub(super) struct SpecFront {
    pub(super) id: String,
    /// The 1-based line of the `id` key.
    pub(super) line: u32,
    pub(super) kind: SpecKind,
    pub(super) altitude: Altitude,
    pub(super) readiness: Readiness,
    pub(super) relations: Vec<(RelationType, String)>,
}

/// The envelope of a Pack.
#[derive(Debug)]
pub(super) struct PackFront {
    pub(super) id: String,
    /// The 1-based line of the `id` key.
    pub(super) line: u32,
    pub(super) specs: Vec<String>,
    pub(super) model_refs: Option<Vec<String>>,
}

/// Reads a frontmatter. Refuses it with every finding that it has.
pub(super) fn read(file: &str, text: &str) -> Result<Front, Vec<Finding>> {
    let mut findings = Findings::new(file, (FindingId::InvalidFrontmatter, LIMIT_REACHED));
    if let Some(line) = directive_line(text) {
        findings.push(FindingId::InvalidFrontmatter, line, "YAML directives are not accepted");
    }
    let stream = match yaml::parse(text) {
        Ok(stream) => stream,
        // A directive is what the library stumbles over next; it is named already.
        Err(_) if !findings.is_empty() => return Err(findings.finish()),
        Err(error) => {
            let mut finding = Finding::error(FindingId::InvalidFrontmatter, error.message).at(file, error.line);
            finding.column = error.column;
            return Err(vec![finding]);
        }
    };
    let mut reading = Reading { stream: &stream, findings };
    let front = reading.front();
    match front {
        Some(front) if reading.findings.is_empty() => Ok(front),
        _ => Err(reading.findings.finish()),
    }
}

/// The line in the file of the first line that opens with `%`.
fn directive_line(text: &str) -> Option<u32> {
    let lines = if text.starts_with('%') {
        0
    } else {
        let at = memmem::find(text.as_bytes(), b"\n%")?;
        memchr_iter(b'\n', text.as_bytes().get(..=at)?).count()
    };
    u32::try_from(lines).ok()?.checked_add(2)
}

struct Reading<'s, 'f> {
    stream: &'s Stream<'s>,
    findings: Findings<'f>,
}

impl<'s> Reading<'s, '_> {
    /// Files one finding under `extract/invalid-frontmatter`.
    fn refuse(&mut self, line: u32, message: impl Into<String>) {
        self.findings.push(FindingId::InvalidFrontmatter, line, message);
    }

    fn front(&mut self) -> Option<Front> {
        let stream = self.stream;
        let is_empty = is_empty(stream);
        if stream.documents != 1 || is_empty {
            self.refuse(1, "frontmatter must contain exactly one nonempty YAML document");
        }
        if is_empty {
            return None;
        }
        let Some(pairs) = stream.pairs(0) else {
            self.refuse(1, "frontmatter must be a mapping");
            return None;
        };
        let pairs: Vec<(usize, usize)> = pairs.collect();
        self.limits();
        let id = pairs.iter().find_map(
            |(key, value)| {
                if stream.string(*key)? == "id" { stream.string(*value) } else { None }
            },
        );
        if id.is_some_and(|id| id.starts_with("pack:")) {
            self.pack(&pairs).map(Front::Pack)
        } else {
            self.spec(&pairs).map(Front::Spec)
        }
    }

    /// The rules that hold for every node, wherever it stands.
    fn limits(&mut self) {
        let stream = self.stream;
        let mut is_deep = false;
        for (index, node) in stream.nodes.iter().enumerate() {
            if index == NODES {
                self.refuse(node.line, "frontmatter exceeds the 2,000 node limit");
            }
            if node.depth > DEPTH && !is_deep {
                is_deep = true;
                self.refuse(node.line, "frontmatter exceeds the depth limit of 16");
            }
            if matches!(node.kind, NodeKind::Alias) {
                self.refuse(node.line, "YAML aliases are not accepted");
            }
            if node.is_tagged {
                self.refuse(node.line, "YAML tags are not accepted");
            }
            if node.is_anchored {
                self.refuse(node.line, "YAML anchors are not accepted");
            }
            if matches!(&node.kind, NodeKind::Scalar(value, _) if value.len() > SCALAR_BYTES) {
                self.refuse(node.line, "scalar exceeds the 16 KiB byte limit");
            }
        }
    }

    fn spec(&mut self, pairs: &[(usize, usize)]) -> Option<SpecFront> {
        let stream = self.stream;
        let mut seen = HashSet::new();
        let (mut id, mut kind, mut altitude, mut readiness, mut relations) = (None, None, None, None, None);
        for (key, value) in pairs.iter().copied() {
            let Some(name) = self.fresh_key(key, &mut seen) else { continue };
            let line = stream.line(key);
            match name {
                "id" => id = self.own_id(line, value, "spec").map(|id| (id, line)),
                "kind" => kind = self.word(line, "kind", value, SpecKind::from_word),
                "altitude" => altitude = self.word(line, "altitude", value, Altitude::from_word),
                "readiness" => readiness = self.word(line, "readiness", value, Readiness::from_word),
                "relations" => relations = self.relations(line, value),
                _ => self.refuse_key(line, name, true),
            }
        }
        self.missing(&SPEC_KEYS, &seen);
        let (id, line) = id?;
        Some(SpecFront { id, line, kind: kind?, altitude: altitude?, readiness: readiness?, relations: relations? })
    }

    fn pack(&mut self, pairs: &[(usize, usize)]) -> Option<PackFront> {
        let stream = self.stream;
        let mut seen = HashSet::new();
        let (mut id, mut specs, mut model_refs) = (None, None, None);
        for (key, value) in pairs.iter().copied() {
            let Some(name) = self.fresh_key(key, &mut seen) else { continue };
            let line = stream.line(key);
            match name {
                "id" => id = self.own_id(line, value, "pack").map(|id| (id, line)),
                "specs" => specs = self.members("specs", value),
                "modelRefs" => model_refs = self.members("modelRefs", value),
                _ => self.refuse_key(line, name, false),
            }
        }
        self.missing(&PACK_KEYS, &seen);
        let (id, line) = id?;
        Some(PackFront { id, line, specs: specs?, model_refs })
    }

    /// A key's name; refuses one that is no string, and one that was already seen.
    fn fresh_key(&mut self, key: usize, seen: &mut HashSet<&'s str>) -> Option<&'s str> {
        let stream = self.stream;
        let Some(name) = stream.string(key) else {
            self.refuse(stream.line(key), "frontmatter keys must be string scalars");
            return None;
        };
        if !seen.insert(name) {
            self.refuse(stream.line(key), format!("frontmatter key \"{}\" is authored more than once", shown(name)));
            return None;
        }
        Some(name)
    }

    fn refuse_key(&mut self, line: u32, name: &str, is_spec: bool) {
        let id = match name {
            name if is_reserved(name) => FindingId::ReservedProperty,
            // A Spec's title is its H1.
            "title" if is_spec => FindingId::InvalidFrontmatter,
            _ => FindingId::UnrecognizedProperty,
        };
        self.findings.push(id, line, format!("frontmatter key \"{}\" is not accepted", shown(name)));
    }

    fn missing(&mut self, required: &[&str], seen: &HashSet<&str>) {
        for field in required {
            if !seen.contains(field) {
                self.refuse(1, format!("frontmatter field \"{field}\" is missing"));
            }
        }
    }

    /// A field's string; refuses anything else at the field's key.
    fn scalar(&mut self, line: u32, field: &str, value: usize) -> Option<&'s str> {
        let text = self.stream.string(value);
        if text.is_none() {
            self.refuse(line, format!("frontmatter field \"{field}\" must be a string scalar"));
        }
        text
    }

    /// A word of a closed list.
    fn word<T>(&mut self, line: u32, field: &str, value: usize, from_word: fn(&str) -> Option<T>) -> Option<T> {
        let text = self.scalar(line, field, value)?;
        let word = from_word(text);
        if word.is_none() {
            let message = format!("{field} is not a recognized spec {field}");
            self.findings.push(FindingId::NonStaticEnvelope, line, message);
        }
        word
    }

    fn own_id(&mut self, line: u32, value: usize, namespace: &str) -> Option<String> {
        let text = self.scalar(line, "id", value)?;
        match parse_slot_id(text) {
            Err(error) => self.findings.push(FindingId::InvalidId, line, error.to_string()),
            Ok(found) if found != namespace => {
                let message = format!("id must use the {namespace} namespace");
                self.findings.push(FindingId::InvalidId, line, message);
            }
            Ok(_) => return Some(text.to_owned()),
        }
        None
    }

    fn relations(&mut self, line: u32, value: usize) -> Option<Vec<(RelationType, String)>> {
        let stream = self.stream;
        let Some(pairs) = stream.pairs(value) else {
            self.refuse(line, "relations must be a mapping");
            return None;
        };
        let mut relations = Vec::new();
        let mut seen = HashSet::new();
        for (key, value) in pairs {
            let Some(relation) = stream.string(key).and_then(RelationType::from_word) else {
                self.refuse(stream.line(key), "relations contain an unsupported key");
                continue;
            };
            if !seen.insert(relation) {
                self.refuse(stream.line(key), format!("relation \"{relation}\" is authored more than once"));
                continue;
            }
            let Some(entries) = stream.entries(value) else {
                relations.extend(self.target(value).map(|target| (relation, target.to_owned())));
                continue;
            };
            let mut targets = HashSet::new();
            let mut is_empty = true;
            for entry in entries {
                is_empty = false;
                let Some(target) = self.target(entry) else { continue };
                if targets.insert(target) {
                    relations.push((relation, target.to_owned()));
                } else {
                    self.refuse(stream.line(entry), "duplicate target within one relation type");
                }
            }
            if is_empty {
                self.refuse(stream.line(value), "relation values must not be empty");
            }
        }
        Some(relations)
    }

    fn target(&mut self, at: usize) -> Option<&'s str> {
        let line = self.stream.line(at);
        let Some(text) = self.stream.string(at) else {
            self.refuse(line, "relation targets must be string scalars");
            return None;
        };
        match parse_slot_id(text) {
            Err(error) => self.refuse(line, error.to_string()),
            Ok("spec") => return Some(text),
            Ok(_) => self.refuse(line, "relation target must use the spec namespace"),
        }
        None
    }

    /// The entries of `specs` or `modelRefs`.
    fn members(&mut self, field: &str, value: usize) -> Option<Vec<String>> {
        let stream = self.stream;
        let Some(entries) = stream.entries(value) else {
            self.refuse(stream.line(value), format!("frontmatter field \"{field}\" must be a YAML list"));
            return None;
        };
        let mut members = Vec::new();
        let mut seen = HashSet::new();
        for entry in entries {
            let line = stream.line(entry);
            let Some(text) = stream.string(entry) else {
                self.refuse(line, format!("{field} entries must be string scalars"));
                continue;
            };
            match parse_slot_id(text) {
                Err(error) => self.findings.push(FindingId::InvalidId, line, error.to_string()),
                Ok("spec") if seen.insert(text) => members.push(text.to_owned()),
                Ok("spec") => self.refuse(line, format!("duplicate entry in {field}")),
                Ok(_) => {
                    let message = format!("{field} entries must use the spec namespace");
                    self.findings.push(FindingId::InvalidId, line, message);
                }
            }
        }
        Some(members)
    }
}

/// Whether there is no document, or nothing in the first one.
fn is_empty(stream: &Stream<'_>) -> bool {
    match stream.nodes.as_slice() {
        [] => true,
        [root] => matches!(&root.kind, NodeKind::Scalar(value, true) if value.is_empty()),
        _ => false,
    }
}
