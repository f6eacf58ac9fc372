//! Answers have a bound. Trees come in, one object of at most so many characters goes out: it is cut at whole items, and
//! `truncated` names each cut with what was shown of how much, and how to ask for less.

use sdp_core::harmless;
use serde_json::{Map, Value, json};

use super::answer::{Kept, SHARING, Tree, size_of_text};

/// What is kept free for `truncated` itself.
const RESERVE: usize = 1_000;

/// How many further cuts are named.
const NAMED: usize = 5;

/// The longest path of a cut, in characters of JSON.
const PATH: usize = 60;

/// The least room in which something of a part is still shown.
const LEAST: usize = 24;

/// A cut.
struct Cut {
    at: String,
    shown: usize,
    of: usize,
    what: &'static str,
}

impl Cut {
    fn shown(&self) -> Value {
        let mut at = harmless::cut(&self.at, PATH);
        // What is escaped takes more characters than it has.
        if size_of_text(&at) > PATH + 3 {
            at = cut_text(&at, PATH - 1).0;
        }
        json!({ "at": at, "shown": self.shown, "of": self.of, "what": self.what })
    }
}

/// The answer and what is said beside it, in at most `max` characters of compact JSON.
pub(super) fn envelope(answer: Tree, beside: Vec<(&'static str, Tree)>, max: usize, how: &str) -> Map<String, Value> {
    let frame = |name: &str| size_of_text(name) + 2;
    let frames = 2 + frame("answer") + beside.iter().map(|(name, _)| frame(name)).sum::<usize>();
    let size = frames + answer.size + beside.iter().map(|(_, tree)| tree.size).sum::<usize>();
    let is_whole = size <= max && answer.is_whole && beside.iter().all(|(_, tree)| tree.is_whole);
    let mut room = if is_whole { usize::MAX } else { max.saturating_sub(RESERVE + frames) };
    let mut cuts = Vec::new();
    let mut later = Vec::new();
    for (name, tree) in beside {
        let share = room / 5;
        room = room.saturating_sub(tree.size.min(share));
        later.push((name.to_owned(), fit(tree, share, name, &mut cuts)));
    }
    let mut whole = Map::new();
    let mut first = Vec::new();
    whole.insert("answer".to_owned(), fit(answer, room, "answer", &mut first));
    whole.extend(later);
    first.append(&mut cuts);
    let mut cuts = first.into_iter();
    if let Some(cut) = cuts.next() {
        let mut truncated = cut.shown();
        if let Some(fields) = truncated.as_object_mut() {
            fields.insert("how".to_owned(), how.into());
            let more: Vec<Value> = cuts.by_ref().take(NAMED).map(|cut| cut.shown()).collect();
            if !more.is_empty() {
                fields.insert("more".to_owned(), more.into());
            }
            let unnamed = cuts.count();
            if unnamed > 0 {
                fields.insert("unnamedCuts".to_owned(), unnamed.into());
            }
        }
        whole.insert("truncated".to_owned(), truncated);
    }
    whole
}

/// A value in at most `room` characters.
fn fit(tree: Tree, room: usize, path: &str, cuts: &mut Vec<Cut>) -> Value {
    let fits = tree.is_whole && tree.size <= room;
    match tree.kept {
        Kept::Plain(value) => value,
        Kept::Text { text, .. } if fits => Value::String(text),
        Kept::Text { text, of } => fit_text(&text, of, room, path, cuts),
        Kept::List { items, .. } if fits => items.into_iter().map(whole).collect(),
        Kept::List { items, of } => fit_list(items, of, room, path, cuts),
        Kept::Map { members, .. } if fits => members.into_iter().map(|(key, member)| (key, whole(member))).collect(),
        Kept::Map { members, of } => fit_map(members, of, room, path, cuts),
    }
}

/// A value of which everything was kept.
fn whole(tree: Tree) -> Value {
    fit(tree, usize::MAX, "", &mut Vec::new())
}

/// How many items from the first on are whole and fit, and how much room is left then. Each has its size, and what stands
/// before it.
fn fitting<'t>(items: impl Iterator<Item = (usize, &'t Tree)>, room: usize) -> (usize, usize) {
    let (mut count, mut left) = (0, room.saturating_sub(2));
    for (before, item) in items {
        let size = before + item.size + usize::from(count > 0);
        match left.checked_sub(size) {
            Some(rest) if item.is_whole => left = rest,
            _ => break,
        }
        count += 1;
    }
    (count, left)
}

