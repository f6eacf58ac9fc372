use super::*;

/// The clock stops the body, and the reader that it ran over answers the next one.
#[track_caller]
fn is_timeout(body: &str) {
    let reader = Arc::new(Reader::new(graph()));
    let hasty = Evaluator::new(Arc::clone(&reader), within(HASTY));
    let error = hasty.run(job(body)).map(|answer| answer.json_text().map(str::to_owned));
    assert!(matches!(error, Err(EvalError::Timeout { seconds }) if seconds == 0.6), "{body}: {error:?}");
    let patient = Evaluator::new(reader, options());
    assert_eq!(patient.run(job("return graph.nodes.length")).unwrap().json_text(), Ok("3"), "{body}");
}

#[test]
#[sdp::verifies("spec:sdp.evaluator", "spec:sdp.evaluator.hostile-body")]
fn endless_bodies_are_stopped() {
    for body in [
        "while (true) {}",
        "for (;;) await 0",
        "try { while (true) {} } catch { return 1 } finally { while (true) {} }",
        "await new Promise(() => { while (true) {} })",
        "await Promise.resolve().then(() => { while (true) {} })",
        "return /(a+)+$/.test('a'.repeat(40) + 'b')",
        "const a = Array.from({ length: 100 }, (_, i) => i); a.sort(() => { while (true) {} })",
        "return [1].toSorted.call({ get length() { while (true) {} } })",
        "return { get a() { while (true) {} } }",
        "return { toJSON() { while (true) {} } }",
        "return { [Symbol.for('nodejs.util.inspect.custom')]() { while (true) {} } }",
        "return new Proxy({}, { ownKeys() { while (true) {} } })",
        "console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { while (true) {} } })",
        "throw { toString() { while (true) {} } }",
        "throw Object.defineProperty(new Error('m'), 'stack', { get() { while (true) {} } })",
        "return g.findByConcept({ toString() { while (true) {} } }.toString())",
        "eval('while (true) {}')",
        "Function('while (true) {}')()",
        "new (class { static { while (true) {} } })",
        "function* f() { while (true) yield 1 } for (const x of f()) {}",
        "return { then() { while (true) {} } }",
        "for (;;) { try { null.x } catch {} }",
        "label: for (;;) { continue label }",
        "return 'x'.repeat(1e3).replace(/x/g, () => { while (true) {} })",
        "JSON.parse('[1]', () => { while (true) {} })",
    ] {
        is_timeout(body);
    }
    for body in [
        "const f = () => Promise.resolve().then(f); await f()",
        "function* f() { while (true) yield 1 } [...f()].length",
    ] {
        // These may also run out of memory first, and a promise that loses its job for want of memory waits for ever.
        let error = hasty().run(job(body)).unwrap_err();
        let right = matches!(error, EvalError::Timeout { .. } | EvalError::Memory { .. } | EvalError::NeverSettled);
        assert!(right, "{body}: {error:?}");
    }
}

#[test]
fn a_native_call_that_cannot_be_stopped_does_not_hold_the_caller() {
    let reader = Arc::new(Reader::new(graph()));
    let hasty = Evaluator::new(Arc::clone(&reader), within(HASTY));
    // Each place is compared over the whole length: minutes of work inside one call.
    let error = hasty.run(job("return 'a'.repeat(8e6).indexOf('a'.repeat(4e6) + 'b')")).unwrap_err();
    assert!(matches!(error, EvalError::Timeout { .. }), "{error:?}");
    drop(hasty);
    assert!(Arc::strong_count(&reader) > 1, "the thread is at it still, and nobody waits for it");
}

#[test]
fn the_clock_starts_with_each_body() {
    let hasty = hasty();
    for before in ["const end = Date.now() + 300; while (Date.now() < end) {} return 1", "while (true) {}"] {
        // How it ends is of no interest: it only takes time that the next one must not lack.
        let _outcome = hasty.run(job(before));
        let start = std::time::Instant::now();
        let error = hasty.run(job("while (true) {}")).unwrap_err();
        assert!(matches!(error, EvalError::Timeout { .. }), "{error:?}");
        assert!(start.elapsed() >= HASTY, "stopped before its time: {:?} after {before}", start.elapsed());
    }
}

