//! What names mean in the modules of one file: `use` and `extern crate` come in as they are read, the meaning of an
//! attribute's path goes out. Another file's `use` is never followed, and no chain of names is followed for ever.

use hashbrown::{HashMap, HashSet};

use super::attribute::{Leaf, MAX_SEGMENTS};
use super::form::Form;
use super::tokens::{Kind, Token, Tokens};

/// How many steps one name may take.
const MAX_STEPS: u32 = 256;

/// How many times one name may be brought into one module: as what it is in each namespace, and under some conditions.
const MAX_MEANINGS: usize = 8;

/// A name that a `use` brings in, with the path that it stands for; a glob without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Import<'t> {
    /// The name; none of a glob.
    pub(super) name: Option<&'t str>,
    /// What it stands for.
    pub(super) path: Vec<&'t str>,
}

/// Reads the tree of a `use` whose keyword was the last token, with its `;`. Answers where the `;` stands; nothing, with the
/// tokens where they were, when it is no tree.
pub(super) fn read_use<'t>(text: &'t str, tokens: &mut Tokens<'t>, mut take: impl FnMut(Import<'t>)) -> Option<usize> {
    let mut ahead = tokens.clone();
    let mut path: Vec<&'t str> = Vec::new();
    // A path that is too long leads to nothing of ours, but its end must be seen.
    let mut beyond = 0_usize;
    let mut groups: Vec<usize> = Vec::new();
    let (mut base, mut alias, mut is_glob) = (0, None, false);
    while let Some(token) = ahead.next() {
        match token.kind {
            Kind::Word => {
                let word = text.get(token.range)?;
                // Another `use` is where a broken one ends, so that no text is read twice.
                if word == "use" {
                    return None;
                }
                if word == "as" {
                    let name = ahead.next().filter(|token| token.kind == Kind::Word)?;
                    alias = text.get(name.range).filter(|name| *name != "use").map(plain);
                    alias?;
                } else if path.len() < MAX_SEGMENTS {
                    path.push(plain(word));
                } else {
                    beyond += 1;
                }
            }
            Kind::Punct(':' | '$') => {}
            Kind::Punct('*') => is_glob = true,
            Kind::Open(b'{') => {
                if beyond > 0 || groups.len() > MAX_SEGMENTS {
                    return skip_use(text, &mut ahead).inspect(|_| *tokens = ahead);
                }
                groups.push(base);
                base = path.len();
            }
            Kind::Punct(',' | ';') | Kind::Close(b'}') => {
                if beyond == 0 && (path.len() > base || is_glob) {
                    take(import(path.clone(), alias, is_glob));
                }
                path.truncate(base);
                (beyond, alias, is_glob) = (0, None, false);
                match token.kind {
                    Kind::Close(_) => {
                        base = groups.pop()?;
                        // What follows a group is the next name, and the group's own prefix is none.
                        path.truncate(base);
                    }
                    Kind::Punct(';') => {
                        *tokens = ahead;
                        return Some(token.range.start);
                    }
                    _ => {}
                }
            }
            _ => return None,
        }
    }
    None
}

/// Behind a `use` that leads to nothing of ours.
fn skip_use(text: &str, tokens: &mut Tokens<'_>) -> Option<usize> {
    let is_end = |token: &Token| {
        token.kind == Kind::Punct(';') || (token.kind == Kind::Word && text.get(token.range.clone()) == Some("use"))
    };
    tokens.find(is_end).filter(|token| token.kind != Kind::Word).map(|token| token.range.start)
}

fn import<'t>(mut path: Vec<&'t str>, alias: Option<&'t str>, is_glob: bool) -> Import<'t> {
    if is_glob {
        return Import { name: None, path };
    }
    if path.len() > 1 && path.last() == Some(&"self") {
        path.pop();
    }
    Import { name: alias.or_else(|| path.last().copied()), path }
}

fn plain(word: &str) -> &str {
    word.strip_prefix("r#").unwrap_or(word)
}

