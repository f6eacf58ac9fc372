//! From the bytes of an artifact to the artifact (evaluation sheet, parts 5 and 6). Bytes come in; the artifact with the JSON
//! it was read from, or a runtime fault, goes out. A stale version is told before a wrong shape, and the strict reading before
//! both.

use sdp_canon::json::{self, DuplicateKeys, JsonErrorKind, Limits};
use serde_json::Value;

use crate::compile::secrets::category;
use crate::fault::{RuntimeCode, RuntimeFault};
use crate::shape::{self, Shape, safe_integer};

/// The most bytes of an artifact that are read. Read, each can take some sixty times as many in memory.
pub const MOST_BYTES: usize = 8 << 20;

/// A kind of artifact that is exchanged as a document.
#[expect(private_bounds, reason = "artifacts are declared here and nowhere else")]
pub trait Artifact: Shape {
    /// Its name, as faults and schemas spell it.
    const TITLE: &'static str;
    /// Its name in file names, such as `eval-contract`.
    const SLUG: &'static str;
    /// What it is called in a sentence.
    const NOUN: &'static str = "an artifact";
    /// The version of its schema that this build reads.
    const SCHEMA_VERSION: i64;
    /// What reading a stale one would lead to.
    const CONSEQUENCE: &'static str;
}

/// An artifact and the JSON that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<T> {
    /// The artifact.
    pub artifact: T,
    /// The JSON, whose canonical form is the artifact's.
    pub value: Value,
}

impl<T> Document<T> {
    /// Its canonical JSON, without a newline behind it.
    ///
    /// # Errors
    ///
    /// `non-canonicalizable-value`, where the JSON was not read by [`read`].
    pub fn canonical(&self) -> Result<String, RuntimeFault> {
        sdp_canon::canonical::write(&self.value)
            .map_err(|fault| RuntimeFault::new(RuntimeCode::NonCanonicalizableValue, "the artifact", fault.to_string()))
    }
}

/// Reads an artifact.
///
/// # Errors
///
/// `schema-parse-failure` for bytes that are no JSON, or not of the shape; `non-canonicalizable-value` for JSON without one
/// canonical form; `schema-version-mismatch` for another version than [`Artifact::SCHEMA_VERSION`].
#[sdp::satisfies("spec:sdp.eval", component = "component:sdp.eval")]
pub fn read<T: Artifact>(bytes: &[u8]) -> Result<Document<T>, RuntimeFault> {
    read_from("input", bytes)
}

/// Reads an artifact as [`read`] does. Where the bytes are no JSON, `source` is what is said of them, such as `--in`.
///
/// # Errors
///
/// Those of [`read`].
pub fn read_from<T: Artifact>(source: &str, bytes: &[u8]) -> Result<Document<T>, RuntimeFault> {
    let value = strict(bytes, T::TITLE, source)?;
    version::<T>(&value)?;
    let artifact = shape::from_value::<T>(&value).map_err(|issues| RuntimeFault {
        code: RuntimeCode::SchemaParseFailure,
        artifact_path: T::TITLE.to_owned(),
        detail: format!("input does not conform to the {} schema", T::TITLE),
        issues,
    })?;
    Ok(Document { artifact, value })
}

/// The JSON schema of an artifact, with the version of JSON Schema that it is written in.
#[must_use]
pub fn schema<T: Artifact>() -> Value {
    shape::document::<T>(&schema_id(T::SLUG))
}

/// The name under which the schema of an artifact is published.
pub(crate) fn schema_id(slug: &str) -> String {
    format!("urn:sdp:schema:{slug}")
}

