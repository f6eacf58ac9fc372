//! Where a body stops being JavaScript, in the caller's own lines and columns, and in words. The engine counts in the wrapped
//! text; nothing of the wrapper may show.

use rquickjs::{Ctx, Function};

use super::error::EvalError;
use super::limits::Meter;
use super::wrapper::{Refusal, SHIFT, Source, refusal_of};

/// How many bytes may be compiled again to find the brace that closes the wrapper.
const SEARCH_BYTES: usize = 2 * 1024 * 1024;

/// The line and the paragraph separator, each three bytes long.
const SEPARATORS: [char; 2] = ['\u{2028}', '\u{2029}'];

/// How many slashes before the end of a refused regular expression may open it.
const MAX_SLASHES: usize = 64;

/// A place in a body: a 1-based line, and a 1-based column in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub line: usize,
    pub column: usize,
}

impl Place {
    /// The place in the first line of a stack that reads `    at FILE:LINE:COLUMN`; the wrapper is taken off.
    pub(super) fn of_first_frame(stack: &str, file: &str) -> Option<Self> {
        let frame = stack.lines().next()?.trim().strip_prefix("at ")?;
        Self::in_frame(frame, file)
    }

    /// The place in a frame that reads `FILE:LINE:COLUMN` or `name (FILE:LINE:COLUMN)`; the wrapper is taken off.
    pub(super) fn in_frame(frame: &str, file: &str) -> Option<Self> {
        let place = frame.rsplit_once('(').map_or(frame, |(_, place)| place.trim_end_matches(')'));
        let mut parts = place.strip_prefix(file)?.strip_prefix(':')?.splitn(2, ':');
        let line = parts.next()?.parse().ok()?;
        let column = parts.next()?.parse().ok()?;
        let shift = if line == 1 { SHIFT } else { 0 };
        Some(Place { line, column: usize::saturating_sub(column, shift).max(1) })
    }
}

/// The parse error of a refused body. `ctx` holds no bindings; `text_of` is its pristine `Function.prototype.toString`.
pub(super) fn locate<'js>(
    source: &Source<'_>,
    refusal: Refusal,
    ctx: &Ctx<'js>,
    text_of: &Function<'js>,
    meter: &Meter,
    memory: u64,
) -> EvalError {
    let text = source.text();
    let search = Search { text, ctx, text_of, meter };
    // The engine stops at the first error; a brace that closes the wrapper stands before it.
    let (bound, offset, message) = match refusal {
        Refusal::Syntax { place, message } => match place.map_or(0, |place| search.offset(place, &message)) {
            0 if search.is_placeless(&message) => {
                let Unplaced { offset, message } = search.unplaced(&message);
                (offset, offset, message)
            }
            offset => (offset, offset, message),
        },
        Refusal::Escapes => (text.len(), text.len(), "the body closes the function that holds it".to_owned()),
        Refusal::TooDeep => {
            let offset = search.first_end(|refusal| matches!(refusal, Refusal::TooDeep)).saturating_sub(1);
            (offset, floor_boundary(text, offset), "it nests too deeply".to_owned())
        }
        Refusal::Nul(byte) => (byte, byte, "Invalid or unexpected token".to_owned()),
        Refusal::Memory => return EvalError::memory(memory),
        Refusal::Engine(message) => return EvalError::engine(message),
    };
    if let Some(brace) = closing_brace(source, bound, ctx, text_of, meter) {
        return at(text, brace, "Unexpected token '}'".to_owned());
    }
    if !is_about_a_token(&message) {
        return at(text, offset, message);
    }
    at(text, offset, unexpected(text.get(offset..).unwrap_or("")))
}

/// Looks for the place of an error that the engine gives without one: inside a regular expression, a name of a class that
/// nobody declares, or too many nested levels.
struct Search<'s, 'js> {
    text: &'s str,
    ctx: &'s Ctx<'js>,
    text_of: &'s Function<'js>,
    meter: &'s Meter,
}

/// A place that was found for an error, and what to say there.
struct Unplaced {
    offset: usize,
    message: String,
}

impl Search<'_, '_> {
    fn refusal(&self, text: &str) -> Option<Refusal> {
        refusal_of(self.ctx, text, self.text_of, self.meter)
    }