/// What an attribute's path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// One of our attributes.
    Ours(Form),
    /// A name in our crate that is none of its attributes.
    Misspelt,
    /// Nothing in the file says.
    Unknown,
}

/// The modules of one file.
#[derive(Debug)]
pub(super) struct Scopes<'t> {
    crate_names: &'t [String],
    /// Whether the file is the root of its crate.
    is_crate: bool,
    all: Vec<Scope<'t>>,
}

#[derive(Debug, Default)]
struct Scope<'t> {
    parent: Option<usize>,
    /// A macro and a module may share a name, so that one name may be brought in more than once.
    names: HashMap<&'t str, Vec<Named<'t>>>,
    globs: Vec<Vec<&'t str>>,
}

#[derive(Debug)]
enum Named<'t> {
    Import(Vec<&'t str>),
    Extern(&'t str),
    Module(usize),
}

/// What a path leads to.
#[derive(Clone, Copy)]
enum Target {
    Crate,
    Module(usize),
    Ours(Form),
    Misspelt,
}

impl<'t> Scopes<'t> {
    /// The root of a file, empty.
    pub(super) fn new(crate_names: &'t [String], is_crate: bool) -> Self {
        Scopes { crate_names, is_crate, all: vec![Scope::default()] }
    }

    /// A module inside another.
    pub(super) fn open(&mut self, parent: usize, name: &'t str) -> usize {
        let scope = self.all.len();
        self.all.push(Scope { parent: Some(parent), ..Scope::default() });
        self.name(parent, plain(name), Named::Module(scope));
        scope
    }

    /// Takes up a `use`.
    pub(super) fn import(&mut self, scope: usize, Import { name, path }: Import<'t>) {
        match name {
            Some(name) => self.name(scope, name, Named::Import(path)),
            None => self.all.get_mut(scope).into_iter().for_each(|scope| scope.globs.push(path.clone())),
        }
    }

    /// Takes up an `extern crate`, under its own name or another.
    pub(super) fn extern_crate(&mut self, scope: usize, name: &'t str, alias: Option<&'t str>, brings_macros: bool) {
        self.name(scope, plain(alias.unwrap_or(name)), Named::Extern(plain(name)));
        if brings_macros {
            self.import(0, Import { name: None, path: vec![plain(name)] });
        }
    }

    fn name(&mut self, scope: usize, name: &'t str, named: Named<'t>) {
        if let Some(scope) = self.all.get_mut(scope) {
            let meanings = scope.names.entry(name).or_default();
            if meanings.len() < MAX_MEANINGS {
                meanings.push(named);
            }
        }
    }

    /// What the path of an attribute in a module means.
    pub(super) fn meaning<'n>(&'n self, scope: usize, leaf: &Leaf<'n>) -> Meaning {
        let target = [false, true].into_iter().find_map(|is_chained| {
            let mut search = Search { steps: MAX_STEPS, is_chained, in_glob: 0, seen: HashSet::new() };
            if leaf.is_absolute {
                let (_, rest) = leaf.path.split_first().filter(|(first, _)| self.is_ours(first))?;
                return self.follow(Target::Crate, rest, true, &mut search);
            }
            self.path(scope, &leaf.path, true, &mut search)
        });
        match target {
            Some(Target::Ours(form)) => Meaning::Ours(form),
            Some(Target::Misspelt) => Meaning::Misspelt,
            _ => Meaning::Unknown,
        }
    }

    fn is_ours(&self, name: &str) -> bool {
        self.crate_names.iter().any(|own| own == name)
    }

    /// What a path leads to from a module: an attribute, or a module or crate. Each call takes a step, so that names that
    /// stand for each other end.
    fn path<'n>(
        &'n self,
        scope: usize,
        path: &[&'n str],
        is_attribute: bool,
        search: &mut Search<'n>,
    ) -> Option<Target> {
        search.step()?;
        let (first, rest) = path.split_first()?;
        let target = match *first {
            "self" => Target::Module(scope),
            "crate" if self.is_crate => Target::Module(0),
            "super" => Target::Module(self.all.get(scope)?.parent?),
            name => match self.named(scope, name, is_attribute && rest.is_empty(), search) {
                Some(target) => target,
                None if self.is_ours(name) => Target::Crate,
                // An `extern crate` at the root of a crate holds in all its modules.
                None => self.all.first()?.names.get(name)?.iter().find_map(|named| match named {
                    Named::Extern(name) if self.is_ours(name) => Some(Target::Crate),
                    _ => None,
                })?,
            },
        };
        self.follow(target, rest, is_attribute, search)
    }

    fn follow<'n>(
        &'n self,
        mut target: Target,
        rest: &[&'n str],
        is_attribute: bool,
        search: &mut Search<'n>,
    ) -> Option<Target> {
        for (index, segment) in rest.iter().enumerate() {
            let is_last = index + 1 == rest.len();
            target = match target {
                Target::Crate => Form::named(segment).map_or(Target::Misspelt, Target::Ours),
                Target::Module(scope) if *segment == "super" => Target::Module(self.all.get(scope)?.parent?),
                Target::Module(scope) => self.named(scope, segment, is_attribute && is_last, search)?,
                Target::Ours(_) | Target::Misspelt => return None,
            };
        }
        Some(target)
    }

    /// What a name means in a module itself.
    fn named<'n>(&'n self, scope: usize, name: &'n str, is_attribute: bool, search: &mut Search<'n>) -> Option<Target> {
        search.step()?;
        let own = self.all.get(scope)?;
        let mut is_import = false;
        for named in own.names.get(name).into_iter().flatten() {
            search.step()?;
            let found = match named {
                // `use sdp;` and `use sdp::{self}` name the crate by its own name, which must not be sought here again.
                Named::Import(path) if path.first() == Some(&name) => match path.split_first() {
                    Some((_, rest)) if self.is_ours(name) => self.follow(Target::Crate, rest, is_attribute, search),
                    _ => None,
                },
                Named::Import(path) => self.path(scope, path, is_attribute, search),
                Named::Extern(name) => self.is_ours(name).then_some(Target::Crate),
                Named::Module(scope) => Some(Target::Module(*scope)),
            };
            is_import |= matches!(named, Named::Import(_));
            if let Some(found) = found.filter(|found| found.suits(is_attribute)) {
                return Some(found);
            }
        }
        // What is brought in by its name may be an attribute of another crate, and hides what a glob brings in.
        if is_import || !search.may_take_globs(scope, name, is_attribute) {
            return None;
        }
        for glob in &own.globs {
            // Every glob that is still to come would ask for a step that there is not.
            search.step()?;
            search.in_glob += 1;
            let from = self.path(scope, glob, false, search);
            search.in_glob -= 1;
            let found = match from {
                Some(Target::Crate) => Form::named(name).map(Target::Ours),
                Some(Target::Module(from)) if from != scope => self.named(from, name, is_attribute, search),
                _ => None,
            };
            if let Some(found) = found.filter(|found| found.suits(is_attribute)) {
                return Some(found);
            }
        }
        None
    }
}

impl Target {
    /// Whether it is what is sought: an attribute, or what may hold one.
    const fn suits(self, is_attribute: bool) -> bool {
        matches!(self, Target::Ours(_) | Target::Misspelt) == is_attribute
    }
}

/// The search for what one path means.
struct Search<'n> {
    /// How many steps are left.
    steps: u32,
    /// Whether the path of a glob may open with a name that another glob brings in. That is seldom so, and where there are
    /// many globs it takes all the steps: it is tried when all else has led nowhere.
    is_chained: bool,
    /// How many globs have their path sought.
    in_glob: usize,
    /// The names that were sought in the globs of a module. Globs that bring in each other's module are a ring.
    seen: HashSet<(usize, &'n str, bool, usize)>,
}

impl<'n> Search<'n> {
    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }

    fn may_take_globs(&mut self, scope: usize, name: &'n str, is_attribute: bool) -> bool {
        self.in_glob <= usize::from(self.is_chained) && self.seen.insert((scope, name, is_attribute, self.in_glob))
    }
}
