use super::*;

fn json_error(body: &str) -> JsonError {
    evaluator().run(job(body)).unwrap().json_text().map(str::to_owned).unwrap_err()
}

#[test]
fn what_has_no_json_form_says_so() {
    assert_eq!(json_error("return () => 1"), JsonError::Function);
    assert_eq!(json_error("return class {}"), JsonError::Function);
    assert_eq!(json_error("return Object.assign(() => 1, { toJSON() { return 1 } })"), JsonError::Function);
    assert_eq!(json_error("return Symbol('s')"), JsonError::Symbol);
    assert_eq!(json_error("return { toJSON() {} }"), JsonError::NoForm);
    assert!(matches!(json_error("return 1n"), JsonError::NotSerializable(_)));
    assert!(matches!(json_error("const a = {}; a.a = a; return a"), JsonError::NotSerializable(_)));
    let getter = json_error("return { get a() { throw new Error('no a') } }");
    assert_eq!(getter, JsonError::NotSerializable("no a".to_owned()));
    assert_eq!(json_error("return { toJSON() { throw 'text' } }"), JsonError::NotSerializable("text".to_owned()));
}

#[test]
fn json_errors_read_as_the_sink_prints_them() {
    assert_eq!(JsonError::Function.to_string(), "a function return value has no JSON form.");
    assert_eq!(JsonError::Symbol.to_string(), "a symbol return value has no JSON form.");
    assert_eq!(
        JsonError::NotSerializable("x".to_owned()).to_string(),
        "the return value is not JSON-serializable (x)."
    );
    assert_eq!(JsonError::NoForm.to_string(), "the return value has no JSON form.");
}

#[test]
fn json_follows_json_rules() {
    for (body, text) in [
        ("return NaN", "null"),
        ("return [undefined, () => 1, Symbol()]", "[\n  null,\n  null,\n  null\n]"),
        ("return { a: undefined, b: 1 }", "{\n  \"b\": 1\n}"),
        ("return new Map([[1, 2]])", "{}"),
        ("return new Date(0)", "\"1970-01-01T00:00:00.000Z\""),
        ("return '\\ud800'", "\"\\ud800\""),
        ("return -0", "0"),
        ("return []", "[]"),
    ] {
        assert_eq!(evaluator().run(job(body)).unwrap().json_text(), Ok(text), "{body:?}");
    }
}

#[test]
fn a_rewritten_json_object_changes_nothing() {
    assert_eq!(json("JSON.stringify = () => 'x'; globalThis.JSON = 1; return { a: 1 }"), serde_json::json!({ "a": 1 }));
}

#[test]
fn only_the_wanted_form_is_rendered() {
    let evaluator = evaluator();
    let answer = evaluator.run(Job { want: Want::Json, ..job("return 1") }).unwrap();
    assert!(matches!(answer.render(), Err(EvalError::Render { .. })));
    let answer = evaluator.run(Job { want: Want::Inspect, ..job("return 1n") }).unwrap();
    assert_eq!(answer.json_text(), Err(JsonError::NotAsked));
    assert_eq!(answer.render().unwrap(), "1n");
}

#[test]
fn an_answer_that_cannot_be_rendered_is_an_error_of_that_form_only() {
    let body = "return { a: 1, [Symbol.for('nodejs.util.inspect.custom')]() { throw new Error('no text') } }";
    let answer = evaluator().run(job(body)).unwrap();
    assert_eq!(answer.render(), Err(EvalError::Render { message: "no text".to_owned() }));
    assert_eq!(answer.to_json().unwrap(), serde_json::json!({ "a": 1 }));
}

#[test]
fn json_that_nests_too_deeply_for_data_is_still_text() {
    let body = "let a = []; for (let i = 0; i < 200; i += 1) a = [a]; return a";
    let answer = evaluator().run(job(body)).unwrap();
    assert!(answer.json_text().is_ok());
    assert!(matches!(answer.to_json(), Err(JsonError::NotSerializable(_))));
}

#[test]
fn graph_objects_render_as_plain_ones() {
    let answer = evaluator().run(job("return [graph.edges[0], graph.locations]")).unwrap();
    assert_eq!(
        answer.render().unwrap(),
        "[ { from: 'spec:a', type: 'refines', to: 'spec:b', claim: 'declared' }, [] ]"
    );
}
