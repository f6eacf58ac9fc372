//! Traps of the script engine, seen from `cargo sdp rules`: a table of bodies goes in, each a rule of its own, and what each
//! case says comes out. No body hangs the run, ends it, passes by saying nothing or reaches another body.

use sdp_tests::{Repo, Run};

/// A repository of one Spec with these bodies as the rules `000`, `001` and so on.
fn repo<'b>(bodies: impl IntoIterator<Item = &'b str>) -> Repo {
    bodies.into_iter().enumerate().fold(Repo::new().spec("a", "", ""), |repo, (number, body)| {
        repo.file(&format!("rules/{number:03}.sdp.js"), body)
    })
}

/// What a rule's case says when it fails; none when it passes.
fn said(run: &Run, number: usize) -> Option<&str> {
    let block = run.stdout.split_once(&format!("---- rule::{number:03} ----\n"))?.1;
    block.split("\n\n").next()
}

/// Each body fails with an error whose text starts like that, and nothing else becomes of the run. A process takes a few of
/// them, so that none takes long.
#[track_caller]
fn each_fails(cases: &[(&str, &str)], arguments: &[&str]) {
    for cases in cases.chunks(12) {
        let run = repo(cases.iter().map(|(body, _)| *body)).sdp(["rules", "rule::"].iter().chain(arguments));
        for (number, (body, error)) in cases.iter().enumerate() {
            let said = said(&run, number).unwrap_or_else(|| panic!("{body:?} passes:\n{}\n{}", run.stdout, run.stderr));
            assert!(said.starts_with(&format!("error: {error}")), "{body:?} must say {error:?} and says {said:?}");
        }
        let result = format!("test result: FAILED. 0 passed; {} failed; 0 ignored;", cases.len());
        assert!(run.stdout.contains(&result), "{}\n{}", run.stdout, run.stderr);
        assert_eq!((run.stderr.as_str(), run.code), ("", Some(101)));
    }
}

const STOPPED: &str = "the body was stopped: it ran longer than 0.5 s";
const FULL: &str = "the body was stopped: it used more than 32 MB of memory";
const TOO_DEEP: &str = "RangeError: Maximum call stack size exceeded\n";
const WRONG: &str = "the body returned ";
const NOT_JSON: &str = "the return value is not JSON-serializable (";

#[test]
fn a_body_that_never_ends_is_stopped_wherever_it_is() {
    let bodies = [
        // Backtracking.
        "return /(a+)+$/.test('a'.repeat(40) + 'b')",
        "return 'a'.repeat(40).replaceAll(/(?:a|a)*b/g, '')",
        "return /(?:(?:a{1000}){1000}){1000}/.test('a'.repeat(1e6))",
        // Callbacks of native functions.
        "[3, 1, 2].sort(() => { for (;;); })",
        "[3, 1, 2].toSorted(() => { for (;;); })",
        "JSON.parse('[1]', () => { for (;;); })",
        // What catches, or always goes on.
        "for (;;) { try { for (;;); } catch {} finally { continue } }",
        "const f = (n) => { try { return f(n + 1) } catch { return f(n) } }; f(0)",
        // Native loops over lengths that no array has.
        "return Array.prototype.indexOf.call({ length: 2 ** 32 }, 1)",
        "return Array.prototype.lastIndexOf.call({ length: 2 ** 53 - 1 }, 1)",
        "return Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)",
        // Promises.
        "await Promise.resolve().then(() => { for (;;); })",
        "await new Promise(() => { for (;;); })",
        "for (;;) await 0",
        "return { then() { for (;;); } }",
        // While the answer is read.
        "return [{ get message() { for (;;); } }]",
        "return { toJSON() { for (;;); } }",
        "return [new Proxy({}, { ownKeys() { for (;;); } })]",
        "return new Proxy([], { get: (rows, key) => (key === 'length' ? 1 : (() => { for (;;); })()) })",
        "return new Map([[1, { [Symbol.for('nodejs.util.inspect.custom')]() { for (;;); } }]]), new Proxy({}, { get() { for (;;); } })",
        // While an error is read.
        "throw { toString() { for (;;); } }",
        "throw Object.defineProperty(new Error('m'), 'stack', { get() { for (;;); } })",
    ];
    each_fails(&bodies.map(|body| (body, STOPPED)), &["--timeout", "0.5"]);
}

