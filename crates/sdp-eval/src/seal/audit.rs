//! The scripting audit: whether a direction reads as a sequence of steps (evaluation sheet, part 4.3). The text of a direction
//! comes in; the number of words and list markers that enumerate steps goes out. One pass, whatever the text.

/// Words that put one step after another.
const WORDS: &[&str] =
    &["then", "before", "after", "subsequent", "subsequently", "next", "finally", "afterward", "afterwards"];

/// How many words and list markers of a text enumerate probe steps.
pub(super) fn step_markers(text: &str) -> usize {
    words(text) + list_markers(text)
}

/// Words of the list, in any case. A letter, a digit and `_` belong to a word, as ECMAScript has it.
fn words(text: &str) -> usize {
    text.split(|character: char| !(character.is_ascii_alphanumeric() || character == '_'))
        .filter(|word| WORDS.iter().any(|listed| word.eq_ignore_ascii_case(listed)))
        .count()
}

/// `1.`, `2)` or `a)` where a text, a line or a sentence starts, unless a digit follows.
fn list_markers(text: &str) -> usize {
    let mut count = 0;
    let mut starts = true;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let label = starts && character.is_ascii_alphanumeric();
        if label {
            while character.is_ascii_digit() && characters.next_if(char::is_ascii_digit).is_some() {}
            starts = false;
            if let Some(end) = characters.next_if(|next| matches!(next, '.' | ')')) {
                if !characters.peek().is_some_and(char::is_ascii_digit) {
                    count += 1;
                }
                // The full stop of a marker ends a sentence as any other does.
                starts = end == '.';
            }
        } else if matches!(character, '\n' | '.' | '!' | '?') {
            starts = true;
        } else if !crate::blank::is_blank(character) {
            starts = false;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_counted_in_any_case() {
        assert_eq!(step_markers("Then read. Look before and AFTER it; afterwards, finally, the next one."), 6);
        assert_eq!(step_markers("subsequent, subsequently, afterward"), 3);
        assert_eq!(step_markers("strengthen thereafter nexts after_all beforehand THENs"), 0);
        assert_eq!(step_markers("the read-next-page endpoint"), 1);
    }

    #[test]
    fn list_markers_are_counted_at_starts_alone() {
        assert_eq!(step_markers("1. Write it. 2) Read it! a) Look\n\tb. There"), 4);
        assert_eq!(step_markers("1. 2. 3."), 3);
        assert_eq!(step_markers("Version 1.5 and 1) there, ab. c"), 0);
        assert_eq!(step_markers("12.5 is a number. 3.4 too. 12x. "), 0);
        assert_eq!(step_markers(".\n \n 12) once"), 1);
        // Digits go on, a letter stands alone.
        assert_eq!(step_markers("a1. b22) c. 333."), 1);
        assert_eq!(step_markers(""), 0);
    }
}
