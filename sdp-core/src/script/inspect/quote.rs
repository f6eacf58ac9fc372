//! How a string and a property key are written. Text comes in, a literal goes out that JavaScript would read back (but for a
//! trailing count of what was left out, which is not added here); nothing is ever lost: what cannot be printed is escaped.

use super::text::Text;

/// A string literal: single quotes, else double quotes, else backticks, whichever spares escaping a single quote.
pub(super) fn quote(text: &Text) -> String {
    let quote = match text {
        Text::Plain(text) => choose(|part| text.contains(part)),
        Text::Wide(units) => choose(|part| {
            let part: Vec<u16> = part.encode_utf16().collect();
            units.windows(part.len()).any(|window| window == part)
        }),
    };
    let mut out = String::with_capacity(text.weight().saturating_add(2));
    out.push(quote);
    escape_into(text, quote == '\'', &mut out);
    out.push(quote);
    out
}

/// A property key as it stands before the colon: bare when it is an identifier of ASCII letters, digits and `_`.
pub(super) fn key(text: &Text, hidden: bool) -> String {
    match text {
        Text::Plain(name) if name == "__proto__" => "['__proto__']".to_owned(),
        _ if hidden => format!("[{}]", escaped(text)),
        Text::Plain(name) if is_bare(name) => name.clone(),
        _ => quote(text),
    }
}

/// A symbol key, from the symbol's text.
pub(super) fn symbol_key(text: &Text) -> String {
    format!("[{}]", escaped(text))
}

fn escaped(text: &Text) -> String {
    let mut out = String::with_capacity(text.weight());
    escape_into(text, true, &mut out);
    out
}

fn is_bare(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && name.bytes().next().is_some_and(|byte| !byte.is_ascii_digit())
}

fn choose(contains: impl Fn(&str) -> bool) -> char {
    if !contains("'") {
        '\''
    } else if !contains("\"") {
        '"'
    } else if !contains("`") && !contains("${") {
        '`'
    } else {
        '\''
    }
}

fn escape_into(text: &Text, single: bool, out: &mut String) {
    match text {
        Text::Plain(text) => text.chars().for_each(|char| escape_char(char, single, out)),
        Text::Wide(units) => {
            for decoded in char::decode_utf16(units.iter().copied()) {
                match decoded {
                    Ok(char) => escape_char(char, single, out),
                    Err(lone) => out.push_str(&format!("\\u{:x}", lone.unpaired_surrogate())),
                }
            }
        }
    }
}

fn escape_char(char: char, single: bool, out: &mut String) {
    match char {
        '\u{8}' => out.push_str("\\b"),
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\u{C}' => out.push_str("\\f"),
        '\r' => out.push_str("\\r"),
        '\\' => out.push_str("\\\\"),
        '\'' if single => out.push_str("\\'"),
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' => out.push_str(&format!("\\x{:02X}", u32::from(char))),
        _ => out.push(char),
    }
}
