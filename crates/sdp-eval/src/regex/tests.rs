//! Patterns and subjects come in; what is asked is that the answers are those of ECMAScript and that none takes long.

use std::cell::Cell;

use proptest::prelude::*;
use rquickjs::{Context, Function, Runtime};

use super::*;

/// An engine of ECMAScript to compare with.
struct Engine {
    context: Context,
    ticks: std::rc::Rc<Cell<u32>>,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Invalid,
    GaveUp,
    Matches(bool),
}

impl Engine {
    fn new() -> Self {
        let runtime = Runtime::new().unwrap();
        let ticks = std::rc::Rc::new(Cell::new(0u32));
        let seen = std::rc::Rc::clone(&ticks);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            seen.set(seen.get() + 1);
            seen.get() > 200
        })));
        Self { context: Context::full(&runtime).unwrap(), ticks }
    }

    fn ask(&self, pattern: &str, subject: &str) -> Answer {
        self.ticks.set(0);
        self.context.with(|ctx| {
            let ask: Function<'_> = ctx
                .eval(
                    "(pattern, subject) => { let read; try { read = new RegExp(pattern) } catch (fault) { \
                     return fault instanceof SyntaxError ? 2 : 3 } return read.test(subject) ? 1 : 0 }",
                )
                .unwrap();
            match ask.call::<_, i32>((pattern, subject)) {
                Ok(0) => Answer::Matches(false),
                Ok(1) => Answer::Matches(true),
                Ok(2) => Answer::Invalid,
                _ => {
                    let _ = ctx.catch();
                    Answer::GaveUp
                }
            }
        })
    }
}

/// The engine refuses a range behind a set and a dash (`[\\w-a-b]`), and takes `{2,1` without an end for a quantifier. The
/// grammar has both.
fn engine_is_too_strict(pattern: &str) -> bool {
    let dashed = ["\\w-", "\\W-", "\\d-", "\\D-", "\\s-", "\\S-"].iter().any(|set| pattern.contains(set));
    let open = pattern.split('{').skip(1).any(|rest| {
        let end = rest.trim_start_matches(|next: char| next.is_ascii_digit() || next == ',');
        end.len() < rest.len() && !end.starts_with('}')
    });
    dashed || open
}

/// The engine reads the second dash behind a set as the start of a range (`[\\w--z]`). The grammar has a set, a dash and another
/// character there.
fn engine_reads_another_range(pattern: &str) -> bool {
    ["\\w--", "\\W--", "\\d--", "\\D--", "\\s--", "\\S--"].iter().any(|set| pattern.contains(set))
}

/// Says how the two differ, if they do.
fn compare(engine: &Engine, pattern: &str, subject: &str) -> Result<(), String> {
    let theirs = engine.ask(pattern, subject);
    let ours = Pattern::new(pattern);
    let same = match (&ours, &theirs) {
        (_, Answer::GaveUp) => true,
        // The engine takes a name again in more places than the grammar allows.
        (Err(PatternFault::Syntax { reason: "repeated name of a group", .. }), _) => true,
        (Err(PatternFault::Syntax { .. }), theirs) => *theirs == Answer::Invalid,
        (_, Answer::Invalid) => engine_is_too_strict(pattern),
        (Ok(read), Answer::Matches(theirs)) => {
            read.test(subject, Pattern::STEPS) == Ok(*theirs) || engine_reads_another_range(pattern)
        }
        (Err(_), _) => true,
    };
    if same {
        return Ok(());
    }
    let answer = ours.as_ref().map(|pattern| pattern.test(subject, Pattern::STEPS));
    Err(format!("{pattern:?} over {subject:?}: {answer:?}, the engine says {theirs:?}"))
}

fn atom() -> BoxedStrategy<String> {
    let one = prop::sample::select(vec![
        "a", "b", "c", "A", "-", " ", "_", "0", "1", "é", "ſ", "😀", ".", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S",
        "\\b", "\\B", "^", "$", "\\cA", "\\ca", "\\c", "\\c1", "\\u0041", "\\u00e9", "\\ud83d", "\\ude00", "\\u",
        "\\u{2}", "\\x41", "\\x4", "\\0", "\\01", "\\377", "\\400", "\\n", "\\t", "\\v", "\\f", "\\r", "\\-", "\\/",
        "\\.", "\\$", "\\k", "\\e", "\\p", "[^]", "[]", "]", "{", "}", "{,2}", "{a", "\u{2028}", "\n", "\\😀", "",
    ])
    .prop_map(str::to_owned);
    let member = prop::sample::select(vec![
        "a", "b", "c", "z", "A", "Z", "0", "9", "-", "-", "^", "\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "\\b", "\\B",
        "\\-", "\\]", "\\\\", "\\cA", "\\c1", "\\c_", "\\c", "\\x41", "\\u0041", "\\0", "\\1", "\\77", "\\8", "é",
        "😀", ".", "$", "(", "[", "|", "\\n", "ÿ",
    ]);
    let class = (any::<bool>(), prop::collection::vec(member, 0..6))
        .prop_map(|(not, members)| format!("[{}{}]", if not { "^" } else { "" }, members.concat()));
    prop_oneof![4 => one, 1 => class].boxed()
}

