//! Prose: the lines of a description come in one by one, its paragraphs go out. Which line is prose, the carriers decide.

/// Prose in the making: lines joined by a space, paragraphs by an empty line; nothing else is touched.
#[derive(Debug, Default)]
pub(super) struct Prose {
    text: String,
    after_blank: bool,
}

impl Prose {
    /// Takes a trimmed line of prose.
    pub(super) fn line(&mut self, line: &str) {
        if !self.text.is_empty() {
            self.text.push_str(if self.after_blank { "\n\n" } else { " " });
        }
        self.text.push_str(line);
        self.after_blank = false;
    }

    /// Ends the paragraph.
    pub(super) fn blank(&mut self) {
        self.after_blank = true;
    }

    /// The prose, or none where no line came.
    pub(super) fn finish(self) -> Option<String> {
        (!self.text.is_empty()).then_some(self.text)
    }
}
