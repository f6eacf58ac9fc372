use super::*;
use crate::json::{self, Limits, MAX_DEPTH};
use proptest::prelude::*;
use serde_json::json;

/// Limits that allow all that [`write()`] does.
const DEEPEST: Limits =
    Limits { max_bytes: 8 << 20, max_depth: MAX_DEPTH, duplicate_keys: json::DuplicateKeys::Refuse };

fn parsed(text: &str) -> Value {
    json::read(text, &DEEPEST).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

/// The canonical text of a JSON text.
fn written(text: &str) -> String {
    write(&parsed(text)).unwrap_or_else(|fault| panic!("{text:?}: {fault}"))
}

/// Pointer and reason of the refusal by [`check`].
fn refused(text: &str) -> Option<(String, CanonicalReason)> {
    check(&parsed(text)).err().map(|fault| (fault.pointer, fault.reason))
}

fn nested(levels: usize) -> Value {
    (1..levels).fold(json!([]), |inside, _| Value::Array(vec![inside]))
}

#[test]
fn known_values_have_their_known_texts_and_digests() {
    let record = r#"{"data":{},"id":"run1","kind":"objective","run":"run1"}"#;
    let head = format!("[{record}]");
    let pin = format!("sha256:{}", Digest::of(record));
    let two = format!(
        r#"[{record},{{"data":{{"refs":[{{"digest":"{pin}","id":"run1"}}]}},"id":"a","kind":"item","run":"run1"}}]"#
    );
    let known = [
        ("[ ]", "[]", "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945"),
        ("{\n}", "{}", "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"),
        (r#"{"b":1, "a":2}"#, r#"{"a":2,"b":1}"#, "d3626ac30a87e6f7a6428233b3c68299976865fa5508e4267c5415c76af7a772"),
        (
            r#"{"\ufb01":2,"\ud83d\ude00":1,"\u00e9":"\u2028","b":1.0,"a":[1e21,1e-1,-0]}"#,
            "{\"a\":[1e+21,0.1,0],\"b\":1,\"é\":\"\u{2028}\",\"😀\":1,\"ﬁ\":2}",
            "06bee9e06f7c636f5454f569e06985bf4108a38d17ea523041d967727db02ee7",
        ),
        (
            r#"{"run":"run1","kind":"objective","id":"run1","data":{}}"#,
            record,
            "2b5c63ed6ecfe97267b9ee39a1c7c1aa9e8a06e1b4203e03e1226337298e4bed",
        ),
        (&head, &head, "3bb8641afdadafe3b051909663894b3095bcab82b01cc819082500441114f4bb"),
        (&two, &two, "1aa16d81291b57a9d19393e7a59074c1bd14b339fbb7bae7f75bd48319ecabb5"),
        (
            "[1, 1.0, 1e-7, 123456789012345680000, 1e-6, 5e-324, 333333333.33333329]",
            "[1,1,1e-7,123456789012345680000,0.000001,5e-324,333333333.3333333]",
            "aa6463e616f72f1aee66795dc19cabb4d4c7655436b62b0184bec4f3e661a1b9",
        ),
    ];
    for (given, text, sha256) in known {
        assert_eq!(written(given), text);
        assert_eq!(digest(&parsed(given)).unwrap().to_string(), sha256, "{text}");
    }
}

#[test]
fn numbers_are_written_as_ecmascript_does() {
    // The bits and texts of RFC 8785, appendix B.
    let known = [
        (0x0000_0000_0000_0000, "0"),
        (0x8000_0000_0000_0000, "0"),
        (0x0000_0000_0000_0001, "5e-324"),
        (0x8000_0000_0000_0001, "-5e-324"),
        (0x7fef_ffff_ffff_ffff, "1.7976931348623157e+308"),
        (0xffef_ffff_ffff_ffff, "-1.7976931348623157e+308"),
        (0x4340_0000_0000_0000, "9007199254740992"),
        (0xc340_0000_0000_0000, "-9007199254740992"),
        (0x4430_0000_0000_0000, "295147905179352830000"),
        (0x44b5_2d02_c7e1_4af5, "9.999999999999997e+22"),
        (0x44b5_2d02_c7e1_4af6, "1e+23"),
        (0x44b5_2d02_c7e1_4af7, "1.0000000000000001e+23"),
        (0x444b_1ae4_d6e2_ef4e, "999999999999999700000"),
        (0x444b_1ae4_d6e2_ef4f, "999999999999999900000"),
        (0x444b_1ae4_d6e2_ef50, "1e+21"),
        (0x3eb0_c6f7_a0b5_ed8c, "9.999999999999997e-7"),
        (0x3eb0_c6f7_a0b5_ed8d, "0.000001"),
        (0x41b3_de43_5555_5553, "333333333.3333332"),
        (0x41b3_de43_5555_5554, "333333333.33333325"),
        (0x41b3_de43_5555_5555, "333333333.3333333"),
        (0x41b3_de43_5555_5556, "333333333.3333334"),
        (0x41b3_de43_5555_5557, "333333333.33333343"),
        (0xbecb_f647_612f_3696, "-0.0000033333333333333333"),
        (0x4314_3ff3_c1cb_0959, "1424953923781206.2"),
    ];
    for (bits, text) in known {
        assert_eq!(write(&json!(f64::from_bits(bits))).unwrap(), text, "{bits:x}");
    }
}

#[test]
fn an_integer_is_the_binary64_number_that_it_is() {
    assert_eq!(write(&json!(u64::MAX)).unwrap(), "18446744073709552000");
    assert_eq!(write(&json!(i64::MIN)).unwrap(), "-9223372036854776000");
    assert_eq!(written("9007199254740993"), "9007199254740992");
    assert_eq!(written("[100, 100.0, 1e2, -7]"), "[100,100,100,-7]");
}

#[test]
fn strings_are_escaped_as_ecmascript_does() {
    let controls: String = ('\0'..=' ').collect();
    assert_eq!(
        write(&json!(controls)).unwrap(),
        concat!(
            r#""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#,
            r#"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f ""#
        )
    );
    assert_eq!(written(r#""\"\\\/""#), r#""\"\\/""#);
    let raw = "\"\u{7f}\u{80}é\u{2028}\u{2029}\u{feff}\u{ffff}😀\"";
    assert_eq!(written(raw), raw);
    assert_eq!(written(r#"{"\n":"é\té"}"#), r#"{"\n":"é\té"}"#);
    // What looks alike stays different: nothing is normalised.
    assert_eq!(written("[\"\u{e9}\",\"e\u{301}\"]"), "[\"\u{e9}\",\"e\u{301}\"]");
}

#[test]
fn keys_are_sorted_by_code_units_at_every_level() {
    // The keys of RFC 8785, section 3.2.3.
    assert_eq!(
        written(
            r#"{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7,"":[{"10":0,"9":0,"__proto__":0}]}"#
        ),
        "{\"\":[{\"10\":0,\"9\":0,\"__proto__\":0}],\"\\r\":2,\"1\":4,\"\u{80}\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\u{fb33}\":3}"
    );
}

#[test]
fn an_integer_is_safe_whatever_its_spelling() {
    for safe in [
        "9007199254740991",
        "-9007199254740991",
        "9007199254740991.0",
        "9007199254740990.5",
        "9.007199254740991e15",
        // Read as the safe integer below it.
        "9007199254740991.4",
        "-0",
        "1e-999",
        "1e15",
        "0.1",
    ] {
        assert_eq!(refused(safe), None, "{safe}");
    }
    for unsafe_integer in [
        "9007199254740992",
        "-9007199254740992",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740991.5",
        "9.007199254740992e15",
        "18446744073709551615",
        "-9223372036854775808",
        "123456789012345680000",
        "1e21",
        "-1e21",
        "1e308",
    ] {
        assert_eq!(refused(unsafe_integer), Some((String::new(), CanonicalReason::UnsafeInteger)), "{unsafe_integer}");
        assert!(write(&parsed(unsafe_integer)).is_ok(), "{unsafe_integer}");
        assert!(write_checked(&parsed(unsafe_integer)).is_err(), "{unsafe_integer}");
    }
    assert_eq!(json!(MAX_SAFE_INTEGER).as_f64(), Some(MAX_SAFE));
}

#[test]
fn a_fault_names_the_first_value_in_authored_order_and_never_repeats_it() {
    let value = parsed(r#"{"z~/":[0,{"":1e21}],"a":9007199254740993}"#);
    let fault = check(&value).unwrap_err();
    assert_eq!(fault.pointer, "/z~0~1/1/");
    assert_eq!(fault.to_string(), r#"an integer beyond 9007199254740991 at "/z~0~1/1/""#);
    assert_eq!(write_checked(&value), Err(fault));
    assert_eq!(refused("[[1,2],[1e300]]"), Some(("/1/0".to_owned(), CanonicalReason::UnsafeInteger)));
    assert_eq!(check(&json!(1e21)).unwrap_err().to_string(), "an integer beyond 9007199254740991 at \"\"");
    assert_eq!(check(&json!({"a\nb": 1e21})).unwrap_err().to_string().lines().count(), 1);
}

#[test]
fn a_long_key_is_cut_in_the_pointer() {
    for (key, shown) in [
        ("é".repeat(200), "é".repeat(200)),
        ("é".repeat(201), "é".repeat(200) + "…"),
        ("/".repeat(5000), "~1".repeat(200) + "…"),
    ] {
        let value = json!({key: [1e21]});
        assert_eq!(check(&value).unwrap_err().pointer, format!("/{shown}/0"));
    }
}

#[test]
fn the_deepest_value_is_written_and_one_level_more_is_refused() {
    let deepest = nested(MAX_DEPTH);
    assert_eq!(check(&deepest), Ok(()));
    assert_eq!(write(&deepest).unwrap(), "[".repeat(MAX_DEPTH) + &"]".repeat(MAX_DEPTH));
    // A value that is no array or object adds no level.
    let text = "[".repeat(MAX_DEPTH) + "1" + &"]".repeat(MAX_DEPTH);
    assert_eq!(written(&text), text);

    let deeper = Value::Object([("a".to_owned(), deepest)].into_iter().collect());
    let fault = write(&deeper).unwrap_err();
    assert_eq!(fault.reason, CanonicalReason::TooDeep);
    assert_eq!(fault.pointer, "/a".to_owned() + &"/0".repeat(MAX_DEPTH - 1));
    assert_eq!(check(&deeper), Err(fault.clone()));
    assert_eq!(digest(&deeper), Err(fault));
    let beside = Value::Array(vec![json!([]), Value::Array(vec![nested(MAX_DEPTH - 1)])]);
    assert_eq!(check(&beside).unwrap_err().pointer, "/1".to_owned() + &"/0".repeat(MAX_DEPTH - 1));
}

#[test]
fn the_deepest_value_needs_no_more_stack_than_any_other() {
    let text = r#"{"a":["#.repeat(MAX_DEPTH / 2) + "1e21" + &"]}".repeat(MAX_DEPTH / 2);
    // It is made and dropped outside, since that takes more stack than what is looked at here.
    let value = parsed(&text);
    let answers = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(64 << 10);
        let thread = thread.spawn_scoped(scope, || (write(&value), check(&value).map_err(|fault| fault.reason)));
        thread.unwrap().join().unwrap()
    });
    assert_eq!(answers, (Ok(text.replace("1e21", "1e+21")), Err(CanonicalReason::UnsafeInteger)));
}

/// Any value that a JSON text can have.
fn values() -> impl Strategy<Value = Value> {
    let number = prop_oneof![
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i32>().prop_map(|number| Value::from(f64::from(number))),
        Just(Value::from(-0.0)),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        any::<String>().prop_map(Value::from),
        "[\\x00-\\x22\\\\]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(6, 64, 6, |inside| {
        let key = prop_oneof![any::<String>(), "[a\u{d7ff}\u{e000}\u{ffff}\u{10000}\"\n]{0,3}"];
        prop_oneof![
            prop::collection::vec(inside.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inside), 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Whether two values are the same where every number is a binary64 number and zero has no sign.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|right| same(value, right)))
        }
        _ => left == right,
    }
}

/// Whether the keys of every object stand in the order of their code units.
fn sorted(value: &Value) -> bool {
    match value {
        Value::Array(values) => values.iter().all(sorted),
        Value::Object(members) => {
            let units: Vec<Vec<u16>> = members.keys().map(|key| key.encode_utf16().collect()).collect();
            units.is_sorted() && members.values().all(sorted)
        }
        _ => true,
    }
}

/// The same value, with the members of every object in the opposite order.
fn turned(value: &Value) -> Value {
    match value {
        Value::Array(values) => Value::Array(values.iter().map(turned).collect()),
        Value::Object(members) => {
            Value::Object(members.iter().rev().map(|(key, value)| (key.clone(), turned(value))).collect())
        }
        other => other.clone(),
    }
}

/// Whether no number in the value is an unsafe integer.
fn safe(value: &Value) -> bool {
    match value {
        Value::Number(number) => {
            let number = number.as_f64().unwrap();
            number.fract() != 0.0 || number.abs() < 2_f64.powi(53)
        }
        Value::Array(values) => values.iter().all(safe),
        Value::Object(members) => members.values().all(safe),
        _ => true,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn a_canonical_text_is_read_back_as_the_same_value_and_written_alike(value in values()) {
        let text = write(&value).unwrap();
        let back = json::read(&text, &DEEPEST).unwrap();
        prop_assert!(same(&value, &back), "{} {}", value, text);
        prop_assert!(sorted(&back), "{}", text);
        prop_assert_eq!(write(&back).unwrap(), text);
    }

    #[test]
    fn the_authored_order_does_not_show(value in values()) {
        prop_assert_eq!(digest(&turned(&value)).unwrap(), digest(&value).unwrap());
    }

    #[test]
    fn a_string_is_written_as_serde_json_does(text: String) {
        prop_assert_eq!(write(&json!(text)).unwrap(), serde_json::to_string(&text).unwrap());
    }

    #[test]
    fn a_checked_value_loses_nothing(value in values()) {
        prop_assert_eq!(check(&value).is_ok(), safe(&value));
        match write_checked(&value) {
            Ok(text) => prop_assert_eq!(Ok(text), write(&value)),
            Err(fault) => {
                let place = value.pointer(&fault.pointer);
                prop_assert!(place.is_some_and(|place| place.is_number() && !safe(place)), "{} {}", fault, value);
            }
        }
    }
}