fn quantifier() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "", "", "", "", "*", "+", "?", "*?", "+?", "??", "{0}", "{1}", "{2}", "{3}", "{2,}", "{0,}", "{1,3}", "{0,2}",
        "{2,5}", "{2,2}?", "{1,}?", "{4,9}", "{100}", "{0,100}",
    ])
}

fn body() -> impl Strategy<Value = String> {
    let open = prop::sample::select(vec![
        "(", "(?:", "(?:", "(?=", "(?!", "(?i:", "(?s:", "(?m:", "(?-i:", "(?i-s:", "(?ms:", "(?<n>", "(?<m>",
    ]);
    (atom(), quantifier()).prop_map(|(atom, quantifier)| atom + quantifier).prop_recursive(5, 24, 4, move |inner| {
        prop_oneof![
            3 => prop::collection::vec(inner.clone(), 1..4).prop_map(|parts| parts.concat()),
            2 => (open.clone(), prop::collection::vec(inner, 1..4), any::<bool>(), quantifier()).prop_map(
                |(open, parts, either, quantifier)| {
                    format!("{open}{}){quantifier}", parts.join(if either { "|" } else { "" }))
                }
            ),
        ]
    })
}

fn subject() -> impl Strategy<Value = String> {
    let unit = prop::sample::select(vec![
        "a", "a", "a", "b", "b", "c", "A", "B", "z", "Z", "-", " ", "_", "0", "1", "2", "é", "É", "ſ", "s", "K",
        "\u{212a}", "ÿ", "Ÿ", "😀", "😃", "\n", "\r", "\u{2028}", "\u{1}", "\u{0}", "\t", "\u{feff}", "\\", "]", "{",
        "}", "u", "k", "c", "\u{11}", "\u{1f}", "x4", "{2}", "$", "^", "|", "[",
    ]);
    prop::collection::vec(unit, 0..9).prop_map(|units| units.concat())
}

#[test]
fn syntax_is_judged_as_the_grammar_has_it() {
    for (text, reason, at) in [
        ("^(a$", "unterminated group", 1),
        ("^a)$", "unmatched parenthesis", 2),
        ("^[a$", "unterminated class", 1),
        ("^[b-a]$", "range out of order", 3),
        ("^*$", "nothing to repeat", 1),
        ("^{2}$", "nothing to repeat", 1),
        ("^a**$", "nothing to repeat", 3),
        ("^a{2,1}$", "numbers of a quantifier out of order", 2),
        ("^(?<=a)*$", "nothing to repeat", 7),
        ("^(?a)$", "invalid group", 1),
        ("^(?-:a)$", "invalid group", 1),
        ("^(?--i:a)$", "invalid group", 1),
        ("^(?i--m:a)$", "invalid group", 1),
        ("^(?ii:a)$", "repeated modifier", 4),
        ("^(?<1>a)$", "invalid name of a group", 1),
        ("^(?<n>a|(?<n>b))$", "repeated name of a group", 8),
        ("^(?<n>a)(?<n>b)$", "repeated name of a group", 8),
        ("^(?<n>a)\\k<m>$", "reference to a group that does not exist", 8),
        ("^(?<n>a)\\k$", "invalid named reference", 8),
        // A group has its name behind a parenthesis of another kind too.
        ("^\\((?<n>a)\\k$", "invalid named reference", 10),
        ("^(?<n>a)[\\k]$", "invalid escape", 9),
        ("^\\", "backslash at the end", 1),
    ] {
        assert_eq!(Pattern::new(text).err(), Some(PatternFault::Syntax { reason, at }), "{text}");
    }
    let names = ["^(?:(?<n>a)|(?<n>b))$", "^(?<\\u{61}ä$_9>a)$", "^(?<\\ud83d\\udc4d>a)$", "^(?<𝒜>a)$"];
    assert_eq!(names.map(|text| Pattern::new(text).is_ok()), [true, true, false, true]);
    // The `|` between two groups of one name may stand further out than either.
    let apart =
        ["^(?:(?<n>a)|(?:(?<n>b)))$", "^(?:(?:(?<n>a))|(?:c(?:(?<n>b))))$", "^(?:(?:(?:(?<n>a))|c)|(?:(?<n>b)))$"];
    assert_eq!(apart.map(|text| Pattern::new(text).is_ok()), [true; 3]);
    let together =
        ["^(?:(?<n>a)(?:(?<n>b)|c))$", "^(?:c|(?<n>a)(?:(?:(?<n>b))))$", "^(?:(?:(?<n>a))(?:c|(?:(?<n>b))))$"];
    assert_eq!(together.map(|text| Pattern::new(text).is_ok()), [false; 3]);
    let modifiers = ["^(?ims:a)$", "^(?im:a)$", "^(?is-m:a)$", "^(?-ims:a)$"];
    assert_eq!(modifiers.map(|text| Pattern::new(text).is_ok()), [true; 4]);
    let literals = ["^\\<{7,0$", "^[\\w--\\b]$", "^[\\w-a-A]$", "^a{$", "^]}$", "^\\p{2}$", "^\\u{2}$"];
    assert_eq!(literals.map(|text| Pattern::new(text).is_ok()), [true; 7]);
}

