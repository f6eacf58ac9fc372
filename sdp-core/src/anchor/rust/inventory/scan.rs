//! The scan itself: tokens come in one after the other, and each item is told by the words that open it. What a body holds
//! is passed over.

use super::super::attribute::{self, Attribute};
use super::super::modules::said;
use super::super::tests_of::makes_a_test;
use super::super::tokens::{Kind, Token, Tokens};
use super::condition::is_for_tests;
use super::gap::{Gap, Piece};
use super::{Inherited, Item, ItemKind, Items, MAX_DEPTH, MAX_ITEMS, MAX_PATH, Refused};

/// What a body holds that is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Holder {
    Module,
    Impl,
    /// A trait, and whether it is public.
    Trait(bool),
}

/// A body that is looked into.
#[derive(Clone, Copy)]
struct Container {
    holder: Holder,
    inherited: Inherited,
    /// How many names led to what holds it.
    names: usize,
}

/// What is known of the item to come.
#[derive(Clone, Copy, Default)]
struct Pending {
    inherited: Inherited,
    is_test: bool,
    is_public: bool,
    /// The line on which it begins, with the comments directly above it.
    begins: u32,
}

/// Why a scan stops.
enum Stop {
    /// The brackets do not match.
    Mismatch,
    /// There are more items than a file may hold.
    TooMany,
}

pub(super) struct Scan<'t> {
    text: &'t str,
    anchors: &'t [u32],
    tokens: Tokens<'t>,
    ahead: Option<Token>,
    /// Where the last token that was taken ends.
    end: usize,
    /// A place whose line is known.
    counted: (usize, u32),
    containers: Vec<Container>,
    names: Vec<String>,
    pending: Option<Pending>,
    found: Items,
}

