//! Bodies that rewrite the globals, never end, recurse or grow.

use std::{cell::Cell, rc::Rc};

use super::*;

#[test]
fn a_rewritten_global_changes_nothing() {
    answers(&[(
        "const answer = [{ a: 1, get b() { return 1 } }, new Map([['k', Symbol('s')]]), new Date(0), /x/, [1, 2],
            new (class P { x = 1 }), 'é'];
         Object.defineProperty(Array.prototype, 0, { set() { throw 1 } });
         Object.defineProperty(Object.prototype, 'value', { get() { throw 2 } });
         Object.prototype.get = Object.prototype.set = () => { throw 3 };
         Array.prototype[Symbol.iterator] = Function.prototype.call = Function.prototype.apply = null;
         Reflect.ownKeys = Reflect.apply = Object.keys = Object.getOwnPropertyDescriptor = Object.hasOwn = null;
         String.prototype.slice = Symbol.prototype.toString = Date.prototype.toISOString = null;
         Map.prototype.entries = Error.prototype.toString = JSON.stringify = null;
         Error.prepareStackTrace = () => { throw 4 };
         return answer",
        "[\n  { a: 1, b: [Getter] },\n  Map(1) { 'k' => Symbol(s) },\n  1970-01-01T00:00:00.000Z,\n  /x/,\n  [ 1, 2 ],\n  \
         P { x: 1 },\n  'é'\n]",
    )]);
}

#[test]
fn the_engines_own_questions_run_no_hook_of_the_body() {
    answers(&[(
        "let runs = 0; Error.prepareStackTrace = () => { runs++ };
         return [new (class P {}), { toString() {}, get runs() { return runs } }, new (class { get [Symbol.toStringTag]() { return `runs ${runs}` } })]",
        "[ P {}, { toString: [Function: toString], runs: [Getter] }, Object [runs 0] {} ]",
    )]);
}

#[test]
fn what_a_getter_throws_is_the_error() {
    let body = "return { get [Symbol.toStringTag]() { throw new Error('no tag') } }";
    assert_eq!(answer(body), Err(RenderError::Thrown("no tag".to_owned())));
    let body = "return { [Symbol.for('nodejs.util.inspect.custom')]() { throw 'no text' } }";
    assert_eq!(answer(body), Err(RenderError::Thrown("no text".to_owned())));
}

#[test]
fn no_exception_stays_pending() {
    with_result("return [{ get [Symbol.toStringTag]() { throw 1 } }]", |ctx, intrinsics, value| {
        assert_eq!(render(ctx, intrinsics, value, &|| false), Err(RenderError::Thrown("1".to_owned())));
        assert!(!ctx.has_exception());
    });
}

#[test]
fn an_inspection_that_never_ends_is_an_error() {
    for body in [
        "const custom = Symbol.for('nodejs.util.inspect.custom');
         const make = () => ({ [custom]() { return make() } }); return make()",
        "const custom = Symbol.for('nodejs.util.inspect.custom');
         const o = { [custom](depth, options, inspect) { return inspect(o, options) } }; return o",
    ] {
        assert_eq!(answer(body), Err(RenderError::Thrown("Maximum call stack size exceeded".to_owned())));
    }
}

#[test]
fn nesting_ends_before_the_stack_does() {
    let body = "let chain = {}; for (let i = 0; i < 1000; i++) chain = { chain };
        return { [Symbol.for('nodejs.util.inspect.custom')](d, o, inspect) { return inspect(chain, { depth: Infinity }) } }";
    // A quarter of the thread's stack for the engine, as in the evaluator.
    let inspect_deeply = || {
        let runtime = Runtime::new().unwrap();
        runtime.set_max_stack_size(4 << 20);
        in_runtime(&runtime, body, |ctx, intrinsics, value| render(ctx, intrinsics, value, &|| false)).unwrap()
    };
    let text = std::thread::Builder::new().stack_size(16 << 20).spawn(inspect_deeply).unwrap().join().unwrap();
    assert!(text.contains("[Object: Inspection interrupted prematurely. Maximum call stack size exceeded.]"), "{text}");
}

#[test]
fn long_chains_of_prototypes_and_proxies_end() {
    answers(&[
        ("let p = {}; for (let i = 0; i < 20000; i++) p = Object.create(p); return p", "{}"),
        ("let p = { a: 1 }; for (let i = 0; i < 20000; i++) p = new Proxy(p, {}); return [p]", "[ { a: 1 } ]"),
        (
            "let p = Object.create(null); for (let i = 0; i < 9; i++) p = Object.create(p); return p",
            "Object <Object <Object <Object <Object <Object <Complex prototype>>>>>> {}",
        ),
    ]);
}

#[test]
fn the_deadline_ends_a_rendering() {
    with_result("return Array.from({ length: 200 }, () => Array(200).fill({ a: 1 }))", |ctx, intrinsics, value| {
        let asked = Cell::new(0);
        let expired = || asked.replace(asked.get() + 1) > 3;
        assert_eq!(render(ctx, intrinsics, value, &expired), Err(RenderError::Expired));
        assert!(asked.get() < 10);
    });
}

#[test]
fn an_interrupted_getter_is_the_deadline() {
    let over = Rc::new(Cell::new(false));
    let runtime = Runtime::new().unwrap();
    let seen = Rc::clone(&over);
    runtime.set_interrupt_handler(Some(Box::new(move || seen.get())));
    in_runtime(&runtime, "return { get [Symbol.toStringTag]() { for (;;); } }", |ctx, intrinsics, value| {
        over.set(true);
        assert_eq!(render(ctx, intrinsics, value, &|| over.get()), Err(RenderError::Expired));
    });
}

#[test]
fn a_text_past_the_limit_is_refused() {
    let body = "const word = ['w'.repeat(4000)], some = Array(200).fill(word); return Array(200).fill(some)";
    assert_eq!(answer(body), Err(RenderError::TooLarge));
}

#[test]
fn every_key_of_a_large_object_is_shown() {
    let text = answer("const o = {}; for (let i = 0; i < 50000; i++) o['k' + i] = i; return o").unwrap();
    assert_eq!(text.lines().count(), 50_002);
    assert!(text.ends_with("\n  k49998: 49998,\n  k49999: 49999\n}"));
}

#[test]
fn a_proxy_of_a_function_is_shown_whatever_its_traps_do() {
    answers(&[(
        "const trap = () => { throw 1 };
         return [new Proxy(function f() {}, {}), new Proxy(() => 1, { get: trap, getPrototypeOf: trap, ownKeys: trap })]",
        "[ [Function: f], [Function (anonymous)] ]",
    )]);
}
