//! What is left of a file for the parser: its text and the cuts come in, a text with the same items at the same lines and
//! columns goes out, without bodies and without what holds no binding.

use std::ops::Range;

/// A part of the text to leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Where it stands, in bytes.
    pub(super) range: Range<usize>,
    /// What the parser sees in its place.
    pub(super) stand_in: &'static str,
}

/// The text without the cuts. Line feeds stay; of what follows the last one, each character becomes a space, so that
/// whatever stands behind a cut keeps its column.
pub(super) fn without(text: &str, cuts: &[Cut]) -> String {
    let mut skeleton = String::with_capacity(text.len() / 2);
    let mut from = 0;
    for Cut { range, stand_in } in cuts {
        skeleton.push_str(text.get(from..range.start).unwrap_or_default());
        let cut = text.get(range.clone()).unwrap_or_default();
        skeleton.push_str(stand_in);
        let last_line = match memchr::memrchr(b'\n', cut.as_bytes()) {
            Some(last) => {
                let lines = memchr::memchr_iter(b'\n', cut.as_bytes()).count();
                skeleton.extend(std::iter::repeat_n('\n', lines));
                cut.get(last + 1..).unwrap_or_default().chars().count()
            }
            None => cut.chars().count().saturating_sub(stand_in.len()),
        };
        skeleton.extend(std::iter::repeat_n(' ', last_line));
        from = range.end;
    }
    skeleton.push_str(text.get(from..).unwrap_or_default());
    skeleton
}
