//! The key `waivers`: its tables come in, what is let stand for a while goes out, each with where it stands.

use std::collections::HashMap;
use std::ops::Range;

use toml_edit::TableLike;

use super::{Entry, Reader};
use crate::config::Waiver;
use crate::date::{Date, NoDate};

const WAIVER_KEYS: &[&str] = &["rule", "subject", "reason", "expires"];

/// What `expires` is, for people.
const DAY: &str = "a day, such as 2027-01-31";

impl Reader<'_> {
    /// The waivers, as authored; no two of them waive the same.
    pub(super) fn waivers(&mut self, entry: &Entry<'_>) -> Vec<Waiver> {
        let mut waivers: Vec<Waiver> = Vec::new();
        let mut lines: HashMap<(String, String), u32> = HashMap::new();
        let take = |reader: &mut Self, table: &dyn TableLike, span: Option<Range<usize>>| {
            let Some(waiver) = reader.waiver(table, span.clone()) else { return };
            match lines.get(&(waiver.rule.clone(), waiver.subject.clone())) {
                Some(first) => {
                    let message = format!(
                        "a waiver of `{}` for `{}` stands at line {first} already",
                        waiver.rule, waiver.subject
                    );
                    reader.problem(span, message);
                }
                None => {
                    lines.insert((waiver.rule.clone(), waiver.subject.clone()), waiver.line);
                    waivers.push(waiver);
                }
            }
        };
        self.tables(entry, take);
        waivers
    }

    /// One waiver, or none when anything about it is wrong.
    fn waiver(&mut self, table: &dyn TableLike, span: Option<Range<usize>>) -> Option<Waiver> {
        let before = self.problems;
        let (mut rule, mut subject, mut reason, mut expires) = (None, None, None, None);
        for (key, item) in table.iter() {
            let entry = Entry::new(table, key, item);
            match key {
                "rule" => rule = self.line(&entry),
                "subject" => subject = self.line(&entry),
                "reason" => reason = self.line(&entry),
                "expires" => expires = self.day(&entry),
                _ => self.unknown_key(&entry, "waiver", WAIVER_KEYS),
            }
        }
        for key in WAIVER_KEYS.iter().filter(|key| !table.contains_key(key)) {
            let article = if *key == "expires" { "an" } else { "a" };
            self.problem(span.clone(), format!("a waiver needs {article} `{key}`"));
        }
        if self.problems > before {
            return None;
        }
        Some(Waiver { rule: rule?, subject: subject?, reason: reason?, expires: expires?, line: self.line_of(span) })
    }

    fn day(&mut self, entry: &Entry<'_>) -> Option<Date> {
        let name = entry.name;
        if let Some(text) = entry.item.as_str() {
            let day: Result<Date, NoDate> = text.parse();
            if day.is_err() {
                self.problem(entry.span(), format!("`{name}` must be {DAY}"));
            }
            return day.ok();
        }
        let Some(moment) = entry.item.as_datetime() else {
            self.wrong_kind(entry, DAY);
            return None;
        };
        let day = moment.date.filter(|_| moment.time.is_none() && moment.offset.is_none());
        let day = day.and_then(|date| Date::new(date.year, date.month, date.day));
        if day.is_none() {
            self.problem(entry.span(), format!("`{name}` must be {DAY}, without a time"));
        }
        day
    }
}