impl<'t> Scan<'t> {
    pub(super) fn new(text: &'t str, anchors: &'t [u32]) -> Self {
        Scan {
            text,
            anchors,
            tokens: Tokens::new(text),
            ahead: None,
            end: 0,
            counted: (0, 1),
            containers: Vec::new(),
            names: Vec::new(),
            pending: None,
            found: Items::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<Items, Refused> {
        let file = Container { holder: Holder::Module, inherited: Inherited::default(), names: 0 };
        self.containers.push(file);
        match self.items() {
            Ok(()) => Ok(self.found),
            Err(Stop::Mismatch) => Err(Refused::Brackets(self.line(self.end))),
            Err(Stop::TooMany) => Err(Refused::TooMany),
        }
    }

    /// The line of a place, counted from the last one that was asked for.
    fn line(&mut self, place: usize) -> u32 {
        let (known, line) = self.counted;
        let between = self.text.as_bytes().get(known.min(place)..known.max(place)).unwrap_or_default();
        let breaks = u32::try_from(memchr::memchr_iter(b'\n', between).count()).unwrap_or(u32::MAX);
        let line = if place < known { line.saturating_sub(breaks) } else { line.saturating_add(breaks) };
        self.counted = (place, line);
        line
    }

    fn of(&self, token: &Token) -> &'t str {
        self.text.get(token.range.clone()).unwrap_or_default()
    }

    fn peek(&mut self) -> Option<&Token> {
        if self.ahead.is_none() {
            self.ahead = self.tokens.next();
        }
        self.ahead.as_ref()
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.ahead.take().or_else(|| self.tokens.next())?;
        self.end = token.range.end;
        Some(token)
    }

    fn peeks(&mut self, kind: Kind) -> bool {
        self.peek().is_some_and(|token| token.kind == kind)
    }

    fn peeks_word(&mut self, words: &[&str]) -> bool {
        let text = self.text;
        self.peek().is_some_and(|token| words.contains(&text.get(token.range.clone()).unwrap_or_default()))
    }

    /// Whether an anchor opens on one of these lines.
    fn is_anchored(&self, first: u32, last: u32) -> bool {
        let at = self.anchors.partition_point(|line| *line < first);
        self.anchors.get(at).is_some_and(|line| *line <= last)
    }

    fn items(&mut self) -> Result<(), Stop> {
        self.opened();
        loop {
            let before = self.end;
            let Some(token) = self.next() else {
                return if self.containers.len() == 1 { Ok(()) } else { Err(Stop::Mismatch) };
            };
            if self.pending.is_none() && !matches!(token.kind, Kind::Close(_)) {
                self.begin(before, &token);
            }
            match token.kind {
                Kind::Punct('#') => self.attribute(token.range.start)?,
                Kind::Punct(';') => self.pending = None,
                Kind::Open(bracket) => {
                    self.pass(bracket)?;
                    // Of a macro, or of something unknown.
                    if bracket == b'{' {
                        self.pending = None;
                    }
                }
                Kind::Close(bracket) => self.close(bracket)?,
                Kind::Word => self.word(&token)?,
                _ => {}
            }
        }
    }

    /// An item begins, with the comments directly above it.
    fn begin(&mut self, before: usize, first: &Token) {
        let lead = self.lead(before, first.range.start);
        self.pending = Some(Pending { begins: self.line(lead), ..Pending::default() });
    }

    /// What is known of an item whose name, or header, ends here, and what holds inside it: an anchor between its first
    /// comment and this line stands on it.
    fn begun(&mut self) -> (Pending, Inherited) {
        let pending = self.pending.take().unwrap_or_default();
        let here = self.line(self.end);
        let is_bound = pending.begins > 0 && self.is_anchored(pending.begins, here);
        let around = self.containers.last().map(|container| container.inherited).unwrap_or_default();
        (pending, around.with(pending.inherited).with(Inherited { is_bound, ..Inherited::default() }))
    }

    /// Where the comments directly above an item begin: behind the last blank line, and not on the line of what stands before.
    fn lead(&self, before: usize, first: usize) -> usize {
        let mut lead = first;
        let mut is_apart = before == 0;
        for (start, comment) in Gap::new(self.text, before, first) {
            match comment {
                Piece::Space(0) => {}
                Piece::Space(1) => is_apart = true,
                Piece::Space(_) => (is_apart, lead) = (true, first),
                Piece::Comment(_) if is_apart => lead = lead.min(start),
                Piece::Comment(_) => {}
            }
        }
        lead
    }

    /// Behind the opening of a body or of the file: what its inner documentation says.
    fn opened(&mut self) {
        loop {
            let (from, all) = (self.end, self.text.len());
            let to = self.peek().map_or(all, |token| token.range.start);
            for (start, piece) in Gap::new(self.text, from, to) {
                if let Piece::Comment(end) = piece
                    && self
                        .text
                        .get(start..end)
                        .is_some_and(|comment| comment.starts_with("//!") || comment.starts_with("/*!"))
                {
                    let (first, last) = (self.line(start), self.line(end));
                    if self.is_anchored(first, last)
                        && let Some(container) = self.containers.last_mut()
                    {
                        container.inherited.is_bound = true;
                        if self.containers.len() == 1 {
                            let inherited = Inherited { is_bound: true, ..Inherited::default() };
                            self.found.modules.push((Vec::new(), inherited));
                        }
                    }
                }
            }
            // An inner attribute may be followed by more documentation.
            let is_inner = self
                .text
                .get(to..)
                .is_some_and(|rest| rest.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with('!')));
            if !is_inner || self.skip_attribute().is_none() {
                return;
            }
        }
    }

    /// Over an attribute whose `#` comes next.
    fn skip_attribute(&mut self) -> Option<()> {
        self.next()?;
        if self.peeks(Kind::Punct('!')) {
            self.next()?;
        }
        match self.next()?.kind {
            Kind::Open(bracket) => self.pass(bracket).ok(),
            _ => None,
        }
    }

    /// Over what an open bracket holds, up to its end.
    fn pass(&mut self, bracket: u8) -> Result<(), Stop> {
        let mut open = vec![bracket];
        while let Some(last) = open.last().copied() {
            match self.next().ok_or(Stop::Mismatch)?.kind {
                Kind::Open(bracket) => open.push(bracket),
                Kind::Close(bracket) if closes(last, bracket) => drop(open.pop()),
                Kind::Close(_) => return Err(Stop::Mismatch),
                _ => {}
            }
        }
        Ok(())
    }

    fn close(&mut self, bracket: u8) -> Result<(), Stop> {
        self.pending = None;
        match self.containers.pop() {
            Some(container) if bracket == b'}' && !self.containers.is_empty() => {
                self.names.truncate(container.names);
                Ok(())
            }
            _ => Err(Stop::Mismatch),
        }
    }

