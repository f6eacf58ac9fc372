//! The grammar of ECMAScript patterns: a text comes in, its tree and what it uses go out.
//!
//! This is the grammar of ECMAScript 2025 without the flags `u` and `v`, with Annex B. A named group anywhere makes `\k` a
//! reference everywhere. Groups nest as deep as they like: nothing here recurses, and children stand before their parents
//! in [`Tree::nodes`].

use std::collections::HashMap;

use super::class::Class;

mod atoms;

/// One part of a pattern. Numbers of nodes and classes are places in the tree's lists.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    Unit(u16),
    Class(u32),
    Check(Check),
    Look { negated: bool, body: u32 },
    Sequence(Box<[u32]>),
    Either(Box<[u32]>),
    Repeat { body: u32, min: u64, max: u64 },
}

/// What holds between two units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Check {
    Start,
    LineStart,
    End,
    LineEnd,
    WordEdge,
    NoWordEdge,
}

/// A quantifier without an upper bound.
pub(super) const ENDLESS: u64 = u64::MAX;

/// A pattern that ECMAScript reads.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) root: u32,
    pub(super) classes: Vec<Class>,
    pub(super) anchored: bool,
    pub(super) backreference: bool,
    pub(super) lookbehind: bool,
    pub(super) nested: bool,
    pub(super) markers: usize,
}

/// Why a text is no pattern.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) reason: &'static str,
    pub(super) at: usize,
}

/// Reads a pattern.
pub(super) fn read(text: &str) -> Result<Tree, Fault> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let (groups, named) = groups_of(&units);
    let reader = Reader {
        units,
        at: 0,
        groups,
        named,
        nodes: Vec::new(),
        classes: Vec::new(),
        shared: HashMap::new(),
        flags: Flags::default(),
        names: HashMap::new(),
        references: Vec::new(),
        frames: Vec::new(),
        frame: Frame::new(Kind::Whole, 0, Flags::default()),
        backreference: false,
        lookbehind: false,
        nested: false,
        markers: 0,
    };
    reader.whole()
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Flags {
    fold: bool,
    lines: bool,
    all: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Whole,
    Group,
    Ahead { negated: bool },
    Behind,
}

/// A group that is still open.
#[derive(Debug)]
struct Frame {
    kind: Kind,
    open: usize,
    /// Where its latest `|` stands.
    bar: Option<usize>,
    finished: Vec<u32>,
    items: Vec<u32>,
    quantified: bool,
    /// The flags outside it.
    flags: Flags,
}

impl Frame {
    fn new(kind: Kind, open: usize, flags: Flags) -> Self {
        Self { kind, open, bar: None, finished: Vec::new(), items: Vec::new(), quantified: false, flags }
    }
}

/// What a quantifier may follow.
struct Atom {
    node: u32,
    /// It is a group that holds a quantifier.
    quantified: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Shared {
    Dot(bool),
    Set(char, bool),
    Folded(u16),
}

struct Reader {
    units: Vec<u16>,
    at: usize,
    groups: u64,
    named: bool,
    nodes: Vec<Node>,
    classes: Vec<Class>,
    shared: HashMap<Shared, u32>,
    flags: Flags,
    /// Where a group of the name was opened last.
    names: HashMap<String, usize>,
    references: Vec<(String, usize)>,
    frames: Vec<Frame>,
    frame: Frame,
    backreference: bool,
    lookbehind: bool,
    nested: bool,
    markers: usize,
}

impl Reader {
    fn whole(mut self) -> Result<Tree, Fault> {
        while let Some(next) = self.peek() {
            let start = self.at;
            self.at += 1;
            let atom = match ascii(next) {
                '^' => {
                    self.check(if self.flags.lines { Check::LineStart } else { Check::Start });
                    continue;
                }
                '$' => {
                    self.check(if self.flags.lines { Check::LineEnd } else { Check::End });
                    continue;
                }
                '|' => {
                    self.end_alternative();
                    self.frame.bar = Some(start);
                    continue;
                }
                '(' => {
                    self.open(start)?;
                    continue;
                }
                ')' => match self.close(start)? {
                    Some(atom) => atom,
                    None => continue,
                },
                '\\' => match self.escape(start)? {
                    Some(node) => Atom { node, quantified: false },
                    None => continue,
                },
                '[' => Atom { node: self.class(start)?, quantified: false },
                '.' => {
                    let all = self.flags.all;
                    Atom { node: self.share(Shared::Dot(all), || Class::dot(all)), quantified: false }
                }
                '*' | '+' | '?' => return Err(fault("nothing to repeat", start)),
                '{' => {
                    if self.braces().is_some() {
                        return Err(fault("nothing to repeat", start));
                    }
                    Atom { node: self.unit(next), quantified: false }
                }
                _ => Atom { node: self.unit(next), quantified: false },
            };
            self.quantifier(atom)?;
        }
        self.finish()
    }