/// The first items that fit. Of a first one that does not, a part is shown.
fn fit_list(items: Vec<Tree>, of: usize, room: usize, path: &str, cuts: &mut Vec<Cut>) -> Value {
    let (count, left) = fitting(items.iter().map(|item| (0, item)), room);
    let shows_part = count == 0 && !items.is_empty() && left >= LEAST;
    cuts.push(Cut { at: path.to_owned(), shown: count + usize::from(shows_part), of, what: "items" });
    if of == 1 && shows_part {
        // The cut inside says it all.
        cuts.pop();
    }
    let mut items = items.into_iter();
    let mut values: Vec<Value> = items.by_ref().take(count).map(whole).collect();
    if let Some(item) = items.next().filter(|_| shows_part) {
        values.push(fit(item, left, &format!("{path}[0]"), cuts));
    }
    values.into()
}

/// As many characters as fit, and a mark.
fn fit_text(text: &str, of: usize, room: usize, path: &str, cuts: &mut Vec<Cut>) -> Value {
    let (shown, count) = cut_text(text, room.saturating_sub(3));
    cuts.push(Cut { at: path.to_owned(), shown: count, of, what: "characters" });
    shown.into()
}

/// So much of a text as takes no more than `left` characters of JSON, with a mark, and how many characters that are.
fn cut_text(text: &str, mut left: usize) -> (String, usize) {
    let mut shown = String::new();
    let mut count = 0;
    for character in text.chars() {
        let Some(rest) = left.checked_sub(size_of_text(character.encode_utf8(&mut [0; 4])) - 2) else { break };
        left = rest;
        count += 1;
        shown.push(character);
    }
    shown.push('…');
    (shown, count)
}

/// Members share the room: the short ones are whole, the long ones are cut alike. Of an object with many, or with less room
/// than its names take, the first ones are shown; of the next one a part, where it has room.
fn fit_map(members: Vec<(String, Tree)>, of: usize, room: usize, path: &str, cuts: &mut Vec<Cut>) -> Value {
    let name = |key: &str| size_of_text(key) + 1;
    let names = 2 + members.iter().map(|(key, _)| name(key) + 1).sum::<usize>();
    let least = names + members.iter().map(|(_, member)| member.size.min(LEAST)).sum::<usize>();
    if members.len() == of && of <= SHARING && least <= room {
        let share = fair_share(members.iter().map(|(_, member)| member.size).collect(), room - names);
        let shared = members.into_iter().map(|(key, member)| {
            let value = fit(member, share, &format!("{path}.{key}"), cuts);
            (key, value)
        });
        return shared.collect::<Map<_, _>>().into();
    }
    let (count, left) = fitting(members.iter().map(|(key, member)| (name(key), member)), room);
    let mut members = members.into_iter();
    let mut values: Map<String, Value> =
        members.by_ref().take(count).map(|(key, member)| (key, whole(member))).collect();
    let part = members.next().and_then(|(key, member)| {
        let left = left.checked_sub(name(&key) + 1).filter(|left| *left >= LEAST)?;
        Some((key, member, left))
    });
    if of > 1 || part.is_none() {
        // Else the cut inside says it all.
        cuts.push(Cut { at: path.to_owned(), shown: count + usize::from(part.is_some()), of, what: "members" });
    }
    if let Some((key, member, left)) = part {
        let value = fit(member, left, &format!("{path}.{key}"), cuts);
        values.insert(key, value);
    }
    values.into()
}

