use super::*;
use proptest::prelude::*;
use serde_json::json;

fn parsed(text: &str) -> Value {
    read(text, &Limits::default()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn refused(text: &str) -> JsonError {
    read(text, &Limits::default()).expect_err(text)
}

/// Kind and byte offset of the refusal.
fn fault(text: &str) -> (JsonErrorKind, usize) {
    let error = refused(text);
    (error.kind, error.offset)
}

fn nested(levels: usize) -> String {
    "[".repeat(levels) + &"]".repeat(levels)
}

#[test]
fn every_kind_of_value_is_read() {
    assert_eq!(
        parsed(" {\"a\" : [ null , true,false, \"x\", 1, -1, 1.5, {} , [ ] ]\r\n,\t\"b\":{\"c\":0}} \n"),
        json!({"a": [null, true, false, "x", 1, -1, 1.5, {}, []], "b": {"c": 0}})
    );
    assert_eq!(parsed("null"), Value::Null);
    assert_eq!(parsed("\"\""), json!(""));
}

#[test]
fn objects_keep_their_authored_order_and_no_key_is_special() {
    let value = parsed(r#"{"z":1,"__proto__":{"x":2},"2":3,"1":4,"constructor":5,"":6}"#);
    assert_eq!(value.to_string(), r#"{"z":1,"__proto__":{"x":2},"2":3,"1":4,"constructor":5,"":6}"#);
}

#[test]
fn strings_are_unescaped() {
    assert_eq!(parsed(r#""\"\\\/\b\f\n\r\t""#), json!("\"\\/\u{8}\u{c}\n\r\t"));
    assert_eq!(parsed(r#""\u0041\u00e9\u20AC\uD83D\uDE00\u0000""#), json!("Aé€😀\0"));
    assert_eq!(parsed(r#""\udbff\udfff\ud7ff\ue000""#), json!("\u{10ffff}\u{d7ff}\u{e000}"));
    assert_eq!(parsed("\"é€😀\u{7f}\u{2028}\u{feff}\""), json!("é€😀\u{7f}\u{2028}\u{feff}"));
}

#[test]
fn integers_are_exact_as_far_as_they_fit() {
    assert_eq!(parsed("18446744073709551615").as_u64(), Some(u64::MAX));
    assert_eq!(parsed("-9223372036854775808").as_i64(), Some(i64::MIN));
    assert_eq!(parsed("18446744073709551616"), json!(18446744073709551616.0));
    assert_eq!(parsed("-9223372036854775809"), json!(-9223372036854775809.0));
    assert_eq!(parsed(&"9".repeat(308)), json!(1e308));
    assert_eq!(parsed("0").as_u64(), Some(0));
}

#[test]
fn other_numbers_are_the_nearest_float() {
    assert!(parsed("1.0").is_f64());
    assert!(parsed("1e2").is_f64());
    assert_eq!(parsed("1E+2"), json!(100.0));
    assert_eq!(parsed("25e-1"), json!(2.5));
    assert_eq!(parsed("0.1").as_f64(), Some(0.1));
    assert_eq!(parsed("1.7976931348623157e308").as_f64(), Some(f64::MAX));
    assert_eq!(parsed("5e-324").as_f64(), Some(5e-324));
    assert_eq!(parsed("1e-999").as_f64(), Some(0.0));
    assert_eq!(parsed("8.533e-69").as_f64().map(f64::to_bits), Some(8.533e-69_f64.to_bits()));
}

#[test]
fn minus_zero_keeps_its_sign() {
    for text in ["-0", "-0.0", "-0e5", "-1e-999"] {
        assert_eq!(parsed(text).as_f64().map(f64::to_bits), Some((-0.0_f64).to_bits()), "{text}");
    }
}

#[test]
fn a_number_beyond_every_float_is_refused() {
    for text in ["1e999", "-1e999", "1.8e308", &"9".repeat(400)] {
        assert_eq!(fault(text), (JsonErrorKind::NotFinite, 0), "{text}");
    }
    assert_eq!(fault("[1, 1e309]"), (JsonErrorKind::NotFinite, 4));
}

#[test]
fn numbers_of_other_languages_are_refused() {
    for (text, offset) in [("01", 1), ("-01", 2), ("-", 1), ("-a", 1), ("1.", 2), ("1.e5", 2), ("1e", 2), ("1e+-5", 3)]
    {
        assert_eq!(fault(text), (JsonErrorKind::InvalidNumber, offset), "{text}");
    }
    for text in [".5", "+1", "NaN", "Infinity", "٣"] {
        assert_eq!(fault(text), (JsonErrorKind::ExpectedValue, 0), "{text}");
    }
    for text in ["1_000", "0x10", "1n"] {
        assert_eq!(fault(text), (JsonErrorKind::TrailingText, 1), "{text}");
    }
}

#[test]
fn what_is_no_value_is_refused_where_it_stands() {
    use JsonErrorKind::*;
    for (text, kind, offset) in [
        ("", ExpectedValue, 0),
        (" \n ", ExpectedValue, 3),
        ("nul", ExpectedValue, 0),
        ("True", ExpectedValue, 0),
        ("'a'", ExpectedValue, 0),
        ("[,]", ExpectedValue, 1),
        ("[1,]", ExpectedValue, 3),
        ("[1}", ExpectedCommaOrBracket, 2),
        ("[1 2]", ExpectedCommaOrBracket, 3),
        ("[nullx]", ExpectedCommaOrBracket, 5),
        ("{a:1}", ExpectedKey, 1),
        ("{1:1}", ExpectedKey, 1),
        ("{\"a\":1,}", ExpectedKey, 7),
        ("{,}", ExpectedKey, 1),
        ("{\"a\" 1}", ExpectedColon, 5),
        ("{\"a\":}", ExpectedValue, 5),
        ("{\"a\":1]", ExpectedCommaOrBrace, 6),
        ("{\"a\":1 \"b\":2}", ExpectedCommaOrBrace, 7),
        ("// c\n1", ExpectedValue, 0),
        ("\u{a0}1", ExpectedValue, 0),
        ("\u{b}1", ExpectedValue, 0),
        ("]", ExpectedValue, 0),
    ] {
        assert_eq!(fault(text), (kind, offset), "{text}");
    }
}

#[test]
fn a_text_that_ends_early_says_inside_what() {
    use JsonErrorKind::*;
    for (text, kind) in [
        ("[", EndInArray),
        ("[ ", EndInArray),
        ("[1", EndInArray),
        ("[1,", EndInArray),
        ("{\"a\":[]", EndInObject),
        ("{", EndInObject),
        ("{\"a\"", EndInObject),
        ("{\"a\":", EndInObject),
        ("{\"a\":1", EndInObject),
        ("{\"a\":1,", EndInObject),
        ("\"", EndInString),
        ("\"é", EndInString),
        ("\"\\", EndInString),
        ("\"\\u", EndInString),
        ("\"\\u00e", EndInString),
        ("\"\\ud83d\\ude0", EndInString),
        ("{\"a", EndInString),
    ] {
        assert_eq!(fault(text), (kind, text.len()), "{text}");
    }
}

#[test]
fn text_after_the_value_is_refused() {
    for (text, offset) in [("1 2", 2), ("{}x", 2), ("[] ,", 3), ("null\n\nnull", 6), ("\"a\"\0", 3), ("[]]", 2)] {
        assert_eq!(fault(text), (JsonErrorKind::TrailingText, offset), "{text}");
    }
}

#[test]
fn a_leading_byte_order_mark_is_refused() {
    assert_eq!(fault("\u{feff}{}"), (JsonErrorKind::ByteOrderMark, 0));
    assert_eq!(fault("{}\u{feff}"), (JsonErrorKind::TrailingText, 2));
}

#[test]
fn a_lone_surrogate_is_refused() {
    for text in [
        r#""a\ud800""#,
        r#""a\udc00""#,
        r#""a\uD83Dx""#,
        r#""a\ud83d\n""#,
        r#""a\ud83d\ud83d\ude00""#,
        r#""a\ud83d\u0041""#,
        r#""a\ude00\ud83d""#,
    ] {
        assert_eq!(fault(text), (JsonErrorKind::LoneSurrogate, 2), "{text}");
    }
    assert_eq!(fault(r#"{"\udfff":1}"#), (JsonErrorKind::LoneSurrogate, 2));
}

#[test]
fn escapes_that_json_lacks_are_refused() {
    for text in [r#""\x41""#, r#""\'""#, r#""\0""#, r#""\U0041""#, "\"\\\n\"", r#""\é""#] {
        assert_eq!(fault(text), (JsonErrorKind::UnknownEscape, 1), "{text}");
    }
    for text in [r#""\u004""#, r#""\u{41}""#, r#""\u+041""#, r#""\u00é0""#] {
        assert_eq!(fault(text), (JsonErrorKind::InvalidUnicodeEscape, 1), "{text}");
    }
    assert_eq!(fault(r#""\ud83d\uzzzz""#), (JsonErrorKind::InvalidUnicodeEscape, 7));
}

#[test]
fn control_characters_in_strings_are_refused() {
    for character in ('\0'..' ').filter(|character| *character != '"') {
        assert_eq!(fault(&format!("\"a{character}\"")), (JsonErrorKind::ControlCharacter, 2), "{character:?}");
    }
}

#[test]
fn a_key_given_twice_is_refused_at_its_second_place() {
    let error = refused("{\n  \"a\": 1,\n  \"b\": 2, \"\\u0061\": 3\n}");
    assert_eq!(error.kind, JsonErrorKind::DuplicateKey("a".to_owned()));
    assert_eq!((error.line, error.column, error.offset), (3, 11, 22));
    assert_eq!(error.to_string(), "the key \"a\" is given twice at line 3, column 11");
    assert_eq!(fault(r#"[{"x":{"k":1,"k":1}}]"#), (JsonErrorKind::DuplicateKey("k".to_owned()), 13));
    assert_eq!(fault(r#"{"":0,"":0}"#), (JsonErrorKind::DuplicateKey(String::new()), 6));
}

#[test]
fn the_same_key_in_other_objects_is_no_duplicate() {
    assert_eq!(parsed(r#"{"a":{"a":1},"b":[{"a":2},{"a":3}]}"#), json!({"a": {"a": 1}, "b": [{"a": 2}, {"a": 3}]}));
    assert_eq!(parsed("{\"é\":1,\"e\u{301}\":2,\"A\":3,\"a\":4}").as_object().map(serde_json::Map::len), Some(4));
}

#[test]
fn with_refuse_top_level_the_last_nested_value_stands_at_the_first_place() {
    let limits = Limits { duplicate_keys: DuplicateKeys::RefuseTopLevel, ..Limits::default() };
    let value = read(r#"{"o":{"a":1,"b":2,"\u0061":{"c":3,"c":4}}}"#, &limits).unwrap();
    assert_eq!(value.to_string(), r#"{"o":{"a":{"c":4},"b":2}}"#);
    let value = read(r#"[{"a":1,"a":2}]"#, &limits).unwrap();
    assert_eq!(value.to_string(), r#"[{"a":2}]"#);

    let error = read(r#"{"a":{"x":1},"b":[{}],"a":1}"#, &limits).unwrap_err();
    assert_eq!((error.kind, error.offset), (JsonErrorKind::DuplicateKey("a".to_owned()), 22));
}

#[test]
fn depth_is_limited_to_the_level() {
    assert!(read(&nested(128), &Limits::default()).is_ok());
    assert_eq!(fault(&nested(129)), (JsonErrorKind::TooDeep(128), 128));
    assert_eq!(fault(&"{\"a\":".repeat(1_000_000)), (JsonErrorKind::TooDeep(128), 128 * 5));
    assert_eq!(fault(&"[".repeat(1_000_000)), (JsonErrorKind::TooDeep(128), 128));

    let flat = Limits { max_depth: 0, ..Limits::default() };
    assert_eq!(read("1", &flat), Ok(json!(1)));
    assert_eq!(read("[]", &flat).unwrap_err().kind, JsonErrorKind::TooDeep(0));
    let one = Limits { max_depth: 1, ..Limits::default() };
    assert_eq!(read("[1]", &one), Ok(json!([1])));
    assert_eq!(read("[1,{}]", &one).unwrap_err().offset, 3);
}

#[test]
fn no_limit_allows_a_depth_that_endangers_the_stack() {
    let limits = Limits { max_depth: usize::MAX, ..Limits::default() };
    let deepest = read(&nested(MAX_DEPTH), &limits).unwrap();
    assert_eq!(deepest.to_string(), nested(MAX_DEPTH));
    assert_eq!(read(&nested(MAX_DEPTH + 1), &limits).unwrap_err().kind, JsonErrorKind::TooDeep(MAX_DEPTH));
}

#[test]
fn a_text_longer_than_the_limit_is_refused_unread() {
    let limits = Limits { max_bytes: 4, ..Limits::default() };
    assert_eq!(read("1234", &limits), Ok(json!(1234)));
    let error = read("12345", &limits).unwrap_err();
    assert_eq!((error.kind, error.offset), (JsonErrorKind::TooLong(4), 4));
    // The limit falls into the second `é`, and the place is before it.
    let error = read("\"éé\"", &limits).unwrap_err();
    assert_eq!((error.kind, error.offset, error.column), (JsonErrorKind::TooLong(4), 3, 3));
    let nothing = Limits { max_bytes: 0, ..Limits::default() };
    assert_eq!(read(" ", &nothing).unwrap_err().kind, JsonErrorKind::TooLong(0));
}

#[test]
fn columns_count_characters_and_lines_end_with_line_feeds() {
    let error = refused("[\r\n \"é😀\", x]");
    assert_eq!((error.line, error.column, error.offset), (2, 8, 14));
    let error = refused("\n\n");
    assert_eq!((error.line, error.column, error.offset), (3, 1, 2));
    let error = refused("x");
    assert_eq!(error.to_string(), "expected a value at line 1, column 1");
}

#[test]
fn every_kind_has_its_text() {
    for (text, message) in [
        ("\u{feff}", "a byte order mark before the value"),
        ("?", "expected a value"),
        ("{?", "expected a key in double quotes"),
        ("{\"a\"?", "expected `:` after the key"),
        ("[1?", "expected `,` or `]`"),
        ("{\"a\":1?", "expected `,` or `}`"),
        ("{\"a\":1,\"a\"", "the key \"a\" is given twice"),
        ("-?", "not a JSON number"),
        ("1e999", "a number without a finite value"),
        ("\"\\?", "an unknown escape"),
        ("\"\\u????", "`\\u` without four hexadecimal digits"),
        ("\"\\ud800\"", "a lone surrogate"),
        ("\"\n", "an unescaped control character in a string"),
        ("1?", "text after the value"),
        ("\"", "the text ends inside a string"),
        ("[", "the text ends inside an array"),
        ("{", "the text ends inside an object"),
    ] {
        assert_eq!(refused(text).kind.to_string(), message, "{text:?}");
    }
    assert_eq!(refused(&nested(129)).kind.to_string(), "nested deeper than 128 levels");
    let limits = Limits { max_bytes: 3, ..Limits::default() };
    assert_eq!(read("1234", &limits).unwrap_err().kind.to_string(), "longer than 3 bytes");
}

#[test]
fn a_key_in_a_message_is_short_and_on_one_line() {
    let key = |key: &str| JsonErrorKind::DuplicateKey(key.to_owned()).to_string();
    assert_eq!(key("a\n\u{1b}[31m\u{202e}"), "the key \"a\\n\\u{1b}[31m\\u{202e}\" is given twice");
    assert_eq!(key(&"é".repeat(60)), format!("the key \"{}\" is given twice", "é".repeat(60)));
    assert_eq!(key(&"é".repeat(61)), format!("the key \"{}\"… is given twice", "é".repeat(60)));
}

#[test]
fn a_fault_of_the_domain_is_told_from_one_of_the_syntax() {
    let deep = "[".repeat(129) + &"]".repeat(129);
    for text in [r#"{"a":1,"\u0061":2}"#, r#""\ud800""#, r#"["\udc00\ud800"]"#, "1e999", &deep] {
        let error = refused(text);
        assert!(error.kind.is_domain(), "{text}: {error}");
    }
    for text in [
        "\u{feff}1",
        "",
        "{1:1}",
        "{\"a\" 1}",
        "[1 2]",
        "{\"a\":1]",
        "01",
        "\"\\q\"",
        "\"\\u00g0\"",
        "\"\n\"",
        "1 1",
        "\"",
        "[",
        "{",
    ] {
        let error = refused(text);
        assert!(!error.kind.is_domain(), "{text}: {error}");
    }
    let error = read("[1]", &Limits { max_bytes: 2, ..Limits::default() }).unwrap_err();
    assert!(!error.kind.is_domain(), "{error}");
}

/// Whether two values are the same, where `serde_json`, which may miss the nearest float by a little, read one of them.
fn alike(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => a.is_sign_negative() == b.is_sign_negative() && (a - b).abs() <= a.abs() * 1e-15,
            _ => false,
        },
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && alike(a, b))
        }
        _ => ours == theirs,
    }
}

/// Whether a refused text's place is one, whatever the text.
fn has_a_place(text: &str, error: &JsonError) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    text.is_char_boundary(error.offset)
        && (1..=lines.len()).contains(&error.line)
        && (1..=lines[error.line - 1].chars().count() + 1).contains(&error.column)
}

/// Values whose objects have no key twice, as `serde_json` holds them.
fn values() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(Value::from(-0.0)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Texts that are JSON by accident, or nearly so.
fn near_json() -> impl Strategy<Value = String> {
    let pieces = [
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"b\":",
        "\"\\u0061\":",
        "null",
        "true",
        "false",
        "0",
        "-",
        "12",
        ".",
        "5",
        "e",
        "E+",
        "1e9",
        " ",
        "\n",
        "\\",
        "\\u",
        "\\ud83d",
        "\\ude00",
        "d8",
        "é",
        "[1,",
        "]}",
        "{\"a\":",
        "x",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 0..16).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_bytes_are_answered(bytes: Vec<u8>) {
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = read(&text, &Limits::default()) {
            prop_assert!(has_a_place(&text, &error), "{:?}", error);
        }
    }

    #[test]
    fn a_spoilt_text_is_answered(value in values(), at: prop::sample::Index, by: char) {
        let mut characters: Vec<char> = value.to_string().chars().collect();
        let at = at.index(characters.len());
        characters[at] = by;
        let text: String = characters.into_iter().collect();
        match (read(&text, &Limits::default()), serde_json::from_str::<Value>(&text)) {
            (Ok(ours), Ok(theirs)) => prop_assert!(alike(&ours, &theirs), "{} {}", ours, theirs),
            (Err(error), theirs) => {
                prop_assert!(has_a_place(&text, &error), "{:?}", error);
                prop_assert!(theirs.is_err() || matches!(error.kind, JsonErrorKind::DuplicateKey(_)), "{}", error);
            }
            (Ok(ours), Err(theirs)) => prop_assert!(false, "{} {}", ours, theirs),
        }
    }

    #[test]
    fn what_serde_json_accepts_is_accepted_with_the_same_value(text in near_json()) {
        match (read(&text, &Limits::default()), serde_json::from_str::<Value>(&text)) {
            (Ok(ours), Ok(theirs)) => prop_assert!(alike(&ours, &theirs), "{} {}", ours, theirs),
            (Err(error), theirs) => {
                prop_assert!(has_a_place(&text, &error), "{:?}", error);
                prop_assert!(theirs.is_err() || matches!(error.kind, JsonErrorKind::DuplicateKey(_)), "{}", error);
            }
            (Ok(ours), Err(theirs)) => prop_assert!(false, "{} {}", ours, theirs),
        }
    }

    #[test]
    fn a_written_value_is_read_back(value in values()) {
        for text in [value.to_string(), format!("{value:#}")] {
            let read = read(&text, &Limits::default()).unwrap();
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(read.to_string(), value.to_string());
        }
    }
}
