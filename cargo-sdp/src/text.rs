//! Text that somebody else wrote, made harmless for a terminal: control characters, escape sequences and marks that turn
//! the direction of writing come in, visible escapes go out. It never drops anything silently.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text as part of one line: line breaks are escaped too.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The text with its line feeds and tabs kept.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| matches!(character, '\n' | '\t'))
}

/// A JSON text, in which such characters stand inside strings only, with JSON's own escapes for them.
pub(crate) fn in_json(text: &str) -> Cow<'_, str> {
    if !text.chars().any(acts_on_a_terminal) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if acts_on_a_terminal(character) {
            // Writing to a String cannot fail.
            let _ = write!(safe, "\\u{:04x}", u32::from(character));
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

fn escaped(text: &str, kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    let hurts = |character: char| acts_on_a_terminal(character) && !kept(character);
    if !text.chars().any(hurts) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            _ if !hurts(character) => safe.push(character),
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            _ => {
                // Writing to a String cannot fail.
                let _ = write!(safe, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
    Cow::Owned(safe)
}

/// C0, DEL and C1; the line separators of Unicode; and the marks that reorder what stands around them.
fn acts_on_a_terminal(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// A count with its noun, in the plural where the count is not one.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_becomes_visible() {
        assert_eq!(one_line("a\u{1b}[31mb\r\nc\u{202e}d\u{9b}"), "a\\u{1b}[31mb\\r\\nc\\u{202e}d\\u{9b}");
        assert_eq!(lines("a\nb\tc\u{7}"), "a\nb\tc\\u{7}");
        assert!(matches!(one_line("Ünïcode — fine"), Cow::Borrowed(_)));
        assert_eq!(in_json("[\"a\u{9b}\u{7f}\u{202e}\"]"), "[\"a\\u009b\\u007f\\u202e\"]");
    }
}
