//! Columns for arrays of more than six entries. The printed entries of one array come in, the same entries go out, several to
//! a line when they are of similar width; no entry is dropped or reordered.

use super::{
    options::{Compact, Options},
    width::width,
};

/// A comma and a space.
const SEPARATOR: usize = 2;

/// Puts entries side by side, or gives them back unchanged when columns would not look well.
pub(super) fn group(output: Vec<String>, indentation: usize, options: &Options, numeric: bool) -> Vec<String> {
    let has_rest = options.max_array < as_f64(output.len());
    let grouped = if has_rest { output.len().saturating_sub(1) } else { output.len() };
    let widths: Vec<usize> = output.iter().take(grouped).map(|entry| width(entry)).collect();
    let longest = widths.iter().copied().max().unwrap_or_default();
    let total: usize = widths.iter().map(|width| width + SEPARATOR).sum();
    let column = longest + SEPARATOR;
    let fits_three = as_f64(column * 3 + indentation) < options.break_length;
    if !fits_three || (as_f64(total) / as_f64(column) <= 5.0 && longest > 6) {
        return output;
    }
    let columns = column_count(column, total, output.len(), grouped, indentation, options);
    if columns <= 1 {
        return output;
    }

    let column_widths: Vec<usize> = (0..columns)
        .map(|start| widths.iter().skip(start).step_by(columns).copied().max().unwrap_or_default() + SEPARATOR)
        .collect();
    let mut lines = Vec::with_capacity(grouped / columns + 2);
    let mut entries = output.into_iter();
    let mut widths = widths.into_iter();
    let mut left = grouped;
    while left > 0 {
        let on_line = left.min(columns);
        let mut line = String::new();
        for (at, (entry, width)) in entries.by_ref().zip(widths.by_ref()).take(on_line).enumerate() {
            let last = at + 1 == on_line;
            let padding = column_widths.get(at).copied().unwrap_or_default().saturating_sub(width + SEPARATOR);
            if numeric {
                line.extend(std::iter::repeat_n(' ', padding));
            }
            line.push_str(&entry);
            if !last {
                line.push_str(", ");
                if !numeric {
                    line.extend(std::iter::repeat_n(' ', padding));
                }
            }
        }
        lines.push(line);
        left -= on_line;
    }
    lines.extend(entries);
    lines
}

/// How many columns make the block about as wide as high, a character being 2.5 times as high as wide.
fn column_count(
    column: usize,
    total: usize,
    entries: usize,
    grouped: usize,
    indentation: usize,
    options: &Options,
) -> usize {
    const CHAR_HEIGHT: f64 = 2.5;
    const MOST: f64 = 15.0;
    let column = as_f64(column);
    let bias = (column - as_f64(total) / as_f64(entries)).sqrt();
    let biased = (column - 3.0 - bias).max(1.0);
    let square = ((CHAR_HEIGHT * biased * as_f64(grouped)).sqrt() / biased + 0.5).floor();
    let fitting = ((options.break_length - as_f64(indentation)) / column).floor();
    let compact = match options.compact {
        Compact::Levels(levels) => levels * 4.0,
        Compact::Always => 4.0,
    };
    let columns = square.min(fitting).min(compact).min(MOST);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 15 after the clamp")]
    let columns = columns.clamp(0.0, MOST) as usize;
    columns
}

/// Lengths stay far below 2^53.
fn as_f64(count: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a length of text in memory, far below 2^53")]
    let count = count as f64;
    count
}