#[test]
fn a_native_call_that_nothing_can_stop_holds_neither_the_other_cases_nor_the_end_of_the_run() {
    let stuck = "return 'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')";
    for threads in ["--test-threads=1", "--test-threads=4"] {
        let run =
            repo([stuck, "return []", stuck, "return []"]).sdp(["rules", "rule::", "--timeout", "2", "--", threads]);
        assert!(run.stdout.contains("FAILED. 2 passed; 2 failed;"), "{}\n{}", run.stdout, run.stderr);
        for number in [0, 2] {
            assert!(said(&run, number).is_some_and(|said| said.contains("ran longer than 2 s")), "{}", run.stdout);
        }
        assert_eq!(run.code, Some(101));
    }
}

#[test]
fn a_late_job_a_lost_promise_and_a_want_of_memory_are_three_errors() {
    let cases = [
        ("await new Promise(() => {})", "the body never ends: it waits for a promise that nothing settles"),
        ("await Promise.race([])", "the body never ends: it waits for a promise that nothing settles"),
        ("await Promise.resolve().then(() => { const a = []; for (;;) a.push({}) })", FULL),
        ("await (async () => { await 0; const a = []; for (;;) a.push({}) })()", FULL),
        // It may have thrown that null itself, so it is told what else throws one.
        (
            "await new Promise((_, no) => { const a = []; for (;;) a.push({}) })",
            "null\n --> rules/004.sdp.js\n  = help: the engine also throws null when it is out of memory",
        ),
    ];
    each_fails(&cases, &["--timeout", "50", "--memory", "32"]);
    each_fails(&[("await Promise.resolve().then(() => { for (;;); })", STOPPED)], &["--timeout", "0.5"]);
}

#[test]
fn memory_ends_before_the_machine_does() {
    let cases = [
        ("return new Array(1e9).fill(0)", FULL),
        ("return new Array(2 ** 32).fill(0)", "RangeError: invalid array length\n"),
        ("return Array.from({ length: 1e9 }, (_, i) => i)", FULL),
        ("let s = 'x'; for (;;) s += s", "InternalError: string too long\n"),
        ("return 'x'.repeat(2 ** 29)", FULL),
        ("return 'x'.repeat(2 ** 53)", "RangeError: invalid repeat count\n"),
        ("return 'x'.padEnd(2 ** 29)", FULL),
        ("return 'x'.padStart(2 ** 31, 'ab')", "RangeError: invalid string length\n"),
        ("return new Array(1e8).join('xyz')", FULL),
        ("return 'x'.repeat(1e7).split('').map((c) => [c])", FULL),
        ("const s = new Set(); for (let i = 0; ; i++) s.add(i)", FULL),
        ("const m = new Map(); for (let i = 0; ; i++) m.set(i, i)", FULL),
        ("const m = new WeakMap(), k = []; for (;;) { const o = {}; k.push(o); m.set(o, [1]) }", FULL),
        ("function* f() { for (let i = 0; ; i++) yield i } return [...f()]", FULL),
        ("function* f() { for (let i = 0; ; i++) yield i } return Math.max(...f())", FULL),
        ("return Math.max(...new Array(1e8))", FULL),
        ("const a = [1]; for (;;) a.push(...a)", "RangeError: too many arguments in function call"),
        ("return new Uint8Array(2 ** 32)", "RangeError: invalid array buffer length\n"),
        ("return new ArrayBuffer(2 ** 40)", "RangeError: invalid array buffer length\n"),
        ("new ArrayBuffer(8, { maxByteLength: 2 ** 40 })", "RangeError: invalid max array buffer length\n"),
        ("const a = []; for (;;) a.push(new Float64Array(1e5))", FULL),
        ("return 2n ** 100000000n", "RangeError: BigInt is too large"),
        ("return 1n << 10000000000n", "RangeError: BigInt is too large"),
        ("let n = 3n; for (;;) n *= n", "RangeError: BigInt is too large"),
        ("return JSON.stringify(Array.from({ length: 1e6 }, () => 'x'.repeat(100)))", FULL),
        ("return JSON.parse('[' + '{\"a\":1},'.repeat(3e6) + '1]')", FULL),
        // The rows share a text, and only the answer is too large.
        ("return Array(1000).fill({ subject: 'spec:a', message: 'x'.repeat(1e6) })", FULL),
        ("const a = []; a.push(a, a); return a.flat(Infinity)", TOO_DEEP),
        ("throw new Error('x'.repeat(1e8))", FULL),
        ("return eval('[' + '1,'.repeat(1e7) + ']')", FULL),
        ("return /(?:(a)|b)*/.test('ab'.repeat(1e6))", "InternalError: out of memory in regexp execution\n"),
        ("new WeakRef({})", "ReferenceError: WeakRef is not defined\n"),
        ("new FinalizationRegistry(() => {})", "ReferenceError: FinalizationRegistry is not defined\n"),
    ];
    each_fails(&cases, &["--timeout", "50", "--memory", "32"]);
}

