//! Sets of UTF-16 code units: ranges come in, and whether a unit is inside goes out, with or without regard to case.

use std::collections::HashMap;
use std::sync::OnceLock;

/// First and last unit of a range.
pub(super) type Range = (u16, u16);

pub(super) const DIGIT: &[Range] = &[(0x30, 0x39)];
pub(super) const WORD: &[Range] = &[(0x30, 0x39), (0x41, 0x5a), (0x5f, 0x5f), (0x61, 0x7a)];
pub(super) const SPACE: &[Range] = &[
    (0x09, 0x0d),
    (0x20, 0x20),
    (0xa0, 0xa0),
    (0x1680, 0x1680),
    (0x2000, 0x200a),
    (0x2028, 0x2029),
    (0x202f, 0x202f),
    (0x205f, 0x205f),
    (0x3000, 0x3000),
    (0xfeff, 0xfeff),
];
const LINE_END: &[Range] = &[(0x0a, 0x0a), (0x0d, 0x0d), (0x2028, 0x2029)];

/// A set of code units.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    /// Sorted, apart from one another.
    ranges: Vec<Range>,
    /// The units below 128.
    ascii: u128,
    /// Every unit that is outside counts instead (`[^…]`).
    inverted: bool,
    /// Units that differ only in case count as one (`(?i:…)`).
    folded: bool,
}

impl Class {
    pub(super) fn new(mut ranges: Vec<Range>, inverted: bool, folded: bool) -> Self {
        ranges.sort_unstable();
        let mut merged: Vec<Range> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(last),
                _ => merged.push((first, last)),
            }
        }
        let mut ascii = 0;
        for &(first, last) in &merged {
            for unit in first..=last.min(127) {
                ascii |= 1u128 << unit;
            }
        }
        Self { ranges: merged, ascii, inverted, folded }
    }

    /// What `.` matches: all but line ends, or all.
    pub(super) fn dot(all: bool) -> Self {
        if all { Self::new(Vec::new(), true, false) } else { Self::new(complement(LINE_END), false, false) }
    }

    pub(super) fn has(&self, unit: u16) -> bool {
        let inside = if self.folded {
            match folding().alike.get(&folding().upper(unit)) {
                Some(alike) => alike.iter().any(|unit| self.holds(*unit)),
                None => self.holds(unit),
            }
        } else {
            self.holds(unit)
        };
        inside != self.inverted
    }

    fn holds(&self, unit: u16) -> bool {
        if unit < 128 {
            return self.ascii >> unit & 1 == 1;
        }
        let after = self.ranges.partition_point(|range| range.0 <= unit);
        after.checked_sub(1).and_then(|index| self.ranges.get(index)).is_some_and(|range| unit <= range.1)
    }
}

/// Everything outside ranges that are sorted and apart.
pub(super) fn complement(ranges: &[Range]) -> Vec<Range> {
    let mut outside = Vec::with_capacity(ranges.len() + 1);
    let mut next = Some(0u16);
    for &(first, last) in ranges {
        if let (Some(start), Some(end)) = (next, first.checked_sub(1))
            && start <= end
        {
            outside.push((start, end));
        }
        next = last.checked_add(1);
    }
    if let Some(start) = next {
        outside.push((start, u16::MAX));
    }
    outside
}

pub(super) fn is_line_end(unit: u16) -> bool {
    matches!(unit, 0x0a | 0x0d | 0x2028 | 0x2029)
}

pub(super) fn is_word(unit: u16) -> bool {
    u8::try_from(unit).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Which units differ only in case.
struct Folding {
    /// Only the units that are not their own upper case.
    upper: HashMap<u16, u16>,
    /// By upper case, only where there is more than one.
    alike: HashMap<u16, Vec<u16>>,
}

impl Folding {
    fn upper(&self, unit: u16) -> u16 {
        self.upper.get(&unit).copied().unwrap_or(unit)
    }
}

fn folding() -> &'static Folding {
    static FOLDING: OnceLock<Folding> = OnceLock::new();
    FOLDING.get_or_init(|| {
        let mut upper = HashMap::new();
        let mut alike: HashMap<u16, Vec<u16>> = HashMap::new();
        for unit in 0..=u16::MAX {
            let cased = upper_case(unit);
            if cased != unit {
                upper.insert(unit, cased);
                alike.entry(cased).or_insert_with(|| vec![cased]).push(unit);
            }
        }
        Folding { upper, alike }
    })
}

/// The unit that stands for all that differ from it only in case: its upper case if that is one unit, and not an ASCII one
/// for what is not ASCII.
fn upper_case(unit: u16) -> u16 {
    let Some(character) = char::from_u32(u32::from(unit)) else { return unit };
    let mut cased = character.to_uppercase();
    match (cased.next().map(u32::from).map(u16::try_from), cased.next()) {
        (Some(Ok(one)), None) if unit < 128 || one >= 128 => one,
        _ => unit,
    }
}
