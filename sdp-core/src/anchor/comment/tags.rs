//! The tags of one block of comments (newest sheet part 4): its lines come in, one after the other; an anchor goes out, or
//! every reason why it is none, or nothing where no line opens with a reserved tag. Values are judged by the [`envelope`].

use crate::anchor::envelope::{self, Field, RawAnchor, RawField};
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::model::AnchorDocument;
use crate::suggest::first_nearest;

/// The reserved tags, in the Protocol's order.
const TAGS: &[(&str, Field)] = &[
    ("sdpAnchor", Field::Id),
    ("sdpLabel", Field::Label),
    ("sdpSatisfies", Field::Satisfies),
    ("sdpVerifies", Field::Verifies),
    ("sdpModels", Field::Models),
    ("sdpReferences", Field::References),
    ("sdpComponent", Field::Component),
    ("sdpUses", Field::Uses),
    ("sdpRole", Field::Role),
    ("sdpLayer", Field::Layer),
    ("sdpContext", Field::Context),
];

/// What opens a reserved tag.
const MARKER: &str = "@sdp";

/// How many findings of one block are kept.
const MAX_FINDINGS: usize = 100;

/// How many targets one tag may name.
const MAX_TARGETS: usize = 1000;

/// How many characters of a wrong tag a message shows, and how many of an unknown one are held against the known.
const MAX_SHOWN: usize = 60;

/// How far an unknown tag may be from the one that was meant.
const NEAR: usize = 3;

/// Whether a line opens with a reserved tag, or with what only differs from one in case.
pub(in crate::anchor) fn opens_a_tag(line: &str) -> bool {
    line.get(..MARKER.len()).is_some_and(|head| head.eq_ignore_ascii_case(MARKER))
}

/// What is said of a reserved tag in a comment that stands where none binds.
pub(super) const fn misplaced(is_rust: bool) -> &'static str {
    if is_rust {
        "misplaced reserved tag: an @sdp… tag binds only from a comment between items, never from a nested position"
    } else {
        NESTED
    }
}

const NESTED: &str =
    "misplaced reserved tag: an @sdp… tag binds only from a top-level comment, never from a nested position";

/// The reader of one block.
pub(in crate::anchor) struct Tags<'f> {
    file: &'f str,
    raw: RawAnchor,
    findings: Vec<Finding>,
    /// Whether a reserved tag stood on a line before.
    has_opened: bool,
    /// What is wrong with the place of the block.
    misplaced: Option<&'static str>,
    /// Whether lines in a fence of Markdown are examples.
    skips_fences: bool,
    /// The fence that is open.
    fence: Option<(char, usize)>,
    /// Whether a line that wraps was said.
    has_wrapped: bool,
}

impl<'f> Tags<'f> {
    /// For a block that opens on a 1-based line; `misplaced` says what is wrong with its place, if anything is.
    pub(in crate::anchor) fn new(file: &'f str, line: u32, misplaced: Option<&'static str>) -> Self {
        Tags {
            file,
            raw: RawAnchor { line, ..RawAnchor::default() },
            findings: Vec::new(),
            has_opened: false,
            misplaced,
            skips_fences: false,
            fence: None,
            has_wrapped: false,
        }
    }

    /// Lines in a fence are examples from now on.
    pub(super) fn skip_fences(&mut self) {
        self.skips_fences = true;
    }

    /// Takes a line, without decorations.
    pub(in crate::anchor) fn line(&mut self, number: u32, line: &str) {
        if self.findings.len() >= MAX_FINDINGS || (self.skips_fences && self.is_in_fence(line)) {
            return;
        }
        if opens_a_tag(line) {
            let is_first = !std::mem::replace(&mut self.has_opened, true);
            match self.misplaced {
                Some(message) if is_first => {
                    self.refuse(number, message.to_owned()).help =
                        Some("move the comment to the item that it binds, or out of it".to_owned());
                }
                Some(_) => {}
                None => self.reserved(number, line),
            }
            return;
        }
        if self.misplaced.is_none()
            && self.has_opened
            && !line.is_empty()
            && !is_ordinary_tag(line)
            && !self.has_wrapped
        {
            self.has_wrapped = true;
            let message = "a line after the first reserved tag must open a tag — a wrapped target is refused, never read as prose";
            self.refuse(number, message.to_owned()).help =
                Some("write the value on the tag's own line, and prose before the first tag".to_owned());
        }
    }

    /// Takes a line that opens with a reserved tag in a comment inside the comment.
    pub(super) fn nested(&mut self, number: u32) {
        if self.findings.len() < MAX_FINDINGS {
            self.refuse(number, NESTED.to_owned()).help =
                Some("end the outer comment first: what is commented out binds nothing".to_owned());
        }
    }

    /// What the block is: none where no line opened with a reserved tag.
    pub(in crate::anchor) fn finish(self) -> Option<Result<AnchorDocument, Vec<Finding>>> {
        let Tags { file, raw, mut findings, has_opened, misplaced, .. } = self;
        if !has_opened && findings.is_empty() {
            return None;
        }
        let has_id = raw.fields.iter().any(|field| field.field == Field::Id);
        if findings.is_empty() && !has_id && misplaced.is_none() {
            let message = "anchor field \"id\" is missing — a comment block carrying @sdp… tags must open its anchor with @sdpAnchor <id>";
            let finding = Finding::error(FindingId::NonStaticEnvelope, message).at(file, raw.line);
            findings.push(
                finding.with_help("name the anchor: `@sdpAnchor impl:…` for code, `@sdpAnchor test:…` for a test"),
            );
        }
        Some(if findings.is_empty() { envelope::read(file, raw) } else { Err(findings) })
    }

