//! Lays a [`Shape`] out as text. A tree and the settings come in, the text that Node prints goes out; nothing here touches the
//! engine, and the text never grows past the limit.

use super::{
    Failure,
    group::group,
    number::number,
    options::{Compact, Options},
    quote::quote,
    shape::{Base, Entry, ObjectShape, Shape, StringShape},
    text::units,
    width::width,
};

/// Most bytes of one rendered value.
pub(super) const LIMIT: usize = 64 << 20;

/// A string shorter than this stays on its line.
const SHORT_STRING: usize = 16;

/// Renders a whole value.
///
/// # Errors
///
/// The text passes [`LIMIT`], or `expired` answers true.
pub(super) fn format(shape: &Shape, options: &Options, expired: &dyn Fn() -> bool) -> Result<String, Failure> {
    let mut formatter = Formatter { options, expired, indentation: 0, current_level: 0, written: 0, steps: 0 };
    formatter.shape(shape)
}

struct Formatter<'a> {
    options: &'a Options,
    expired: &'a dyn Fn() -> bool,
    /// Columns before the current entry.
    indentation: usize,
    /// Level of the object whose entries were begun last. An object may share a line with what it holds
    /// only when this is less than `compact` levels below it.
    current_level: u32,
    /// Bytes given out so far; every one of them stands in the final text.
    written: usize,
    steps: u32,
}

