//! Matching: a legal pattern and a subject come in, whether the one matches the other goes out, with the work that it was.
//!
//! The tree is written out as places; a place holds at a place of the subject if the rest of the pattern matches from there.
//! A place that takes a unit looks at the places one unit later, every other place at places of the same unit. So the
//! subject is walked from its end to its start, and of all that was decided only the last unit's answers are kept. Which
//! alternative comes first and whether a quantifier is lazy makes no difference to whether there is a match.

use std::collections::VecDeque;

use super::class::{self, Class};
use super::syntax::{Check, ENDLESS, Node};
use super::{Exhausted, Pattern};

/// More places than this are not written out.
const MOST_PLACES: u64 = 1 << 21;

/// How many steps writing a place out takes.
const WRITTEN: u64 = 16;

/// The place behind the end of the pattern and of everything that is looked ahead for. It always holds.
const ACCEPT: u32 = 0;

pub(super) fn test(pattern: &Pattern, subject: &str, steps: u64) -> Result<(bool, u64), Exhausted> {
    let subject: Vec<u16> = subject.encode_utf16().collect();
    let length = subject.len() as u64;
    let size = size(pattern, length);
    let least = size.saturating_mul(length + 1);
    if size > MOST_PLACES || least > steps {
        return Err(Exhausted);
    }
    let program = Writer::write(pattern, length);
    let mut run = Run { program: &program, classes: &pattern.classes, subject: &subject, spare: steps - least };
    let matches = run.decide()?;
    Ok((matches, (steps - run.spare).saturating_add(size.saturating_mul(WRITTEN))))
}

/// How a repetition is written out for a subject of this length: so many copies that must match, and then either as many
/// that may match or a loop. More copies than units make no difference, since of two that match nothing at the same unit
/// one is enough.
fn copies(min: u64, max: u64, length: u64) -> (u64, Option<u64>) {
    let needed = min.min(length.saturating_add(1));
    let optional = if max == ENDLESS { ENDLESS } else { max - min };
    (needed, (optional < length.max(2)).then_some(optional))
}

/// No fewer places than the pattern takes over a subject of this length. Children stand before their parents.
fn size(pattern: &Pattern, length: u64) -> u64 {
    let mut sizes: Vec<u64> = Vec::with_capacity(pattern.nodes.len());
    for node in &pattern.nodes {
        let of = |child: &u32| sizes.get(*child as usize).copied().unwrap_or(0);
        let sum = |children: &[u32]| children.iter().fold(1u64, |sum, child| sum.saturating_add(of(child)));
        let size = match node {
            Node::Empty | Node::Unit(_) | Node::Class(_) | Node::Check(_) => 1,
            Node::Look { body, .. } => of(body).saturating_add(1),
            Node::Sequence(items) | Node::Either(items) => sum(items),
            Node::Repeat { body, min, max } => match pattern.nodes.get(*body as usize) {
                Some(Node::Unit(_) | Node::Class(_)) => 2,
                _ => {
                    let (needed, optional) = copies(*min, *max, length);
                    let copies = optional.map_or(needed.max(1), |optional| needed + optional);
                    copies.saturating_mul(of(body).saturating_add(1)).saturating_add(1)
                }
            },
        };
        sizes.push(size);
    }
    sizes.get(pattern.root as usize).copied().unwrap_or(0)
}

/// What a place asks of the subject.
#[derive(Clone, Copy, Debug)]
enum Place {
    Accept,
    Never,
    Unit {
        unit: u16,
        next: u32,
    },
    Class {
        class: u32,
        next: u32,
    },
    /// At least one unit and at most `max`: the span of this number knows the rest.
    Span {
        span: u32,
        max: u64,
    },
    /// One of the places of this part of [`Program::branches`].
    Any {
        from: u32,
        to: u32,
    },
    Check {
        check: Check,
        next: u32,
    },
    Look {
        negated: bool,
        body: u32,
        next: u32,
    },
}

/// A repetition of one unit or class.
#[derive(Clone, Copy, Debug)]
struct Span {
    unit: Result<u16, u32>,
    /// At least one.
    min: u64,
    next: u32,
}