    /// Whether a line lies in a fence or closes one. One that opens a fence is a line like others.
    fn is_in_fence(&mut self, line: &str) -> bool {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'));
        let length = mark.map_or(0, |mark| line.chars().take_while(|letter| *letter == mark).count());
        match (self.fence, mark) {
            (Some((open, least)), _) => {
                if mark == Some(open) && length >= least && line.chars().all(|letter| letter == open) {
                    self.fence = None;
                }
                true
            }
            (None, Some(mark)) if length >= 3 => {
                self.fence = Some((mark, length));
                false
            }
            (None, _) => false,
        }
    }

    fn refuse(&mut self, line: u32, message: String) -> &mut Finding {
        self.findings.push(Finding::error(FindingId::NonStaticEnvelope, message).at(self.file, line));
        let last = self.findings.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "pushed two lines above")]
        &mut self.findings[last]
    }

    /// A line that opens with a reserved tag.
    fn reserved(&mut self, number: u32, line: &str) {
        let (word, value) = match line.split_once(char::is_whitespace) {
            Some((word, value)) => (word, value.trim()),
            None => (line, ""),
        };
        let name = word.strip_prefix('@').unwrap_or(word);
        let Some((tag, field)) = TAGS.iter().find(|(tag, _)| *tag == name).copied() else {
            self.unknown(number, name);
            return;
        };
        let is_list = matches!(field, Field::Satisfies | Field::Verifies | Field::References | Field::Uses);
        if value.is_empty() {
            let message = if field == Field::Id {
                envelope::not_reified("id", &format!("tag \"@{tag}\" carries no id"))
            } else {
                format!("tag \"@{tag}\" carries no value")
            };
            self.refuse(number, message).help = Some(format!("write the value behind `@{tag}`, on the same line"));
            return;
        }
        let separates = |letter: char| letter == ',' || letter.is_whitespace();
        if field == Field::Id && value.contains(separates) {
            let message = envelope::not_reified("id", &format!("tag \"@{tag}\" names more than one id"));
            self.refuse(number, message).help =
                Some("one comment is one anchor: write a comment for each id".to_owned());
            return;
        }
        if matches!(field, Field::Models | Field::Component) && value.contains(separates) {
            let message = format!("tag \"@{tag}\" names more than one target; exactly one is required");
            self.refuse(number, message).help = Some(format!("leave one id behind `@{tag}`"));
            return;
        }
        let values =
            if is_list { self.items(number, tag, field, value) } else { Some(vec![(value.to_owned(), number)]) };
        if let Some(values) = values {
            self.raw.fields.push(RawField { field, line: number, values });
        }
    }

    /// The items of a list; none when one is empty or there are too many.
    fn items(&mut self, number: u32, tag: &str, field: Field, value: &str) -> Option<Vec<(String, u32)>> {
        let mut items = Vec::new();
        for (place, item) in value.split(',').map(str::trim).enumerate() {
            if item.is_empty() {
                let message = format!("tag \"@{tag}\" carries an empty list item at \"{}[{place}]\"", field.as_str());
                self.refuse(number, message).help =
                    Some("write one comma between two ids, and none at the end".to_owned());
                return None;
            }
            if place >= MAX_TARGETS {
                let message = format!("tag \"@{tag}\" names more than {MAX_TARGETS} targets");
                self.refuse(number, message);
                return None;
            }
            items.push((item.to_owned(), number));
        }
        Some(items)
    }

    /// A reserved tag that is none of the known ones.
    fn unknown(&mut self, number: u32, name: &str) {
        let is_plain =
            name.starts_with("sdp") && name.len() > 3 && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let known = || TAGS.iter().map(|(tag, _)| *tag);
        let letters: String = name.chars().take(MAX_SHOWN).filter(char::is_ascii_alphanumeric).collect();
        let meant =
            known().find(|tag| tag.eq_ignore_ascii_case(&letters)).or_else(|| first_nearest(&letters, known(), NEAR));
        let shown = shown(name, MAX_SHOWN);
        let message = if is_plain {
            let list: Vec<String> = known().map(|tag| format!("@{tag}")).collect();
            format!("tag \"@{shown}\" is not a reserved anchor tag ({}) — the envelope is closed", list.join(" · "))
        } else {
            format!(
                "malformed reserved tag \"@{shown}\": a line that opens with @sdp is a reserved tag, written as @sdp and a camelCase name, then whitespace and its value"
            )
        };
        let help = match meant {
            Some(tag) => format!("did you mean `@{tag}`?"),
            None => "remove the tag, or put a word before it where it is prose".to_owned(),
        };
        self.refuse(number, message).help = Some(help);
    }
}

/// Whether a line opens with a tag of another tool: `@` and a name, then white space or nothing.
fn is_ordinary_tag(line: &str) -> bool {
    let Some(word) = line.strip_prefix('@').and_then(|rest| rest.split(char::is_whitespace).next()) else {
        return false;
    };
    word.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}
