//! Text of the corpus on its way to a terminal: any string comes in, one that cannot steer the terminal or fake a line
//! goes out. It changes nothing that is printable.

use std::fmt::Write as _;

/// Whether a character could steer a terminal, hide text or reorder it: controls, line and paragraph separators,
/// bidirectional and other invisible format characters.
#[must_use]
pub fn is_harmful(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{00AD}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
            | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}')
}

/// One line of text with every harmful character written out (`\n`, `\u{1b}`), at most `limit` characters long.
#[must_use]
pub fn harmless(text: &str, limit: usize) -> String {
    let mut shown = String::with_capacity(text.len().min(limit));
    for (count, character) in text.chars().enumerate() {
        if count == limit {
            shown.push('…');
            break;
        }
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("    "),
            _ if is_harmful(character) => {
                // Writing to a String cannot fail.
                let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
            }
            _ => shown.push(character),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        assert_eq!(harmless("a\u{1b}[31mb\nc\rd\te", 99), "a\\u{1b}[31mb\\nc\\rd    e");
        assert_eq!(harmless("x\u{202e}y\u{85}\u{9b}\u{7f}", 99), "x\\u{202e}y\\u{85}\\u{9b}\\u{7f}");
        assert_eq!(harmless("é 日本 \u{1F600}", 99), "é 日本 \u{1F600}");
    }

    #[test]
    fn a_long_text_is_cut_at_a_character() {
        assert_eq!(harmless("ééé", 2), "éé…");
        assert_eq!(harmless("éé", 2), "éé");
    }
}
