//! The attribute form: the text of one Rust file and its place in its crate come in, the anchors that stand as attributes on
//! its items go out. What looks like one of our attributes and binds nothing is a finding.
//!
//! A file passes four gates, each dearer than the one before: bytes, tokens (`prefilter`), names (`scan` and `scopes`),
//! and the parser, which sees the items without their bodies (`skeleton`) and only what is not too deep for it (`guard`).

mod arguments;
mod attribute;
mod derived;
mod form;
mod guard;
pub(crate) mod inventory;
mod items;
mod lines;
pub(crate) mod manifest;
pub(crate) mod modules;
mod prefilter;
mod scan;
mod scopes;
mod skeleton;
pub(crate) mod targets;
#[cfg(test)]
mod tests;
mod tests_of;
pub mod tokens;

use self::arguments::{Stated, refused_id};
use self::attribute::{Broken, MAX_BRACKETS};
use self::derived::{derived_id, test_symbol};
use self::form::Form;
use self::items::{Bound, Unparsed};
use self::lines::Lines;
use self::scan::{Candidate, Standing};
use self::scopes::Meaning;
use super::envelope::{self, Field, RawAnchor, RawField};
use super::{MAX_SHOWN, Read, unparsed};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::suggest::first_nearest;

/// Where a file stands: what the compiler knows and the file's own text does not say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePlace {
    /// The package that it belongs to, as `Cargo.toml` names it; none where there is no cargo.
    pub package: Option<String>,
    /// The name of the target that reads it, when that is neither the library nor the program named like the package.
    pub target: Option<String>,
    /// The modules that lead to it from the root of its crate; empty for the root itself.
    pub modules: Vec<String>,
    /// The names under which the package knows the crate `sdp-anchors`; without cargo, `sdp` and `sdp_anchors`.
    pub crate_names: Vec<String>,
}

/// How many errors of one file are told, and how many warnings. A file may be nothing but wrong attributes.
const MAX_FINDINGS: usize = 1000;

/// Whether a file may hold an attribute of ours: what is refused here is never parsed. It may be true of a file that holds
/// none; it is never false of one that does, nor of one that misspells a name and names a Spec. A text that is not UTF-8 is
/// judged by what of it is.
#[must_use]
pub fn may_hold_anchors(bytes: &[u8]) -> bool {
    prefilter::names_one(bytes) && prefilter::holds_one(&String::from_utf8_lossy(bytes))
}

/// Reads the anchors of one file. A file whose brackets or items do not parse gives none, and one finding.
#[must_use]
#[sdp::satisfies("spec:sdp.anchors.extraction", component = "component:sdp.anchors")]
pub fn read(path: &str, text: &str, place: &FilePlace) -> Read {
    // The parser counts columns without it.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut file = File { path, text, place, lines: Lines::default(), warned: 0, refused: 0, found: Read::default() };
    file.read();
    file.found
}

struct File<'a> {
    path: &'a str,
    text: &'a str,
    place: &'a FilePlace,
    lines: Lines,
    /// How many warnings and errors were told.
    warned: usize,
    refused: usize,
    found: Read,
}