impl Formatter<'_> {
    fn spend(&mut self, bytes: usize) -> Result<(), Failure> {
        self.written = self.written.saturating_add(bytes);
        if self.written > LIMIT {
            return Err(Failure::TooLarge);
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(256) && (self.expired)() {
            return Err(Failure::Expired);
        }
        Ok(())
    }

    fn shape(&mut self, shape: &Shape) -> Result<String, Failure> {
        let text = match shape {
            Shape::Word(word) => (*word).to_owned(),
            Shape::Raw(text) => text.to_string(),
            Shape::Number(value) => number(*value),
            Shape::Text(string) => self.string(string),
            Shape::Block(text) => self.indent(text),
            Shape::Object(object) => return self.object(object),
        };
        self.spend(text.len())?;
        Ok(text)
    }

    fn string(&self, string: &StringShape) -> String {
        let length = string.text.units();
        #[expect(clippy::cast_precision_loss, reason = "lengths of text in memory, far below 2^53")]
        let too_wide = length as f64 > self.options.break_length - self.indentation as f64 - 4.0;
        let mut out = if self.options.compact != Compact::Always && length > SHORT_STRING && too_wide {
            let separator = format!(" +\n{}", " ".repeat(self.indentation + 2));
            string.text.lines().iter().map(quote).collect::<Vec<_>>().join(&separator)
        } else {
            quote(&string.text)
        };
        if string.more > 0.0 {
            let plural = if string.more > 1.0 { "s" } else { "" };
            out.push_str(&format!("... {} more character{plural}", number(string.more)));
        }
        out
    }

    fn indent(&self, text: &str) -> String {
        if self.indentation == 0 {
            text.to_owned()
        } else {
            text.replace('\n', &format!("\n{}", " ".repeat(self.indentation)))
        }
    }

    fn deeper(&mut self, shape: &Shape, columns: usize) -> Result<String, Failure> {
        self.indentation += columns;
        let text = self.shape(shape);
        self.indentation -= columns;
        text
    }

    fn object(&mut self, object: &ObjectShape) -> Result<String, Failure> {
        self.current_level = object.level;
        // An error's stack is laid out before its entries are.
        let mut base = match &object.base {
            Base::None => String::new(),
            Base::Raw(text) => text.to_string(),
            Base::Block(text) => self.indent(text),
        };
        let mut open = object.open.to_string();
        if let Some(index) = object.reference {
            let (reference, place) = (format!("<ref *{index}>"), &mut base);
            match self.options.compact {
                Compact::Always => open = format!("{reference} {open}"),
                Compact::Levels(_) if place.is_empty() => *place = reference,
                Compact::Levels(_) => *place = format!("{reference} {place}"),
            }
        }
        self.spend(base.len().saturating_add(open.len()).saturating_add(self.indentation))?;
        let mut output = Vec::with_capacity(object.entries.len());
        for entry in &object.entries {
            let text = self.entry(entry, object)?;
            self.spend(self.indentation.saturating_add(4))?;
            output.push(text);
        }
        Ok(self.reduce(output, &base, &open, object.close, object.list, object.numeric, object.level))
    }

    fn entry(&mut self, entry: &Entry, object: &ObjectShape) -> Result<String, Failure> {
        match entry {
            Entry::Raw(text) => {
                self.spend(text.len())?;
                Ok(text.to_string())
            }
            Entry::Item(shape) => self.deeper(shape, 2),
            Entry::Property { key, value } => {
                self.spend(key.len())?;
                let always = self.options.compact == Compact::Always && !object.list;
                let columns = if always { 3 } else { 2 };
                let text = self.deeper(value, columns)?;
                #[expect(clippy::cast_precision_loss, reason = "a width of text in memory, far below 2^53")]
                if always && self.options.break_length < width(&text) as f64 {
                    return Ok(format!("{key}:\n{}{text}", " ".repeat(self.indentation + columns)));
                }
                Ok(format!("{key}: {text}"))
            }
            Entry::Pair(key, value) => {
                let key = self.deeper(key, 2)?;
                let value = self.deeper(value, 2)?;
                Ok(format!("{key} => {value}"))
            }
            Entry::Cell(key, value) => {
                self.indentation += 2;
                let cell = self.cell(key, value, object.level);
                self.indentation -= 2;
                cell
            }
            Entry::Rejected(shape) => Ok(format!("<rejected> {}", self.deeper(shape, 2)?)),
        }
    }

    fn cell(&mut self, key: &Shape, value: &Shape, level: u32) -> Result<String, Failure> {
        let output = vec![self.shape(key)?, self.shape(value)?];
        Ok(self.reduce(output, "", "[", "]", true, false, level))
    }

    /// One line when the entries are few, short and shallow enough, else a line for each.
    #[expect(clippy::too_many_arguments, reason = "the parts of one object, half of them borrowed from its shape")]
    fn reduce(
        &self,
        mut output: Vec<String>,
        base: &str,
        open: &str,
        close: &str,
        list: bool,
        numeric: bool,
        level: u32,
    ) -> String {
        let spaced = if base.is_empty() { String::new() } else { format!("{base} ") };
        let margin = " ".repeat(self.indentation);
        match self.options.compact {
            Compact::Always => {
                if self.fits(&output, 0, base) {
                    let base = if base.is_empty() { String::new() } else { format!(" {base}") };
                    return format!("{open}{base} {} {close}", output.join(", "));
                }
                let start = match (base.is_empty(), open.len()) {
                    (true, 1) => " ".to_owned(),
                    (true, _) => format!("\n{margin}  "),
                    (false, _) => format!(" {base}\n{margin}  "),
                };
                return format!("{open}{start}{} {close}", output.join(&format!(",\n{margin}  ")));
            }
            Compact::Levels(levels) if levels >= 1.0 => {
                let entries = output.len();
                if list && entries > 6 {
                    output = group(output, self.indentation, self.options, numeric);
                }
                let inner = f64::from(self.current_level) - f64::from(level);
                if inner < levels && entries == output.len() {
                    let start = output.len() + self.indentation + units(open) + units(base) + 10;
                    if self.fits(&output, start, base) && !output.iter().any(|entry| entry.contains('\n')) {
                        return format!("{spaced}{open} {} {close}", output.join(", "));
                    }
                }
            }
            Compact::Levels(_) => {}
        }
        format!("{spaced}{open}\n{margin}  {}\n{margin}{close}", output.join(&format!(",\n{margin}  ")))
    }

    fn fits(&self, output: &[String], start: usize, base: &str) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "lengths of text in memory, far below 2^53")]
        let within = |length: usize| length as f64 <= self.options.break_length;
        let mut total = output.len() + start;
        if !within(total + output.len()) {
            return false;
        }
        for entry in output {
            total += units(entry);
            if !within(total) {
                return false;
            }
        }
        !base.contains('\n')
    }
}
