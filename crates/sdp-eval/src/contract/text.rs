//! The texts of a contract that have a form: identifiers, digests, decimals, timestamps and what goes over a wire (evaluation
//! sheet, part 2.1). Texts come in; a text of its form, or nothing, goes out. Every form is read in one pass, so that no text
//! can make it slow.

use crate::shape::text;

/// Whether a text is a kebab-case slug.
pub(crate) fn is_slug(text: &str) -> bool {
    !text.is_empty()
        && text
            .split('-')
            .all(|word| !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9')))
}

/// Whether a text is a prefix and at least three digits.
fn is_numbered(text: &str, prefix: &str) -> bool {
    text.strip_prefix(prefix)
        .is_some_and(|digits| digits.len() >= 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

text! {
    /// A kebab-case slug. It has neither `/` nor `~`, so that a pointer can hold it as it is.
    pub struct Slug;
    wants "a lower-case slug such as `read-note`"; schema { "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$" }; accepts is_slug
}

text! {
    /// The name of a key.
    pub struct KeyName;
    wants "a key that is not empty"; schema { "minLength": 1 }; accepts |text| !text.is_empty()
}

text! {
    /// A digest: `sha256:` and 64 lower-case hexadecimal digits.
    pub struct DigestText;
    wants "`sha256:` and 64 lower-case hexadecimal digits"; schema { "pattern": "^sha256:[0-9a-f]{64}$" };
    accepts |text| text.strip_prefix("sha256:").is_some_and(|hex| hex.parse::<sdp_canon::Digest>().is_ok())
}

text! {
    /// The identifier of a behavior.
    pub struct BehaviorId;
    wants "an identifier such as `B-001`"; schema { "pattern": "^B-[0-9]{3,}$" }; accepts |text| is_numbered(text, "B-")
}

text! {
    /// The identifier of an oracle.
    pub struct OracleId;
    wants "an identifier such as `O-001`"; schema { "pattern": "^O-[0-9]{3,}$" }; accepts |text| is_numbered(text, "O-")
}

text! {
    /// The identifier of a waiver.
    pub struct WaiverId;
    wants "an identifier such as `W-001`"; schema { "pattern": "^W-[0-9]{3,}$" }; accepts |text| is_numbered(text, "W-")
}

text! {
    /// The identifier of a rubric.
    pub struct RubricId;
    wants "an identifier such as `R-001`"; schema { "pattern": "^R-[0-9]{3,}$" }; accepts |text| is_numbered(text, "R-")
}

text! {
    /// The identifier of a criterion of a rubric.
    pub struct CriterionId;
    wants "an identifier such as `RC-001`"; schema { "pattern": "^RC-[0-9]{3,}$" }; accepts |text| is_numbered(text, "RC-")
}

text! {
    /// An amount of money as an unsigned decimal text.
    pub struct Decimal;
    wants "an unsigned decimal such as `0.25`"; schema { "pattern": r"^(0|[1-9][0-9]*)(\.[0-9]+)?$" }; accepts is_decimal
}

fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = match text.split_once('.') {
        None => (text, None),
        Some((whole, fraction)) => (whole, Some(fraction)),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

text! {
    /// A moment in UTC (RFC 3339 with `Z`); seconds and a fraction of them may be left out.
    pub struct Timestamp;
    wants "a moment in UTC such as `2027-01-31T00:00:00Z`";
    schema {
        "format": "date-time",
        "pattern": r"^(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|(?:02)-(?:0[1-9]|1\d|2[0-8])))T(?:(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z))$"
    };
    accepts |text| is_timestamp(text).is_some()
}

/// The number that all digits of a part make; nothing where the part is not as long, or no digits.
fn number(part: Option<&str>, length: usize) -> Option<u32> {
    let part = part.filter(|part| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit()))?;
    part.parse().ok()
}

/// Something, where a text is a moment in UTC.
fn is_timestamp(text: &str) -> Option<()> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let mut parts = date.split('-');
    let (year, month, day) = (number(parts.next(), 4)?, number(parts.next(), 2)?, number(parts.next(), 2)?);
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=days).contains(&day) {
        return None;
    }
    let mut parts = time.split(':');
    let (hour, minute) = (number(parts.next(), 2)?, number(parts.next(), 2)?);
    if hour > 23 || minute > 59 {
        return None;
    }
    if let Some(seconds) = parts.next() {
        let (whole, fraction) = match seconds.split_once('.') {
            None => (seconds, None),
            Some((whole, fraction)) => (whole, Some(fraction)),
        };
        let fraction_fine =
            fraction.is_none_or(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
        if number(Some(whole), 2)? > 59 || !fraction_fine {
            return None;
        }
    }
    parts.next().is_none().then_some(())
}

text! {
    /// The path of an HTTP operation, with parameters as `{name}`.
    pub struct PathTemplate;
    wants "a path such as `/notes/{noteId}`"; schema { "pattern": r"^(?:\/(?:[^/{}:]|\{[A-Za-z0-9_-]+\})*)+$" };
    accepts is_path_template
}

fn is_path_template(text: &str) -> bool {
    let Some(mut rest) = text.strip_prefix('/') else { return false };
    while let Some(at) = rest.find(['{', '}', ':']) {
        let Some((name, after)) = rest.get(at..).and_then(|from| from.strip_prefix('{')?.split_once('}')) else {
            return false;
        };
        if !is_tool_name(name) {
            return false;
        }
        rest = after;
    }
    true
}

text! {
    /// The name of a tool, as its server spells it.
    pub struct ToolName;
    wants "letters, digits, `_` and `-`"; schema { "pattern": "^[A-Za-z0-9_-]+$" }; accepts is_tool_name
}

fn is_tool_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

text! {
    /// An ECMAScript pattern that starts with `^` and ends with `$`. Whether it is one is judged by compiling.
    pub struct RegexText;
    wants "a pattern that starts with `^` and ends with `$`"; schema { "pattern": r"^\^[\s\S]*\$$" };
    accepts |text| text.len() > 1 && text.starts_with('^') && text.ends_with('$')
}

text! {
    /// Bytes in canonical base64 (RFC 4648); the empty text is no byte.
    pub struct Base64;
    wants "bytes in canonical base64";
    schema { "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$" };
    accepts is_base64
}

fn is_base64(text: &str) -> bool {
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    if !text.len().is_multiple_of(4) {
        return false;
    }
    if let Some(body) = text.strip_suffix("==") {
        letters(body) && body.ends_with(['A', 'Q', 'g', 'w'])
    } else if let Some(body) = text.strip_suffix('=') {
        letters(body) && body.bytes().next_back().is_some_and(|byte| b"AEIMQUYcgkosw048".contains(&byte))
    } else {
        letters(text)
    }
}

text! {
    /// A media type with its parameters.
    pub struct MediaType;
    wants "a media type such as `application/json`";
    schema {
        "pattern": r#"^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]*=[ \t]*(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"(?:[\x20-\x21\x23-\x5B\x5D-\x7E]|\\[\x20-\x7E])*"))*$"#
    };
    accepts |text| media_type(text).is_some()
}

/// What follows a token of a media type; nothing where no token stands there.
fn after_token(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "!#$%&'*+.^_`|~-".contains(c))).unwrap_or(text.len());
    if end == 0 { None } else { text.get(end..) }
}