#[test]
fn what_a_body_prints_without_end_is_cut_and_said() {
    let body = "for (let i = 0; i < 1e5; i++) console.log('x'.repeat(100)); throw new Error('done')";
    let run = repo([body]).sdp(["rules", "rule::", "--timeout", "50"]);
    let said = said(&run, 0).unwrap();
    assert!(said.starts_with("error: Error: done\n"), "{said}");
    assert_eq!(run.stdout.matches("\n  | xxx").count(), 200);
    assert!(run.stdout.contains(" more lines\n"), "{}", run.stdout);
    let long = repo(["console.log('x'.repeat(1e7)); throw 1"]).sdp(["rules", "rule::", "--timeout", "50"]);
    assert!(long.stdout.len() < 10_000 && long.stdout.contains("console output was dropped"), "{}", long.stdout.len());
}

/// Bodies that would leave the native stack if nothing stopped them.
const DEEP: [(&str, &str); 22] = [
    ("const f = () => f(); f()", TOO_DEEP),
    ("[3, 1, 2].sort(function f() { return [2, 1].sort(f) })", TOO_DEEP),
    ("'a'.replace(/a/, function f(m) { return m.replace(/a/, f) })", TOO_DEEP),
    ("const o = { toString() { return `${o}` } }; return `${o}`", TOO_DEEP),
    ("const o = { [Symbol.toPrimitive]() { return +o } }; return +o", TOO_DEEP),
    ("const a = []; a[0] = a; return String(a)", TOO_DEEP),
    ("return JSON.parse('['.repeat(1e6) + ']'.repeat(1e6))", TOO_DEEP),
    ("let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return JSON.stringify(a)", TOO_DEEP),
    ("let a = []; for (let i = 0; i < 1e3; i++) a = [a]; return a", "the answer cannot be read: "),
    ("const p = new Proxy([], { get(t, k, r) { return r[k] } }); return p", TOO_DEEP),
    ("const h = {}, p = new Proxy({}, h); Object.setPrototypeOf(h, p); return p.x", TOO_DEEP),
    ("const o = { get a() { return o.a } }; return o", "the return value is not JSON-serializable (Maximum call stack"),
    ("const o = { toJSON() { return JSON.stringify(o) } }; return o", "the return value is not JSON-serializable (Max"),
    ("class A { constructor() { new A() } } new A()", TOO_DEEP),
    ("async function f() { await f() } await f()", TOO_DEEP),
    ("function* f() { yield* f() } return [...f()]", TOO_DEEP),
    ("const f = () => eval('f()'); f()", TOO_DEEP),
    ("return eval('['.repeat(1e5))", TOO_DEEP),
    ("return Function('return ' + '('.repeat(1e5))", TOO_DEEP),
    ("return new RegExp('('.repeat(1e5) + ')'.repeat(1e5)).test('')", "SyntaxError: too many captures\n"),
    ("return new RegExp('(?:'.repeat(1e4) + 'a' + ')*'.repeat(1e4)).test('a')", "SyntaxError: too many imbricated"),
    ("let e = new Error('x'); for (let i = 0; i < 1e4; i++) e = new Error('y', { cause: e }); throw e", "Error: y\n"),
];

