//! Which Rust files may hold an attribute of ours: a file's bytes come in, a verdict goes out. It may say yes to a file that
//! holds none, and never no to one that does: a byte search for the five names first, then a pass over the tokens of what is
//! left.

use std::sync::LazyLock;

use hashbrown::HashSet;
use memchr::memmem::Finder;

use super::attribute::{self, Leaf};
use super::form::Form;
use super::scopes::{Import, read_use};
use super::tokens::{Kind, Tokens};

/// What is searched: the names, and how a Spec id opens, for a name that is misspelt.
static NEEDLES: LazyLock<[Finder<'static>; 6]> = LazyLock::new(|| {
    let [satisfies, verifies, models, component, anchor] = Form::ALL.map(Form::name);
    ["\"spec:", satisfies, verifies, models, component, anchor].map(Finder::new)
});

/// The first stage: whether one of the names stands in the bytes as a word that an attribute or a `use` may hold.
pub(super) fn names_one(bytes: &[u8]) -> bool {
    NEEDLES.iter().any(|finder| {
        let length = finder.needle().len();
        finder.find_iter(bytes).any(|at| {
            finder.needle().starts_with(b"\"")
                || (!at.checked_sub(1).and_then(|before| bytes.get(before)).is_some_and(|byte| is_word(*byte))
                    && may_follow(bytes.get(at + length..).unwrap_or_default()))
        })
    })
}

/// Whether a byte is part of a word; one beyond ASCII may be white space as well.
const fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

/// Whether what stands behind a name leaves it open that it is the name of an attribute, or one that a `use` brings in.
fn may_follow(rest: &[u8]) -> bool {
    let space = rest.iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0x0B).count();
    match rest.get(space..).unwrap_or_default() {
        [b'a', b's', ..] => space > 0,
        [byte, ..] if byte.is_ascii() => {
            matches!(byte, b'(' | b'[' | b'{' | b']' | b')' | b'}' | b',' | b';' | b'/' | b'=')
        }
        // A word may go on with letters beyond ASCII, and so may white space.
        [_, ..] => true,
        [] => false,
    }
}

/// The second stage: whether an attribute in the text has the name of one of ours, or one that a `use … as` gives it.
pub(super) fn holds_one(text: &str) -> bool {
    let names = Names::of(text);
    let mut tokens = Tokens::new(text);
    while let Some(token) = tokens.next() {
        if token.kind != Kind::Punct('#') {
            continue;
        }
        let (Ok(Some(attribute)) | Err((_, attribute))) = attribute::read(text, &mut tokens) else { continue };
        if attribute.leaves.iter().any(|leaf| names.may_name(text, leaf)) {
            return true;
        }
    }
    false
}

/// The names that attributes of ours may have in one file.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    /// The names that a `use` gives to something: all of ours that are brought in, and all that anything is renamed to.
    brought: HashSet<&'t str>,
    /// Whether a glob may bring in any of them.
    has_glob: bool,
}

impl<'t> Names<'t> {
    /// Reads every `use` of a text, wherever it stands.
    pub(super) fn of(text: &'t str) -> Self {
        let mut names = Names::default();
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next() {
            if token.kind != Kind::Word {
                continue;
            }
            match text.get(token.range).unwrap_or_default() {
                "use" => {
                    read_use(text, &mut tokens, |import| names.take(&import));
                }
                "macro_use" => names.has_glob = true,
                _ => {}
            }
        }
        names
    }

    fn take(&mut self, import: &Import<'t>) {
        match import.name {
            // What is renamed may have had another name of ours, given to it in another module.
            Some(name)
                if import.path.last() != Some(&name)
                    || import.path.iter().any(|segment| Form::named(segment).is_some()) =>
            {
                self.brought.insert(name);
            }
            Some(_) => {}
            None => self.has_glob = true,
        }
    }

    /// Whether an attribute may be one of ours, or means to be.
    pub(super) fn may_name(&self, text: &str, leaf: &Leaf<'_>) -> bool {
        let name = leaf.name();
        let is_alone = leaf.path.len() == 1 && !leaf.is_absolute;
        let is_named = Form::named(name).is_some();
        match is_alone {
            true if self.brought.contains(name) => true,
            true => is_named && (self.has_glob || leaf.looks_like_a_binding(text)),
            false => is_named || self.brought.contains(name) || leaf.looks_like_a_binding(text),
        }
    }
}
