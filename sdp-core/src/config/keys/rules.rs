//! The key `rules`: its tables come in, configured rules go out. Files of parameters are named here and read when their rule
//! runs, so that a wrong one fails its own rule only.

use std::collections::BTreeMap;
use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::{Entry, MAX_NAME_CHARS, Reader, kind_of_value};
use crate::config::paths::check_exclude;
use crate::config::{PARAMS_WORDS, ParamsInput, RuleBody, RuleConfig, toml_params};
use crate::finding::Severity;
use crate::harmless::shown;
use crate::params::{Fault, Input};

const RULE_KEYS: &[&str] = &["name", "body", "recipe", "params", "severity", "description"];

/// How many inputs the parameters of one rule have at most.
const MAX_INPUTS: usize = 100;

/// What opens the body of a rule that lies in a package.
const DEPENDENCY: &str = "dependency:";

/// The longest name of a package, as crates.io has it.
const MAX_PACKAGE: usize = 64;

/// How many characters of a wrong path are shown.
const SHOWN: usize = 200;

impl Reader<'_> {
    /// The rules, as authored; names are unique.
    pub(super) fn rules(&mut self, entry: &Entry<'_>) -> Vec<RuleConfig> {
        let mut rules = Vec::new();
        let mut lines: BTreeMap<String, u32> = BTreeMap::new();
        let take = |reader: &mut Self, table: &dyn TableLike, span: Option<Range<usize>>| {
            let Some(rule) = reader.rule(table, span.clone()) else { return };
            match lines.get(&rule.name) {
                Some(first) => {
                    let message = format!("a rule named `{}` stands at line {first} already", rule.name);
                    reader.problem(span, message);
                }
                None => {
                    lines.insert(rule.name.clone(), rule.line);
                    rules.push(rule);
                }
            }
        };
        self.tables(entry, take);
        rules
    }

    /// One rule, or none when anything about it is wrong.
    fn rule(&mut self, table: &dyn TableLike, span: Option<Range<usize>>) -> Option<RuleConfig> {
        let before = self.problems;
        let (mut name, mut body, mut recipe, mut severity, mut description) = (None, None, None, None, None);
        let mut params = Vec::new();
        for (key, item) in table.iter() {
            let entry = Entry::new(table, key, item);
            match key {
                "name" => name = self.rule_name(&entry),
                "body" => body = self.rule_body(&entry),
                "recipe" => recipe = self.recipe(&entry),
                "params" => params = self.params(&entry),
                "severity" => severity = self.severity(&entry),
                "description" => description = self.description(&entry),
                _ => self.unknown_key(&entry, "rule", RULE_KEYS),
            }
        }
        if !table.contains_key("name") {
            self.problem(span.clone(), "a rule needs a `name`".to_owned());
        }
        match (table.contains_key("body"), table.contains_key("recipe")) {
            (true, true) => self.problem(span.clone(), "a rule has a `body` or a `recipe`, not both".to_owned()),
            (false, false) => self.problem(span.clone(), "a rule needs either a `body` or a `recipe`".to_owned()),
            _ => {}
        }
        if self.problems > before {
            return None;
        }
        let body = body.or(recipe.map(RuleBody::Recipe))?;
        Some(RuleConfig { name: name?, body, params, severity, description, line: self.line_of(span) })
    }

    fn rule_name(&mut self, entry: &Entry<'_>) -> Option<String> {
        let name = self.line(entry)?;
        if name.trim() != name || name.chars().count() > MAX_NAME_CHARS {
            let message = format!("`name` must not be padded with spaces or longer than {MAX_NAME_CHARS} characters");
            self.problem(entry.span(), message);
            return None;
        }
        Some(name)
    }

    fn rule_body(&mut self, entry: &Entry<'_>) -> Option<RuleBody> {
        let text = self.line(entry)?;
        let Some(inside) = text.strip_prefix(DEPENDENCY) else {
            if is_plain_path(&text) {
                return Some(RuleBody::File(text));
            }
            let message =
                format!("`body` must be a path below the root, with `/`, and without `.` and `..` segments: {text}");
            self.problem(entry.span(), message);
            return None;
        };
        match inside.split_once('/') {
            Some((package, path)) if is_package(package) && is_plain_path(path) => {
                Some(RuleBody::Dependency { package: package.to_owned(), path: path.to_owned() })
            }
            _ => {
                let message = format!(
                    "`body` must be `dependency:PACKAGE/path/in/it.sdp.js`, with the name of a package and a path in it without \
                     `.` and `..` segments: {}",
                    shown(&text, SHOWN)
                );
                self.problem(entry.span(), message);
                None
            }
        }
    }

    fn recipe(&mut self, entry: &Entry<'_>) -> Option<u32> {
        let number = entry.item.as_integer().and_then(|number| u32::try_from(number).ok()).filter(|&number| number > 0);
        if number.is_none() {
            self.problem(entry.span(), "`recipe` must be the number of a recipe, such as 1".to_owned());
        }
        number
    }

    fn severity(&mut self, entry: &Entry<'_>) -> Option<Severity> {
        match entry.item.as_str() {
            Some("error") => Some(Severity::Error),
            Some("warning") => Some(Severity::Warning),
            _ => {
                self.problem(entry.span(), "`severity` must be \"error\" or \"warning\"".to_owned());
                None
            }
        }
    }

    fn description(&mut self, entry: &Entry<'_>) -> Option<String> {
        let text = entry.item.as_str();
        if text.is_none() {
            self.wrong_kind(entry, "a string");
        }
        text.map(str::to_owned)
    }

    /// The inputs of a rule's parameters: a table, a text that names a file, or a list of both.
    fn params(&mut self, entry: &Entry<'_>) -> Vec<ParamsInput> {
        let mut inputs = Vec::new();
        match entry.item {
            Item::ArrayOfTables(tables) => {
                for table in tables {
                    inputs.extend(self.params_table(table, table.span().or_else(|| entry.span())));
                }
            }
            Item::Value(Value::Array(elements)) => {
                for element in elements {
                    let span = element.span();
                    match element {
                        Value::InlineTable(table) => inputs.extend(self.params_table(table, span)),
                        Value::String(text) => inputs.extend(self.params_text(text.value(), span)),
                        other => {
                            let found = kind_of_value(other);
                            self.problem(span, format!("`params` must hold tables and strings only, not {found}"));
                        }
                    }
                }
            }
            item => match (item.as_str(), item.as_table_like()) {
                (Some(text), _) => inputs.extend(self.params_text(text, entry.span())),
                (None, Some(table)) => inputs.extend(self.params_table(table, entry.span())),
                (None, None) => self.wrong_kind(entry, "a table, a string such as \"@params.json\", or a list of them"),
            },
        }
        if inputs.len() > MAX_INPUTS {
            self.problem(entry.span(), format!("`params` holds more than {MAX_INPUTS} tables and strings"));
        }
        self.refuse_repeated_keys(entry, &inputs);
        inputs
    }

    fn params_table(&mut self, table: &dyn TableLike, span: Option<Range<usize>>) -> Option<ParamsInput> {
        match toml_params::object(table) {
            Ok(object) => Some(ParamsInput { input: Input::Table(object), line: self.line_of(span) }),
            Err(unfit) => {
                self.problem(unfit.span.or(span), unfit.why.to_owned());
                None
            }
        }
    }

    fn params_text(&mut self, text: &str, span: Option<Range<usize>>) -> Option<ParamsInput> {
        let why = match Input::of(text) {
            Ok(Input::File(path) | Input::Keyed(_, path)) if path.chars().any(char::is_control) => {
                "`params` must not hold a line break or another control character".to_owned()
            }
            Ok(input @ (Input::File(_) | Input::Keyed(..))) => {
                return Some(ParamsInput { input, line: self.line_of(span) });
            }
            Ok(Input::Inline(_) | Input::Table(_)) | Err(Fault::NoValue) => {
                "a string in `params` is \"@PATH\" or \"KEY=@PATH\"; values stand in a table".to_owned()
            }
            Err(fault) => shown(&fault.told(PARAMS_WORDS), SHOWN).into_owned(),
        };
        self.problem(span, why);
        None
    }

    /// Refuses what is given twice whatever the files hold; what files give is known when the rule runs.
    fn refuse_repeated_keys(&mut self, entry: &Entry<'_>, inputs: &[ParamsInput]) {
        let mut seen: BTreeMap<&str, String> = BTreeMap::new();
        for one in inputs {
            let keys: Vec<&str> = match &one.input {
                Input::Table(table) => table.keys().map(String::as_str).collect(),
                Input::Keyed(key, _) => vec![key],
                Input::File(_) | Input::Inline(_) => Vec::new(),
            };
            for key in keys {
                if let Some(first) = seen.insert(key, one.name()) {
                    let fault = Fault::Twice { key: key.to_owned(), first, second: one.name() };
                    self.problem(entry.span(), shown(&fault.told(PARAMS_WORDS), SHOWN).into_owned());
                }
            }
        }
    }
}

/// The grammar of an exclude fits, and one form for each file keeps names comparable.
fn is_plain_path(path: &str) -> bool {
    check_exclude(path).is_ok() && !path.split('/').any(|segment| segment == ".")
}

fn is_package(name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    !name.is_empty() && !name.starts_with('-') && name.len() <= MAX_PACKAGE && name.chars().all(is_part)
}