#[test]
fn a_deep_body_is_an_error_of_its_own() {
    each_fails(&DEEP, &["--timeout", "50"]);
}

#[cfg(unix)]
#[test]
fn the_stack_of_a_body_is_its_own_whatever_the_machine_gives() {
    let repo = repo(DEEP.iter().map(|(body, _)| *body));
    let arguments = ["rules", "rule::", "--timeout", "50"];
    let timeless = |run: &Run| run.stdout.split("finished in").next().unwrap().to_owned();
    let expected = repo.sdp(arguments);
    for size in ["0", "65536", "524288"] {
        let run = repo.command(arguments).env("RUST_MIN_STACK", size).run();
        assert_eq!(
            (run.code, timeless(&run)),
            (Some(101), timeless(&expected)),
            "RUST_MIN_STACK={size}: {}",
            run.stderr
        );
    }
    let run = repo.limited("ulimit -s 512", &arguments);
    assert_eq!((run.code, timeless(&run)), (Some(101), timeless(&expected)), "{}", run.stderr);
}

#[test]
fn a_body_that_does_not_parse_is_shown_where_its_file_breaks_off() {
    // The body, line and column, and the line that is shown.
    let cases = [
        ("const a = 1;\nreturn 0b12", "2:8", "return 0b12"),
        ("return 1_000_", "1:8", "return 1_000_"),
        ("return 3in []", "1:8", "return 3in []"),
        ("return 08n", "1:8", "return 08n"),
        ("return 'é' + 1e", "1:14", "return 'é' + 1e"),
        ("const t = `a\n${1}\n  open", "2:4", "${1}"),
        ("const t = `a ${ 1 + ", "1:21", "const t = `a ${ 1 + "),
        ("return 'abc\ndef'", "1:8", "return 'abc"),
        ("return [] /* open", "1:11", "return [] /* open"),
        ("return /[/", "1:8", "return /[/"),
        ("return [\n  1,\n", "3:1", ""),
        ("\u{feff}return )", "1:8", "return )"),
        ("\u{feff}const a = 1;\r\nreturn )\r\n", "2:8", "return )"),
        ("const a = 1;\rreturn )\rconst b = 2;\n", "2:8", "return )"),
        (
            "// é\u{2028}const b = 2;\u{2029}return )\nconst c = 3;\n",
            "1:26",
            "// é\\u{2028}const b = 2;\\u{2029}return )",
        ),
        ("`\u{2028}`;\r\n)", "2:1", ")"),
        ("a\0b", "1:2", "a\\u{0}b"),
        ("}); globalThis.leak = 1; (async function () {", "1:1", "}); globalThis.leak = 1; (async function () {"),
        ("return []\n}, async function () {", "2:1", "}, async function () {"),
        ("*/ return []", "1:1", "*/ return []"),
    ];
    let run = repo(cases.iter().map(|(body, ..)| *body)).sdp(["rules", "rule::", "--timeout", "50"]);
    for (number, (body, place, line)) in cases.iter().enumerate() {
        let said = said(&run, number).unwrap_or_else(|| panic!("{body:?} passes"));
        let (row, column) = place.split_once(':').unwrap();
        let head = format!("error: the body does not parse at line {row}, column {column}: ");
        let shown = format!("\n --> rules/{number:03}.sdp.js:{place}\n  |\n{row} | {line}\n  |");
        assert!(said.starts_with(&head) && said.contains(&shown), "{body:?} must be at {place}: {said}");
    }
    assert_eq!(run.code, Some(101));
}

#[test]
fn a_throw_is_shown_at_its_line_whatever_ends_the_lines() {
    for (body, place, line) in [
        ("// one\r\nnull.x;\r\n// three\n", "2:1", "null.x;"),
        ("// one\rnull.x;\r// three\n", "2:1", "null.x;"),
        ("// one\u{2028}null.x;\n// two\n", "1:8", "// one\\u{2028}null.x;"),
    ] {
        let run = repo([body]).sdp(["rules", "rule::"]);
        let shown = format!("\n --> rules/000.sdp.js:{place}\n  |\n{} | {line}\n", place.split(':').next().unwrap());
        assert!(run.stdout.contains(&shown), "{body:?}: {}", run.stdout);
    }
}

