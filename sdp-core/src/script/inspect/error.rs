//! The text of an error before its braces: name, message and frames. What the embedded script read off the error comes in, the
//! block that Node prints goes out, still without indentation.

use std::borrow::Cow;

use crate::script::wrapper::{BODY_FILE, SHIFT};

/// What an error says of itself.
#[derive(Debug)]
pub(super) struct ErrorFacts {
    pub name: String,
    /// Header and frames, as V8 would give them.
    pub stack: String,
    pub message: Option<String>,
    /// The same text of the error's cause, when that is an error.
    pub cause_stack: Option<String>,
}

/// The block for an error whose constructor and tag are known.
pub(super) fn block(facts: &ErrorFacts, constructor: Option<&str>, tag: &str) -> String {
    let stack = improve(facts, constructor, tag);
    // A message may itself hold lines that look like frames.
    let message = facts.message.as_deref().unwrap_or_default();
    let found = stack.find(message).filter(|at| *at > 0);
    let from = found.map_or(0, |at| at + message.len());
    let frames_at = stack.get(from..).and_then(|rest| rest.find("\n    at")).map(|at| at + from);
    let Some((header, frames)) = frames_at.and_then(|at| stack.split_at_checked(at)) else {
        return format!("[{stack}]");
    };
    let frames: Vec<&str> = frames.strip_prefix('\n').unwrap_or(frames).split('\n').collect();
    let mut out = header.to_owned();
    let mut line = |text: &str| {
        out.push('\n');
        out.push_str(&in_the_body(text));
    };
    match facts.cause_stack.as_deref().and_then(|cause| shared_frames(&frames, cause)) {
        None => frames.iter().for_each(|frame| line(frame)),
        Some((first, count)) => {
            let skipped = count - 2;
            frames.iter().take(first + 1).for_each(|frame| line(frame));
            line(&format!("    ... {skipped} lines matching cause stack trace ..."));
            frames.iter().skip(first + 1 + skipped).for_each(|frame| line(frame));
        }
    }
    out
}

/// A frame with its column in the caller's body: on the body's first line the engine counts the wrapper too.
fn in_the_body(frame: &str) -> Cow<'_, str> {
    let head = format!("({BODY_FILE}:1:");
    let Some((before, rest)) = frame.split_once(head.as_str()) else { return Cow::Borrowed(frame) };
    let Some((column, after)) = rest.split_once(')') else { return Cow::Borrowed(frame) };
    match column.parse::<usize>() {
        Ok(column) => Cow::Owned(format!("{before}{head}{}){after}", column.saturating_sub(SHIFT).max(1))),
        Err(_) => Cow::Borrowed(frame),
    }
}

/// First index and length of a run of more than three frames that the cause has too.
fn shared_frames(frames: &[&str], cause: &str) -> Option<(usize, usize)> {
    let start = cause.find("\n    at")?;
    let cause: Vec<&str> = cause.get(start + 1..)?.split('\n').collect();
    for (first, frame) in frames.iter().enumerate().take(frames.len().saturating_sub(3)) {
        let Some(at) = cause.iter().position(|other| other == frame) else { continue };
        if cause.len() - at <= 3 {
            continue;
        }
        let same = frames.iter().skip(first).zip(cause.iter().skip(at)).take_while(|(a, b)| a == b).count();
        if same > 3 {
            return Some((first, same));
        }
    }
    None
}

/// Names the class in the header where the error's own `name` does not.
fn improve(facts: &ErrorFacts, constructor: Option<&str>, tag: &str) -> String {
    let ErrorFacts { name, stack, .. } = facts;
    let regular = name.ends_with("Error")
        && stack.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '\n']));
    if constructor.is_some() && !regular {
        return stack.clone();
    }
    let (replaced, fallback) = match constructor {
        Some(_) => (name.len(), "Error"),
        None => match leading_name(stack) {
            Some(found) => (found.len(), found),
            None => (0, "Error"),
        },
    };
    let prefix = super::capture::prefix(constructor, tag, fallback, "");
    let prefix = prefix.strip_suffix(' ').unwrap_or(&prefix);
    if name == prefix {
        return stack.clone();
    }
    let rest = stack.get(replaced..).unwrap_or_default();
    if !prefix.contains(name.as_str()) {
        format!("{prefix} [{name}]{rest}")
    } else if replaced == 0 {
        format!("{prefix}: {stack}")
    } else {
        format!("{prefix}{rest}")
    }
}

/// The class name that a stack begins with, for an error without a prototype.
fn leading_name(stack: &str) -> Option<&str> {
    let is_part = |char: char| char.is_ascii_alphanumeric() || "_ []()-".contains(char);
    if stack.starts_with(|first: char| first.is_ascii_uppercase()) {
        let end = stack.find(|char| !is_part(char)).unwrap_or(stack.len());
        let (head, rest) = stack.split_at_checked(end)?;
        if head.len() > 1 && (rest.starts_with(':') || rest.starts_with("\n    at")) {
            return Some(head);
        }
    }
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_' || char == '-';
    (stack.ends_with("Error") && stack.chars().all(is_word)).then_some(stack)
}
