//! Where values stand in a JSON text. A text that [`read`](super::read) accepts comes in with a path; the byte offset of each value on that
//! path goes out. One pass, whatever the number of values; nothing recurses, and no text makes it fail: of one that is no JSON it tells what
//! it happens to see.

use super::{Limits, read};

/// One step from a value into a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'k> {
    /// The member of an object with this key (unescaped).
    Key(&'k str),
    /// The element of an array at this position, from 0.
    Index(usize),
    /// Every element of an array.
    Each,
}

/// A value on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The position of the element for each [`Step::Each`], from the outermost on.
    pub indices: Vec<usize>,
    /// Where the value starts, in bytes from the start of the text.
    pub offset: usize,
}

/// The values on a path, in the order of the text. The empty path is that of the whole value.
#[must_use]
pub fn find(text: &str, path: &[Step<'_>]) -> Vec<Found> {
    found(text, path, usize::MAX)
}

/// Where the first value on a path starts.
#[must_use]
pub fn locate(text: &str, path: &[Step<'_>]) -> Option<usize> {
    found(text, path, 1).first().map(|found| found.offset)
}

fn found(text: &str, path: &[Step<'_>], most: usize) -> Vec<Found> {
    let mut scan = Scan { bytes: text.as_bytes(), text, at: 0, path, open: Vec::new(), found: Vec::new() };
    scan.run(most);
    scan.found
}

/// An array or object that is not closed yet.
struct Open {
    /// For an object, what stands at its next value.
    object: Option<Member>,
    /// How many values have ended before this one.
    index: usize,
    /// Whether it stands on the path and the path goes on.
    is_on_path: bool,
}

/// What comes next in an object.
#[derive(Clone, Copy)]
enum Member {
    Key,
    /// A value, and whether its key is the one of the path.
    Value(bool),
}

struct Scan<'t, 'p> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    path: &'p [Step<'p>],
    open: Vec<Open>,
    found: Vec<Found>,
}

impl Scan<'_, '_> {
    fn run(&mut self, most: usize) {
        while self.found.len() < most
            && let Some(byte) = self.bytes.get(self.at)
        {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b':' => self.at += 1,
                b',' => {
                    if let Some(open) = self.open.last_mut() {
                        open.index += 1;
                        open.object = open.object.map(|_| Member::Key);
                    }
                    self.at += 1;
                }
                b']' | b'}' => {
                    self.open.pop();
                    self.at += 1;
                }
                b'[' | b'{' => {
                    let is_on_path = self.value() && self.open.len() < self.path.len();
                    let object = (*byte == b'{').then_some(Member::Key);
                    self.open.push(Open { object, index: 0, is_on_path });
                    self.at += 1;
                }
                b'"' if matches!(self.open.last(), Some(Open { object: Some(Member::Key), .. })) => self.key(),
                b'"' => {
                    self.value();
                    self.string();
                }
                _ => {
                    self.value();
                    let rest = self.bytes.get(self.at..).unwrap_or_default();
                    let ends = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b' ' | b'\t' | b'\r' | b'\n');
                    self.at += rest.iter().position(ends).unwrap_or(rest.len()).max(1);
                }
            }
        }
    }

    /// Notes the value that starts here; whether it stands on the path, or at its end.
    fn value(&mut self) -> bool {
        let is_on_path = match (self.open.last(), self.path.get(self.open.len().saturating_sub(1))) {
            (None, _) => true,
            (Some(Open { object: Some(Member::Value(is_key)), is_on_path, .. }), _) => *is_on_path && *is_key,
            (Some(Open { object: None, index, is_on_path }), Some(step)) => {
                *is_on_path && (*step == Step::Each || *step == Step::Index(*index))
            }
            (Some(_), _) => false,
        };
        if is_on_path && self.open.len() == self.path.len() {
            let each = self.open.iter().zip(self.path).filter(|(_, step)| **step == Step::Each);
            self.found.push(Found { indices: each.map(|(open, _)| open.index).collect(), offset: self.at });
        }
        is_on_path
    }

    /// Steps over a key.
    fn key(&mut self) {
        let start = self.at;
        self.string();
        let wanted = match self.path.get(self.open.len().saturating_sub(1)) {
            Some(Step::Key(wanted)) if self.open.last().is_some_and(|open| open.is_on_path) => Some(*wanted),
            _ => None,
        };
        let is_key = wanted.is_some_and(|wanted| is_string(self.text.get(start..self.at).unwrap_or_default(), wanted));
        if let Some(open) = self.open.last_mut() {
            open.object = Some(Member::Value(is_key));
        }
    }

    /// Steps over a string.
    fn string(&mut self) {
        self.at += 1;
        while let Some(byte) = self.bytes.get(self.at) {
            self.at += 1;
            match byte {
                b'"' => return,
                b'\\' => self.at += 1,
                _ => {}
            }
        }
        self.at = self.bytes.len();
    }
}

