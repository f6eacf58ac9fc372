//! The key `comment-languages`: its tables come in, languages go out. What could never match a file, or would take away what
//! is read in another way, is refused.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{Array, TableLike};

use super::{Entry, Reader, kind_of_value, place_of};
use crate::anchor::{
    Authored, ConfiguredLanguage, Meaning, OwnRules, built_in_name, built_in_names, is_read_typescript, is_typescript,
};
use crate::carrier::CarrierForm;
use crate::suggest::first_nearest;
use crate::typescript::IS_READ;

const LANGUAGE_KEYS: &[&str] = &["endings", "names", "like", "line", "block", "nested", "strings"];
const RULE_KEYS: &[&str] = &["line", "block", "nested", "strings"];

/// How many languages a configuration adds, and how many endings, names or tokens stand in one list.
const MAX_ENTRIES: usize = 200;

/// The longest token or quote, in bytes.
const MAX_TOKEN: usize = 16;

/// The longest ending or name, in bytes: no file system has a longer one.
const MAX_NAME: usize = 255;

impl Reader<'_> {
    /// The languages, as authored.
    pub(super) fn languages(&mut self, entry: &Entry<'_>) -> Vec<ConfiguredLanguage> {
        let mut languages = Vec::new();
        let mut seen = BTreeMap::new();
        self.tables(entry, |reader, table, span| languages.extend(reader.language(table, span, &mut seen)));
        if languages.len() > MAX_ENTRIES {
            self.problem(entry.key_span(), format!("`comment-languages` holds more than {MAX_ENTRIES} tables"));
        }
        languages
    }

    /// One language, or none when anything about it is wrong. `seen` has the line of each ending and name so far.
    fn language(
        &mut self,
        table: &dyn TableLike,
        span: Option<Range<usize>>,
        seen: &mut BTreeMap<String, u32>,
    ) -> Option<ConfiguredLanguage> {
        let before = self.problems;
        let (mut endings, mut names, mut like) = (Vec::new(), Vec::new(), None);
        let mut rules = OwnRules::default();
        for (key, item) in table.iter() {
            let entry = Entry::new(table, key, item);
            match key {
                "endings" => endings = self.file_names(&entry, check_ending, ".", seen),
                "names" => names = self.file_names(&entry, check_name, "", seen),
                "like" => like = self.like(&entry),
                "line" => rules.line = self.tokens(&entry),
                "block" => rules.block = self.pairs(&entry),
                "nested" => match item.as_bool() {
                    Some(nested) => rules.nested = nested,
                    None => self.wrong_kind(&entry, "true or false"),
                },
                "strings" => rules.strings = self.tokens(&entry),
                _ => self.unknown_key(&entry, "language", LANGUAGE_KEYS),
            }
        }
        let own = RULE_KEYS.iter().find(|key| table.contains_key(key));
        match (table.contains_key("like"), own) {
            (true, Some(own)) => {
                let message = format!("a language is `like` another one or has rules of its own, not both: `{own}`");
                self.problem(span.clone(), message);
            }
            (false, _) if !table.contains_key("line") && !table.contains_key("block") => {
                self.problem(span.clone(), "a language needs `like`, or comments in `line` or `block`".to_owned());
            }
            _ => {}
        }
        if !table.contains_key("endings") && !table.contains_key("names") {
            self.problem(span, "a language needs `endings` or `names` of files".to_owned());
        }
        if self.problems > before {
            return None;
        }
        Some(ConfiguredLanguage { endings, names, meaning: like.map_or(Meaning::Own(rules), Meaning::Like) })
    }

    fn like(&mut self, entry: &Entry<'_>) -> Option<&'static str> {
        let word = self.line(entry)?;
        let name = built_in_name(&word);
        if name.is_none() {
            let shown = crate::harmless::shown(&word, MAX_NAME);
            let near = first_nearest(&word, built_in_names(), 2)
                .map_or(String::new(), |near| format!(": did you mean `{near}`?"));
            self.problem(entry.span(), format!("`like` names no language that is built in: `{shown}`{near}"));
        }
        name
    }

    /// The strings of a list that is not empty, each with where it stands.
    fn texts<'t>(&mut self, entry: &Entry<'t>, what: &str) -> Vec<(&'t str, Option<Range<usize>>)> {
        let Some(array) = entry.item.as_array() else {
            self.wrong_kind(entry, what);
            return Vec::new();
        };
        self.texts_of(entry, array)
    }

    fn texts_of<'t>(&mut self, entry: &Entry<'t>, array: &'t Array) -> Vec<(&'t str, Option<Range<usize>>)> {
        if array.is_empty() || array.len() > MAX_ENTRIES {
            let message = format!("`{}` must hold 1 to {MAX_ENTRIES} strings", entry.name);
            self.problem(entry.span(), message);
            return Vec::new();
        }
        let mut texts = Vec::new();
        for element in array {
            match element.as_str() {
                Some(text) => texts.push((text, element.span())),
                None => {
                    let message = format!("`{}` must hold strings only, not {}", entry.name, kind_of_value(element));
                    self.problem(element.span(), message);
                }
            }
        }
        texts
    }

    /// Endings or whole names that each pass a check and stand nowhere else in the configuration.
    fn file_names(
        &mut self,
        entry: &Entry<'_>,
        check: fn(&str) -> Result<(), String>,
        before: &str,
        seen: &mut BTreeMap<String, u32>,
    ) -> Vec<(String, Authored)> {
        let mut names = Vec::new();
        for (text, span) in self.texts(entry, "an array of strings") {
            if let Err(message) = check(text) {
                self.problem(span, format!("`{}`: {message}", entry.name));
                continue;
            }
            let (line, column) = place_of(self.text, span.clone());
            match seen.insert(format!("{before}{text}"), line) {
                Some(first) => {
                    self.problem(span, format!("`{}`: `{text}` stands at line {first} already", entry.name));
                }
                None => names.push((text.to_owned(), Authored { file: self.file, line, column })),
            }
        }
        names
    }

    /// Tokens that open or close something.
    fn tokens(&mut self, entry: &Entry<'_>) -> Vec<String> {
        let texts = self.texts(entry, "an array of strings");
        self.checked(entry, texts)
    }

    fn checked(&mut self, entry: &Entry<'_>, texts: Vec<(&str, Option<Range<usize>>)>) -> Vec<String> {
        let mut tokens = Vec::new();
        for (text, span) in texts {
            let is_bad = |letter: char| letter.is_whitespace() || letter.is_control();
            if text.is_empty() || text.len() > MAX_TOKEN || text.contains(is_bad) {
                let message = format!("`{}`: a token has 1 to {MAX_TOKEN} bytes and no white space", entry.name);
                self.problem(span, message);
            } else {
                tokens.push(text.to_owned());
            }
        }
        tokens
    }

    /// Pairs of tokens.
    fn pairs(&mut self, entry: &Entry<'_>) -> Vec<(String, String)> {
        let wanted = "an array of pairs, such as [[\"{-\", \"-}\"]]";
        let Some(array) = entry.item.as_array() else {
            self.wrong_kind(entry, wanted);
            return Vec::new();
        };
        let mut pairs = Vec::new();
        if array.is_empty() || array.len() > MAX_ENTRIES {
            self.problem(entry.span(), format!("`{}` must hold 1 to {MAX_ENTRIES} pairs", entry.name));
            return pairs;
        }
        for element in array {
            let Some(pair) = element.as_array() else {
                self.problem(element.span(), format!("`{}` must be {wanted}", entry.name));
                continue;
            };
            let texts = self.texts_of(entry, pair);
            match &self.checked(entry, texts)[..] {
                [open, close] => pairs.push((open.clone(), close.clone())),
                _ => self.problem(element.span(), format!("`{}`: a pair is what opens and what closes", entry.name)),
            }
        }
        pairs
    }
}

