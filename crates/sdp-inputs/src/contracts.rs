//! What must hold of evaluation contracts and of their patterns. Bytes go in; a broken promise panics.

use std::sync::LazyLock;

use jsonschema::Validator;
use sdp_canon::json::{self, Limits};
use sdp_eval::artifacts::SealedEvaluatorBrief;
use sdp_eval::compile::{CompileOptions, compile};
use sdp_eval::contract::EvalContract;
use sdp_eval::document::{self, Artifact as _, Document};
use sdp_eval::fault::{FailureCode, RuntimeCode, RuntimeFault, StructuralFailure};
use sdp_eval::regex::Pattern;
use sdp_eval::seal::{SealFault, seal};
use serde_json::Value;

/// The contracts that an input may change: one of tools, one of commands, one of HTTP, one of every shape.
const BASES: [&str; 4] = [
    include_str!("../../sdp-eval/corpus/unsupported-interface-kind/passes.json"),
    include_str!("../../sdp-eval/corpus/unresolved-artifact-reference/passes.json"),
    include_str!("../../sdp-eval/corpus/captured-channel-undeclared/passes.json"),
    include_str!("../../sdp-eval/tests/every-shape.json"),
];

static PARSED: LazyLock<Vec<Value>> =
    LazyLock::new(|| BASES.iter().map(|base| serde_json::from_str(base).unwrap()).collect());

static SCHEMA: LazyLock<Validator> =
    LazyLock::new(|| jsonschema::draft202012::new(&document::schema::<EvalContract>()).unwrap());

/// What parts the pointer of a change from the value that is set there.
const SETS: &str = " = ";

/// The steps that one test of a pattern may take.
const STEPS: u64 = 1 << 18;

/// A contract is read, or refused as its schema refuses it. What compiles is sealed, or its brief would be a script or too large.
/// Canonical JSON reads back to the same. No fault tells what is shaped like a secret.
///
/// An input is a contract, or `base N` with changes of one of our contracts on the lines below it.
pub fn contract(input: &[u8]) {
    let changed = std::str::from_utf8(input).ok().and_then(changed);
    let bytes = changed.as_deref().unwrap_or(input);
    match document::read::<EvalContract>(bytes) {
        Ok(contract) => {
            assert!(SCHEMA.is_valid(&contract.value), "read, but its schema refuses it");
            judge_contract(&contract);
        }
        Err(fault) => {
            judge_fault(&fault);
            if !fault.issues.is_empty() {
                let text = std::str::from_utf8(bytes).unwrap();
                let value = json::read(text, &Limits::default()).unwrap();
                assert!(!SCHEMA.is_valid(&value), "its schema accepts it, but {fault}\n{}", fault.issues);
            }
        }
    }
}

/// The contract that an input of changes stands for. A line is a pointer alone, whose value is taken away, or a pointer and the
/// value that stands there from then on: JSON, or else text. The last token may be new to an object, or `-` to add to an array.
fn changed(input: &str) -> Option<Vec<u8>> {
    let (base, changes) = input.strip_prefix("base ")?.split_once('\n')?;
    let mut contract = PARSED.get(base.parse::<usize>().ok()?)?.clone();
    for line in changes.lines() {
        let (pointer, value) = match line.split_once(SETS) {
            Some((pointer, value)) => (pointer, Some(value)),
            None => (line, None),
        };
        let value = value.map(|value| serde_json::from_str(value).unwrap_or_else(|_| Value::from(value)));
        let Some((above, key)) = pointer.rsplit_once('/') else { continue };
        let key = key.replace("~1", "/").replace("~0", "~");
        match (contract.pointer_mut(above), value) {
            (Some(Value::Object(members)), Some(value)) => drop(members.insert(key, value)),
            (Some(Value::Object(members)), None) => drop(members.shift_remove(&key)),
            (Some(Value::Array(elements)), Some(value)) if key == "-" => elements.push(value),
            (Some(Value::Array(elements)), value) => match (key.parse().ok(), value) {
                (Some(at), Some(value)) => drop(elements.get_mut(at).map(|element: &mut Value| *element = value)),
                (Some(at), None) if at < elements.len() => drop(elements.remove(at)),
                _ => {}
            },
            _ => {}
        }
    }
    serde_json::to_vec(&contract).ok()
}

