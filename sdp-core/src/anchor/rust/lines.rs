//! Lines and columns of a text: byte offsets come in, 1-based lines and characters before them in their line go out.

/// Where the lines of a text end.
#[derive(Debug, Default)]
pub(super) struct Lines {
    ends: Vec<usize>,
}

impl Lines {
    /// The lines of a text.
    pub(super) fn of(text: &str) -> Self {
        Lines { ends: memchr::memchr_iter(b'\n', text.as_bytes()).collect() }
    }

    /// The 1-based line of a byte.
    pub(super) fn line(&self, at: usize) -> u32 {
        let before = self.ends.partition_point(|end| *end < at);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }

    /// The byte at which the line of another opens.
    fn start(&self, at: usize) -> usize {
        let before = self.ends.partition_point(|end| *end < at);
        before.checked_sub(1).and_then(|last| self.ends.get(last)).map_or(0, |end| end + 1)
    }

    /// The line of each of some bytes, which are sorted, and the characters before it in that line. One pass over the text,
    /// however long its lines are.
    pub(super) fn places(&self, text: &str, sorted: impl Iterator<Item = usize>) -> Vec<(usize, usize)> {
        let (mut start, mut at, mut column) = (0, 0, 0);
        sorted
            .map(|byte| {
                let line_start = self.start(byte);
                if line_start > start || at == 0 {
                    (start, at, column) = (line_start, line_start, 0);
                }
                column += text.get(at..byte).unwrap_or_default().chars().count();
                at = byte;
                (self.line(byte) as usize, column)
            })
            .collect()
    }
}