    /// The tree, at the end of the text.
    fn finish(mut self) -> Result<Tree, Fault> {
        if let Some(frame) = (!self.frames.is_empty()).then_some(&self.frame) {
            return Err(fault("unterminated group", frame.open));
        }
        if let Some((_, at)) = self.references.iter().find(|(name, _)| !self.names.contains_key(name)) {
            return Err(fault("reference to a group that does not exist", *at));
        }
        let is = |item: Option<&u32>, wanted| {
            item.and_then(|node| self.nodes.get(*node as usize))
                .is_some_and(|node| matches!(node, Node::Check(check) if *check == wanted))
        };
        let anchored = self.frame.bar.is_none()
            && is(self.frame.items.first(), Check::Start)
            && is(self.frame.items.last(), Check::End);
        let root = self.end_group();
        Ok(Tree {
            nodes: self.nodes,
            root,
            classes: self.classes,
            anchored,
            backreference: self.backreference,
            lookbehind: self.lookbehind,
            nested: self.nested,
            markers: self.markers,
        })
    }

    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn peek_ascii(&self) -> Option<char> {
        self.peek().map(ascii)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek_ascii() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn add(&mut self, node: Node) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(node);
        number
    }

    fn add_class(&mut self, class: Class) -> u32 {
        let number = u32::try_from(self.classes.len()).unwrap_or(u32::MAX);
        self.classes.push(class);
        number
    }

    /// A node of a class that is made once.
    fn share(&mut self, key: Shared, class: impl FnOnce() -> Class) -> u32 {
        let number = match self.shared.get(&key) {
            Some(number) => *number,
            None => {
                let number = self.add_class(class());
                self.shared.insert(key, number);
                number
            }
        };
        self.add(Node::Class(number))
    }

    fn check(&mut self, check: Check) {
        let node = self.add(Node::Check(check));
        self.frame.items.push(node);
    }

    fn unit(&mut self, unit: u16) -> u32 {
        if self.flags.fold {
            self.share(Shared::Folded(unit), || Class::new(vec![(unit, unit)], false, true))
        } else {
            self.add(Node::Unit(unit))
        }
    }

    fn end_alternative(&mut self) {
        let items = std::mem::take(&mut self.frame.items);
        let node = match *items.as_slice() {
            [] => self.add(Node::Empty),
            [one] => one,
            _ => self.add(Node::Sequence(items.into())),
        };
        self.frame.finished.push(node);
    }

    /// The node of everything in the innermost open group.
    fn end_group(&mut self) -> u32 {
        self.end_alternative();
        let finished = std::mem::take(&mut self.frame.finished);
        match *finished.as_slice() {
            [one] => one,
            _ => self.add(Node::Either(finished.into())),
        }
    }

    fn open(&mut self, start: usize) -> Result<(), Fault> {
        let outside = self.flags;
        let mut kind = Kind::Group;
        if self.eat('?') {
            match self.peek_ascii() {
                Some(':') => self.at += 1,
                Some('=') => {
                    self.at += 1;
                    kind = Kind::Ahead { negated: false };
                }
                Some('!') => {
                    self.at += 1;
                    kind = Kind::Ahead { negated: true };
                }
                Some('<') => {
                    self.at += 1;
                    if self.eat('=') || self.eat('!') {
                        kind = Kind::Behind;
                        self.lookbehind = true;
                    } else {
                        self.named_group(start)?;
                    }
                }
                _ => self.flags = self.modifiers(start)?,
            }
        }
        let frame = std::mem::replace(&mut self.frame, Frame::new(kind, start, outside));
        self.frames.push(frame);
        Ok(())
    }

    /// Closes the innermost group. `None` means that no quantifier may follow.
    fn close(&mut self, start: usize) -> Result<Option<Atom>, Fault> {
        if self.frames.is_empty() {
            return Err(fault("unmatched parenthesis", start));
        }
        let body = self.end_group();
        let Some(outer) = self.frames.pop() else { return Ok(None) };
        let frame = std::mem::replace(&mut self.frame, outer);
        self.flags = frame.flags;
        self.frame.quantified |= frame.quantified;
        let node = match frame.kind {
            Kind::Ahead { negated } => self.add(Node::Look { negated, body }),
            Kind::Behind => {
                let node = self.add(Node::Empty);
                self.frame.items.push(node);
                return Ok(None);
            }
            Kind::Group | Kind::Whole => body,
        };
        Ok(Some(Atom { node, quantified: frame.quantified }))
    }