fn judge_contract(contract: &Document<EvalContract>) {
    let canonical = contract.canonical().unwrap();
    let again = document::read::<EvalContract>(canonical.as_bytes()).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(again.artifact, contract.artifact, "canonical JSON says something else");
    assert_eq!(again.canonical().unwrap(), canonical, "canonical JSON is not canonical");
    let of = |strict_inputs| compile(&contract.artifact, CompileOptions { strict_inputs });
    let (strict, lenient) = (of(true), of(false));
    assert!(strict.is_err() || lenient.is_ok(), "{lenient:?} is told by the lenient alone");
    strict.as_ref().err().into_iter().chain(lenient.as_ref().err()).for_each(judge_failure);
    match seal(contract) {
        Ok(brief) => judge_brief(contract, &brief),
        Err(SealFault::Runtime(fault)) => judge_fault(&fault),
        Err(SealFault::Structural(failure)) if lenient.is_ok() => {
            // These names may stand twice until the contract is sealed.
            let is_twice = ["repeats oracle id ", "repeats scoped resource reference "]
                .iter()
                .any(|start| failure.detail.starts_with(start));
            // A brief puts words together, which may be shaped like a secret only then.
            let is_of_brief = failure.artifact_path.starts_with(SealedEvaluatorBrief::TITLE);
            let is_sealings = is_twice || is_of_brief || failure.code == FailureCode::BriefExceedsScriptingBound;
            assert!(is_sealings, "compiled, but not sealed: {failure}");
            judge_failure(&failure);
        }
        // Sealing asks for a contract that compiled, and leaves out what compiling would have withheld.
        Err(SealFault::Structural(_)) => {}
    }
}

/// A brief reads back as it is, and is the same whatever the order of steps, interfaces and evidence targets.
fn judge_brief(contract: &Document<EvalContract>, brief: &Document<SealedEvaluatorBrief>) {
    let canonical = brief.canonical().unwrap();
    let again = document::read::<SealedEvaluatorBrief>(canonical.as_bytes())
        .unwrap_or_else(|fault| panic!("{fault}\n{}", fault.issues));
    assert_eq!(again.artifact, brief.artifact, "canonical JSON of the brief says something else");
    let mut turned = contract.clone();
    turned.artifact.interaction_plan.reverse();
    turned.artifact.permitted_interfaces.reverse();
    let turned = seal(&turned).unwrap_or_else(|fault| panic!("turned around: {fault}"));
    assert_eq!(turned.artifact, brief.artifact, "the order of steps or interfaces plays a part");
}

fn judge_failure(failure: &StructuralFailure) {
    judge_words(&failure.artifact_path);
    judge_words(&failure.detail);
}

fn judge_fault(fault: &RuntimeFault) {
    assert_eq!(fault.issues.is_empty(), fault.issues.told().len() == 0);
    assert!(fault.issues.told().len() <= 20 && fault.issues.told().len() <= fault.issues.count());
    assert!(fault.issues.is_empty() || fault.code == RuntimeCode::SchemaParseFailure, "{fault}");
    judge_words(&fault.artifact_path);
    judge_words(&fault.detail);
    fault.issues.told().for_each(|issue| judge_words(&issue.pointer));
}

/// No words are such that a contract with them would be refused for a secret.
fn judge_words(words: &str) {
    static BASE: LazyLock<EvalContract> =
        LazyLock::new(|| document::read::<EvalContract>(BASES[0].as_bytes()).unwrap().artifact);
    let mut contract = BASE.clone();
    contract.safety_limits.push(words.to_owned());
    if let Err(failure) = compile(&contract, CompileOptions::default()) {
        panic!("told what {}: {words:?}", failure.detail);
    }
}

/// A pattern is refused, or decides a subject within its steps, the same each time; and as it does inside of what is looked ahead
/// for. The first line is the pattern, the others are the subject.
pub fn pattern(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (pattern, subject) = text.split_once('\n').unwrap_or((&text, &text));
    read(pattern);
    let Some(whole) = read(&format!("^(?:{pattern})$")).and_then(|whole| decide(&whole, subject)) else { return };
    for (sign, same) in [('=', true), ('!', false)] {
        let ahead = read(&format!("^(?{sign}(?:{pattern})$)[^]*$"));
        let ahead = ahead.unwrap_or_else(|| panic!("legal alone, but not behind ?{sign}: {pattern:?}"));
        if let Some(ahead) = decide(&ahead, subject) {
            assert_eq!(ahead == same, whole, "{pattern:?} over {subject:?} behind ?{sign}");
        }
    }
}

fn read(text: &str) -> Option<Pattern> {
    match Pattern::new(text) {
        Ok(pattern) => {
            assert!(!pattern.nested_quantifier() || pattern.quantifier_markers() > 1, "{text:?}");
            Some(pattern)
        }
        Err(fault) => {
            assert!(!fault.to_string().is_empty());
            None
        }
    }
}

fn decide(pattern: &Pattern, subject: &str) -> Option<bool> {
    let decided = pattern.test(subject, STEPS).ok();
    assert_eq!(pattern.test(subject, STEPS).ok(), decided, "the second answer is another");
    if decided.is_some() {
        assert_eq!(pattern.test(subject, STEPS * 2).ok(), decided, "more steps give another answer");
    }
    decided
}
