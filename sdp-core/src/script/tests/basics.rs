use super::*;

#[test]
fn a_body_returns_its_value() {
    let answer = evaluator().run(job("return { a: 1, b: [graph.nodes.length] }")).unwrap();
    assert!(!answer.is_undefined());
    assert_eq!(answer.json_text().unwrap(), "{\n  \"a\": 1,\n  \"b\": [\n    3\n  ]\n}");
    assert_eq!(answer.render().unwrap(), "{ a: 1, b: [ 3 ] }");
    assert_eq!(answer.to_json().unwrap(), serde_json::json!({ "a": 1, "b": [3] }));
}

#[test]
fn the_exported_evaluator_takes_a_graph() {
    let input = Input { graph: graph(), report: None, params: Some(serde_json::json!({ "term": "x" })) };
    let answer = evaluate_body("return [params.term, graph.nodes.length, report.validatorId]", input.clone()).unwrap();
    assert_eq!(answer.to_json().unwrap(), serde_json::json!(["x", 3, "graph"]));
    let answer = evaluate_body("return params", Input { params: None, ..input }).unwrap();
    assert_eq!(answer.render().unwrap(), "{}");
}

#[test]
fn parameters_that_are_no_object_refuse_before_the_body_runs() {
    for (params, found) in [
        (serde_json::json!(null), "null"),
        (serde_json::json!([1]), "an array"),
        (serde_json::json!("x"), "a string"),
        (serde_json::json!(1), "a number"),
        (serde_json::json!(true), "a boolean"),
    ] {
        let input = Input { graph: graph(), report: None, params: Some(params) };
        let error = evaluate_body("console.log(1); return )", input).unwrap_err();
        assert_eq!(error, EvalError::BadParameters { found });
    }
    assert_eq!(EvalError::BadParameters { found: "null" }.to_string(), "params must be one plain object, not null");
}

#[test]
fn a_body_without_a_return_gives_undefined() {
    for body in ["", "   ", "return", "return undefined", "1 + 1", "// nothing"] {
        let answer = evaluator().run(job(body)).unwrap();
        assert!(answer.is_undefined(), "{body:?}");
        assert_eq!(answer.json_text(), Err(JsonError::NoForm));
    }
    assert!(!evaluator().run(job("return null")).unwrap().is_undefined());
}

#[test]
fn a_body_may_await() {
    assert_eq!(json("const a = await Promise.resolve(1); return a + (await { then(f) { f(2) } })"), 3);
    assert_eq!(json("return Promise.all([1, Promise.resolve(2)])"), serde_json::json!([1, 2]));
    assert_eq!(json("return new Promise(resolve => queueMicrotask(() => resolve('x')))"), "x");
}

#[test]
fn a_throw_says_what_and_where() {
    let error = thrown("const a = 1;\nfunction deep() { throw new TypeError('no') }\n  deep();");
    assert_eq!((error.message.as_str(), error.name.as_deref()), ("no", Some("TypeError")));
    assert_eq!(error.line, Some(2));
    assert_eq!(error.stack.first().map(String::as_str), Some("at deep (body:2:29)"));
    assert_eq!(error.stack.len(), 2);
    let error = thrown("throw new Error('first line')");
    assert_eq!((error.line, error.column), (Some(1), Some(11)));
    assert_eq!(thrown("return null.x").line, Some(1));
}

#[test]
fn a_throw_of_anything_is_its_string() {
    for (body, message) in [
        ("throw 1", "1"),
        ("throw 'text'", "text"),
        ("throw {}", "[object Object]"),
        ("throw undefined", "undefined"),
        ("throw null", "null"),
        ("throw Symbol('s')", "Symbol(s)"),
        ("throw { toString() { return 'own' } }", "own"),
        ("throw Object.defineProperty(new Error('m'), 'stack', { value: 5 })", "m"),
        ("throw new Error('')", ""),
        ("await Promise.reject(new RangeError('r'))", "r"),
        ("throw '\\ud800'", "\u{fffd}"),
        ("throw new Error('\\ud800x')", "\u{fffd}x"),
    ] {
        assert_eq!(thrown(body).message, message, "{body:?}");
    }
    for body in [
        "throw { toString() { throw 1 } }",
        "throw Object.create(null)",
        "throw Object.defineProperty(new Error(), 'message', { get() { throw 1 } })",
        "throw Object.defineProperty(new Error('m'), 'stack', { get() { throw 1 } })",
        "throw Object.defineProperty(new Error('m'), 'name', { get() { throw 1 } })",
        "throw new Proxy({}, { get() { throw 1 } })",
    ] {
        thrown(body);
    }
}

