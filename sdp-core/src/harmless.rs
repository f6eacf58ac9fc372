//! Text that somebody else wrote, made harmless for a terminal: any string comes in, one that cannot steer the terminal,
//! hide text or reorder it goes out. What is escaped stays visible: nothing is dropped silently.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What opens a command of GitHub's runner, and of those that take after it, at the start of a line.
const COMMAND: &str = "::";

/// Finds what opens a command of a CI runner anywhere in a line: `##[` for GitHub's and Azure's, `##vso[` for Azure's and
/// `##teamcity[` for TeamCity's. The character that completes it is the one to escape.
#[derive(Clone, Copy, Debug, Default)]
struct Command {
    /// How many `#` were seen in a row, up to two; a word may follow two.
    hashes: u8,
}

impl Command {
    /// Takes the next character; whether it completes the opening of a command.
    fn is_opened_by(&mut self, character: char) -> bool {
        let (hashes, opened) = match (character, self.hashes) {
            ('#', 0) => (1, false),
            ('#', _) => (2, false),
            ('[', 2) => (0, true),
            (other, 2) if other.is_ascii_alphanumeric() => (2, false),
            _ => (0, false),
        };
        self.hashes = hashes;
        opened
    }
}

/// Whether a text opens a command of a CI runner, in any of its lines and wherever in it.
#[must_use]
pub fn opens_command(text: &str) -> bool {
    let mut command = Command::default();
    text.chars().any(|character| command.is_opened_by(character)) || lines_of(text).any(starts_command)
}

/// The lines of a text with their ends. A carriage return ends a line too for a runner.
fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['\n', '\r'])
}

/// Whether a line starts with a command.
fn starts_command(line: &str) -> bool {
    line.trim_start().starts_with(COMMAND)
}

/// Whether a character could steer a terminal, hide text or reorder it: controls, line and paragraph separators,
/// bidirectional and other invisible format characters. Joiners (U+200C, U+200D) are part of words and emoji, and pass.
#[must_use]
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// The text as part of one line: line breaks and tabs are escaped too (`\n`, `\t`, `\u{1b}`), and what opens a command
/// of a CI runner within a line (`##\u{5b}error]`).
#[must_use]
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, |_| false)
}

/// The text with its line feeds and tabs kept.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |character| matches!(character, '\n' | '\t'))
}

/// The text where it has at most `limit` characters, else its first ones and `…`. Nothing in it is escaped.
#[must_use]
pub fn shown(text: &str, limit: usize) -> Cow<'_, str> {
    match text.char_indices().nth(limit) {
        Some((end, _)) => Cow::Owned(format!("{}…", text.get(..end).unwrap_or_default())),
        None => Cow::Borrowed(text),
    }
}

/// The text as part of one line for reading: at most `limit` of its characters, then `…` where more were left out. A tab
/// becomes four spaces.
#[must_use]
pub fn cut(text: &str, limit: usize) -> String {
    one_line(&shown(text, limit).replace('\t', "    ")).into_owned()
}

/// What a line opens with that goes on a text of somebody else: it cannot pass for a line of this program's own, nor for a
/// command to whatever reads our output.
pub const CONTINUED: &str = "  | ";

/// The text with its line feeds and tabs kept, every line but the first behind [`CONTINUED`].
#[must_use]
pub fn continued(text: &str) -> String {
    lines(text).replace('\n', &format!("\n{CONTINUED}"))
}

/// The text without commands to a CI runner: a line that opens with `::`, after white space, gets [`CONTINUED`] before it,
/// and what opens a command within a line is escaped. For texts whose lines are not all our own, such as usage errors
/// that show an argument.
#[must_use]
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let text = replaced(text, |_| false, escape);
    if !lines_of(&text).any(starts_command) {
        return text;
    }
    lines_of(&text)
        .flat_map(|line| [if starts_command(line) { CONTINUED } else { "" }, line])
        .collect::<String>()
        .into()
}

/// A path as it is shown: one that opens like a command to a CI runner gets `./` before it.
#[must_use]
pub fn path(path: &str) -> Cow<'_, str> {
    if path.trim_start().starts_with([':', '#']) { format!("./{path}").into() } else { path.into() }
}

/// A JSON text, in which such characters stand inside strings only, with JSON's own escapes for them.
#[must_use]
pub fn in_json(text: &str) -> Cow<'_, str> {
    replaced(text, is_harmful, |character, safe| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a String cannot fail, here and below.
            let _ = write!(safe, "\\u{unit:04x}");
        }
    })
}

fn escaped(text: &str, kept: impl Fn(char) -> bool) -> Cow<'_, str> {
    replaced(text, |character| is_harmful(character) && !kept(character), escape)
}