    /// Behind a `#`, which stands at a place.
    fn attribute(&mut self, from: usize) -> Result<(), Stop> {
        if !self.peeks(Kind::Open(b'[')) {
            return Ok(());
        }
        self.next();
        self.pass(b'[')?;
        let text = self.text.get(from..self.end).unwrap_or_default();
        let mut tokens = Tokens::new(text);
        tokens.next();
        let Ok(Some(Attribute { leaves, .. })) = attribute::read(text, &mut tokens) else { return Ok(()) };
        let pending = self.pending.get_or_insert_default();
        for leaf in leaves {
            let arguments = leaf.arguments.clone().and_then(|range| text.get(range)).unwrap_or_default();
            let says_hidden =
                || Tokens::new(arguments).any(|token| arguments.get(token.range).is_some_and(|said| said == "hidden"));
            match leaf.name() {
                name if makes_a_test(name) => pending.is_test = true,
                // Where the condition does not hold it is public.
                _ if leaf.is_conditional => {}
                "doc" => pending.inherited.is_hidden |= says_hidden(),
                "cfg" => pending.inherited.is_for_tests |= is_for_tests(arguments),
                _ => {}
            }
        }
        Ok(())
    }

    fn word(&mut self, token: &Token) -> Result<(), Stop> {
        match self.of(token) {
            "pub" => {
                if self.peeks(Kind::Open(b'(')) {
                    self.next();
                    self.pass(b'(')?;
                } else {
                    self.pending.get_or_insert_default().is_public = true;
                }
            }
            "const" if self.peeks_word(&["fn", "unsafe", "async", "extern"]) => {}
            "const" => self.named(ItemKind::Const)?,
            "static" => {
                if self.peeks_word(&["mut"]) {
                    self.next();
                }
                self.named(ItemKind::Static)?;
            }
            "type" => self.named(ItemKind::Type)?,
            "struct" => self.named(ItemKind::Struct)?,
            "enum" => self.named(ItemKind::Enum)?,
            "union" if self.peeks(Kind::Word) => self.named(ItemKind::Union)?,
            "fn" => self.named(ItemKind::Fn)?,
            "trait" => self.named(ItemKind::Trait)?,
            "mod" => self.module()?,
            "impl" => self.implementation()?,
            "use" => self.pass_statement()?,
            // `macro_rules! name {…}`, `macro name() {…}`.
            "macro_rules" | "macro" => self.pass_item()?,
            _ => {}
        }
        Ok(())
    }

    /// An item with a name, behind the word that opens it.
    fn named(&mut self, kind: ItemKind) -> Result<(), Stop> {
        let Some(name) = self.next_word() else { return Ok(()) };
        let (pending, inherited) = self.begun();
        let line = self.line(name.range.start);
        let of = said(self.of(&name)).to_owned();
        let holder = self.containers.last().map_or(Holder::Module, |container| container.holder);
        let is_public = pending.is_public && !inherited.is_hidden && !inherited.is_for_tests;
        let counted = match (holder, kind) {
            (Holder::Module, ItemKind::Fn) if pending.is_test => Some(ItemKind::Test),
            (Holder::Module, kind) => is_public.then_some(kind),
            (Holder::Impl, ItemKind::Fn) => is_public.then_some(ItemKind::Method),
            (Holder::Trait(true), ItemKind::Fn) => (!inherited.is_hidden).then_some(ItemKind::Method),
            (Holder::Impl | Holder::Trait(_), _) => None,
        };
        if let Some(kind) = counted.filter(|_| of != "_") {
            if self.found.items.len() >= MAX_ITEMS {
                return Err(Stop::TooMany);
            }
            let path = self.names.iter().cloned().chain([of.clone()]).collect();
            self.found.items.push(Item { kind, path, line, is_bound: inherited.is_bound });
        }
        match kind {
            ItemKind::Const | ItemKind::Static | ItemKind::Type => self.pass_statement(),
            ItemKind::Trait => {
                if self.find_body()? {
                    self.open(Holder::Trait(is_public), of, inherited)?;
                }
                Ok(())
            }
            _ => self.pass_item(),
        }
    }

