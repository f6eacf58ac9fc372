//! The Gherkin carrier: one behavior Spec (the Feature) and its example Specs (the Scenarios) in a `*.sdp.gherkin` file. The
//! file's text comes in, all of its Specs or its findings go out. It never reads a file, never recurses, and never gives
//! a part of a refused carrier.
//!
//! Two layers: `lexer` and `parser` read any English Gherkin into the tree of [`syntax`]; `grammar`, with `tags` and
//! `description`, says what of that tree the Protocol takes (fact sheet part 5, newest sheet part 6).

mod description;
mod findings;
mod grammar;
mod lexer;
mod parser;
mod remedies;
pub mod syntax;
mod tags;

#[cfg(test)]
mod tests;

use crate::carrier::MAX_CARRIER_BYTES;
use crate::finding::{Finding, FindingId};
use crate::model::Document;

use findings::{AT_LIMIT, Findings};
use syntax::{ParseError, parse};

/// Reads one carrier: the Feature's Spec, then those of its Scenarios. `file` is its root-relative path, which the
/// findings name; `text` is its whole content.
///
/// # Errors
/// One `sdp/large-carrier` for a text of more than [`MAX_CARRIER_BYTES`], one `extract/gherkin-syntax` for a text that is no
/// Gherkin; else every finding of the grammar, at most 100, in the order of [`crate::finding::finding_order`]. The carrier is then refused whole.
#[sdp::satisfies("spec:sdp.carriers.gherkin", component = "component:sdp.carriers")]
pub fn read(file: &str, text: &str) -> Result<Vec<Document>, Vec<Finding>> {
    let refused = |finding: Finding, line: u32| vec![finding.at(file, line)];
    if text.len() > MAX_CARRIER_BYTES {
        let message = "the Gherkin carrier exceeds the 256 KiB byte limit; the file is excluded";
        let help = "split the Feature: one carrier holds 256 KiB at most";
        return Err(refused(Finding::error(FindingId::LargeCarrier, message).with_help(help), 1));
    }
    let document = parse(text).map_err(|error| match error {
        ParseError::Syntax { line, column, message: ref words } => {
            let message = format!("the Gherkin file does not parse: {error}; the file is excluded");
            let mut finding = Finding::error(FindingId::GherkinSyntax, message).with_help(remedies::remedy(words));
            finding.column = Some(column).filter(|column| *column > 0);
            refused(finding, line)
        }
        ParseError::Language { line, name } => {
            let message = format!("Gherkin language \"{name}\" is refused; the carrier grammar is closed to en");
            let help = "write the keywords in English and remove the `# language:` line; names and steps may be in any language";
            refused(Finding::error(FindingId::GherkinGrammar, message).with_help(help), line)
        }
    })?;
    let Some(feature) = &document.feature else {
        let message = "the Gherkin carrier must contain exactly one Feature";
        let help = "write `Feature: …` below the tags `@spec.…`, `@altitude.…` and `@readiness.…`";
        return Err(refused(Finding::error(FindingId::GherkinGrammar, message).with_help(help), 1));
    };
    let mut findings = Findings::new(file, AT_LIMIT);
    let documents = grammar::read(feature, &mut findings);
    if findings.is_empty() { Ok(documents) } else { Err(findings.finish()) }
}
