//! `cargo xtask delimiters`: the table of the characters beyond ASCII that end a mention in prose, written from the Unicode
//! tables of `regex-syntax`.

use std::error::Error;
use std::fmt::Write as _;

use regex_syntax::hir::{Class, HirKind};

use crate::generated::Generated;

/// White space, punctuation but connectors, symbols and separators (newest sheet part 11, check 9).
const CLASS: &str = r"[[\p{White_Space}\p{Pd}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Po}\p{S}\p{Z}]--\p{ASCII}]";

/// Write the table of the characters that end a mention in prose
#[derive(clap::Args)]
pub(crate) struct Delimiters {
    /// Write nothing; fail and show the difference when the saved table is another
    #[arg(long)]
    check: bool,
}

impl Delimiters {
    /// The command with `--check`.
    pub(crate) fn checking() -> Self {
        Delimiters { check: true }
    }

    /// Writes or compares the table.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let path = "sdp-core/src/validate/prose_mentions/delimiters.rs";
        Generated { path, command: "cargo xtask delimiters" }.write_or_compare(&module()?, self.check)
    }
}

/// The module's text. Each pair of bounds opens and closes a range; the closing one lies behind it.
fn module() -> Result<String, Box<dyn Error>> {
    let parsed = regex_syntax::parse(CLASS)?;
    let HirKind::Class(Class::Unicode(class)) = parsed.kind() else {
        return Err("the class of delimiters is no class of characters".into());
    };
    let bounds: Vec<u32> =
        class.ranges().iter().flat_map(|range| [u32::from(range.start()), u32::from(range.end()) + 1]).collect();
    let mut text = String::from(
        "//! The characters beyond ASCII that end a mention in prose: white space, punctuation but connectors, symbols and\n\
         //! separators. Written by `cargo xtask delimiters`; edit nothing here.\n\n\
         /// Where ranges begin and, by turns, where they are over.\n\
         #[rustfmt::skip]\n",
    );
    writeln!(text, "const BOUNDS: [u32; {}] = [", bounds.len())?;
    for row in bounds.chunks(14) {
        let row: Vec<String> = row.iter().map(|bound| format!("{bound:#x}")).collect();
        writeln!(text, "    {},", row.join(", "))?;
    }
    text.push_str(
        "];\n\n\
         /// Whether a character beyond ASCII ends a mention.\n\
         pub(super) fn holds(character: char) -> bool {\n    \
             BOUNDS.partition_point(|bound| *bound <= u32::from(character)) % 2 == 1\n\
         }\n",
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_saved_table_is_what_unicode_gives() {
        Delimiters::checking().run().unwrap();
    }
}
