use super::*;

fn at(line: u32, column: u32, message: &str) -> (u32, u32, String) {
    (line, column, message.to_owned())
}

#[test]
fn a_refused_body_is_located_in_the_callers_text() {
    for (body, place) in [
        ("return )", at(1, 8, "Unexpected token ')'")),
        ("return 1; foo bar", at(1, 15, "Unexpected identifier 'bar'")),
        ("let x = 'a' 'bcdef';", at(1, 13, "Unexpected string")),
        ("const value = 1; return )", at(1, 25, "Unexpected token ')'")),
        ("return (", at(1, 9, "Unexpected end of input")),
        ("const a = 1;\nconst b = 2;\n  return a b;", at(3, 12, "Unexpected identifier 'b'")),
        ("const ä = 'öö'; return ]", at(1, 24, "Unexpected token ']'")),
        ("const s = '😀'; return ]", at(1, 23, "Unexpected token ']'")),
        ("a\r\nb\r\nreturn )", at(3, 8, "Unexpected token ')'")),
        ("a\rb\rreturn )", at(3, 8, "Unexpected token ')'")),
        ("/* one\ntwo */ return )", at(2, 15, "Unexpected token ')'")),
        ("const t = `a\nb`; return )", at(2, 12, "Unexpected token ')'")),
        ("return 1 2", at(1, 10, "Unexpected number")),
        ("if (true) else", at(1, 11, "Unexpected token 'else'")),
        ("const x: number = 1; return x", at(1, 8, "missing initializer for variable")),
        ("return 'a\\u{zz}'", at(1, 8, "Invalid Unicode escape sequence")),
    ] {
        assert_eq!(parse_error(body), place, "{body:?}");
    }
}

#[test]
fn a_body_that_stops_short_ends_at_its_own_end() {
    for (body, line, column) in [
        ("return {", 1, 9),
        ("if (true) {\n  return 1;\n", 3, 1),
        ("return [1, 2", 1, 13),
        ("return g.specs(", 1, 16),
        ("const a = ", 1, 11),
        ("return (1 // one", 1, 17),
        ("for (;;) { if (a) { }", 1, 22),
        ("return () => {", 1, 15),
    ] {
        assert_eq!(parse_error(body), at(line, column, "Unexpected end of input"), "{body:?}");
    }
    for body in ["return 'a", "return \"a", "return `a", "return `a${", "/* a", "return /a", "return /[a"] {
        let (line, column, _) = parse_error(body);
        assert_eq!(line, 1, "{body:?}");
        assert!(column as usize <= body.len() + 1, "{body:?} at {column}");
    }
}

#[test]
fn a_body_that_closes_its_wrapper_is_refused_at_that_brace() {
    for (body, line, column) in [
        ("}); (function(){", 1, 1),
        ("return 1 }); (async function () {", 1, 10),
        ("return 1 }) //", 1, 10),
        ("return 1 }", 1, 10),
        ("return 1 } foo bar", 1, 10),
        ("return 1 }); console.log('out'); (async function(){", 1, 10),
        ("}); while (true) {} (function(){", 1, 1),
        ("}); throw new SyntaxError('x'); (function(){", 1, 1),
        ("}, async function () {", 1, 1),
        ("const a = { b: '}' };\n// }\nreturn `}${ `}` }`.replace(/}/, '') }); ({", 3, 37),
        ("}\n/*", 1, 1),
        ("}); globalThis.leak = 1; (async function (g, graph, report, params, recipes) {", 1, 1),
        ("}.constructor); ({ a() {", 1, 1),
    ] {
        // What stands behind the brace may wait or loop; the clock ends that, and plays no part in the answer.
        match hasty().run(job(body)) {
            Err(EvalError::Parse { line: at_line, column: at_column, message }) => {
                assert_eq!((at_line, at_column, message), at(line, column, "Unexpected token '}'"), "{body:?}");
            }
            other => panic!("{body:?}: {other:?}"),
        }
    }
}

#[test]
fn nothing_of_a_refused_body_runs() {
    let evaluator = evaluator();
    let attack = "}); globalThis.leak = 1; console.log('ran'); (async function (g, graph, report, params, recipes) {";
    assert!(matches!(evaluator.run(job(attack)), Err(EvalError::Parse { .. })));
    let answer = evaluator.run(job("return typeof leak")).unwrap();
    assert_eq!(answer.json_text().unwrap(), "\"undefined\"");
    assert_eq!(answer.console(), []);
}

#[test]
fn what_only_modules_and_sloppy_scripts_may_say_is_refused() {
    for body in [
        "import fs from 'fs'",
        "export const a = 1",
        "return import.meta",
        "with ({}) {}",
        "return 010",
        "var yield = 1",
        "var let = 1",
        "delete params",
        "super()",
        "return super.x",
        "break",
        "const await = 1",
        "arguments = 1",
        "let g = 1",
        "const x = 1, x = 2",
        "#!/usr/bin/env node\nreturn 1",
        "return <div/>",
        "enum A { B }",
        "function f(a, a) {}",
        "a => { } => b",
        "\\u007d); (function(){",
        "return 08n",
    ] {
        let error = error(body);
        assert!(matches!(error, EvalError::Parse { .. }), "{body:?} gave {error:?}");
    }
    assert_eq!(parse_error("a\0b").1, 2);
}