/// What follows a text in quotes, whose start stands before.
fn after_quoted(text: &str) -> Option<&str> {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return text.get(at + 1..),
            '\\' => {
                characters.next().filter(|(_, escaped)| matches!(escaped, ' '..='~'))?;
            }
            ' '..='~' => {}
            _ => return None,
        }
    }
    None
}

/// Something, where a text is a media type.
fn media_type(text: &str) -> Option<()> {
    let blanks = [' ', '\t'];
    let mut rest = after_token(after_token(text)?.strip_prefix('/')?)?;
    while !rest.is_empty() {
        let name = rest.strip_prefix(';')?.trim_start_matches(blanks);
        let value = after_token(name)?.trim_start_matches(blanks).strip_prefix('=')?.trim_start_matches(blanks);
        rest = match value.strip_prefix('"') {
            Some(quoted) => after_quoted(quoted)?,
            None => after_token(value)?,
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::pointer::{BoundPointer, DescriptorPointer, InteractionPointer, OperandPointer};
    use super::*;
    use crate::shape::{Definitions, NonEmpty, Shape, from_value};
    use crate::testing::Seeded;

    /// Characters that mean something to one form or another, or nearly do.
    const CHARACTERS: &str = "abzAZ09-_/~{}:.=+\"\\$^@ \t\n;TtzPQwgé٣\u{2028}\u{0}";

    /// A text near to the samples: the start of one, the end of another, and some characters changed.
    fn near(dice: &mut Seeded, samples: &[&str]) -> String {
        let mut text: Vec<char> = samples[dice.below(samples.len())].chars().collect();
        if dice.below(4) == 0 {
            let other: Vec<char> = samples[dice.below(samples.len())].chars().collect();
            text.truncate(dice.below(text.len() + 1));
            text.extend(&other[dice.below(other.len() + 1)..]);
        }
        let known: Vec<char> = samples.iter().flat_map(|sample| sample.chars()).chain(CHARACTERS.chars()).collect();
        for _ in 0..dice.below(3) {
            let character = known[dice.below(known.len())];
            let at = dice.below(text.len() + 1);
            match dice.below(3) {
                0 if at < text.len() => text[at] = character,
                1 if at < text.len() => drop(text.remove(at)),
                _ => text.insert(at, character),
            }
        }
        text.into_iter().collect()
    }

    /// Holds what the reader of a form accepts against what its schema says, over samples and what is near to them.
    fn agrees<T: Shape>(samples: &[&str]) {
        let name = std::any::type_name::<T>();
        let schema = jsonschema::draft202012::new(&T::schema(&mut Definitions::default())).unwrap();
        let judge = |text: &str| {
            let value = Value::String(text.to_owned());
            let read = from_value::<T>(&value).is_ok();
            assert_eq!(read, schema.is_valid(&value), "{name} {text:?}: the reader says {read}");
            read
        };
        for sample in samples {
            assert!(judge(sample), "{name} {sample:?}");
        }
        let mut dice = Seeded(0x5EED);
        let judged: Vec<bool> = (0..4000).map(|_| judge(&near(&mut dice, samples))).collect();
        let accepted = judged.iter().filter(|accepted| **accepted).count();
        assert!(accepted > 100 && accepted < 4000, "{name}: {accepted} of what is near is accepted");
    }

    #[test]
    fn each_form_reads_what_its_schema_says() {
        agrees::<NonEmpty>(&["é", "\n"]);
        agrees::<KeyName>(&["k", " "]);
        agrees::<Slug>(&["a", "read-note", "0-1-2"]);
        let digest = format!("sha256:{}", "0123456789abcdef".repeat(4));
        agrees::<DigestText>(&[&digest]);
        agrees::<BehaviorId>(&["B-001", "B-1234"]);
        agrees::<OracleId>(&["O-001", "O-00000"]);
        agrees::<WaiverId>(&["W-001"]);
        agrees::<RubricId>(&["R-001"]);
        agrees::<CriterionId>(&["RC-001", "RC-9999"]);
        agrees::<Decimal>(&["0", "0.0", "10", "1.50", "907199254740993.000001"]);
        agrees::<PathTemplate>(&["/", "/notes", "/notes/{noteId}", "//", "/a{b}c{d-e_f}/", "/é"]);
        agrees::<ToolName>(&["find_note", "Find-2", "_"]);
        agrees::<RegexText>(&["^$", "^a|b$", "^\n$", "^^$$"]);
        agrees::<Base64>(&["", "AAAA", "QQ==", "QUI=", "+/+/", "abcdQUI=", "w+8="]);
        agrees::<MediaType>(&[
            "a/b",
            "application/problem+json",
            "text/plain;charset=utf-8",
            "text/plain; a = b;\tc=\"d e\"",
            "m/x;q=\"\\\"~ \\\\\"",
            "!#$/%&'*+.^_`|~-",
        ]);
        agrees::<BoundPointer>(&["@/", "@/a", "@/a/0/~0~1", "@//"]);
        agrees::<DescriptorPointer>(&["", "/", "/a", "/a~1b/~0/0"]);
    }

    #[test]
    fn two_pointers_are_one_where_their_texts_are() {
        let pointer = |text: &str| InteractionPointer::new(text).unwrap();
        let (one, other) = ("/interactions/a/response-body/x", "/interactions/a/response-body/y");
        assert_eq!((pointer(one) == pointer(one), pointer(one) == pointer(other)), (true, false));
    }

    #[test]
    fn each_pointer_reads_what_its_schema_says() {
        let interactions = [
            "/interactions/read/response-body",
            "/interactions/read/response-body/",
            "/interactions/a-1/response-headers/x~1y",
            "/interactions/a/stdout/0//~0",
            "/interactions/a/stderr",
            "/interactions/a/response-status",
            "/interactions/a/exit-code",
            "/interactions/a/call-inputs/path",
            "/interactions/a/call-inputs/arguments/a/b",
            "/interactions/a/call-inputs/argument",
            "/interactions/a/artifact/log",
            "/interactions/a/artifact/the-log/a",
        ];
        agrees::<InteractionPointer>(&interactions);
        let both: Vec<&str> = interactions.into_iter().chain(["@/", "@/a/~1"]).collect();
        agrees::<OperandPointer>(&both);
    }

    #[test]
    fn a_moment_is_read_as_its_schema_says() {
        agrees::<Timestamp>(&[
            "2024-02-29T00:00:00Z",
            "2000-02-29T23:59Z",
            "1999-12-31T23:59:59.123456789012Z",
            "0000-02-29T00:00Z",
            "2026-04-30T08:05:09Z",
        ]);
        // Every day of the years that matter, and some that are none.
        let schema = jsonschema::draft202012::new(&Timestamp::schema(&mut Definitions::default())).unwrap();
        let mut days = 0;
        for year in ["0000", "0004", "0100", "1900", "2000", "2023", "2024", "2100", "2400", "9999", "999", "20240"] {
            for month in 0..=13 {
                for day in 0..=32 {
                    let text = format!("{year}-{month:02}-{day:02}T00:00Z");
                    let read = Timestamp::new(text.clone()).is_some();
                    assert_eq!(read, schema.is_valid(&Value::String(text.clone())), "{text}");
                    days += usize::from(read);
                }
            }
        }
        // Five of the ten years are leap years.
        assert_eq!(days, 365 * 10 + 5);
        for time in
            ["24:00", "23:60", "00:00:60", "0:00", "00:0", "00:00:0", "00:00:00.", "00:00.5", "00:00:00.0:0", "", "00"]
        {
            let text = format!("2024-01-01T{time}Z");
            assert!(Timestamp::new(text.clone()).is_none() && !schema.is_valid(&Value::String(text)), "{time}");
        }
    }
}