#[test]
fn a_set_before_two_dashes_makes_no_range() {
    let tests = |pattern: &str, subject: &str| Pattern::new(pattern).unwrap().test(subject, Pattern::STEPS);
    for (subject, fits) in [("a", true), ("-", true), ("é", true), ("\\", false), ("~", false)] {
        assert_eq!(tests("^[\\w--é]$", subject), Ok(fits), "{subject}");
    }
    // A range starts only where a character stands before the dash.
    assert_eq!((tests("^[--é]$", "~"), tests("^[\\w-a-é]$", "~")), (Ok(true), Ok(false)));
}

#[test]
fn single_characters_match_as_ecmascript_has_them() {
    let engine = Engine::new();
    for (pattern, fits, other) in [
        // An octal escape stands for no more than 255.
        ("^[\\377]$", "ÿ", "7"),
        ("^[\\477]$", "7", "\u{13f}"),
        ("^[\\77]$", "?", "7"),
        ("^[\\1017]$", "A", "1"),
        // What is not ASCII is no ASCII character in another case.
        ("^(?i:s)$", "S", "ſ"),
        ("^(?i:ſ)$", "ſ", "s"),
        ("^(?i:[s])$", "S", "ſ"),
        ("^(?i:k)$", "K", "\u{212a}"),
        ("^(?i:é)$", "É", "e"),
        // Where lines count, each end of one counts; otherwise the ends of the text do.
        ("^a(?m:$)[^]b$", "a\nb", "a b"),
        ("^a[^](?m:^)b$", "a\rb", "a b"),
        ("^a(?m:$)[^](?m:^)b$", "a\u{2028}b", "a\u{85}b"),
        ("^a(?m:$)[^](?m:^)b$", "a\u{2029}b", "a\u{b}b"),
    ] {
        for subject in [fits, other] {
            assert_eq!(compare(&engine, pattern, subject), Ok(()));
            let tested = Pattern::new(pattern).unwrap().test(subject, Pattern::STEPS);
            assert_eq!(tested, Ok(subject == fits), "{pattern} {subject:?}");
        }
    }
}

#[test]
fn a_contract_takes_anchored_patterns_that_look_neither_back_nor_behind() {
    for text in
        ["", "a", "^", "$", "^a", "a$", "^a\\$", "^a$|^b$", "(?:^a$)", "^a[$]", "\\^a$", "^a|b$", "^a$\n", "^a$$b"]
    {
        assert_eq!(Pattern::new(text).err(), Some(PatternFault::NotAnchored), "{text}");
    }
    for text in ["^(a)\\1$", "^\\1(a)$", "^\\9$", "^(?<n>a)\\k<n>$", "^\\k<n>$", "^(?<=(a))\\1$"] {
        assert_eq!(Pattern::new(text).err(), Some(PatternFault::Backreference), "{text}");
    }
    for text in ["^(?<=a)b$", "^(?<!a)b$"] {
        assert_eq!(Pattern::new(text).err(), Some(PatternFault::Lookbehind), "{text}");
    }
    for text in
        ["^$", "^a\\\\$", "^(?:a|b)$", "^[|]$", "^[\\1]$", "^\\0$", "^\\k$", "^(?<n>a)$", "^(?=a)(?!b)a$", "^\\\\1$"]
    {
        assert!(Pattern::new(text).is_ok(), "{text}");
    }
}

