//! A list of names that is asked for membership often. A JSON list comes in; the names in the author's order, and a fast answer
//! whether a name is among them, go out.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::ops::Deref;

use serde_json::Value;

use crate::shape::{Definitions, Issues, Place, Shape};

/// Up to so many names, looking at each is as fast as anything.
const FEW: usize = 8;

/// Names in the author's order. Whether one is among them is told in logarithmic time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names<T> {
    listed: Vec<T>,
    /// The positions in the order of the names; empty where there are few.
    order: Vec<usize>,
}

impl<T: Borrow<str>> Names<T> {
    /// The names.
    #[must_use]
    pub fn new(listed: Vec<T>) -> Self {
        let mut order = Vec::new();
        if listed.len() > FEW {
            let mut by_name: Vec<(usize, &str)> = listed.iter().map(Borrow::borrow).enumerate().collect();
            by_name.sort_unstable_by_key(|(_, name)| *name);
            order = by_name.into_iter().map(|(position, _)| position).collect();
        }
        Self { listed, order }
    }

    /// Whether a name is among them.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        if self.order.is_empty() {
            return self.listed.iter().any(|listed| listed.borrow() == name);
        }
        let compared = |position: &usize| {
            let listed = self.listed.get(*position);
            listed.map_or(Ordering::Less, |listed| Borrow::<str>::borrow(listed).cmp(name))
        };
        self.order.binary_search_by(compared).is_ok()
    }
}

impl<T> Deref for Names<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.listed
    }
}

impl<'n, T> IntoIterator for &'n Names<T> {
    type Item = &'n T;
    type IntoIter = std::slice::Iter<'n, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.iter()
    }
}

impl<T: serde::Serialize> serde::Serialize for Names<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.listed.serialize(serializer)
    }
}

impl<T: Shape + Borrow<str>> Shape for Names<T> {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        Vec::read(value, place, issues).map(Self::new)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        <Vec<T> as Shape>::schema(definitions)
    }

    fn wants() -> String {
        <Vec<T> as Shape>::wants()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::KeyName;

    fn names(of: impl IntoIterator<Item = usize>) -> Names<KeyName> {
        Names::new(of.into_iter().map(|number| KeyName::new(format!("k{number}")).unwrap()).collect())
    }

    #[test]
    fn few_and_many_names_are_found_and_no_other() {
        for count in [0, 1, FEW, FEW + 1, 1000] {
            let names = names((0..count).rev().chain(0..count.min(2)));
            for number in 0..count {
                assert!(names.has(&format!("k{number}")), "{number} of {count}");
            }
            assert!(!names.has(&format!("k{count}")) && !names.has("k") && !names.has(""), "{count}");
        }
    }

    #[test]
    fn the_order_of_the_author_is_kept() {
        let names = names([20, 3, 7, 1, 2, 11, 9, 8, 4, 3]);
        let text = serde_json::to_value(&names).unwrap();
        assert_eq!(text, serde_json::json!(["k20", "k3", "k7", "k1", "k2", "k11", "k9", "k8", "k4", "k3"]));
    }
}