#[test]
fn odd_but_right_bodies_run() {
    for (body, value) in [
        ("return 1 // the end", "1"),
        ("return 1 <!-- the end", "1"),
        ("\"use strict\"; return 1", "1"),
        ("'use strict'\nreturn 1", "1"),
        ("return await (async () => 2)()", "2"),
        ("for await (const a of [1, 2]) if (a > 1) return a", "2"),
        ("return typeof new.target", "\"undefined\""),
        ("return arguments.length", "5"),
        ("return typeof this", "\"undefined\""),
        ("return /}/.test('}')", "true"),
        ("return `}`.length", "1"),
        ("return [...'}})'].length // })", "3"),
        ("function f() { return 3 }\nreturn f()", "3"),
        ("/* }) */ return 4", "4"),
        ("return 1\r\n+\r\n2", "3"),
        ("return `a\r\nb`.length", "3"),
        ("\u{feff}return 5", "5"),
        ("return '\u{2028}'.length", "1"),
        ("label: { break label } return 6", "6"),
        ("var async = 7; return async", "7"),
        ("return (function () { return this })() === undefined", "true"),
        ("class A { #x = 8; get x() { return this.#x } } return new A().x", "8"),
    ] {
        let answer = evaluator().run(job(body)).unwrap_or_else(|error| panic!("{body:?} gave {error:?}"));
        assert_eq!(answer.json_text().unwrap(), value, "{body:?}");
    }
}

#[test]
fn a_syntax_error_at_run_time_stays_a_throw() {
    for body in ["throw new SyntaxError('x')", "JSON.parse('{')", "new Function(')')", "eval(')')", "new RegExp('(')"] {
        assert_eq!(thrown(body).name.as_deref(), Some("SyntaxError"), "{body:?}");
    }
    assert_eq!(thrown("throw new SyntaxError('x')").message, "x");
}

#[test]
fn deep_and_long_texts_end_in_an_answer() {
    for opening in
        ["[", "(", "{", "!", "a.b(", "x=>", "`${", "if(1)", "new ", "-", "async()=>{", "function f(){", "[[{a:"]
    {
        let body = format!("return {}", opening.repeat(100_000));
        let error = error(&body);
        assert!(matches!(error, EvalError::Parse { .. }), "{opening:?} gave {error:?}");
    }
    let closed = format!("{}1{}", "{".repeat(50_000), "}".repeat(50_000));
    assert!(matches!(error(&closed), EvalError::Parse { .. }));
    let sum = format!("const a = 1; return {}a", "a+".repeat(100_000));
    let value = evaluator().run(job(&sum)).map(|answer| answer.json_text().unwrap().to_owned());
    assert_eq!(value, Ok("100001".to_owned()));
    let long = format!("const s = '{}'; return s.length", "x".repeat(4_000_000));
    assert_eq!(evaluator().run(job(&long)).unwrap().json_text(), Ok("4000000"));
}

#[test]
fn many_closing_braces_before_a_fault_leave_its_place() {
    let evaluator = evaluator();
    let many = "if (true) { a = '}' }\n".repeat(20_000);
    let outcome = evaluator.run(job(&format!("let a; {many} return )")));
    assert!(matches!(outcome, Err(EvalError::Parse { line: 20_001, column: 9, .. })), "{outcome:?}");
    assert_eq!(evaluator.run(job(&format!("let a; {many} return a"))).unwrap().json_text(), Ok("\"}\""));
}

#[test]
fn the_message_is_the_sinks() {
    assert_eq!(error("return (").to_string(), "the body does not parse at line 1, column 9: Unexpected end of input");
}

#[test]
fn an_error_that_the_engine_does_not_place_is_found() {
    for (body, line, column, words) in [
        ("const a=1;\nreturn /(/", 2, 8, "Invalid regular expression: "),
        ("x;\nreturn foo(1, /[z-a]/)", 2, 15, "Invalid regular expression: "),
        ("const a=1;\n\n return /a/gg", 3, 9, "Invalid regular expression: "),
        ("let a = 1;\n\nreturn /(?<a>.)(?<a>.)/;", 3, 8, "Invalid regular expression: "),
        ("return 4 / 2 / /a{2,1}/", 1, 16, "Invalid regular expression: "),
        ("return /(/", 1, 8, "Invalid regular expression: "),
        ("1;\nclass A { #x; y(){ return this.#z } }", 2, 32, "undefined private field"),
    ] {
        let (at_line, at_column, message) = parse_error(body);
        assert_eq!((at_line, at_column), (line, column), "{body:?}: {message}");
        assert!(message.starts_with(words), "{body:?}: {message}");
    }
    let (line, column, message) = parse_error(&format!("let a = 1;\n\nreturn {}", "[".repeat(20_000)));
    assert_eq!((line, message.as_str()), (3, "it nests too deeply"));
    assert!(column > 100, "{column}");
}

#[test]
fn the_separators_of_unicode_end_lines() {
    assert_eq!(parse_error("a\u{2028})"), at(2, 1, "Unexpected token ')'"));
    assert_eq!(parse_error("a\u{2029} )"), at(2, 2, "Unexpected token ')'"));
    assert_eq!(parse_error("/* \u{2028} */\n)"), at(3, 1, "Unexpected token ')'"));
    assert_eq!(parse_error("`\u{2028}`;\n)"), at(3, 1, "Unexpected token ')'"));
    assert_eq!(parse_error("'\u{2028}';\n)"), at(3, 1, "Unexpected token ')'"));
}
