//! Lines of a body's file, as editors and reviews count them: a text and a place come in, a line or the same place in the
//! file's own lines goes out. JavaScript ends lines at U+2028 and U+2029 too, which no editor does.

/// One line, from 1, without its end: `\n`, `\r\n` or a lone `\r`. None past the last one.
#[must_use]
pub fn line_of(text: &str, line: u32) -> Option<&str> {
    let mut rest = text;
    for _ in 1..line {
        let end = rest.get(rest.find(['\n', '\r'])?..)?;
        rest = end.strip_prefix("\r\n").or_else(|| end.get(1..))?;
    }
    if line == 0 { None } else { rest.split(['\n', '\r']).next() }
}

/// A place in JavaScript's lines, from 1 and in characters, as one in the file's lines.
pub(super) fn in_file(text: &str, line: u32, column: u32) -> (u32, u32) {
    let (mut left, mut at) = (line.saturating_sub(1), (1_u32, 1_u32));
    let mut characters = text.chars().peekable();
    while left > 0
        && let Some(character) = characters.next()
    {
        match character {
            // The `\n` of a pair ends the line.
            '\r' if characters.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                left -= 1;
                at = (at.0.saturating_add(1), 1);
            }
            other => {
                left -= u32::from(matches!(other, '\u{2028}' | '\u{2029}'));
                at.1 = at.1.saturating_add(1);
            }
        }
    }
    (at.0, at.1.saturating_add(column).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_where_editors_end_it() {
        let text = "a\r\nb\rc\n\n\u{2028}d\r\r\ne";
        let lines: Vec<Option<&str>> = (0..9).map(|line| line_of(text, line)).collect();
        let expected = [None, Some("a"), Some("b"), Some("c"), Some(""), Some("\u{2028}d"), Some(""), Some("e"), None];
        assert_eq!(lines, expected);
        assert_eq!(line_of("", 1), Some(""));
        assert_eq!(line_of("a\n", 2), Some(""));
    }

    #[test]
    fn a_place_in_javascripts_lines_is_found_in_the_files() {
        let text = "a\u{2028}é\u{2029}b\r\nc\rd\u{2028}e\n";
        for (place, in_its_file) in [
            ((1, 1), (1, 1)),
            ((2, 1), (1, 3)),
            ((3, 1), (1, 5)),
            ((4, 1), (2, 1)),
            ((5, 1), (3, 1)),
            ((6, 2), (3, 4)),
            ((7, 1), (4, 1)),
            ((9, 1), (4, 1)),
            ((0, 0), (1, 0)),
        ] {
            assert_eq!(in_file(text, place.0, place.1), in_its_file, "{place:?}");
        }
    }
}