/// Reads bytes as JSON that has one canonical form.
fn strict(bytes: &[u8], name: &str, source: &str) -> Result<Value, RuntimeFault> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("{source} is not UTF-8 at offset {}", error.valid_up_to());
        RuntimeFault::new(RuntimeCode::SchemaParseFailure, name, detail)
    })?;
    let limits = Limits { max_bytes: MOST_BYTES, max_depth: json::MAX_DEPTH, duplicate_keys: DuplicateKeys::Refuse };
    let value = json::read(text, &limits).map_err(|error| {
        let (code, what) = match &error.kind {
            kind if kind.is_domain() => (RuntimeCode::NonCanonicalizableValue, "has no canonical form"),
            JsonErrorKind::TooLong(_) => (RuntimeCode::SchemaParseFailure, "is too long"),
            _ => (RuntimeCode::SchemaParseFailure, "is not JSON"),
        };
        let told = match &error.kind {
            JsonErrorKind::DuplicateKey(key) if category(key).is_some() => {
                format!("a key is given twice at line {}, column {}", error.line, error.column)
            }
            _ => error.to_string(),
        };
        RuntimeFault::new(code, name, format!("{source} {what}: {told} at offset {}", error.offset))
    })?;
    sdp_canon::canonical::check(&value).map_err(|fault| {
        let told = match category(&fault.pointer) {
            None => fault.to_string(),
            Some(shape) => {
                format!("{} (its place is not told, since it would repeat what is shaped like {shape})", fault.reason)
            }
        };
        RuntimeFault::new(RuntimeCode::NonCanonicalizableValue, name, told)
    })?;
    Ok(value)
}