#[test]
fn memory_is_bounded() {
    for body in [
        "const a = []; for (;;) a.push(new Array(1000).fill(1))",
        "let s = 'x'; for (;;) s += s",
        "let s = 'xy'; for (;;) s = s.padEnd(s.length * 2, 'q') + s.toUpperCase()",
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, new Map([[i, i]]))",
        "return new Array(1e8).fill(0)",
        "return new ArrayBuffer(1e9)",
        "return new Uint8Array(5e8)",
        "return Array.from({ length: 1e9 }, (_, i) => i)",
        "return [...Array(1e8).keys()]",
        "const a = []; for (;;) { a.push({}); await 0 }",
        "return 'x'.repeat(2 ** 29)",
        "return JSON.stringify(Array.from({ length: 400000 }, () => 'x'.repeat(100)))",
        "const all = []; for (;;) all.push(Promise.resolve().then(() => all))",
        "const g2 = []; for (;;) g2.push((x) => x + g2.length)",
        "const a = []; for (;;) a.push(Symbol('x'.repeat(1000)))",
        "const o = {}; for (let i = 0; ; i++) o['key' + i] = i",
        "return (2n ** 30000000n) ** 20n",
        "for (const a = []; ; ) a.push(/x/g.exec('x'))",
        "const a = []; for (;;) a.push({ x: null })",
    ] {
        let evaluator = evaluator();
        let outcome = evaluator.run(job(body)).map(|answer| answer.json_text().map(str::len));
        assert!(
            matches!(outcome, Err(EvalError::Memory { megabytes: 32 }))
                || matches!(&outcome, Err(EvalError::Thrown(thrown)) if thrown.name.as_deref() == Some("RangeError") || thrown.message == "string too long"),
            "{body}: {outcome:?}"
        );
        assert_eq!(evaluator.run(job("return graph.nodes.length")).unwrap().json_text(), Ok("3"), "{body}");
    }
}

#[test]
fn a_body_that_lives_through_a_refused_allocation_goes_on() {
    let body = "try { return 'x'.repeat(2 ** 29) } catch (e) { return e.message }";
    let outcome = evaluator().run(job(body)).map(|answer| answer.json_text().map(str::to_owned));
    assert!(matches!(outcome, Ok(Ok(_))), "{outcome:?}");
}

#[test]
fn garbage_of_earlier_bodies_takes_no_ones_memory() {
    let evaluator = evaluator();
    let filled = |megabytes: usize, is_cycle: bool| {
        let cycle = if is_cycle { "a.self = a;" } else { "" };
        let body = format!(
            "const a = []; {cycle} for (let i = 0; i < {megabytes}; i++) a.push('x'.repeat(1e6) + i); return a.length"
        );
        let answer = evaluator.run(job(&body)).map(|answer| answer.json_text().map(str::to_owned));
        assert_eq!(answer, Ok(Ok(megabytes.to_string())), "{megabytes} MB, a cycle: {is_cycle}");
    };
    for _ in 0..6 {
        // Too little to be collected, and the next body has all of its own memory all the same.
        filled(14, true);
        filled(30, false);
        // More than may lie around.
        filled(20, true);
    }
}

#[test]
fn endless_recursion_is_an_ordinary_throw() {
    for body in [
        "const f = () => f(); f()",
        "const f = (n) => 1 + f(n + 1); return f(0)",
        "async function f() { await f() } await f()",
        "const o = { toString() { return `${o}` } }; return `${o}`",
        "const o = { toString() { return g.byFile(`${o}`) } }; return `${o}`",
        "const o = { get a() { return JSON.stringify(o) } }; return JSON.stringify(o)",
        "const p = new Proxy({}, { get(t, k, r) { return r[k] } }); return p.x",
        "class A { constructor() { new A() } } new A()",
        "const f = () => [1].map(f); f()",
        "const f = () => eval('f()'); f()",
        "const f = () => Function('f', 'f()')(f); f()",
        "const a = []; a[0] = a; const f = x => f(x.flat(Infinity)); return f([a])",
        "const f = () => console.log({ [Symbol.for('nodejs.util.inspect.custom')]() { f(); return 'x' } }); f()",
    ] {
        let error = thrown(body);
        assert!(matches!(error.name.as_deref(), Some("RangeError" | "InternalError" | "Error")), "{body}: {error:?}");
        assert_eq!(error.message, "Maximum call stack size exceeded", "{body}");
    }
    assert_eq!(json("const f = () => f(); try { f() } catch (e) { return 'caught' }"), "caught");
}

