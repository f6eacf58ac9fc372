//! One line of a file for a failure's text: a text and a line number come in, the line goes out, framed and harmless.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use sdp_core::rules::harmless;

/// How many characters of a line are shown.
const MAX_WIDTH: usize = 160;

/// How far into a file an excerpt is looked for, in bytes.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// A line of a text, framed; empty when the text has no such line or the line is blank.
pub(crate) fn of_text(text: &str, line: u32) -> String {
    let Some(index) = usize::try_from(line).ok().and_then(|line| line.checked_sub(1)) else { return String::new() };
    let Some(content) = text.lines().nth(index).map(str::trim_end).filter(|content| !content.is_empty()) else {
        return String::new();
    };
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    format!(" {margin} |\n {number} | {}\n {margin} |\n", harmless(content, MAX_WIDTH))
}

/// A line of a file below the root; empty when the file cannot be read any more.
pub(crate) fn of_file(root: &Path, file: &str, line: u32) -> String {
    let path = root.join(file);
    // Asked before opening: a named pipe would hold the run up.
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return String::new();
    }
    let mut bytes = Vec::new();
    match File::open(path).and_then(|file| file.take(MAX_BYTES).read_to_end(&mut bytes)) {
        Ok(_) => of_text(&String::from_utf8_lossy(&bytes), line),
        Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_framed_and_made_harmless() {
        assert_eq!(of_text("a\nb \u{1b}[1m\n\nd", 2), "   |\n 2 | b \\u{1b}[1m\n   |\n");
        assert_eq!(of_text("a\nb\n\nd", 3), "");
        assert_eq!(of_text("a", 2), "");
        assert_eq!(of_text("a", 0), "");
    }
}