fn escape(character: char, safe: &mut String) {
    match character {
        '\n' => safe.push_str("\\n"),
        '\r' => safe.push_str("\\r"),
        '\t' => safe.push_str("\\t"),
        _ => {
            let _ = write!(safe, "\\u{{{:x}}}", u32::from(character));
        }
    }
}

/// Replaces what hurts, and what completes the opening of a command.
fn replaced(text: &str, hurts: impl Fn(char) -> bool, replace: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let mut command = Command::default();
    let mut is_replaced = |character| command.is_opened_by(character) || hurts(character);
    let Some((clean, _)) = text.char_indices().find(|(_, character)| is_replaced(*character)) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(clean);
    let mut safe = String::with_capacity(text.len() + 16);
    safe.push_str(clean);
    let mut hurts_here = true;
    for character in rest.chars() {
        // The first of the rest was asked about already.
        if std::mem::take(&mut hurts_here) || is_replaced(character) {
            replace(character, &mut safe);
        } else {
            safe.push(character);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_acts_on_a_terminal_becomes_visible() {
        assert_eq!(one_line("a\u{1b}[31mb\r\nc\td\u{202e}e\u{9b}"), "a\\u{1b}[31mb\\r\\nc\\td\\u{202e}e\\u{9b}");
        assert_eq!(one_line("x\u{ad}\u{85}\u{7f}\u{feff}\u{e0041}"), "x\\u{ad}\\u{85}\\u{7f}\\u{feff}\\u{e0041}");
        assert_eq!(lines("a\nb\tc\u{7}\r"), "a\nb\tc\\u{7}\\r");
        assert!(matches!(one_line("Ünïcode — 日本 \u{1F600}"), Cow::Borrowed(_)));
    }

    #[test]
    fn no_line_opens_with_a_command() {
        assert_eq!(continued("a\n::error::x\n\t##[error]\u{1b}"), "a\n  | ::error::x\n  | \t##\\u{5b}error]\\u{1b}");
        assert_eq!(
            without_commands("a ::b\n \t::c\r::d\n\u{a0}##[e]\n: f\n# g\n"),
            "a ::b\n  |  \t::c\r  | ::d\n\u{a0}##\\u{5b}e]\n: f\n# g\n"
        );
        assert!(matches!(without_commands("error: a\n\n  --x\n"), Cow::Borrowed(_)));
        for (shown, of) in [("./::a", "::a"), ("./#a", "#a"), ("./ :a", " :a"), ("a:#", "a:#"), (".:", ".:")] {
            assert_eq!(path(of), shown);
        }
    }

    #[test]
    fn no_command_stands_within_a_line() {
        for (text, safe) in [
            ("x ##[error]y", "x ##\\u{5b}error]y"),
            ("##vso[task.complete]", "##vso\\u{5b}task.complete]"),
            ("a##TeamCity[a b='c']", "a##TeamCity\\u{5b}a b='c']"),
            ("###[a] ##[b]", "###\\u{5b}a] ##\\u{5b}b]"),
            ("##\u{1b}[", "##\\u{1b}["),
        ] {
            assert_eq!(one_line(text), safe);
            assert!(opens_command(text) != text.contains('\u{1b}') && !opens_command(safe), "{text:?}");
        }
        for text in ["## [a](b)", "#[sdp::satisfies(\"spec:a\")]", "# #[a]", "##, [", "##\"[", "error[a/b]: ::c"] {
            assert!(matches!(one_line(text), Cow::Borrowed(_)), "{text:?}");
            assert!(!opens_command(text), "{text:?}");
        }
        assert!(opens_command("a\r ::b") && opens_command("a\n\u{a0}::b"));
    }

    #[test]
    fn a_json_text_stays_the_same_value() {
        let text = "[\"a\u{9b}\u{7f}\u{202e}\u{e0041}\u{1F600}##[b]\",\"##\",[\"##\"]]";
        let safe = in_json(text);
        assert_eq!(safe, "[\"a\\u009b\\u007f\\u202e\\udb40\\udc41\u{1F600}##\\u005bb]\",\"##\",[\"##\"]]");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&safe), value(text));
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(shown("é\téé", 3), "é\té…");
        assert!(matches!(shown("éé", 2), Cow::Borrowed("éé")));
        assert_eq!(cut("ééé", 2), "éé…");
        assert_eq!(cut("éé", 2), "éé");
        assert_eq!(cut("a\tb\nc\u{1b}", 99), "a    b\\nc\\u{1b}");
        assert_eq!(cut("a", 0), "…");
    }
}