/// Refuses another version than the one that this build reads. A value that is no version is left to the shape.
fn version<T: Artifact>(value: &Value) -> Result<(), RuntimeFault> {
    let stamped = value.get("schemaVersion").and_then(safe_integer).filter(|version| *version >= 1);
    match stamped {
        Some(stamped) if stamped != T::SCHEMA_VERSION => Err(RuntimeFault::new(
            RuntimeCode::SchemaVersionMismatch,
            format!("{}.schemaVersion", T::TITLE),
            format!(
                "carries \"schemaVersion\" {stamped} where this build reads {}; {} written for another version is not read \
                 leniently, {} (AD-11)",
                T::SCHEMA_VERSION,
                T::NOUN,
                T::CONSEQUENCE
            ),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::contract::EvalContract;
    use crate::testing::{places, shared_contracts};

    #[test]
    fn every_contract_of_the_corpora_is_read_and_written_back() {
        for (path, bytes) in shared_contracts() {
            let document =
                read::<EvalContract>(&bytes).unwrap_or_else(|fault| panic!("{path}: {fault}\n{}", fault.issues));
            assert_eq!(serde_json::to_value(&document.artifact).unwrap(), document.value, "{path:?}");
        }
    }

    #[test]
    fn what_is_no_json_and_what_has_no_canonical_form_are_two_faults() {
        let told = |bytes: &[u8]| read::<EvalContract>(bytes).map(|_| ()).unwrap_err();
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let (deepest, deeper) = (deep(1024), deep(1025));
        for text in [
            r#"{"a":1,"a":1}"#,
            // One key in two spellings.
            r#"{"a":1,"\u0061":2}"#,
            r#"{"__proto__":{"a":1,"a":2}}"#,
            "[1e21]",
            "[9007199254740993.0]",
            "[-9007199254740992]",
            "[1e999]",
            r#"["\ud800"]"#,
            r#"{"\udc00":1}"#,
            &deeper,
        ] {
            let fault = told(text.as_bytes());
            assert_eq!(
                (fault.code.as_str(), fault.artifact_path.as_str()),
                ("non-canonicalizable-value", "EvalContract"),
                "{text:.40}"
            );
        }
        for text in [
            "\u{feff}{}",
            "[01]",
            "[\"\u{1}\"]",
            "[] []",
            r#"["\x"]"#,
            "",
            "[1,]",
            "{a:1}",
            "[+1]",
            "[.5]",
            "[NaN]",
            "[-]",
            "'a'",
        ] {
            let fault = told(text.as_bytes());
            assert_eq!(
                (fault.code.as_str(), fault.artifact_path.as_str()),
                ("schema-parse-failure", "EvalContract"),
                "{text:?}"
            );
            let (_, offset) = fault.detail.rsplit_once(" at offset ").unwrap();
            assert!(
                offset.parse::<usize>().unwrap() <= text.len() && fault.issues.is_empty(),
                "{text:?}: {}",
                fault.detail
            );
        }
        assert_eq!(told(b"[\"\xed\xa0\x80\"]").detail, "input is not UTF-8 at offset 2");
        let long = told(&vec![b' '; MOST_BYTES + 1]);
        assert_eq!(long.code, RuntimeCode::SchemaParseFailure);
        assert!(long.detail.starts_with("input is too long: "), "{}", long.detail);
        // An empty text is one too short, but none too long.
        let blank = told(&vec![b' '; MOST_BYTES]);
        assert!(blank.detail.starts_with("input is not JSON: "), "{}", blank.detail);
        // A key that is like no secret is told.
        let twice = told(br#"{"colour":1,"colour":2}"#);
        assert!(twice.detail.contains("colour"), "{}", twice.detail);
        // The domain is no matter of the shape, and the shape is none of the domain.
        for text in ["[9007199254740991]", r#"{"__proto__":1}"#, "[1.5e-7,-0,9007199254740991.0]", &deepest] {
            let fault = told(text.as_bytes());
            assert_eq!(fault.code, RuntimeCode::SchemaParseFailure, "{text:.40}");
            assert!(!fault.issues.is_empty(), "{text:.40}");
        }
    }

    #[test]
    fn only_a_version_is_another_version() {
        let code = |version: &str| {
            read::<EvalContract>(format!("{{\"schemaVersion\":{version}}}").as_bytes()).unwrap_err().code
        };
        for version in ["1", "6", "8", "1.0", "6e0", "9007199254740991"] {
            assert_eq!(code(version), RuntimeCode::SchemaVersionMismatch, "{version}");
        }
        for version in ["7", "7.0", "0", "-0", "-1", "-7", "1.5", "\"6\"", "null", "[6]", "1e-300"] {
            assert_eq!(code(version), RuntimeCode::SchemaParseFailure, "{version}");
        }
    }

    #[test]
    fn what_was_expected_of_a_value_is_told() {
        for (pointer, value, expected) in [
            ("/revisionCount", json!(1.5), "expected an integer from 0 to 9007199254740991"),
            ("/revisionCount", json!(-1), "expected an integer from 0 to 9007199254740991"),
            ("/revisionCount", json!("1"), "expected an integer, got a string"),
            ("/behaviors", json!({}), "expected an array, each element an object with id, …, got an object"),
            ("/behaviors", json!([]), "must have at least 1 element"),
            // How many there are comes first; what they are is not looked at.
            ("/oracles/0/check/operands/0/operands", json!([5]), "must have exactly 2 elements"),
            ("/oracles/0/check/operands/0/operands", json!({}), "expected an array, each element …, got an object"),
        ] {
            let told = fault(&[(pointer, Some(value))]).issues.to_string();
            let (start, end) = expected.split_once('…').unwrap_or((expected, ""));
            assert!(told.starts_with(&format!("{pointer}: {start}")) && told.ends_with(end), "{told}");
            assert_eq!(told.lines().count(), 1, "{told}");
        }
    }

    /// A contract that has every shape.
    const EVERY_SHAPE: &str = include_str!("../tests/every-shape.json");

    /// A pointer, and the value that stands there from then on.
    type Change<'c> = (&'c str, Option<Value>);

    /// The fault of the contract of every shape with some values changed; nothing for a value that is taken away.
    fn fault(changes: &[Change<'_>]) -> RuntimeFault {
        let mut contract: Value = serde_json::from_str(EVERY_SHAPE).unwrap();
        for (pointer, value) in changes {
            let (above, key) = pointer.rsplit_once('/').unwrap();
            let members = contract.pointer_mut(above).unwrap_or_else(|| panic!("{pointer}"));
            match (members, value) {
                (Value::Object(members), Some(value)) => drop(members.insert(key.to_owned(), value.clone())),
                (Value::Object(members), None) => assert!(members.shift_remove(key).is_some(), "{pointer}"),
                (members, Some(value)) => members[key.parse::<usize>().unwrap()] = value.clone(),
                (members, None) => drop(members.as_array_mut().unwrap().remove(key.parse().unwrap())),
            }
        }
        read::<EvalContract>(&serde_json::to_vec(&contract).unwrap()).unwrap_err()
    }

    #[test]
    fn what_is_wrong_with_a_shape_is_told_with_its_pointer() {
        const CHECK: &str = "/oracles/0/check/operands";
        let text = |text: &str| Some(json!(text));
        let table: &[(&[Change<'_>], &[&str])] = &[
            (&[("/behaviors/0/severity", None)], &["/behaviors/0/severity"]),
            (&[("/behaviors", Some(json!([])))], &["/behaviors"]),
            (&[("/a~b", Some(json!(1)))], &["/a~0b"]),
            (
                &[("/behaviors/1/oracles", Some(json!(["O-001", "O-1", 5])))],
                &["/behaviors/1/oracles/1", "/behaviors/1/oracles/2"],
            ),
            (&[("/revisionCount", Some(json!(1.5)))], &["/revisionCount"]),
            (&[("/permittedInterfaces/0/kind", text("ftp"))], &["/permittedInterfaces/0/kind"]),
            (&[("/permittedInterfaces/1/kind", None)], &["/permittedInterfaces/1/kind"]),
            (&[("/oracles/0/check/op", text("some"))], &["/oracles/0/check/op"]),
            (
                &[("/oracles/0/check/operands/0/operands/0/literal", Some(json!(1)))],
                &[&format!("{CHECK}/0/operands/0")],
            ),
            (
                &[("/oracles/0/check/operands/7/operands/1/referenceSet", text("No"))],
                &[&format!("{CHECK}/7/operands/1/referenceSet")],
            ),
            (
                &[("/oracles/0/check/operands/13/predicate/operands/1/pointer", text("@"))],
                &[&format!("{CHECK}/13/predicate/operands/1/pointer")],
            ),
            (
                &[("/referenceSets/Red Blue", Some(Value::Null))],
                &["/referenceSets/Red Blue", "/referenceSets/Red Blue"],
            ),
            (&[("/interactionPlan/0/inputBinding/path", Some(json!({})))], &["/interactionPlan/0/inputBinding/path"]),
            (
                &[("/interactionPlan/1/inputBinding/body/base64", text("QR=="))],
                &["/interactionPlan/1/inputBinding/body/base64"],
            ),
            (
                &[("/interactionPlan/1/inputBinding/stdin", Some(Value::Null))],
                &["/interactionPlan/1/inputBinding/stdin"],
            ),
            (&[("/waivers/0/expiresAt", text("2027-02-29T00:00:00Z"))], &["/waivers/0/expiresAt"]),
            (&[("/schemaVersion", text("7"))], &["/schemaVersion"]),
            (
                &[("/safetyLimits", text("x")), ("/budgets/maxCostUsd", text("$5")), ("/contractId", None)],
                &["/budgets/maxCostUsd", "/contractId", "/safetyLimits"],
            ),
        ];
        for (changes, expected) in table {
            let fault = fault(changes);
            assert_eq!(fault.code, RuntimeCode::SchemaParseFailure);
            assert_eq!(fault.artifact_path, "EvalContract");
            assert_eq!(fault.detail, "input does not conform to the EvalContract schema");
            let pointers: Vec<&str> = fault.issues.told().map(|issue| issue.pointer.as_str()).collect();
            assert_eq!(pointers, *expected, "{changes:?}: {}", fault.issues);
            assert_eq!(fault.issues.count(), expected.len());
        }
        let whole = read::<EvalContract>(b"[]").unwrap_err();
        let told = whole.issues.to_string();
        assert!(
            told.starts_with(": expected an object with schemaVersion, ") && told.ends_with(", got an array"),
            "{told}"
        );
    }

    #[test]
    fn twenty_issues_are_told_and_the_others_counted() {
        let fault = fault(&[("/safetyLimits", Some(json!(vec![0; 1234]))), ("/budgets", None)]);
        assert_eq!(fault.issues.count(), 1235);
        let pointers: Vec<&str> = fault.issues.told().map(|issue| issue.pointer.as_str()).collect();
        assert_eq!(pointers.len(), 20);
        assert!(pointers.is_sorted());
        assert_eq!(pointers[..4], ["/budgets", "/safetyLimits/0", "/safetyLimits/1", "/safetyLimits/10"]);
        let lines = fault.issues.to_string();
        assert_eq!(lines.lines().count(), 21);
        assert!(lines.ends_with("\nand 1215 more"), "{lines}");
    }

    #[test]
    fn no_value_is_told_and_a_key_stays_on_its_line() {
        // Every value in turn becomes what must not be seen.
        const SECRET: &str = "Bearer 0123456789 SECRET";
        let whole: Value = serde_json::from_str(EVERY_SHAPE).unwrap();
        let mut refused = 0;
        let mut pointers = Vec::new();
        places(&whole, "", &mut pointers);
        for pointer in &pointers {
            for secret in [json!(SECRET), json!([SECRET]), json!({ "kind": SECRET, "op": SECRET, "mode": SECRET })] {
                let mut contract = whole.clone();
                *contract.pointer_mut(pointer).unwrap() = secret;
                if let Err(fault) = read::<EvalContract>(&serde_json::to_vec(&contract).unwrap()) {
                    let told = format!("{fault}\n{}", fault.issues);
                    assert!(!told.contains("SECRET"), "{pointer}: {told}");
                    refused += 1;
                }
            }
        }
        assert!(refused > 500, "{refused}");
        // Nor is a key that looks like one, wherever it keeps a document from being read.
        let key = format!("AKIA{}", "SECRET7890123456");
        let mut contract = whole.clone();
        contract[&key] = json!({ "a": 1 });
        contract["testData"]["principals"][format!("{}{key}", "-".repeat(190))] = json!(1);
        let in_shape = read::<EvalContract>(&serde_json::to_vec(&contract).unwrap()).unwrap_err();
        let pointers: Vec<&str> = in_shape.issues.told().map(|issue| issue.pointer.as_str()).collect();
        assert_eq!(pointers, ["/testData/principals/…", "/testData/principals/…", "/…"]);
        let twice = read::<EvalContract>(format!("{{\"{key}\":1,\"{key}\":2}}").as_bytes()).unwrap_err();
        let unsafe_integer = read::<EvalContract>(format!("{{\"{key}\":9007199254740993}}").as_bytes()).unwrap_err();
        for fault in [in_shape, twice, unsafe_integer] {
            let told = format!("{fault}\n{}", fault.issues);
            assert!(!told.contains("SECRET"), "{told}");
        }
        let strange = format!("x\n  /fake: \u{1b}[2J{}", "y".repeat(300));
        let mut contract = whole.clone();
        contract[&strange] = json!(SECRET);
        let fault = read::<EvalContract>(&serde_json::to_vec(&contract).unwrap()).unwrap_err();
        let told = fault.issues.to_string();
        assert!(
            told.starts_with("/x\\u{a}  ~1fake: \\u{1b}[2Jyyy")
                && told.contains("yyy…: is not a field here, only schemaVersion, "),
            "{told}"
        );
        assert_eq!(told.lines().count(), 1);
    }
}
