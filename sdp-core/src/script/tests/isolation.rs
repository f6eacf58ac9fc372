use super::*;

/// Runs an attack and then a probe on one evaluator.
fn after(attack: &str, probe: &str) -> serde_json::Value {
    let evaluator = evaluator();
    evaluator.run(job("return graph.nodes.length + report.findings.length + g.byId('spec:a').id")).unwrap();
    let _outcome = evaluator.run(job(attack));
    evaluator.run(job(probe)).unwrap_or_else(|error| panic!("{attack}: {error:?}")).to_json().unwrap()
}

#[test]
#[sdp::verifies("spec:sdp.evaluator")]
fn nothing_of_a_body_reaches_the_next() {
    let probe = "const names = [];
        for (const value of [globalThis, Object, Array, Function, Math, JSON, Object.prototype, Array.prototype, Function.prototype,
            graph, graph.nodes, graph.nodes[0], g, g.specs, report, Promise, Promise.prototype, console, g.byId('spec:a'),
            Object.getPrototypeOf(graph), Object.getPrototypeOf(graph.nodes), Object.getPrototypeOf(g.specs)]) {
          if ('leak' in value) names.push(String(value));
        }
        return [names, graph.nodes.map(n => n.id), [3, 1, 2].sort(), typeof leak, graph.nodes.length]";
    let clean = serde_json::json!([[], ["spec:a", "spec:b", "spec:c"], [1, 2, 3], "undefined", 3]);
    for attack in [
        "globalThis.leak = 1",
        "Object.prototype.leak = 1",
        "Array.prototype.leak = 1; Array.prototype.map = () => 'x'; Array.prototype.sort = null",
        "Function.prototype.leak = 1; Promise.prototype.then = () => {}",
        "Object.getPrototypeOf(graph).leak = 1; Object.getPrototypeOf(graph.nodes).leak = 1",
        "Object.getPrototypeOf(graph.nodes).map = () => 'x'",
        "graph.__proto__.leak = 1; graph.nodes.__proto__.leak = 1",
        "graph.constructor.leak = 1; graph.nodes.map.leak = 1; graph.nodes.constructor.prototype.leak = 1",
        "graph.constructor.constructor('return globalThis')().leak = 1; g.specs.constructor('this.leak = 1')()",
        "Object.setPrototypeOf(Object.getPrototypeOf(graph.nodes), { leak: 1, __proto__: Object.prototype })",
        "Object.freeze(Object.getPrototypeOf(graph)); Object.freeze(Object.getPrototypeOf(graph.nodes))",
        "Object.getPrototypeOf(graph.nodes).length = 7; Object.getPrototypeOf(graph.nodes)[0] = 'leak'",
        "Reflect.ownKeys(Array.prototype).forEach(k => { delete Array.prototype[k] })",
        "Reflect.ownKeys(Object.prototype).forEach(k => { delete Object.prototype[k] })",
        "Reflect.ownKeys(globalThis).forEach(k => { delete globalThis[k] })",
        "Object.getPrototypeOf(g.specs).leak = 1; console.log.leak = 1; console.leak = 1",
        "Object.defineProperty(Object.prototype, 'leak', { get() { return this } })",
        "Object.defineProperty(Object.prototype, 'findings', { set() { throw 1 } }); g.findings()",
        "Object.defineProperty(Array.prototype, 0, { set() { throw 1 }, get() { return 'leak' } }); g.specs(); g.out('spec:a')",
        "Error.prepareStackTrace = (e, frames) => frames; try { g.findByConcept(1) } catch (e) { e.stack.forEach(f => { try { f.getFunction().__proto__.leak = 1 } catch {} }) }",
        "const spec = { [Symbol.for('nodejs.util.inspect.custom')]() { Error.prepareStackTrace = (e, f) => f; for (const f of new Error().stack) { const fn = f.getFunction(); if (fn) { fn.constructor('globalThis.leak = 1')(); Object.getPrototypeOf(fn).leak = 1 } } return 'x' } }; console.log(spec); await recipes(spec).catch(() => {})",
        "queueMicrotask(() => { globalThis.leak = 1 }); (async () => { for (let i = 0; i < 100; i++) await 0; globalThis.leak = 2 })()",
        "(async () => { for (;;) { await 0; globalThis.leak = 1 } })()",
        "for (const key of Reflect.ownKeys(g)) { const m = g[key]; if (typeof m === 'function') try { Object.defineProperty(m, 'leak', { value: 1 }) } catch {} }",
        "class Sub extends Array {}; Object.defineProperty(Array, Symbol.species, { value: Sub }); graph.nodes.map(n => n); g.specs()",
        "Array.prototype[Symbol.iterator] = function* () { yield 'leak' }; [...graph.nodes]",
        "const p = new Proxy(graph, {}); Object.getPrototypeOf(p).leak = 1; Object.getPrototypeOf(new Proxy(graph.nodes, {})).leak = 1",
    ] {
        assert_eq!(after(attack, probe), clean, "{attack}");
    }
}