    fn next_word(&mut self) -> Option<Token> {
        if self.peeks(Kind::Word) { self.next() } else { None }
    }

    /// The body whose bracket was taken.
    fn open(&mut self, holder: Holder, name: String, inherited: Inherited) -> Result<(), Stop> {
        let length: usize = self.names.iter().map(String::len).sum();
        if self.containers.len() >= MAX_DEPTH || length + name.len() > MAX_PATH {
            return self.pass(b'{');
        }
        self.containers.push(Container { holder, inherited, names: self.names.len() });
        self.names.push(name);
        self.opened();
        Ok(())
    }

    fn module(&mut self) -> Result<(), Stop> {
        let Some(name) = self.next_word() else { return Ok(()) };
        let (_, inherited) = self.begun();
        let of = said(self.of(&name)).to_owned();
        if self.find_body()? {
            return self.open(Holder::Module, of, inherited);
        }
        if inherited != Inherited::default() {
            let path = self.names.iter().cloned().chain([of]).collect();
            self.found.modules.push((path, inherited));
        }
        Ok(())
    }

    /// Behind `impl`: an inherent one is looked into, one of a trait is passed over.
    fn implementation(&mut self) -> Result<(), Stop> {
        let (_, inherited) = self.begun();
        let mut angles = 0_usize;
        let (mut is_of_trait, mut is_named) = (false, false);
        let mut name = "_";
        let mut last = Kind::Literal;
        loop {
            match self.peek().map(|token| token.kind) {
                None => return Err(Stop::Mismatch),
                Some(Kind::Close(_)) => return Ok(()),
                _ => {}
            }
            let Some(token) = self.next() else { return Err(Stop::Mismatch) };
            match token.kind {
                Kind::Open(b'{') if angles == 0 => break,
                Kind::Open(bracket) => self.pass(bracket)?,
                Kind::Punct(';') if angles == 0 => return Ok(()),
                Kind::Punct('<') => angles += 1,
                Kind::Punct('>') if !matches!(last, Kind::Punct('-' | '=')) => angles = angles.saturating_sub(1),
                Kind::Word if angles == 0 => match self.of(&token) {
                    "for" if !self.peeks(Kind::Punct('<')) => is_of_trait = true,
                    "where" => is_named = true,
                    "dyn" | "mut" | "const" | "for" => {}
                    word if !is_named => name = word,
                    _ => {}
                },
                // Behind it stand more bounds of a `dyn`.
                Kind::Punct('+') if angles == 0 => is_named = true,
                _ => {}
            }
            last = token.kind;
        }
        if is_of_trait {
            return self.pass(b'{');
        }
        self.open(Holder::Impl, name.to_owned(), inherited)
    }

    /// Up to a body, whose bracket is taken, or behind the `;` that stands instead. Whether there is a body. Braces between
    /// `<` and `>` are the argument of a type.
    fn find_body(&mut self) -> Result<bool, Stop> {
        let mut angles = 0_usize;
        let mut last = Kind::Literal;
        loop {
            if matches!(self.peek().map(|token| token.kind), Some(Kind::Close(_)) | None) {
                return Ok(false);
            }
            let Some(kind) = self.next().map(|token| token.kind) else { return Ok(false) };
            match kind {
                Kind::Open(b'{') if angles == 0 => return Ok(true),
                Kind::Open(bracket) => self.pass(bracket)?,
                Kind::Punct(';') => return Ok(false),
                Kind::Punct('<') => angles += 1,
                Kind::Punct('>') if !matches!(last, Kind::Punct('-' | '=')) => angles = angles.saturating_sub(1),
                _ => {}
            }
            last = kind;
        }
    }

    /// Behind the item's body, or the `;` that stands instead.
    fn pass_item(&mut self) -> Result<(), Stop> {
        self.pending = None;
        if self.find_body()? { self.pass(b'{') } else { Ok(()) }
    }

    /// Behind the next `;` outside of brackets.
    fn pass_statement(&mut self) -> Result<(), Stop> {
        self.pending = None;
        while self.find_body()? {
            self.pass(b'{')?;
        }
        Ok(())
    }
}

fn closes(open: u8, close: u8) -> bool {
    matches!((open, close), (b'(', b')') | (b'[', b']') | (b'{', b'}'))
}