    /// What stands between `(?` and `:`.
    fn modifiers(&mut self, start: usize) -> Result<Flags, Fault> {
        let mut flags = self.flags;
        let mut seen = [false; 3];
        let mut value = true;
        let mut any = false;
        loop {
            let letter = self.peek_ascii();
            let (index, flag) = match letter {
                Some('i') => (0, &mut flags.fold),
                Some('m') => (1, &mut flags.lines),
                Some('s') => (2, &mut flags.all),
                Some('-') if value => {
                    value = false;
                    self.at += 1;
                    continue;
                }
                Some(':') if any => {
                    self.at += 1;
                    return Ok(flags);
                }
                _ => return Err(fault("invalid group", start)),
            };
            match seen.get_mut(index) {
                Some(seen) if !*seen => *seen = true,
                _ => return Err(fault("repeated modifier", self.at)),
            }
            *flag = value;
            any = true;
            self.at += 1;
        }
    }

    /// Reads the name of a group that was opened at `start`. A name may come again only in another alternative.
    fn named_group(&mut self, start: usize) -> Result<(), Fault> {
        let name = self.name(start)?;
        if let Some(before) = self.names.insert(name, start) {
            // The innermost group that holds both must have a `|` between them.
            let common = if self.frame.open < before || self.frames.is_empty() {
                Some(&self.frame)
            } else {
                let around = self.frames.partition_point(|frame| frame.kind == Kind::Whole || frame.open < before);
                around.checked_sub(1).and_then(|index| self.frames.get(index))
            };
            if common.and_then(|frame| frame.bar).is_none_or(|bar| bar < before) {
                return Err(fault("repeated name of a group", start));
            }
        }
        Ok(())
    }

    /// Reads the quantifier behind an atom, if there is one.
    fn quantifier(&mut self, atom: Atom) -> Result<(), Fault> {
        let start = self.at;
        let bounds = match self.peek_ascii() {
            Some('*') => Some((0, ENDLESS)),
            Some('+') => Some((1, ENDLESS)),
            Some('?') => Some((0, 1)),
            Some('{') => {
                self.at += 1;
                let bounds = self.braces();
                self.at = if bounds.is_some() { self.at - 1 } else { start };
                bounds
            }
            _ => None,
        };
        let Some((min, max)) = bounds else {
            self.frame.items.push(atom.node);
            return Ok(());
        };
        self.at += 1;
        if min > max {
            return Err(fault("numbers of a quantifier out of order", start));
        }
        self.eat('?');
        self.markers += 1;
        self.nested |= atom.quantified;
        self.frame.quantified = true;
        let node = self.add(Node::Repeat { body: atom.node, min, max });
        self.frame.items.push(node);
        Ok(())
    }

    /// What stands behind `{`, if it makes a quantifier.
    fn braces(&mut self) -> Option<(u64, u64)> {
        let start = self.at;
        let bounds = self.bounds();
        if bounds.is_none() {
            self.at = start;
        }
        bounds
    }

    fn bounds(&mut self) -> Option<(u64, u64)> {
        let min = self.number()?;
        let max = if !self.eat(',') {
            min
        } else if self.peek_ascii() == Some('}') {
            ENDLESS
        } else {
            self.number()?
        };
        self.eat('}').then_some((min, max))
    }

    /// A number. What is larger than any subject is as good as one that is a little less.
    fn number(&mut self) -> Option<u64> {
        let mut value = None;
        while let Some(digit) = self.peek_ascii().and_then(|next| next.to_digit(10)) {
            let next = value.unwrap_or(0u64).saturating_mul(10).saturating_add(u64::from(digit));
            value = Some(next.min(ENDLESS - 1));
            self.at += 1;
        }
        value
    }
}

fn fault(reason: &'static str, at: usize) -> Fault {
    Fault { reason, at }
}

/// The character of an ASCII unit, or one that no rule of the grammar names.
fn ascii(unit: u16) -> char {
    u8::try_from(unit).ok().filter(u8::is_ascii).map_or(char::REPLACEMENT_CHARACTER, char::from)
}

/// How many groups capture, and whether one has a name.
fn groups_of(units: &[u16]) -> (u64, bool) {
    let (mut groups, mut named, mut class, mut at) = (0, false, false, 0);
    let peek = |at: usize| units.get(at).copied().map(ascii);
    while let Some(next) = peek(at) {
        match next {
            '\\' => at += 1,
            '[' => class = true,
            ']' => class = false,
            '(' if !class => {
                if peek(at + 1) != Some('?') {
                    groups += 1;
                } else if peek(at + 2) == Some('<') && !matches!(peek(at + 3), Some('=' | '!')) {
                    groups += 1;
                    named = true;
                }
            }
            _ => {}
        }
        at += 1;
    }
    (groups, named)
}