fn check_ending(ending: &str) -> Result<(), String> {
    check_name(ending)?;
    if ending.starts_with('.') {
        return Err(format!("write the ending without its dot: `{}`", ending.trim_start_matches('.')));
    }
    if is_typescript(ending) {
        return Err(typescript(ending, ending));
    }
    if ending == "rs" {
        return Err(rust_stays(ending));
    }
    check_carrier(&format!("a.{ending}"), ending)
}

fn check_name(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("it must not be empty".to_owned());
    }
    if name.len() > MAX_NAME || name.contains(['/', '\\']) || name.chars().any(char::is_control) {
        return Err(format!("it is part of the name of a file, of at most {MAX_NAME} bytes and without `/`"));
    }
    // A whole name and a longer ending count before `rs`.
    if name.strip_suffix(".rs").is_some_and(|stem| !stem.is_empty()) {
        return Err(rust_stays(name));
    }
    if let Some((stem, ending)) = name.rsplit_once('.')
        && !stem.is_empty()
        && is_typescript(ending)
    {
        return Err(typescript(name, ending));
    }
    check_carrier(name, name)
}

fn typescript(name: &str, ending: &str) -> String {
    if !IS_READ {
        return format!("`{name}` is TypeScript, which this build does not read");
    }
    if is_read_typescript(ending) {
        return format!("`{name}` is TypeScript, which is built in: it keeps its meaning");
    }
    format!("`{name}` is TypeScript, which is read in `.ts` and `.tsx` files only")
}

fn rust_stays(name: &str) -> String {
    format!("`{name}` is Rust, whose attributes are read as well: it keeps its meaning")
}

fn check_carrier(file: &str, shown: &str) -> Result<(), String> {
    match CarrierForm::of_file_name(file) {
        Some(_) => Err(format!("`{shown}` is a carrier of Specs, whose comments bind nothing")),
        None => Ok(()),
    }
}