#[test]
fn nothing_but_an_array_or_diagnostics_is_an_answer() {
    let cases = [
        ("", "the body returned nothing;"),
        ("\u{feff}// only a remark", "the body returned nothing;"),
        ("return null", WRONG),
        ("return ''", WRONG),
        ("return NaN", "the body returned NaN;"),
        ("return Infinity", "the body returned Infinity;"),
        ("return () => []", "a function return value has no JSON form."),
        ("return async () => []", "a function return value has no JSON form."),
        ("return class extends Array {}", "a function return value has no JSON form."),
        ("return Symbol('s')", "a symbol return value has no JSON form."),
        ("return new Map([['diagnostics', []]])", "the body returned Map(1) { 'diagnostics' => [] };"),
        ("return new Set()", "the body returned Set(0) {};"),
        ("return new WeakMap()", "the body returned WeakMap"),
        ("return Promise.resolve(new Map())", "the body returned Map(0) {};"),
        ("return { diagnostics: Promise.resolve([]) }", "`diagnostics` is an object, not an array"),
        ("return { diagnostics: { length: 0 } }", "`diagnostics` is an object, not an array"),
        ("return { diagnostics: () => [] }", WRONG),
        ("return { diagnostics: new Array(1) }", "diagnostics[0] is null, not a finding object"),
        (
            "return graph.nodes.map(async (node) => ({ subject: node.id, message: 'm' }))",
            "findings[0] has no `message`",
        ),
        ("return new Error('e')", "the body returned Error: e"),
        ("return [new Error('e')]", "findings[0] has no `message`"),
        ("return [undefined]", "findings[0] is null, not a finding object"),
        ("return [{ subject: 'spec:a', message: Symbol('m') }]", "findings[0] has no `message`"),
        ("return [{ subject: 'spec:a', message: 'm', toJSON() {} }]", "findings[0] is null, not a finding object"),
        ("return (function* () { yield 1 })()", WRONG),
        ("return [].values()", WRONG),
        ("return new Uint8Array(0)", "the body returned Uint8Array(0) [];"),
        ("return new ArrayBuffer(0)", WRONG),
        ("return arguments", WRONG),
        ("return { length: 0 }", WRONG),
        ("return Object.create([])", WRONG),
        ("return globalThis", WRONG),
        ("return params", "the body returned {};"),
        ("JSON.stringify = () => '[]'; return new Map()", "the body returned Map(0) {};"),
        ("return 1n", NOT_JSON),
        ("return [{ subject: 'spec:a', message: 'm', size: 1n }]", NOT_JSON),
        ("const a = []; a.push(a); return a", NOT_JSON),
        ("const a = { diagnostics: [] }; a.a = a; return a", NOT_JSON),
        (
            "return { get diagnostics() { throw new Error('getter') } }",
            "the return value is not JSON-serializable (getter)",
        ),
        ("return { toJSON() { throw new Error('toJSON') } }", "the return value is not JSON-serializable (toJSON)"),
        (
            "return [new Proxy({}, { ownKeys() { throw new Error('trap') } })]",
            "the return value is not JSON-serializable (trap)",
        ),
        ("return new Proxy({}, { get() { throw new Error('trap') } })", "Error: trap\n"),
        ("return { toJSON() {} }", "the return value has no JSON form."),
    ];
    each_fails(&cases, &["--timeout", "50"]);
}

