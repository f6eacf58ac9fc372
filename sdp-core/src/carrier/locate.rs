//! Where in a carrier the thing stands that a finding about the graph speaks of. The carrier's text comes in with what is
//! sought; a line goes out, or none where the text does not show it. Only findings pay for this: nothing here is read or
//! kept while carriers are derived.

use std::ops::Range;

use hashbrown::HashMap;

use super::CarrierForm;
#[cfg(feature = "typescript")]
use super::typescript::Places;

/// What is sought.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sought<'a> {
    /// The line where the subject's id is authored, 1-based.
    pub(crate) id_line: u32,
    /// The field that the finding names, such as `readiness` or `intent.outcome`.
    pub(crate) path: Option<&'a str>,
    /// The id or address that it names beside its subject.
    pub(crate) named: Option<&'a str>,
}

/// A carrier in which things are sought: its lines, and where each word of it that may be an id stands.
#[derive(Debug)]
pub(crate) struct Carrier {
    form: CarrierForm,
    lines: Vec<String>,
    /// The lines of each word, ascending.
    words: HashMap<String, Vec<usize>>,
    /// The parts of its documents, where it is TypeScript.
    #[cfg(feature = "typescript")]
    places: Places,
}

impl Carrier {
    /// Reads a carrier's words once, so that each question is a look-up.
    pub(crate) fn new(form: CarrierForm, text: &str) -> Self {
        let lines = lines_of(form, text);
        let mut words: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, line) in lines.iter().enumerate() {
            // A sign in an id may be escaped: `spec\:a`.
            let line = line.replace('\\', "");
            for word in line.split(|c: char| !is_of_an_id(c)).map(|word| word.trim_end_matches(['.', '-', ':'])) {
                // A tag of Gherkin holds its target behind the relation: `@refines.spec:a`.
                let word = word.find("spec:").and_then(|at| word.get(at..)).unwrap_or(word);
                if !word.contains(':') {
                    continue;
                }
                // The address of an entry names the Spec too.
                let of_address = word.find('#').and_then(|at| word.get(..=at));
                for word in [Some(word), of_address].into_iter().flatten() {
                    match words.get_mut(word) {
                        Some(places) if places.last() == Some(&at) => {}
                        Some(places) => places.push(at),
                        None => drop(words.insert(word.to_owned(), vec![at])),
                    }
                }
            }
        }
        Carrier {
            form,
            lines,
            words,
            #[cfg(feature = "typescript")]
            places: if form == CarrierForm::TypeScript { Places::read(text) } else { Places::default() },
        }
    }

    /// The 1-based line of what is sought.
    pub(crate) fn line(&self, sought: Sought<'_>) -> Option<u32> {
        let at = match self.form {
            CarrierForm::Markdown => self.in_markdown(sought),
            CarrierForm::Gherkin => self.in_gherkin(sought),
            CarrierForm::TypeScript => self.in_typescript(sought),
        }?;
        u32::try_from(at).ok()?.checked_add(1)
    }

    fn in_markdown(&self, sought: Sought<'_>) -> Option<usize> {
        let end = self.first(1..self.lines.len(), |line| line == "---")?;
        let (front, body) = (1..end, end + 1..self.lines.len());
        let key = |key: &str| self.first(front.clone(), |line| line.split(':').next() == Some(key));
        match sought.path {
            Some(field @ ("readiness" | "altitude")) => key(field),
            Some("specKind") => key("kind"),
            Some("behavior.exampleSpace") => self.first(body, |line| line == "```gwt-vocabulary"),
            Some("behavior.examples") => self.first(body, |line| line == "```gwt"),
            Some(path) if path.starts_with("modelRefs") => self.word(key("modelRefs")?..end, sought.named?),
            // A title is no prose.
            Some(_) => {
                let title = self.first(body.clone(), |line| line.starts_with("# "));
                self.word(title.map_or(body.start, |at| at + 1)..body.end, sought.named?)
            }
            // A relation or a member.
            None => self.word(key("relations").or_else(|| key("specs"))?..end, sought.named?),
        }
    }

    fn in_gherkin(&self, sought: Sought<'_>) -> Option<usize> {
        let id = (sought.id_line as usize).checked_sub(1)?;
        let is_tag = |at: &usize| self.lines.get(*at).is_some_and(|line| line.trim_start().starts_with('@'));
        let start = (0..=id).rev().take_while(is_tag).last()?;
        let tags = start..(start..self.lines.len()).take_while(is_tag).last()? + 1;
        let tagged = |range: Range<usize>, opening: &str| {
            self.first(range, |line| line.split_whitespace().any(|tag| tag.starts_with(opening)))
        };
        match sought.path {
            Some("readiness") => tagged(tags, "@readiness."),
            Some("altitude") => tagged(tags, "@altitude."),
            None => self.word(tags, sought.named?),
            Some(_) => {
                // Its own text ends where the next id is authored.
                let next = tagged(tags.end..self.lines.len(), "@spec.").unwrap_or(self.lines.len());
                self.word(tags.end..next, sought.named?)
            }
        }
    }

    /// A document is found by the line of its call, and what stands in it by its path.
    #[cfg(feature = "typescript")]
    fn in_typescript(&self, sought: Sought<'_>) -> Option<usize> {
        let part = |path: &str| {
            let lines = self.places.lines(sought.id_line, path)?;
            Some((lines.start as usize).checked_sub(1)?..(lines.end as usize).checked_sub(1)?)
        };
        match sought.path {
            // A relation or a member.
            None => self.word(part("relations").or_else(|| part("specs"))?, sought.named?),
            Some(path) if path.starts_with("modelRefs") => self.word(part("modelRefs")?, sought.named?),
            Some(path) => {
                let part = part(if path == "specKind" { "kind" } else { path })?;
                // Its text may go over several lines.
                let named = sought.named.and_then(|named| self.word(part.clone(), named));
                Some(named.unwrap_or(part.start))
            }
        }
    }

    #[cfg(not(feature = "typescript"))]
    fn in_typescript(&self, _: Sought<'_>) -> Option<usize> {
        None
    }

    fn first(&self, range: Range<usize>, is_sought: impl Fn(&str) -> bool) -> Option<usize> {
        let start = range.start;
        self.lines.get(range)?.iter().position(|line| is_sought(line)).map(|at| start + at)
    }

    /// The first line of a range that holds a word; an id also stands in the addresses of its entries.
    fn word(&self, range: Range<usize>, word: &str) -> Option<usize> {
        let first = |word: &str| {
            let places = self.words.get(word)?;
            places.get(places.partition_point(|at| *at < range.start)).copied().filter(|at| *at < range.end)
        };
        first(word).into_iter().chain(first(&format!("{word}#"))).min()
    }
}