/// Places that are decided together: those of the pattern, or of one thing that is looked ahead for.
#[derive(Debug, Default)]
struct Block {
    /// What a place looks at within the same unit comes before it, unless there is a circle.
    places: Vec<u32>,
    circular: bool,
    /// Steps of deciding all of them once more: one for each, and one for each branch.
    cost: u64,
}

#[derive(Debug, Default)]
struct Program {
    places: Vec<Place>,
    branches: Vec<u32>,
    spans: Vec<Span>,
    /// What is looked ahead for comes before the block that looks.
    blocks: Vec<Block>,
    entry: u32,
}

fn number(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

enum Task {
    /// Writes a node in front of the latest entry, which it replaces.
    Node(u32),
    Entry(u32),
    Join(usize),
    Loop {
        place: u32,
        next: u32,
        skip: bool,
    },
    Optional(u32),
    Look {
        negated: bool,
        next: u32,
    },
}

/// Writes a program from the end of the pattern to its start, without recursion.
struct Writer<'a> {
    pattern: &'a Pattern,
    length: u64,
    program: Program,
    open: Vec<Vec<u32>>,
    tasks: Vec<Task>,
    entries: Vec<u32>,
}

impl<'a> Writer<'a> {
    fn write(pattern: &'a Pattern, length: u64) -> Program {
        let mut writer = Writer {
            pattern,
            length,
            program: Program { places: vec![Place::Accept], ..Program::default() },
            open: vec![Vec::new()],
            tasks: vec![Task::Node(pattern.root)],
            entries: vec![ACCEPT],
        };
        while let Some(task) = writer.tasks.pop() {
            writer.step(task);
        }
        writer.program.entry = writer.entry();
        writer.close();
        writer.sort();
        writer.program
    }

    fn entry(&mut self) -> u32 {
        self.entries.pop().unwrap_or(ACCEPT)
    }

    fn place(&mut self, place: Place) -> u32 {
        let place_number = number(self.program.places.len());
        self.program.places.push(place);
        if let Some(block) = self.open.last_mut() {
            block.push(place_number);
        }
        place_number
    }

    fn put(&mut self, place: Place) {
        let place = self.place(place);
        self.entries.push(place);
    }

    fn any(&mut self, branches: &[u32]) -> Place {
        let from = number(self.program.branches.len());
        self.program.branches.extend_from_slice(branches);
        Place::Any { from, to: number(self.program.branches.len()) }
    }

    fn close(&mut self) {
        if let Some(places) = self.open.pop() {
            self.program.blocks.push(Block { places, circular: false, cost: 0 });
        }
    }

    fn step(&mut self, task: Task) {
        match task {
            Task::Node(node) => self.node(node),
            Task::Entry(entry) => self.entries.push(entry),
            Task::Join(count) => {
                let branches = self.entries.split_off(self.entries.len().saturating_sub(count));
                let any = self.any(&branches);
                self.put(any);
            }
            Task::Loop { place, next, skip } => {
                let body = self.entry();
                let any = self.any(&[body, next]);
                if let Some(place) = self.program.places.get_mut(place as usize) {
                    *place = any;
                }
                self.entries.push(if skip { place } else { body });
            }
            Task::Optional(next) => {
                let body = self.entry();
                let any = self.any(&[body, next]);
                self.put(any);
            }
            Task::Look { negated, next } => {
                let body = self.entry();
                self.close();
                self.put(Place::Look { negated, body, next });
            }
        }
    }

    fn node(&mut self, node: u32) {
        let pattern = self.pattern;
        let next = self.entry();
        match pattern.nodes.get(node as usize) {
            None | Some(Node::Empty) => self.entries.push(next),
            Some(Node::Unit(unit)) => self.put(Place::Unit { unit: *unit, next }),
            Some(Node::Class(class)) => self.put(Place::Class { class: *class, next }),
            Some(Node::Check(check)) => self.put(Place::Check { check: *check, next }),
            Some(Node::Look { negated, body }) => {
                self.open.push(Vec::new());
                self.tasks.push(Task::Look { negated: *negated, next });
                self.tasks.push(Task::Node(*body));
                self.entries.push(ACCEPT);
            }
            Some(Node::Sequence(items)) => {
                self.entries.push(next);
                self.tasks.extend(items.iter().map(|item| Task::Node(*item)));
            }
            Some(Node::Either(items)) => {
                self.tasks.push(Task::Join(items.len()));
                for item in items {
                    self.tasks.push(Task::Node(*item));
                    self.tasks.push(Task::Entry(next));
                }
            }
            Some(Node::Repeat { body, min, max }) => match pattern.nodes.get(*body as usize) {
                Some(Node::Unit(unit)) => self.span(Ok(*unit), (*min, *max), next),
                Some(Node::Class(class)) => self.span(Err(*class), (*min, *max), next),
                _ => self.repeat(*body, copies(*min, *max, self.length), next),
            },
        }
    }