#[test]
fn the_next_body_sees_its_own_prototypes() {
    let probe = "return [graph.nodes.map === Array.prototype.map, graph instanceof Object, Object.getPrototypeOf(graph) === Object.prototype]";
    assert_eq!(after("return graph.nodes", probe), serde_json::json!([true, true, true]));
    assert_eq!(after("return g.byId('spec:a')", probe), serde_json::json!([true, true, true]));
}

#[test]
fn no_weak_reference_and_no_other_host_object_is_there() {
    assert_eq!(
        json(
            "return ['process', 'fetch', 'setTimeout', 'require', 'std', 'os', 'bjson', 'WeakRef', 'FinalizationRegistry', 'print', 'load', 'Worker', 'scriptArgs', 'gc']
                .filter(name => name in globalThis)"
        ),
        serde_json::json!([])
    );
    let error = thrown("Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)");
    assert_eq!(error.name.as_deref(), Some("TypeError"));
}

#[test]
fn unhandled_rejections_are_no_failure() {
    assert_eq!(json("Promise.reject(new Error('x')); return 1"), 1);
}

#[test]
fn a_rejection_that_nothing_handles_fails_a_body_where_that_is_asked_for() {
    let strict = EvaluatorOptions { refuses_lost_rejections: true, ..options() };
    let strict = Evaluator::new(Arc::new(Reader::new(graph())), strict);
    let run = |body: &str| strict.run(job(body));
    for body in [
        "const p = Promise.reject(1); await 0; try { await p } catch {} return 1",
        "const all = []; for (let i = 0; i < 20000; i += 1) all.push((async () => { throw i })()); await Promise.allSettled(all); return 1",
        "Promise.reject(1).catch(() => {}); await Promise.any([Promise.reject(1), 2]); return 1",
        "return (async () => { try { return await (async () => { throw 1 })() } catch { return 1 } })()",
        "recipes(99999).catch(() => {}); return 1",
        // Handled by what the body leaves in the queue.
        "const p = Promise.reject(1); queueMicrotask(() => queueMicrotask(() => p.catch(() => {}))); return 1",
    ] {
        assert_eq!(run(body).unwrap().json_text().unwrap(), "1", "{body}");
    }
    for (body, message, line) in [
        ("(async () => { throw new RangeError('lost') })()\nreturn []", "lost", Some(1)),
        ("\nPromise.reject(new Error('first')); Promise.reject(new Error('second')); return []", "first", Some(2)),
        ("(async () => { throw 7 })(); return []", "7", None),
        ("Promise.reject(null); return []", "null", None),
        ("Promise.reject(); return []", "undefined", None),
        ("queueMicrotask(() => { Promise.reject('late') }); return []", "late", None),
        ("Promise.reject(1).finally(() => {}); return []", "1", None),
        ("return [{ toJSON() { Promise.reject('rendered'); return 1 } }]", "rendered", None),
        ("return g.specs().map(async (spec) => { throw new Error(spec.id) }) && []", "spec:a", Some(1)),
    ] {
        let Err(EvalError::Thrown(thrown)) = run(body) else { panic!("{body}: {:?}", run(body)) };
        assert_eq!((thrown.message.as_str(), thrown.line), (message, line), "{body}");
        assert!(thrown.hint.is_some(), "{body}");
        assert_eq!(run("return 1").unwrap().json_text().unwrap(), "1", "after {body}");
    }
    // What the body itself throws comes first.
    let Err(EvalError::Thrown(thrown)) = run("Promise.reject(1); throw new Error('own')") else { panic!() };
    assert_eq!(thrown.message, "own");
    for _ in 0..3 {
        // Where a body can throw null, what the engine throws without memory may be the body's own.
        let error = run("for (;;) Promise.reject([])").unwrap_err();
        assert!(matches!(error, EvalError::Memory { .. } | EvalError::Thrown(_)), "{error:?}");
        assert_eq!(run("return 1").unwrap().json_text().unwrap(), "1");
    }
}
