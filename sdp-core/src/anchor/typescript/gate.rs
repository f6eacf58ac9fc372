//! The gate: the bytes of a source file come in, whether it may bind at all goes out. What does not pass is never parsed.

use memchr::memmem::{self, Finder};

use crate::anchor::comment;
use crate::typescript::{Modules, PACKAGE, is_path};

/// The builders whose calls are read or named.
const BUILDERS: &[&[u8]] = &[b"codeAnchor", b"specTest", b"specOracle", b"spec", b"pack"];

/// The builders of anchors. A file that holds none of their names looks like no binding.
const OF_ANCHORS: &[&[u8]] = &[b"codeAnchor", b"specTest", b"specOracle"];

/// What a file must hold so that it is parsed: the package, a trusted module or a reserved tag.
#[derive(Debug)]
pub(crate) struct Gate {
    specifiers: Vec<Finder<'static>>,
    /// Whether an entry may be the path of a file, which no import writes as it is.
    has_paths: bool,
}

impl Gate {
    /// The gate of a run.
    #[must_use]
    pub(crate) fn new(modules: &Modules) -> Self {
        let entries = modules.entries();
        let specifiers = std::iter::once(PACKAGE).chain(entries.iter().map(String::as_str));
        Gate {
            specifiers: specifiers.map(|specifier| Finder::new(specifier).into_owned()).collect(),
            has_paths: entries.iter().any(|entry| is_path(entry)),
        }
    }

    /// Whether bytes may hold a binding, or a call that is misplaced. It misses none, but may be wrong.
    #[must_use]
    pub(crate) fn may_bind(&self, bytes: &[u8]) -> bool {
        comment::may_hold_anchors(bytes)
            || self.specifiers.iter().any(|specifier| specifier.find(bytes).is_some())
            || (self.has_paths
                && memmem::find(bytes, b"from").is_some()
                && BUILDERS.iter().any(|builder| holds_word(bytes, builder)))
    }
}

/// Whether bytes that bind nothing may hold a call that looks like an anchor.
#[must_use]
pub(crate) fn may_look_alike(bytes: &[u8]) -> bool {
    OF_ANCHORS.iter().any(|builder| holds_word(bytes, builder))
}

/// Whether bytes hold a word that is no part of a longer one.
fn holds_word(bytes: &[u8], word: &[u8]) -> bool {
    let is_inside = |byte: Option<&u8>| {
        byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || !byte.is_ascii())
    };
    memmem::find_iter(bytes, word).any(|at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        !is_inside(before) && !is_inside(bytes.get(at + word.len()))
    })
}
