//! What no artifact may carry: row 27. A contract comes in; nothing, or the first value that is shaped like a secret or like
//! somebody's data, goes out. What was found is never repeated.
//!
//! Every text that is a value is looked at, in the order in which the contract's fields are declared; keys are not.

use serde_json::Value;

use super::Checked;
use crate::contract::EvalContract;
use crate::fault::{FailureCode, StructuralFailure};

mod shapes;
#[cfg(test)]
mod tests;

pub(crate) use shapes::category;
use shapes::is_word;

/// Row 27: no value is shaped like a secret.
pub(crate) fn excluded_content(contract: &EvalContract) -> Checked {
    let value = serde_json::to_value(contract).map_err(|_| {
        excluded("EvalContract".to_owned(), "cannot be looked through for excluded content (AD-18)".to_owned())
    })?;
    look_through("EvalContract", &value, &mut Vec::new())
}

/// What sealing puts together from parts that each passed, and from keys, has no value shaped like a secret either.
pub(crate) fn excluded_from_brief(brief: &Value) -> Checked {
    look_through("SealedEvaluatorBrief", brief, &mut Vec::new())
}

/// A failure of another row, without what is shaped like a secret in its words.
pub(super) fn withheld(contract: &EvalContract, failure: StructuralFailure) -> StructuralFailure {
    let of_detail = category(&failure.detail);
    // A key stands in a path as JSON has it: white space in it is a backslash and a letter there.
    let unescaped =
        [r"\n", r"\r", r"\t", r"\f"].iter().fold(failure.artifact_path.clone(), |path, of| path.replace(of, " "));
    let of_path = category(&failure.artifact_path).or_else(|| category(&unescaped));
    if failure.code == FailureCode::ExcludedContentInDeclaration || (of_detail.is_none() && of_path.is_none()) {
        return failure;
    }
    if let Err(found) = excluded_content(contract) {
        return found;
    }
    StructuralFailure {
        code: failure.code,
        artifact_path: of_path.map_or(failure.artifact_path, |_| "EvalContract".to_owned()),
        detail: of_detail.or(of_path).map_or(failure.detail, not_told),
    }
}

/// What stands in the place of words that would repeat something of a category.
fn not_told(category: &str) -> String {
    format!("not told, since it would repeat what is shaped like {category} (AD-18)")
}

/// The words, or what stands in their place where they would repeat what is shaped like a secret.
pub(super) fn told(words: String) -> String {
    category(&words).map_or(words, not_told)
}

fn excluded(path: String, detail: String) -> StructuralFailure {
    StructuralFailure::new(FailureCode::ExcludedContentInDeclaration, path, detail)
}

/// One step of the path to a value.
enum Part<'v> {
    Key { name: &'v str, ordinal: usize },
    Index(usize),
}

/// Looks at every text below a value and stops at the first hit. How deep it goes is bounded where the document is read.
fn look_through<'v>(root: &str, value: &'v Value, path: &mut Vec<Part<'v>>) -> Checked {
    match value {
        Value::String(text) => match category(text) {
            None => Ok(()),
            Some(category) => Err(excluded(
                spelled(root, path),
                format!(
                    "carries a value shaped like {category}, which AD-18 excludes from every artifact this package produces; store a \
                     digest or an AD-8 opaque reference instead. The matched text is not quoted here, since a diagnostic is kept and \
                     passed on like an artifact"
                ),
            )),
        },
        Value::Array(elements) => {
            below(root, elements.iter().enumerate().map(|(at, value)| (Part::Index(at), value)), path)
        }
        Value::Object(members) => {
            let members = members.iter().enumerate();
            below(root, members.map(|(ordinal, (name, value))| (Part::Key { name, ordinal }, value)), path)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Ok(()),
    }
}

fn below<'v>(root: &str, parts: impl Iterator<Item = (Part<'v>, &'v Value)>, path: &mut Vec<Part<'v>>) -> Checked {
    for (part, value) in parts {
        path.push(part);
        look_through(root, value, path)?;
        path.pop();
    }
    Ok(())
}

/// The path as failures spell it. A key that is no plain word stands in quotes; one that is itself shaped like a secret is told by
/// its place among its neighbours.
fn spelled(root: &str, parts: &[Part<'_>]) -> String {
    let mut path = root.to_owned();
    for part in parts {
        let part = match part {
            Part::Index(index) => format!("[{index}]"),
            Part::Key { name, ordinal } if category(name).is_some() => format!("[key {ordinal}]"),
            Part::Key { name, .. }
                if !name.is_empty() && name.bytes().all(|byte| is_word(byte) || matches!(byte, b'-' | b'$')) =>
            {
                format!(".{name}")
            }
            Part::Key { name, .. } => format!("[{}]", Value::from(*name)),
        };
        path.push_str(&part);
    }
    path
}
