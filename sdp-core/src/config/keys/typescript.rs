//! The key `typescript`: its table comes in, the modules whose builders count go out, each with where it stands.

use std::collections::BTreeMap;

use super::{Entry, Reader, kind_of_value, place_of};
use crate::anchor::Authored;
use crate::harmless::shown;
use crate::typescript::PACKAGE;

const TYPESCRIPT_KEYS: &[&str] = &["trusted"];

/// How many modules a configuration trusts at most: each import is held against all of them.
const MAX_MODULES: usize = 200;

/// The longest module, in bytes.
const MAX_MODULE: usize = 200;

impl Reader<'_> {
    /// The trusted modules, as authored.
    pub(super) fn typescript(&mut self, entry: &Entry<'_>) -> Vec<(String, Authored)> {
        let mut modules = Vec::new();
        let Some(table) = entry.item.as_table_like() else {
            self.wrong_kind(entry, "a table");
            return modules;
        };
        for (name, item) in table.iter() {
            let entry = Entry::new(table, name, item);
            match name {
                "trusted" => modules = self.modules(&entry),
                _ => self.unknown_key(&entry, "`typescript`", TYPESCRIPT_KEYS),
            }
        }
        modules
    }

    fn modules(&mut self, entry: &Entry<'_>) -> Vec<(String, Authored)> {
        let mut modules = Vec::new();
        let Some(elements) = entry.item.as_array() else {
            self.wrong_kind(entry, "an array of strings");
            return modules;
        };
        if elements.len() > MAX_MODULES {
            self.problem(entry.key_span(), format!("`typescript.trusted` holds more than {MAX_MODULES} modules"));
            return modules;
        }
        let mut seen = BTreeMap::new();
        for element in elements {
            let span = element.span();
            let Some(text) = element.as_str() else {
                let message = format!("`typescript.trusted` must hold strings only, not {}", kind_of_value(element));
                self.problem(span, message);
                continue;
            };
            if let Err(message) = check(text) {
                self.problem(span, format!("`typescript.trusted`: {message}"));
                continue;
            }
            let (line, column) = place_of(self.text, span.clone());
            match seen.insert(text, line) {
                Some(first) => {
                    self.problem(span, format!("`typescript.trusted`: `{text}` stands at line {first} already"));
                }
                None => modules.push((text.to_owned(), Authored { file: self.file, line, column })),
            }
        }
        modules
    }
}

fn check(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("a module must not be empty".to_owned());
    }
    if text.len() > MAX_MODULE || text.chars().any(char::is_control) || text.contains('\\') {
        return Err(format!("a module has at most {MAX_MODULE} bytes, without `\\` and control characters"));
    }
    let shown = shown(text, MAX_MODULE);
    if text.split('/').any(|segment| segment == "..") {
        return Err(format!("write the path of the module from the root, without `..`: `{shown}`"));
    }
    let path = text.strip_prefix(PACKAGE);
    if path.is_some_and(|path| path.is_empty() || path == "/anchors") {
        return Err(format!("`{shown}` is always trusted"));
    }
    Ok(())
}
