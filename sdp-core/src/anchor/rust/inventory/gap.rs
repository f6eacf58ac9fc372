//! What stands between two tokens: comments and white space come out, each with its place. The text between must hold nothing
//! else.

/// What stands between two tokens.
pub(super) enum Piece {
    /// White space, with the number of its line breaks.
    Space(usize),
    /// A comment, with the place where it ends.
    Comment(usize),
}

/// The pieces between two tokens, each with the place where it begins.
pub(super) struct Gap<'t> {
    text: &'t str,
    at: usize,
    to: usize,
}

impl<'t> Gap<'t> {
    pub(super) fn new(text: &'t str, from: usize, to: usize) -> Self {
        Gap { text, at: from, to }
    }
}

impl Iterator for Gap<'_> {
    type Item = (usize, Piece);

    fn next(&mut self) -> Option<(usize, Piece)> {
        let rest = self.text.get(self.at..self.to).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let length = if rest.starts_with("//") || rest.starts_with("#!") {
            // The line break belongs to the white space behind it.
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block(rest)
        } else {
            let space = rest.find("/").unwrap_or(rest.len()).max(1);
            self.at = start + space;
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
            let breaks = self.text.get(start..self.at).unwrap_or_default().matches('\n').count();
            return Some((start, Piece::Space(breaks)));
        };
        self.at = start + length;
        Some((start, Piece::Comment(self.at)))
    }
}

/// The length of a block comment; nested ones count.
fn block(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(pair) = bytes.get(at..at + 2) {
        match pair {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth <= 1 => return at + 2,
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    bytes.len()
}