    fn span(&mut self, unit: Result<u16, u32>, (min, max): (u64, u64), next: u32) {
        if max == 0 {
            self.entries.push(next);
            return;
        }
        if min > self.length {
            self.put(Place::Never);
            return;
        }
        let span = number(self.program.spans.len());
        self.program.spans.push(Span { unit, min: min.max(1), next });
        let place = self.place(Place::Span { span, max });
        if min == 0 {
            let any = self.any(&[place, next]);
            self.put(any);
        } else {
            self.entries.push(place);
        }
    }

    fn repeat(&mut self, body: u32, (needed, optional): (u64, Option<u64>), next: u32) {
        let copies = |count: u64| (0..count).map(move |_| Task::Node(body));
        match optional {
            Some(optional) => {
                self.entries.push(next);
                self.tasks.extend(copies(needed));
                for _ in 0..optional {
                    self.tasks.push(Task::Optional(next));
                    self.tasks.push(Task::Node(body));
                }
            }
            None => {
                let place = self.place(Place::Never);
                self.tasks.extend(copies(needed.saturating_sub(1)));
                self.tasks.push(Task::Loop { place, next, skip: needed == 0 });
                self.tasks.push(Task::Node(body));
                self.tasks.push(Task::Entry(place));
            }
        }
    }

    /// Puts every block into an order in which what a place looks at comes first, and finds the circles.
    fn sort(&mut self) {
        const NEW: u8 = 0;
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let program = &mut self.program;
        let mut states = vec![NEW; program.places.len()];
        let mut set = |place: u32, state: u8| {
            states.get_mut(place as usize).map_or(DONE, |before| {
                let was = *before;
                *before = was.max(state);
                was
            })
        };
        set(ACCEPT, DONE);
        for block in &mut program.blocks {
            let mut sorted = Vec::with_capacity(block.places.len());
            let mut stack = Vec::new();
            for &start in &block.places {
                if set(start, OPEN) != NEW {
                    continue;
                }
                stack.push((start, 0u32));
                while let Some((place, seen)) = stack.last_mut() {
                    let child = program.places.get(*place as usize).and_then(|place| match *place {
                        Place::Any { from, to } if from + *seen < to => {
                            program.branches.get((from + *seen) as usize).copied()
                        }
                        Place::Check { next, .. } | Place::Look { next, .. } if *seen == 0 => Some(next),
                        _ => None,
                    });
                    *seen += 1;
                    match child {
                        Some(child) => match set(child, OPEN) {
                            NEW => stack.push((child, 0)),
                            OPEN => block.circular = true,
                            _ => {}
                        },
                        None => {
                            set(*place, DONE);
                            sorted.push(*place);
                            stack.pop();
                        }
                    }
                }
            }
            let branches = sorted.iter().map(|place| match program.places.get(*place as usize) {
                Some(Place::Any { from, to }) => u64::from(to - from),
                _ => 0,
            });
            block.cost = sorted.len() as u64 + branches.sum::<u64>();
            block.places = sorted;
        }
    }
}

/// What is known of a span while the subject is walked.
#[derive(Clone, Debug, Default)]
struct Reach {
    /// How many of its units follow one another from here.
    units: u64,
    /// Whether what comes next holds, at the units behind this one, nearest first.
    later: VecDeque<bool>,
    /// How far the nearest unit is, at least `min` away, at which what comes next holds.
    nearest: Option<u64>,
}

struct Run<'a> {
    program: &'a Program,
    classes: &'a [Class],
    subject: &'a [u16],
    /// Steps beyond the one that every place takes at every unit.
    spare: u64,
}