    /// Whether the place of an error at the very start is none: it does not move with what stands before it.
    fn is_placeless(&self, message: &str) -> bool {
        match self.refusal(&format!(";{}", self.text)) {
            Some(Refusal::Syntax { place, message: same }) => {
                same == message && place.is_none_or(|place| (place.line, place.column) == (1, 1))
            }
            _ => false,
        }
    }

    /// The byte of an error. The engine ends lines at U+2028 and U+2029 in code and not in comments, so where a body has
    /// such characters the place is that in a text of the same length without them: with line feeds, or with spaces where
    /// they stand in a string.
    fn offset(&self, place: Place, message: &str) -> usize {
        if self.text.contains(SEPARATORS) {
            for instead in ["\n  ", "   "] {
                let text = self.text.replace(SEPARATORS, instead);
                match self.refusal(&text) {
                    Some(Refusal::Syntax { place: Some(place), message: same }) if same == message => {
                        return offset_of(&text, place);
                    }
                    _ => {}
                }
            }
        }
        offset_of(self.text, place)
    }

    /// The shortest beginning of the body that is refused in the same way ends where the engine saw the error: it reads
    /// from left to right, so every longer beginning is refused so too.
    fn first_end(&self, is_it: impl Fn(&Refusal) -> bool) -> usize {
        let (mut without, mut with) = (0, self.text.len());
        while with - without > 1 && !self.meter.expired() {
            let middle = without + (with - without) / 2;
            let end = floor_boundary(self.text, middle);
            if end <= without {
                without = middle;
                continue;
            }
            match self.refusal(self.text.get(..end).unwrap_or("")) {
                Some(refusal) if is_it(&refusal) => with = end,
                _ => without = middle,
            }
        }
        with
    }

    fn unplaced(&self, message: &str) -> Unplaced {
        let same = |refusal: &Refusal| matches!(refusal, Refusal::Syntax { message: other, .. } if other == message);
        let end = self.first_end(same);
        let seen = self.text.get(..end).unwrap_or(self.text);
        if let Some(offset) = private_name(message).and_then(|name| first_word(seen, name)) {
            return Unplaced { offset, message: message.to_owned() };
        }
        // The literal alone, from the nearest slash from which it is refused like the whole.
        let starts = seen.rmatch_indices('/').map(|(start, _)| start).take(MAX_SLASHES);
        let alone = |start: &usize| {
            if self.meter.expired() {
                return false;
            }
            let literal = seen.get(*start..).unwrap_or("");
            self.refusal(&format!("({literal})")).is_some_and(|refusal| same(&refusal))
        };
        match starts.into_iter().find(alone) {
            Some(offset) => Unplaced { offset, message: format!("Invalid regular expression: {message}") },
            None => Unplaced { offset: floor_boundary(self.text, end.saturating_sub(1)), message: message.to_owned() },
        }
    }
}

/// The name in a message about a private member, such as `undefined private field '#x'`.
fn private_name(message: &str) -> Option<&str> {
    message.split('\'').nth(1).filter(|name| name.starts_with('#'))
}

/// Where a name stands as a whole word.
fn first_word(text: &str, name: &str) -> Option<usize> {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.find(|at| !text.get(at + name.len()..).unwrap_or("").starts_with(is_part))
}

/// The last character boundary up to a byte.
fn floor_boundary(text: &str, mut byte: usize) -> usize {
    byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    byte
}

/// The first `}` that closes the wrapper, below a byte. Each candidate is a brace at which the text so far is a whole
/// function; a brace in a string, a comment or an inner block is not.
fn closing_brace<'js>(
    source: &Source<'_>,
    bound: usize,
    ctx: &Ctx<'js>,
    text_of: &Function<'js>,
    meter: &Meter,
) -> Option<usize> {
    let mut budget = SEARCH_BYTES;
    for (byte, _) in source.text().match_indices('}').take_while(|(byte, _)| *byte < bound) {
        budget = budget.checked_sub(byte.max(64))?;
        if source.closes_at(ctx, byte, text_of, meter) {
            return Some(byte);
        }
        if meter.was_stopped() {
            return None;
        }
    }
    None
}

/// The byte of a place; past the end for a line that only the wrapper has.
fn offset_of(text: &str, place: Place) -> usize {
    let mut start = 0;
    for _ in 1..place.line {
        match text.get(start..).and_then(|rest| rest.find('\n')) {
            Some(end) => start += end + 1,
            None => return text.len() + 1,
        }
    }
    let line_length = text.get(start..).map_or(0, |rest| rest.find('\n').unwrap_or(rest.len()));
    floor_boundary(text, start + place.column.saturating_sub(1).min(line_length))
}