#[test]
fn whatever_is_thrown_is_said() {
    let cases = [
        ("throw undefined", "undefined\n"),
        ("throw ''", "the body threw an empty text\n"),
        ("throw []", "the body threw an empty text\n"),
        ("throw new Error", "Error without a message\n"),
        ("throw Symbol('t')", "Symbol(t)\n"),
        ("throw () => 1", "() => 1\n"),
        ("throw Object.create(null)", "a thrown value that cannot be converted to a string\n"),
        ("throw { toString() { throw 1 } }", "a thrown value that cannot be converted to a string\n"),
        ("throw new Proxy({}, { get() { throw 1 } })", "a thrown value that cannot be converted to a string\n"),
        ("throw Object.defineProperty(new Error('x'), 'message', { get() { throw 1 } })", "Error without a message\n"),
        ("throw new (class extends Error { get name() { throw 1 } })('x')", "x\n"),
        ("await Promise.reject(new TypeError('rejected'))", "TypeError: rejected\n"),
        ("await Promise.reject()", "undefined\n"),
        ("await Promise.any([Promise.reject(1)])", "AggregateError without a message\n"),
    ];
    each_fails(&cases, &["--timeout", "50"]);
}

#[test]
fn no_rule_reaches_another_one() {
    let probe = "const made = [globalThis, Object, Object.prototype, Array.prototype, Function.prototype, Promise, Math, JSON, g, graph, graph.nodes, console];
        const bad = made.filter((one) => 'leak' in one).length + (typeof leak === 'undefined' ? 0 : 1);
        return bad > 0 || [3, 1, 2].sort().join() !== '1,2,3' || graph.nodes.map((node) => node.id).join() !== 'spec:a' || JSON.stringify({}) !== '{}' ? [{ subject: 'spec:a', message: 'reached' }] : []";
    let attacks = [
        "globalThis.leak = 1; var leak = 1; return []",
        "Object.prototype.leak = 1; Array.prototype.leak = 1; Function.prototype.leak = 1; return []",
        "Array.prototype.sort = Array.prototype.map = () => ['x']; JSON.stringify = () => 'x'; return []",
        "graph.nodes.__proto__.leak = 1; graph.__proto__.map = 1; return []",
        "eval('globalThis.leak = 1'); Function('this.leak = 1')(); (0, eval)('var leak = 1'); return []",
        // The engine runs what closes the wrapper of its constructors; nothing of that outlives the body.
        "new Function('}); globalThis.leak = 1; (function () {')(); return []",
        "await (async () => {}).constructor('}); globalThis.leak = 1; (async function () {')(); return []",
        "graph.constructor.constructor('return globalThis')().leak = 1; return []",
        "Reflect.ownKeys(Array.prototype).forEach((key) => { delete Array.prototype[key] }); return []",
        "queueMicrotask(() => { globalThis.leak = 1 }); Promise.prototype.leak = 1; return []",
    ];
    let bodies: Vec<&str> = attacks.into_iter().flat_map(|attack| [attack, probe]).collect();
    let repo = repo(bodies);
    for threads in ["1", "4"] {
        let run = repo.sdp(["rules", "rule::", "--timeout", "50", "--", "--test-threads", threads]);
        for number in (1..20).step_by(2) {
            assert_eq!(said(&run, number), None, "{}: {}", attacks[number / 2], run.stdout);
        }
        assert!(run.stdout.contains("running 20 tests\n"), "{}", run.stdout);
    }
}

#[test]
fn two_runs_of_a_rule_say_the_same() {
    let body = "await Promise.resolve();
        const seen = [Date.now(), new Date(), Date(), Math.random(), Math.random(), new Date(0).getTimezoneOffset(), typeof performance, [3, 1, 2].sort(() => Math.random() - 0.5)];
        return [{ subject: 'spec:a', message: JSON.stringify(seen) }]";
    let repo = repo([body, "throw new Error(String(Math.random()))", "return new Map([[Math.random(), Date.now()]])"]);
    let say = |threads: &str, zone: &str| {
        let arguments = ["rules", "rule::", "--timeout", "50", "--", "--test-threads", threads];
        let run = repo.command(arguments).env("TZ", zone).run();
        assert!(run.stdout.contains("FAILED. 0 passed; 3 failed;"), "{}", run.stdout);
        run.stdout.split("finished in").next().unwrap().to_owned()
    };
    let first = say("1", "UTC");
    assert!(first.contains("2000-01-01T00:00:00.000Z"), "{first}");
    assert_eq!(say("1", "Asia/Tokyo"), first);
    assert_eq!(say("4", "America/New_York"), first);
}