fn holds(places: &[bool], place: u32) -> bool {
    places.get(place as usize).copied().unwrap_or(false)
}

impl Run<'_> {
    fn decide(&mut self) -> Result<bool, Exhausted> {
        let program = self.program;
        let mut here = vec![false; program.places.len()];
        let mut later = here.clone();
        let mut reaches = vec![Reach::default(); program.spans.len()];
        for place in [&mut here, &mut later] {
            if let Some(accept) = place.first_mut() {
                *accept = true;
            }
        }
        for at in (0..=self.subject.len()).rev() {
            std::mem::swap(&mut here, &mut later);
            let unit = self.subject.get(at).copied();
            if at < self.subject.len() {
                for (span, reach) in program.spans.iter().zip(&mut reaches) {
                    self.walk(span, reach, unit, &later);
                }
            }
            for block in &program.blocks {
                if !block.circular {
                    self.pass(block, at, unit, &mut here, &later, &reaches);
                    continue;
                }
                // Nothing holds only because it holds already: all start as false, and what became true stays so.
                for place in &block.places {
                    if let Some(value) = here.get_mut(*place as usize) {
                        *value = false;
                    }
                }
                while self.pass(block, at, unit, &mut here, &later, &reaches) {
                    self.spare = self.spare.checked_sub(block.cost).ok_or(Exhausted)?;
                }
            }
        }
        Ok(holds(&here, program.entry))
    }

    fn fits(&self, wanted: Result<u16, u32>, unit: Option<u16>) -> bool {
        let Some(unit) = unit else { return false };
        match wanted {
            Ok(wanted) => wanted == unit,
            Err(class) => self.classes.get(class as usize).is_some_and(|class| class.has(unit)),
        }
    }

    /// Moves a span one unit towards the start.
    fn walk(&self, span: &Span, reach: &mut Reach, unit: Option<u16>, later: &[bool]) {
        reach.units = if self.fits(span.unit, unit) { reach.units + 1 } else { 0 };
        reach.later.push_front(holds(later, span.next));
        reach.nearest = reach.nearest.map(|distance| distance + 1);
        if reach.later.len() as u64 >= span.min && reach.later.pop_back() == Some(true) {
            reach.nearest = Some(span.min);
        }
    }

    /// Decides the places of a block at one unit once. Whether any became true that was false goes out.
    fn pass(
        &self,
        block: &Block,
        at: usize,
        unit: Option<u16>,
        here: &mut [bool],
        later: &[bool],
        reaches: &[Reach],
    ) -> bool {
        let program = self.program;
        let mut changed = false;
        for &number in &block.places {
            let Some(&place) = program.places.get(number as usize) else { continue };
            let value = match place {
                Place::Accept => true,
                Place::Never => false,
                Place::Unit { unit: wanted, next } => holds(later, next) && self.fits(Ok(wanted), unit),
                Place::Class { class, next } => holds(later, next) && self.fits(Err(class), unit),
                Place::Span { span, max } => reaches.get(span as usize).is_some_and(|reach| {
                    reach.nearest.is_some_and(|distance| distance <= reach.units && distance <= max)
                }),
                Place::Any { from, to } => program
                    .branches
                    .get(from as usize..to as usize)
                    .is_some_and(|branches| branches.iter().any(|branch| holds(here, *branch))),
                Place::Check { check, next } => holds(here, next) && self.check(check, at),
                Place::Look { negated, body, next } => holds(here, next) && holds(here, body) != negated,
            };
            if let Some(before) = here.get_mut(number as usize) {
                changed |= value && !*before;
                *before = value;
            }
        }
        changed
    }

    fn check(&self, check: Check, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|index| self.subject.get(index)).copied();
        let after = self.subject.get(at).copied();
        let edge = || before.is_some_and(class::is_word) != after.is_some_and(class::is_word);
        match check {
            Check::Start => before.is_none(),
            Check::LineStart => before.is_none_or(class::is_line_end),
            Check::End => after.is_none(),
            Check::LineEnd => after.is_none_or(class::is_line_end),
            Check::WordEdge => edge(),
            Check::NoWordEdge => !edge(),
        }
    }
}
