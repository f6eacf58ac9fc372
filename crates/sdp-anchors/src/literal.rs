//! String literals: the text of one token comes in as the compiler prints it, the string that it stands for goes out. What is
//! no string of characters is refused with what it is instead.

use std::str::Chars;

/// The string that a literal stands for.
///
/// # Errors
/// What the literal is instead, for a message.
pub(crate) fn string(literal: &str) -> Result<String, &'static str> {
    let refused = || match literal.as_bytes() {
        [b'b', b'"' | b'r', ..] => "a byte string",
        [b'c', b'"' | b'r', ..] => "a C string",
        [b'"' | b'r', ..] => "a string with a suffix",
        _ => "a number or a character",
    };
    if let Some(raw) = literal.strip_prefix('r') {
        let opened = raw.trim_start_matches('#');
        let hashes = raw.len() - opened.len();
        let closing = format!("\"{}", "#".repeat(hashes));
        let inner = opened.strip_prefix('"').and_then(|inner| inner.strip_suffix(&closing));
        return inner.map(str::to_owned).ok_or_else(refused);
    }
    let inner = literal.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).ok_or_else(refused)?;
    unescaped(inner).ok_or("a string with an escape that is none")
}

fn unescaped(inner: &str) -> Option<String> {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            text.push(character);
            continue;
        }
        match rest.next()? {
            'n' => text.push('\n'),
            'r' => text.push('\r'),
            't' => text.push('\t'),
            '0' => text.push('\0'),
            quoted @ ('\\' | '\'' | '"') => text.push(quoted),
            'x' => {
                let (high, low) = (rest.next()?.to_digit(8)?, rest.next()?.to_digit(16)?);
                text.push(char::from_u32(16 * high + low)?);
            }
            'u' => text.push(unicode(&mut rest)?),
            '\n' => rest = rest.as_str().trim_start_matches([' ', '\t', '\n', '\r']).chars(),
            _ => return None,
        }
    }
    Some(text)
}

/// What stands behind `\u`: up to six hexadecimal digits in braces, with `_` between them.
fn unicode(rest: &mut Chars<'_>) -> Option<char> {
    let (digits, behind) = rest.as_str().strip_prefix('{')?.split_once('}')?;
    *rest = behind.chars();
    let mut value = 0_u32;
    for digit in digits.chars().filter(|digit| *digit != '_') {
        value = value.checked_mul(16)?.checked_add(digit.to_digit(16)?)?;
    }
    char::from_u32(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_literal_stands_for_what_the_compiler_makes_of_it() {
        let cases = [
            (r#""spec:a""#, "spec:a"),
            (r#""""#, ""),
            (r##"r"a\b""##, r"a\b"),
            (r###"r##"a"#b"##"###, "a\"#b"),
            (r#""\u{61}\u{1_F600}\x41\n\r\t\0\\\'\"""#, "a\u{1F600}A\n\r\t\0\\'\""),
            ("\"spec:a\\\n   \t.b\\\n\\\n  .c\"", "spec:a.b.c"),
            ("\"spec:\u{e9} 日\"", "spec:\u{e9} 日"),
        ];
        for (literal, value) in cases {
            assert_eq!(string(literal).as_deref(), Ok(value), "{literal}");
        }
    }

    #[test]
    fn what_is_no_string_is_called_by_its_name() {
        let cases = [
            (r#"b"spec:a""#, "a byte string"),
            (r#"br"spec:a""#, "a byte string"),
            (r#"c"spec:a""#, "a C string"),
            (r#""spec:a"x"#, "a string with a suffix"),
            (r##"r#"spec:a"#x"##, "a string with a suffix"),
            ("'a'", "a number or a character"),
            ("b'a'", "a number or a character"),
            ("12_u8", "a number or a character"),
            (r#""\q""#, "a string with an escape that is none"),
            (r#""\x80""#, "a string with an escape that is none"),
            (r#""\u{110000}""#, "a string with an escape that is none"),
            (r#""\""#, "a string with an escape that is none"),
        ];
        for (literal, what) in cases {
            assert_eq!(string(literal), Err(what), "{literal}");
        }
    }
}