#[test]
fn the_shape_counts_what_repeats() {
    let shape = |text: &str| {
        let pattern = Pattern::new(text).unwrap();
        (pattern.nested_quantifier(), pattern.quantifier_markers())
    };
    assert_eq!(shape("^a*b+?c??d{2,3}?$"), (false, 4));
    assert_eq!(shape("^[*+?{1}]\\*\\{2}(?:a)(?=b){x$"), (false, 0));
    assert_eq!(shape("^(?:a+)$"), (false, 1));
    assert_eq!(shape("^(a+)*$"), (true, 2));
    assert_eq!(shape("^(?:b(?:a?))c(?:x(?:y{2})z){3}$"), (true, 3));
    assert_eq!(shape("^(?:a+)(?:b)*[(a+)]*$"), (false, 3));
}

#[test]
fn no_pattern_and_no_subject_takes_long_or_much() {
    let long = "a".repeat(100_000);
    let ask = |pattern: &str, subject: &str| Pattern::new(pattern).map(|pattern| pattern.test(subject, Pattern::STEPS));
    assert_eq!(ask("^(a|a)*b$", &long), Ok(Ok(false)));
    assert_eq!(ask("^(a*)*b$", &long), Ok(Ok(false)));
    assert_eq!(ask("^(?:(?:a*)*)*$", &long), Ok(Ok(true)));
    assert_eq!(ask("^a{1,99999}$", &long), Ok(Ok(false)));
    assert_eq!(ask("^a{99999,4294967296}$", &long), Ok(Ok(true)));
    assert_eq!(ask("^(?:a{1000}){1000}$", &long), Ok(Err(Exhausted)));
    assert_eq!(ask("^(?:(?:(?:(?:a|){99}){99}){99}){99}$", "aaa"), Ok(Ok(true)));
    assert_eq!(Pattern::new("^a$").unwrap().test("aaaa", 14), Err(Exhausted));
    assert_eq!(Pattern::new("^a$").unwrap().test("aaaa", 20), Ok(false));

    let deep = 400_000;
    assert!(matches!(Pattern::new(&"(".repeat(1 << 20)), Err(PatternFault::Syntax { .. })));
    assert!(matches!(Pattern::new(&"[".repeat(1 << 20)), Err(PatternFault::Syntax { .. })));
    assert_eq!(ask(&format!("^{}a{}$", "(".repeat(deep), ")".repeat(deep)), "a"), Ok(Ok(true)));
    assert_eq!(ask(&format!("^{}a{}$", "(?!".repeat(deep), ")".repeat(deep)), "a"), Ok(Ok(false)));
    assert_eq!(ask(&format!("^{}a{}$", "(".repeat(deep), ")?".repeat(deep)), "a"), Ok(Ok(true)));
    assert_eq!(ask(&format!("^{}a{}$", "(".repeat(deep), "){2,}".repeat(deep)), "a"), Ok(Err(Exhausted)));
    let named: String = (0..60_000).map(|n| format!("(?<n{n}>")).collect();
    assert_eq!(ask(&format!("^{named}a{}$", "|)".repeat(60_000)), "a"), Ok(Ok(true)));
}

#[test]
fn a_fault_reads_on_behind_the_pattern() {
    let text = |pattern: &str| format!("regex pattern {pattern:?} {}", Pattern::new(pattern).unwrap_err());
    assert_eq!(text("a"), "regex pattern \"a\" is not anchored over the whole expression");
    assert_eq!(
        text("^(a$"),
        "regex pattern \"^(a$\" is not a valid ECMAScript regular expression (unterminated group at offset 1)"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patterns_of_the_grammar_answer_as_ecmascript_does(
        body in body(), subjects in prop::collection::vec(subject(), 1..6)
    ) {
        thread_local!(static ENGINE: Engine = Engine::new());
        let pattern = format!("^{body}$");
        let loose = format!("^(?:{body})$");
        let inside = format!("^[^]*(?:{body})[^]*$");
        for subject in &subjects {
            for pattern in [&pattern, &loose, &inside] {
                prop_assert_eq!(ENGINE.with(|engine| compare(engine, pattern, subject)), Ok(()));
            }
        }
    }

    #[test]
    fn any_text_is_read_as_ecmascript_reads_it(
        text in r"[\\^$.*+?()\[\]{}|a-c0-9:=!<>,kuxcbBdwsim\-]{0,14}", subject in subject()
    ) {
        thread_local!(static ENGINE: Engine = Engine::new());
        prop_assert_eq!(ENGINE.with(|engine| compare(engine, &text, &subject)), Ok(()));
        prop_assert_eq!(ENGINE.with(|engine| compare(engine, &format!("^{text}$"), &subject)), Ok(()));
    }
}