/// The lines of a carrier, as its form parts them.
fn lines_of(form: CarrierForm, text: &str) -> Vec<String> {
    if form == CarrierForm::TypeScript {
        let text = text.replace("\r\n", "\n").replace(['\r', '\u{2028}', '\u{2029}'], "\n");
        return text.lines().map(str::to_owned).collect();
    }
    text.lines().map(str::to_owned).collect()
}

/// Whether a character can stand in an id or an entry address.
fn is_of_an_id(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ':' | '.' | '-' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPEC: &str = "---\nid: spec:a\nkind: rule\nreadiness: defined\nrelations:\n  refines: spec:b.c\n  dependsOn:\n    - spec:b\n---\n# A\n\nSee spec:b.c.d, spec:b.\n\n```gwt\nGiven a\n```\n\nOf spec:b.e#rule.x.\n";

    fn at(form: CarrierForm, text: &str, id_line: u32, path: Option<&str>, named: Option<&str>) -> Option<u32> {
        Carrier::new(form, text).line(Sought { id_line, path, named })
    }

    #[test]
    fn a_relation_a_key_and_a_mention_stand_where_they_are_written() {
        let spec = |path, named| at(CarrierForm::Markdown, SPEC, 2, path, named);
        assert_eq!(spec(None, Some("spec:b.c")), Some(6));
        assert_eq!(spec(None, Some("spec:b")), Some(8), "not the longer id above");
        assert_eq!(spec(Some("readiness"), Some("kind-evidence-complete")), Some(4));
        assert_eq!(spec(Some("specKind"), None), Some(3));
        assert_eq!(spec(Some("narrative"), Some("spec:b")), Some(12));
        assert_eq!(spec(Some("narrative"), Some("spec:b.c.d")), Some(12));
        assert_eq!(spec(Some("narrative"), Some("spec:b.e")), Some(18), "by the address of an entry");
        assert_eq!(spec(Some("behavior.examples"), None), Some(14));
        assert_eq!(spec(Some("behavior.exampleSpace"), None), None);
        assert_eq!(spec(None, Some("spec:gone")), None);
        assert_eq!(spec(None, None), None);
    }

    #[test]
    fn a_mention_is_sought_in_prose_and_behind_escapes() {
        let spec = "---\nid: spec:a\nrelations: {}\n---\n# What spec:b is\n\nSome.\n\nSee spec:b, spec\\:c and spec:d\\#rule\\.x.\n";
        let line = |named| at(CarrierForm::Markdown, spec, 2, Some("narrative"), Some(named));
        for named in ["spec:b", "spec:c", "spec:d", "spec:d#rule.x"] {
            assert_eq!(line(named), Some(9), "{named}");
        }
        assert_eq!(line("spec:x"), None);
    }

    #[test]
    fn a_member_and_a_vocabulary_are_told_apart() {
        let pack = "---\nid: pack:p\nspecs:\n  - spec:m\n  - spec:x\nmodelRefs:\n  - spec:m\n---\n# P\n";
        let line = |path, named| at(CarrierForm::Markdown, pack, 2, path, Some(named));
        assert_eq!((line(None, "spec:m"), line(Some("modelRefs[0]"), "spec:m")), (Some(4), Some(7)));
    }

    #[test]
    fn in_gherkin_the_tags_and_the_text_of_one_element_count() {
        let text = "@spec.a @altitude.story\n@readiness.ready @refines.spec:b\nFeature: A\n  See spec:c.\n\n  @spec.a.one @readiness.idea\n  @verifies.spec:c\n  Scenario: S\n    Given x spec:c\n";
        let line = |id_line, path, named| at(CarrierForm::Gherkin, text, id_line, path, named);
        assert_eq!(line(1, Some("readiness"), None), Some(2));
        assert_eq!(line(1, None, Some("spec:b")), Some(2));
        assert_eq!(line(1, None, Some("spec:c")), None);
        assert_eq!(line(1, Some("narrative"), Some("spec:c")), Some(4));
        assert_eq!(line(6, Some("readiness"), None), Some(6));
        assert_eq!(line(6, None, Some("spec:c")), Some(7));
        assert_eq!(line(90, None, Some("spec:c")), None);
    }

    #[cfg(feature = "typescript")]
    #[test]
    fn in_typescript_the_call_and_the_path_lead_to_a_part() {
        let text = r#"import { spec, pack, refines } from "@libar-dev/software-delivery-protocol";
export const a = spec({
  id: "spec:a",
  kind: "rule",
  readiness: "idea",
  relations: [
    refines("spec:b"),
    dependsOn("spec:b.c"),
  ],
  narrative: `One.
    See spec:c.`,
  behavior: {
    rules: ["One",
      { rule: "See spec:c.", key: "k" },
    ],
    examples: [],
  },
  design: { "a.b": { c: ["x",
    "y"] }, a: "z",
  },
});
export const b = spec({ id: "spec:b",
  readiness: "idea", relations: [refines("spec:c")] }), p = pack({
  id: "pack:p", specs: ["spec:a",
    "spec:b"],
  modelRefs: [
    "spec:b"],
});
"#;
        let line = |id_line, path, named| at(CarrierForm::TypeScript, text, id_line, path, named);
        assert_eq!(line(2, Some("readiness"), Some("title")), Some(5));
        assert_eq!(line(2, Some("specKind"), None), Some(4));
        assert_eq!(line(2, None, Some("spec:b")), Some(7));
        assert_eq!(line(2, None, Some("spec:b.c")), Some(8));
        assert_eq!(line(2, None, Some("spec:c")), None, "prose is no relation");
        assert_eq!(line(2, Some("narrative"), Some("spec:c")), Some(11));
        assert_eq!(line(2, Some("behavior.rules[0]"), None), Some(13));
        assert_eq!(line(2, Some("behavior.rules[1]"), Some("spec:c")), Some(14));
        assert_eq!(line(2, Some("behavior.rules[2]"), Some("spec:c")), None);
        assert_eq!(line(2, Some("behavior.examples"), None), Some(16));
        assert_eq!(line(2, Some("behavior.exampleSpace"), None), None);
        assert_eq!(line(2, Some("design.a.b.c[1]"), None), Some(19));
        assert_eq!(line(2, Some("design.a"), None), Some(19));
        assert_eq!(line(22, Some("readiness"), None), Some(23));
        assert_eq!(line(22, None, Some("spec:c")), Some(23));
        assert_eq!(line(23, None, Some("spec:b")), Some(25));
        assert_eq!(line(23, Some("modelRefs[0]"), Some("spec:b")), Some(27));
        assert_eq!(line(1, None, Some("spec:b")), None);
        assert_eq!(at(CarrierForm::TypeScript, "const = ", 1, None, Some("spec:b")), None);
        let torn = "const x = 1;\r\u{2028}const a = spec({ readiness:\r 'idea' });";
        assert_eq!(at(CarrierForm::TypeScript, torn, 3, Some("readiness"), None), Some(3));
    }

    proptest::proptest! {
        #[test]
        fn whatever_the_text_a_line_of_it_is_given(text in "([-@#a\\.: \n]|spec:a|---\n|```gwt\n|readiness){0,40}", id_line in 0u32..9) {
            for form in [CarrierForm::Markdown, CarrierForm::Gherkin, CarrierForm::TypeScript] {
                for path in [None, Some("readiness"), Some("narrative"), Some("modelRefs[0]")] {
                    let found = at(form, &text, id_line, path, Some("spec:a"));
                    proptest::prop_assert!(found.is_none_or(|line| line as usize <= text.lines().count()));
                }
            }
        }
    }
}