impl File<'_> {
    fn read(&mut self) {
        let scan = scan::scan(self.text, self.place);
        let judged: Vec<(Candidate<'_>, Meaning)> = scan
            .candidates
            .into_iter()
            .map(|candidate| {
                let meaning = scan.scopes.meaning(candidate.scope, &candidate.leaf);
                (candidate, meaning)
            })
            .filter(|(candidate, meaning)| *meaning != Meaning::Unknown || candidate.looks_like_ours(self.text))
            .collect();
        if judged.is_empty() {
            return;
        }
        self.lines = Lines::of(self.text);
        let is_ours = |(_, meaning): &(Candidate<'_>, Meaning)| matches!(meaning, Meaning::Ours(_));
        if let Some(broken) = scan.broken
            && judged.iter().any(is_ours)
        {
            self.refuse_broken(broken);
            return;
        }
        let mut bound = Vec::new();
        for (candidate, meaning) in judged {
            match meaning {
                Meaning::Ours(form) if candidate.standing == Standing::Item => bound.push((candidate, form)),
                Meaning::Unknown if candidate.standing == Standing::Item => self.unresolved(&candidate),
                Meaning::Misspelt => self.misspelt(&candidate),
                Meaning::Ours(_) | Meaning::Unknown => self.misplaced(&candidate),
            }
        }
        if !bound.is_empty() {
            self.bind(&bound, &scan.cuts);
        }
    }

    /// Reads the items under the attributes, and each attribute over its item.
    fn bind(&mut self, bound: &[(Candidate<'_>, Form)], cuts: &[skeleton::Cut]) {
        let skeleton = skeleton::without(self.text, cuts);
        let nesting = match guard::nesting(&skeleton) {
            Ok(nesting) => nesting,
            Err(guard::TooDeep(at)) => {
                let lines = Lines::of(&skeleton);
                let reason = format!("it nests more than {} deep", guard::MAX_NESTING);
                self.refuse(lines.line(at), None, &reason);
                return;
            }
        };
        let places = self.lines.places(self.text, bound.iter().map(|(candidate, _)| candidate.at));
        let items = match items::read(&skeleton, nesting, &places) {
            Ok(items) => items,
            Err(Unparsed::Syntax { reason, line, column }) => {
                self.refuse(line, Some(column), &reason);
                return;
            }
            Err(Unparsed::NoThread(error)) => {
                self.refuse(
                    1,
                    None,
                    &format!(
                        "it nests {nesting} deep, and no thread with the stack for that could be started ({error})"
                    ),
                );
                return;
            }
        };
        for ((candidate, form), at) in bound.iter().zip(&places) {
            match items.get(at) {
                Some(item) => self.anchor(candidate, *form, item),
                None => self.misplaced(candidate),
            }
        }
        // Each literal was parsed for itself.
        proc_macro2::extra::invalidate_current_thread_spans();
    }

    fn anchor(&mut self, candidate: &Candidate<'_>, form: Form, item: &Bound) {
        let line = self.lines.line(candidate.at);
        if candidate.leaf.has_value {
            let message = format!("`{}` takes its arguments in parentheses", form.name());
            let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(self.path, line);
            self.take_errors(vec![finding.with_help(format!("write #[{}(\"…\")]", candidate.leaf.written()))]);
            return;
        }
        let Stated { mut fields, findings } =
            arguments::read(form, self.path, self.text, &self.lines, candidate.at, &candidate.leaf);
        let names = item.names.as_ref().map_err(Clone::clone);
        let names = names.and_then(|names| derived::bounded(self.place, names));
        let mut why = None;
        if !fields.iter().any(|raw| raw.field == Field::Id) {
            let namespace = form.namespace();
            match names.clone().and_then(|names| derived_id(namespace, self.place, names)) {
                Ok(id) => fields.push(RawField { field: Field::Id, line, values: vec![(id, line)] }),
                Err(reason) => why = Some(format!("{reason}, so no id follows: write id = \"{namespace}:…\"")),
            }
        }
        let symbol = match (form, names, item.tests) {
            (Form::Verifies, Ok(names), Some(tests)) => Some(test_symbol(self.place, names, tests)),
            _ => None,
        };
        let mut read = envelope::read(self.path, RawAnchor { line, fields, symbol, ..RawAnchor::default() });
        if let (Err(findings), Some(why)) = (&mut read, why)
            && let Some(missing) = findings.first_mut()
        {
            // Without an id the envelope says that first.
            missing.help = Some(why);
        }
        match read {
            Ok(anchor) if findings.is_empty() => self.found.anchors.push(anchor),
            read => {
                self.take_errors(findings);
                let mut others = read.err().unwrap_or_default();
                for finding in &mut others {
                    finding.subject.take_if(|subject| subject == refused_id(form));
                }
                self.take_errors(others);
            }
        }
    }

    /// Takes up the errors of one attribute, as far as there is room.
    fn take_errors(&mut self, findings: Vec<Finding>) {
        let room = MAX_FINDINGS - self.refused;
        let before = self.found.findings.len();
        self.found.findings.extend(findings.into_iter().take(room));
        self.refused += self.found.findings.len() - before;
    }

    fn warn(&mut self, candidate: &Candidate<'_>, id: FindingId, message: String, help: Option<String>) {
        if self.warned < MAX_FINDINGS {
            self.warned += 1;
            let mut finding = Finding::warning(id, message).at(self.path, self.lines.line(candidate.at));
            finding.help = help;
            self.found.findings.push(finding);
        }
    }

    fn misplaced(&mut self, candidate: &Candidate<'_>) {
        let (hash, why, help) = match candidate.standing {
            Standing::Inner => (
                "#!",
                "an attribute binds the item that it stands on, never the one that it stands in",
                "write it before the item, as `#[…]`",
            ),
            Standing::Body => (
                "#",
                "an attribute binds an item outside function bodies and expressions",
                "move it to the function, or move the item out of the body",
            ),
            Standing::Macro => (
                "#",
                "an attribute in the definition or the arguments of a macro stands on nothing that is certain to exist",
                "write it on an item outside the macro, or bind in a comment before the macro",
            ),
            Standing::Field => ("#", "an attribute binds an item, never a field or a variant", "move it to the type"),
            Standing::Parameter => {
                ("#", "an attribute binds an item, never a parameter or a part of a type", "move it to the item")
            }
            Standing::Item => {
                ("#", "an attribute binds an item, and no item that can be read follows it", "write it before an item")
            }
        };
        let written = written(candidate);
        let message = format!(
            "\"{hash}[{written}]\" attribute is outside its recognized authoring surface and is not extracted — {why}"
        );
        self.warn(candidate, FindingId::MisplacedAuthoring, message, Some(help.to_owned()));
    }

    fn unresolved(&mut self, candidate: &Candidate<'_>) {
        let written = written(candidate);
        let has_crate = !self.place.crate_names.is_empty();
        let why = if has_crate {
            "nothing in this file leads from its name to `sdp-anchors`"
        } else {
            "its package does not depend on `sdp-anchors`"
        };
        let message = format!("\"#[{written}]\" looks like a binding, but {why}, so it binds nothing");
        let help = (!has_crate).then(|| {
            "add the dependency `sdp = { package = \"sdp-anchors\", … }`, or remove the attribute if it is another crate's"
                .to_owned()
        });
        self.warn(candidate, FindingId::UnresolvedAnchor, message, help);
    }

    fn misspelt(&mut self, candidate: &Candidate<'_>) {
        let name = candidate.leaf.name();
        let message =
            format!("\"#[{}]\" is none of the attributes of `sdp-anchors`, so it binds nothing", written(candidate));
        let help = match first_nearest(name, Form::ALL.map(Form::name), 2) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of {}", Form::ALL.map(Form::name).join(", ")),
        };
        self.warn(candidate, FindingId::UnresolvedAnchor, message, Some(help));
    }

    fn refuse_broken(&mut self, broken: Broken) {
        let (at, reason) = match broken {
            Broken::Unclosed(open, at) => (at, format!("`{}` is never closed", char::from(open))),
            Broken::Unopened(close, at) => (at, format!("`{}` closes nothing that is open", char::from(close))),
            Broken::Deep(at) => (at, format!("its brackets nest more than {MAX_BRACKETS} deep")),
        };
        let column = self.lines.places(self.text, std::iter::once(at)).first().map(|(_, column)| column + 1);
        self.refuse(self.lines.line(at), column.and_then(|column| u32::try_from(column).ok()), &reason);
    }

    /// Refuses the whole file, whatever was found in it.
    fn refuse(&mut self, line: u32, column: Option<u32>, reason: &str) {
        let finding = Finding { column, ..unparsed(reason).at(self.path, line) };
        self.found = Read { findings: vec![finding], ..Read::default() };
    }
}

fn written(candidate: &Candidate<'_>) -> String {
    shown(&candidate.leaf.written(), MAX_SHOWN).into_owned()
}