/// Whether a string of a text, with its quotes, is a text.
fn is_string(quoted: &str, text: &str) -> bool {
    if !quoted.contains('\\') {
        return quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) == Some(text);
    }
    let limits = Limits { max_bytes: usize::MAX, ..Limits::default() };
    read(quoted, &limits).is_ok_and(|value| value.as_str() == Some(text))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::Step::{Each, Index, Key};
    use super::*;

    /// What stands at each place that is found, up to the end of its line.
    fn seen<'t>(text: &'t str, path: &[Step<'_>]) -> Vec<(Vec<usize>, &'t str)> {
        find(text, path)
            .into_iter()
            .map(|found| (found.indices, text[found.offset..].lines().next().unwrap()))
            .collect()
    }

    #[test]
    fn values_on_a_path_are_found_where_they_start() {
        let text = r#" {"a": [{"id": "one", "b": {"id": 2}},
            {"b": [], "i\u0064": {"x": "id"}},
            "id", [{"id": 3}], {"id": null}
        ], "id": "a"} "#;
        assert_eq!(
            seen(text, &[Key("a"), Each, Key("id")]),
            [(vec![0], "\"one\", \"b\": {\"id\": 2}},"), (vec![1], "{\"x\": \"id\"}},"), (vec![4], "null}"),]
        );
        assert_eq!(seen(text, &[Key("a"), Each, Each, Key("id")]), [(vec![3, 0], "3}], {\"id\": null}")]);
        assert_eq!(seen(text, &[Key("id")]), [(vec![], "\"a\"} ")]);
        assert_eq!(locate(text, &[]), Some(1));
        assert_eq!(locate(text, &[Key("a"), Index(0), Key("b"), Key("id")]), text.find("2}"));
        for none in [&[Key("b")][..], &[Index(0)], &[Each], &[Key("a"), Key("id")], &[Key("a"), Index(9)]] {
            assert_eq!(locate(text, none), None, "{none:?}");
        }
    }

    /// The value at a path, by position of each element.
    fn at<'v>(value: &'v Value, path: &[Step<'_>], indices: &[usize]) -> Option<&'v Value> {
        let mut indices = indices.iter();
        path.iter().try_fold(value, |value, step| match step {
            Key(key) => value.get(key),
            Index(index) => value.get(index),
            Each => value.get(indices.next()?),
        })
    }

    proptest! {
        #[test]
        fn any_text_ends(text in "[\\[\\]{}:,\"\\\\a0 \\n]{0,60}") {
            let _ = find(&text, &[Each, Key("a"), Each]);
        }

        #[test]
        fn what_is_found_is_what_the_reader_reads(
            ids in proptest::collection::vec(proptest::collection::vec("[a-c\"\\\\{}\\[\\],: ]{0,6}", 0..4), 0..4)
        ) {
            let element = |id: &String| serde_json::json!({ "z": [id], "id": id, id: { "id": id } });
            let value = serde_json::json!({ "x": 1, "all": ids.iter().map(|ids| {
                serde_json::json!({ "own": ids.iter().map(element).collect::<Vec<_>>() })
            }).collect::<Vec<_>>() });
            let path = [Key("all"), Each, Key("own"), Each, Key("id")];
            let text = serde_json::to_string_pretty(&value).unwrap();
            let found = find(&text, &path);
            prop_assert_eq!(found.len(), ids.iter().map(Vec::len).sum::<usize>());
            for Found { indices, offset } in found {
                let own = serde_json::Deserializer::from_str(&text[offset..]).into_iter::<Value>().next().unwrap().unwrap();
                prop_assert_eq!(Some(&own), at(&value, &path, &indices));
            }
        }
    }

    #[test]
    fn depth_is_no_danger() {
        let text = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        assert_eq!(locate(&text, &[Index(0), Index(0)]), Some(2));
    }
}