/// The largest size that every member may have, so that all together fit.
fn fair_share(mut sizes: Vec<usize>, mut room: usize) -> usize {
    sizes.sort_unstable();
    for (place, size) in sizes.iter().enumerate() {
        let share = room / (sizes.len() - place);
        if *size > share {
            return share;
        }
        room -= size;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX: usize = 3_000;

    fn cut(answer: &Value) -> Map<String, Value> {
        let tree = Tree::of(answer, MAX).unwrap();
        let cut = envelope(tree, Vec::new(), MAX, "ask for less");
        let size = Value::Object(cut.clone()).to_string().chars().count();
        assert!(size <= MAX, "{size}: {cut:?}");
        cut
    }

    #[test]
    fn what_fits_is_left_alone() {
        for answer in [json!(null), json!([1, "\u{1}", {"a": [true]}]), json!(0.5), json!(-7), json!("ü\n")] {
            assert_eq!(cut(&answer), json!({ "answer": answer }).as_object().unwrap().clone());
        }
        let exact: Value = (0..742).map(|_| json!(7)).collect();
        assert!(cut(&exact).get("truncated").is_none());
    }

    #[test]
    fn a_list_is_cut_at_whole_items_and_counts_what_there_was() {
        let rows: Value = (0..1_000).map(|n| json!({ "id": n, "text": "x".repeat(80) })).collect();
        let cut = cut(&rows);
        let shown = cut["answer"].as_array().unwrap();
        assert!(shown.len() > 10 && shown.iter().zip(0..).all(|(row, n)| row["id"] == n && row["text"].is_string()));
        assert_eq!(
            cut["truncated"],
            json!({ "at": "answer", "shown": shown.len(), "of": 1000, "what": "items", "how": "ask for less" })
        );
    }

    #[test]
    fn members_share_the_room_and_each_cut_is_named() {
        let many: Value = (0..500).map(|n| json!(format!("row {n}"))).collect();
        let cut = cut(&json!({ "id": "spec:a", "one": many, "few": [1, 2], "two": many, "text": "ä".repeat(9_000) }));
        let answer = &cut["answer"];
        assert_eq!((&answer["id"], &answer["few"]), (&json!("spec:a"), &json!([1, 2])));
        let counts = ["one", "two"].map(|name| answer[name].as_array().unwrap().len());
        assert!(counts[0] > 30 && counts[0] == counts[1], "{counts:?}");
        let truncated = &cut["truncated"];
        assert_eq!((&truncated["at"], &truncated["of"]), (&json!("answer.one"), &json!(500)));
        assert_eq!(truncated["more"][1]["of"], 9_000);
        assert_eq!(truncated["more"][1]["what"], "characters");
    }

    #[test]
    fn members_behind_one_that_is_too_long_are_shown_too() {
        let many: Value = (0..5_000).collect();
        let cut = cut(&json!({ "version": "1", "nodes": many, "edges": many, "last": [1] }));
        let answer = &cut["answer"];
        assert_eq!((&answer["version"], &answer["last"]), (&json!("1"), &json!([1])));
        assert!(["nodes", "edges"].iter().all(|name| answer[name].as_array().unwrap().len() > 100));
        assert_eq!(cut["truncated"]["more"][0]["of"], 5_000);
    }

    #[test]
    fn a_large_first_item_is_shown_in_part() {
        let cut = cut(&json!([{ "id": "spec:a", "text": "x".repeat(50_000) }, 2, 3]));
        assert_eq!(cut["answer"][0]["id"], "spec:a");
        assert_eq!((&cut["truncated"]["shown"], &cut["truncated"]["of"]), (&json!(1), &json!(3)));
        assert_eq!(cut["truncated"]["more"][0]["at"], "answer[0].text");
    }

    #[test]
    fn a_large_first_member_is_shown_in_part_wherever_it_stands() {
        let rules: Value = (0..900).map(|n| json!(format!("rule {n}"))).collect();
        let cut = cut(&json!({ "id": "spec:a", "sections": { "behavior": { "rules": rules }, "design": ["x"] } }));
        assert!(cut["answer"]["sections"]["behavior"]["rules"].as_array().unwrap().len() > 50, "{cut:?}");
        let truncated = &cut["truncated"];
        assert_eq!(
            (&truncated["at"], &truncated["shown"], &truncated["of"]),
            (&json!("answer.sections"), &json!(1), &json!(2))
        );
        assert_eq!(truncated["more"][0]["at"], "answer.sections.behavior.rules");
    }

    #[test]
    fn hostile_answers_are_bounded() {
        let wide: Map<String, Value> = (0..20_000).map(|n| (format!("key {n}"), json!(n))).collect();
        assert_eq!(cut(&wide.into())["truncated"]["of"], 20_000);
        let names: Map<String, Value> = (0..20).map(|n| (format!("{n}{}", "k".repeat(900)), json!([n]))).collect();
        assert_eq!(cut(&names.into())["truncated"]["what"], "members");
        let deep = (0..60)
            .fold(json!("\u{0}".repeat(9_000)), |inner, n| json!({ format!("level {n}"): [inner, "x".repeat(90)] }));
        assert!(cut(&deep).get("truncated").is_some());
        let escaped: Map<String, Value> =
            (0..10).map(|n| (format!("{}{n}", "\u{1}".repeat(20)), json!("\u{1}".repeat(9_000)))).collect();
        assert_eq!(cut(&escaped.into())["truncated"]["unnamedCuts"], 4);
        let long = json!({ "k".repeat(5_000): 1 });
        assert_eq!(cut(&long)["truncated"]["shown"], 0);
        let too_deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
        assert!(Tree::of_json(&too_deep, MAX).is_err());
    }

    #[test]
    fn what_stands_beside_has_a_fifth_of_the_room() {
        let notes: Vec<String> = (0..300).map(|n| format!("note {n}")).collect();
        let tree = |value: &Value| Tree::of(value, MAX).unwrap();
        let rows: Value = (0..900).map(|n| json!(n)).collect();
        let cut = envelope(tree(&rows), vec![("notes", tree(&json!(notes)))], MAX, "ask for less");
        assert!(Value::Object(cut.clone()).to_string().chars().count() <= MAX);
        assert_eq!((&cut["truncated"]["at"], &cut["truncated"]["more"][0]["at"]), (&json!("answer"), &json!("notes")));
        assert!(cut["notes"].as_array().unwrap().len() > 5);
    }
}