#[test]
fn a_name_that_the_engine_lacks_gets_a_hint() {
    let error = thrown("return process.env");
    assert_eq!(error.message, "process is not defined");
    assert_eq!(error.hint, Some("a body has no process, file system or network: return what you want printed"));
    for name in [
        "fetch",
        "setTimeout",
        "setInterval",
        "structuredClone",
        "Intl",
        "require",
        "Buffer",
        "URL",
        "TextEncoder",
        "std",
        "os",
        "WeakRef",
        "FinalizationRegistry",
    ] {
        let error = thrown(&format!("return {name}.x"));
        assert_eq!(error.message, format!("{name} is not defined"));
        assert!(error.hint.is_some(), "{name}");
    }
    assert_eq!(thrown("return foo").hint, None);
    assert_eq!(thrown("throw new Error('process is not defined')").hint, None);
}

#[test]
fn no_module_loads() {
    for body in ["return import('fs')", "return import('./x.js')", "return import('data:text/javascript,1')"] {
        assert!(matches!(error(body), EvalError::Thrown(_)), "{body:?}");
    }
}

#[test]
fn a_good_body_after_a_bad_one_answers() {
    let good = |evaluator: &Evaluator, expect: &str| {
        let answer = evaluator.run(job("return graph.nodes.map(node => node.id)")).unwrap();
        assert_eq!(answer.to_json().unwrap(), serde_json::json!(["spec:a", "spec:b", "spec:c"]), "after {expect}");
    };
    // The clock stops one of the two bodies and must not stop the other, so that it is neither hasty nor patient.
    let stopping = Evaluator::new(Arc::new(Reader::new(graph())), within(Duration::from_secs(3)));
    for endless in ["while (true) {}", "for (;;) await 0"] {
        assert!(matches!(stopping.run(job(endless)), Err(EvalError::Timeout { .. })), "{endless}");
        good(&stopping, endless);
    }
    let evaluator = evaluator();
    for bad in [
        "return )",
        "throw 1",
        "await new Promise(() => {})",
        "const a = []; for (;;) a.push(new Array(1000).fill(1))",
        "const f = () => f(); f()",
        "return new Proxy({}, { ownKeys() { throw 1 } })",
        "Promise.reject(1)",
        "return process",
    ] {
        good(&evaluator, "the last one");
        let _outcome = evaluator.run(job(bad));
        good(&evaluator, bad);
    }
}

#[test]
fn what_a_body_leaves_in_the_queue_prints_before_its_answer() {
    let answer = evaluator()
        .run(job(
            "Promise.resolve().then(() => console.log('later')); queueMicrotask(() => console.log('too')); return 1",
        ))
        .unwrap();
    let lines: Vec<&str> = answer.console().iter().map(|line| line.text.as_str()).collect();
    assert_eq!(lines, ["later", "too"]);
    assert_eq!(answer.render().unwrap(), "1");
}

#[test]
fn a_printed_stack_stands_in_the_callers_columns() {
    let answer = evaluator().run(job("return new Error('x')")).unwrap();
    assert_eq!(answer.render().unwrap(), "Error: x\n    at <anonymous> (body:1:12)");
    let second = evaluator().run(job("const a = 1;\n  return new Error('y')")).unwrap();
    assert_eq!(second.render().unwrap(), "Error: y\n    at <anonymous> (body:2:14)");
}
