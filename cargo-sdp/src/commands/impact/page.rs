//! The page of `impact` for people: what is known of a change comes in, lists go out, each cut at so many rows with the number
//! of those left out. Names of files and ids are made harmless here.

use std::collections::BTreeSet;

use sdp_core::harmless;
use sdp_harness::event::counted;
use serde_json::Value;

use super::{Impact, Unit, id, reasons};
use crate::evaluate::{rows, text};
use crate::git::{Change, Commit, Side, Status};

/// Draws the page.
pub(super) fn of(impact: &Impact, cap: usize) -> String {
    let mut page = Page { text: String::new(), cap };
    let to = impact.to.as_ref().map_or("the working tree", Commit::short);
    let between = format!("between {} and {to}", impact.from.short());
    if impact.files.is_empty() && impact.outside.is_empty() {
        return format!("Nothing changed {between}.\n");
    }
    if impact.files.is_empty() {
        page.text = format!("Nothing changed below the root {between}.\n");
    } else {
        page.text = format!("{} changed {between}.\n", counted(impact.files.len(), "file"));
    }
    page.list("Changed files", impact.files.iter().map(file));
    page.list("Changed out of the root", impact.outside.iter().map(|path| shown_path(path)));
    let (blast, design) = (&impact.blast_radius, &impact.design_change);
    page.list("Specs that they author or bind", rows(blast, "impactedSpecs").map(direct));
    page.list("Packs that they author", rows(blast, "impactedPacks").filter_map(Value::as_str).map(shown));
    page.list("Specs that are gone", impact.removed.iter().map(removed));
    let standing: Vec<&Value> = rows(design, "rows").filter(|row| distance(row) > 0).collect();
    let told: BTreeSet<&str> = rows(design, "rows").filter_map(id).collect();
    let near = rows(blast, "atRiskSpecs").filter(|row| id(row).is_some_and(|id| !told.contains(id)));
    page.list("At risk", standing.into_iter().map(by_path).chain(near.map(by_edges)));
    let listed: BTreeSet<&str> = impact.tests.iter().chain(&impact.units).map(|unit| unit.id.as_str()).collect();
    let others = rows(blast, "atRiskOther").filter(|row| id(row).is_none_or(|id| !listed.contains(id)));
    page.list("At risk beside Specs, code and tests", others.map(by_edges));
    page.list("Code to look at", impact.units.iter().map(unit));
    page.list("Tests to run", impact.tests.iter().map(unit));
    page.list(
        "Code that binds no Spec",
        rows(blast, "unlinkedUnits").map(|row| {
            format!("{}  {}", shown(id(row).unwrap_or_default()), shown_path(text(row, "file").unwrap_or_default()))
        }),
    );
    // What stood in an old carrier is said above.
    let unknown = rows(blast, "coverageUnknownFiles").filter_map(Value::as_str);
    let unknown = unknown.filter(|path| !impact.known.contains(*path));
    page.list("Files of which nothing is known", unknown.map(shown_path));
    page.list("Carriers whose old text cannot be read", impact.unread.iter().map(|path| shown_path(path)));
    page.text
}

struct Page {
    text: String,
    cap: usize,
}

impl Page {
    fn list(&mut self, heading: &str, rows: impl Iterator<Item = String>) {
        let mut rows = rows.peekable();
        if rows.peek().is_none() {
            return;
        }
        let mut shown = String::new();
        let mut count = 0_usize;
        for row in rows {
            count += 1;
            if count <= self.cap {
                shown.push_str(&format!("  {row}\n"));
            }
        }
        self.text.push_str(&format!("\n{heading} ({count})\n{shown}"));
        if let Some(left_out) = count.checked_sub(self.cap).filter(|left_out| *left_out > 0) {
            self.text.push_str(&format!("  … {left_out} more (`--cap 0` shows all)\n"));
        }
    }
}

fn shown(text: &str) -> String {
    harmless::one_line(text).into_owned()
}

fn shown_path(path: &str) -> String {
    harmless::one_line(&harmless::path(path)).into_owned()
}

fn file(change: &Change) -> String {
    let side = |side: &Side| match side {
        Side::Inside(path) => shown_path(path),
        Side::Outside(path) => format!("{} (out of the root)", shown_path(path)),
    };
    let word = change.status.as_str();
    match &change.from {
        Some(from) if change.status == Status::Renamed => format!("{word:9}  {} → {}", side(from), side(&change.path)),
        _ => format!("{word:9}  {}", side(&change.path)),
    }
}

/// A Spec with what leads from a changed file to it.
fn direct(row: &Value) -> String {
    let why = reasons(row).map(|reason| {
        let file = shown_path(text(reason, "file").unwrap_or_default());
        match (text(reason, "via"), text(reason, "edgeType")) {
            (Some(via), Some(edge)) => format!("{} {edge} it in {file}", shown(via)),
            _ => format!("authored in {file}"),
        }
    });
    format!("{}  {}", shown(id(row).unwrap_or_default()), few(why))
}

fn removed(removed: &super::Removed) -> String {
    let mut row = format!("{}  was authored in {}", shown(&removed.id), shown_path(&removed.file));
    if !removed.named_by.is_empty() {
        let named = removed.named_by.iter().map(|(from, by)| format!("{} ({by})", shown(from)));
        row.push_str(&format!("; still named by {}", few(named)));
    }
    row
}

fn distance(row: &Value) -> u64 {
    row.get("distance").and_then(Value::as_u64).unwrap_or_default()
}

/// A Spec with the shortest path that leads from it to a change.
fn by_path(row: &Value) -> String {
    let mut steps: Vec<&Value> = rows(row, "path").collect();
    steps.reverse();
    let is_cut = steps.len() as u64 != distance(row);
    let steps = steps.into_iter().map(|step| {
        format!("{} {}", text(step, "type").unwrap_or_default(), shown(text(step, "to").unwrap_or_default()))
    });
    let path: Vec<String> = steps.collect();
    let end = if is_cut { " → …" } else { "" };
    format!("{}  {}{end}", shown(id(row).unwrap_or_default()), path.join(" → "))
}

/// What stands one relation away, with the relations.
fn by_edges(row: &Value) -> String {
    let own = id(row).unwrap_or_default();
    let edges = reasons(row).map(|edge| {
        let part = |name| text(edge, name).unwrap_or_default();
        if part("from") == own {
            format!("{} {}", part("edgeType"), shown(part("to")))
        } else {
            format!("{} {} it", shown(part("from")), part("edgeType"))
        }
    });
    format!("{}  {}", shown(own), few(edges))
}

fn unit(unit: &Unit) -> String {
    let mut row = shown(&unit.id);
    if let Some(file) = &unit.file {
        let line = unit.line.map_or(String::new(), |line| format!(":{line}"));
        row.push_str(&format!("  {}{line}", shown_path(file)));
    }
    if let Some(symbol) = &unit.symbol {
        row.push_str(&format!("  {}", shown(symbol)));
    }
    row
}

/// The first three, and how many more there are.
fn few(mut texts: impl Iterator<Item = String>) -> String {
    let mut shown: Vec<String> = texts.by_ref().take(3).collect();
    let more = texts.count();
    if more > 0 {
        shown.push(format!("… {more} more"));
    }
    shown.join(", ")
}