#[test]
fn deep_values_render_or_refuse() {
    for body in [
        "let a = []; for (let i = 0; i < 100000; i++) a = [a]; return a",
        "let a = {}; for (let i = 0; i < 100000; i++) a = { a }; return a",
        "let e = new Error('x'); for (let i = 0; i < 10000; i++) e = new Error('y', { cause: e }); return e",
        "let e = new Error('x'); for (let i = 0; i < 10000; i++) e = new Error('y', { cause: e }); throw e",
        "let p = {}; for (let i = 0; i < 100000; i++) p = Object.create(p); return p",
        "let p = {}; for (let i = 0; i < 100000; i++) p = new Proxy(p, {}); return p",
        "let f = () => 1; for (let i = 0; i < 100000; i++) f = f.bind(null); return f()",
        "return new RegExp('('.repeat(100000) + ')'.repeat(100000))",
        "return new RegExp('(?:'.repeat(5000) + ')'.repeat(5000) + 'x').test('x')",
        "return JSON.parse('['.repeat(200000) + ']'.repeat(200000))",
        "let s = 'x'; for (let i = 0; i < 200000; i++) s = s + i; return s.length",
        "let s = 'x'; for (let i = 0; i < 200000; i++) s = i + s; return s.charAt(5)",
        "let a = [1]; for (let i = 0; i < 30000; i++) a = [a]; return a.flat(Infinity)",
        "let a = [1]; for (let i = 0; i < 30000; i++) a = [a]; return String(a)",
        "let p = Promise.resolve(1); for (let i = 0; i < 50000; i++) p = p.then(x => x); return p",
    ] {
        let evaluator = evaluator();
        let _outcome = evaluator.run(job(body));
        assert_eq!(evaluator.run(job("return graph.nodes.length")).unwrap().json_text(), Ok("3"), "{body}");
    }
}

#[test]
fn a_promise_that_nothing_settles_is_named() {
    for body in [
        "await new Promise(() => {})",
        "return new Promise(() => {})",
        "return { then() {} }",
        "await Promise.race([])",
        "await (async () => { await new Promise(() => {}) })()",
    ] {
        assert_eq!(error(body), EvalError::NeverSettled, "{body}");
    }
}

/// A Pack whose members are decided by the same few decisions with long titles: 20 MB of answer from 200 KB of graph.
fn wide_pack() -> Graph {
    let mut graph = Graph::clone(&graph());
    let members: Vec<String> = (0..100).map(|number| format!("spec:m{number:03}")).collect();
    graph.nodes.retain(|node| node.id() != "spec:b" && node.id() != "spec:c");
    for id in &members {
        graph.nodes.push(spec(id));
        graph.edges.push(Edge { edge_type: EdgeType::DecidedBy, ..edge(id, "spec:a") });
    }
    graph.edges.retain(|edge| edge.edge_type == EdgeType::DecidedBy);
    if let Some(Node::Spec(decision)) = graph.nodes.first_mut() {
        std::sync::Arc::make_mut(decision).title = Some("t".repeat(200_000));
    }
    graph.nodes.push(Node::Pack(Box::new(crate::graph::PackNode {
        id: "pack:wide".to_owned(),
        node_type: NodeType::Pack,
        claim: Claim::Declared,
        title: None,
        framing: None,
        members,
        model_refs: None,
        file: "wide.sdp.md".to_owned(),
    })));
    graph.nodes.sort_by(|left, right| left.id().cmp(right.id()));
    graph
}

#[test]
fn an_answer_beyond_the_memory_limit_is_refused_before_it_is_built() {
    let reader = Arc::new(Reader::new(Arc::new(wide_pack())));
    let run = |megabytes: u64, body: &str| {
        let limits = Limits { time: Duration::from_secs(60), memory: megabytes << 20 };
        let evaluator = Evaluator::new(Arc::clone(&reader), EvaluatorOptions { limits, ..options() });
        evaluator.run(job(body)).map(|answer| answer.json_text().unwrap().to_owned())
    };
    let body = "return g.packContext('pack:wide').members.length";
    assert_eq!(run(19, body), Err(EvalError::Memory { megabytes: 19 }));
    assert_eq!(run(200, body).as_deref(), Ok("100"));
    assert_eq!(run(19, "return g.specContext('spec:m000').relationsOut.length").as_deref(), Ok("1"));
    let body = "return g.specContext('spec:a').relationsIn.length";
    assert_eq!(run(1, body).as_deref(), Ok("100"), "the titles of its members are short");
}

#[test]
fn a_null_that_a_body_throws_is_not_called_a_want_of_memory() {
    let job = Job { body: "throw params.x".into(), params: serde_json::json!({ "x": null }), want: Want::Both };
    let error = evaluator().run(job).unwrap_err();
    let EvalError::Thrown(thrown) = error else { panic!("{error:?}") };
    assert_eq!(thrown.message, "null");
}

#[test]
fn a_body_that_somebody_cancels_ends_long_before_its_time() {
    let cancelled = Arc::new(std::sync::atomic::AtomicBool::new(true));
    let options = EvaluatorOptions { cancelled: Some(Arc::clone(&cancelled)), ..options() };
    let evaluator = Evaluator::new(Arc::new(Reader::new(graph())), options);
    assert!(matches!(evaluator.run(job("for (;;) {}")), Err(EvalError::Timeout { .. })));
    cancelled.store(false, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(evaluator.run(job("return 1")).unwrap().json_text(), Ok("1"));
}