/// The line terminators of JavaScript; `\r` is gone from a source.
fn ends_a_line(character: char) -> bool {
    character == '\n' || SEPARATORS.contains(&character)
}

fn at(text: &str, offset: usize, message: String) -> EvalError {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches(ends_a_line).count() + 1;
    let column = before.rsplit(ends_a_line).next().unwrap_or("").chars().count() + 1;
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    EvalError::Parse { line: number(line), column: number(column), message }
}

/// Whether the engine's message only says which token it would rather have seen.
fn is_about_a_token(message: &str) -> bool {
    ["expecting '", "expected '}'", "Unexpected ", "unexpected token"].iter().any(|head| message.starts_with(head))
        && message != "Unexpected end of JSON input"
}

/// Names the token that a text opens with as V8 does.
fn unexpected(rest: &str) -> String {
    let Some(first) = rest.chars().next() else { return "Unexpected end of input".to_owned() };
    if first.is_ascii_digit() || (first == '.' && rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit())) {
        return "Unexpected number".to_owned();
    }
    match first {
        '"' | '\'' => return "Unexpected string".to_owned(),
        '`' => return "Unexpected template string".to_owned(),
        _ => {}
    }
    let is_word =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '$' | '\u{200c}' | '\u{200d}');
    if is_word(first) {
        let word: String = rest.chars().take_while(|character| is_word(*character)).take(80).collect();
        return if RESERVED.contains(&word.as_str()) {
            format!("Unexpected token '{word}'")
        } else if STRICT_RESERVED.contains(&word.as_str()) {
            "Unexpected strict mode reserved word".to_owned()
        } else {
            format!("Unexpected identifier '{word}'")
        };
    }
    let punctuator = PUNCTUATORS.iter().find(|punctuator| rest.starts_with(**punctuator));
    match punctuator {
        Some(punctuator) => format!("Unexpected token '{punctuator}'"),
        None if first.is_ascii_punctuation() => format!("Unexpected token '{first}'"),
        None => "Invalid or unexpected token".to_owned(),
    }
}

const RESERVED: &[&str] = &[
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "new",
    "null",
    "return",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "var",
    "void",
    "while",
    "with",
];

const STRICT_RESERVED: &[&str] =
    &["implements", "interface", "let", "package", "private", "protected", "public", "static", "yield"];

/// Longest first.
const PUNCTUATORS: &[&str] = &[
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_holds_the_place() {
        assert_eq!(Place::of_first_frame("    at body:1:60\n", "body"), Some(Place { line: 1, column: 60 - SHIFT }));
        assert_eq!(
            Place::of_first_frame("    at body:2:8\n    at x (y:1:1)\n", "body"),
            Some(Place { line: 2, column: 8 })
        );
        assert_eq!(Place::in_frame("f (body:3:4)", "body"), Some(Place { line: 3, column: 4 }));
        assert_eq!(Place::of_first_frame("    at native\n", "body"), None);
        assert_eq!(Place::of_first_frame("", "body"), None);
    }

    #[test]
    fn a_place_past_a_line_stays_in_it() {
        assert_eq!(offset_of("ab\ncd", Place { line: 1, column: 99 }), 2);
        assert_eq!(offset_of("ab\ncd", Place { line: 2, column: 2 }), 4);
        assert_eq!(offset_of("ab\ncd", Place { line: 3, column: 1 }), 6);
        assert_eq!(offset_of("ä!", Place { line: 1, column: 2 }), 0);
    }

    #[test]
    fn tokens_are_named_as_v8_names_them() {
        for (rest, words) in [
            (") ;", "Unexpected token ')'"),
            ("bar", "Unexpected identifier 'bar'"),
            ("'bcdef';", "Unexpected string"),
            ("12", "Unexpected number"),
            (".5", "Unexpected number"),
            (".x", "Unexpected token '.'"),
            ("`a`", "Unexpected template string"),
            ("=> 1", "Unexpected token '=>'"),
            ("else", "Unexpected token 'else'"),
            ("package", "Unexpected strict mode reserved word"),
            ("", "Unexpected end of input"),
            ("€", "Invalid or unexpected token"),
        ] {
            assert_eq!(unexpected(rest), words);
        }
    }
}
