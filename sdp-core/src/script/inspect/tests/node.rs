//! Bodies with the text that Node 20.20.2 prints for them.

use super::{answers, logs};

#[test]
fn strings_choose_the_quote_that_spares_an_escape() {
    answers(&[
        (
            r#"return ["plain", "o'clock", `o'clock "sharp"`, "a'b\"c`d", "a'b\"c${d}".replace('d', '${')]"#,
            "[ 'plain', \"o'clock\", `o'clock \"sharp\"`, 'a\\'b\"c`d', 'a\\'b\"c${${}' ]",
        ),
        (
            r#"return 'bell \x07 escape \x1b delete \x7f c1 \x9f space \xa0'"#,
            "'bell \\x07 escape \\x1B delete \\x7F c1 \\x9F space \u{a0}'",
        ),
        (r#"return ['\ud83d', 'x\udc00y', '\ud83d\ude00']"#, "[ '\\ud83d', 'x\\udc00y', '😀' ]"),
    ]);
}

#[test]
fn keys_are_quoted_unless_they_are_plain_identifiers() {
    answers(&[(
        r#"return { ok_1: 1, 'not ok': 2, 7: 3, "o'clock": 4, ü: 5, [Symbol('it\'s\n')]: 6, ['__proto__']: 7, '\ud800': 8 }"#,
        "{\n  '7': 3,\n  ok_1: 1,\n  'not ok': 2,\n  \"o'clock\": 4,\n  'ü': 5,\n  ['__proto__']: 7,\n  '\\ud800': 8,\n  [Symbol(it\\'s\\n)]: 6\n}",
    )]);
}

#[test]
fn long_strings_break_after_line_feeds_only() {
    answers(&[
        (
            r#"return { text: 'first line of a longer text\n'.repeat(4) + 'end' }"#,
            "{\n  text: 'first line of a longer text\\n' +\n    'first line of a longer text\\n' +\n    'first line of a longer text\\n' +\n    'first line of a longer text\\n' +\n    'end'\n}",
        ),
        (
            r#"return { a: { b: 'x'.repeat(88) + '\nrest' } }"#,
            "{\n  a: {\n    b: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\\n' +\n      'rest'\n  }\n}",
        ),
    ]);
}

#[test]
fn numbers_are_written_as_javascript_writes_them() {
    answers(&[(
        "return [1e21, 123456789012345680000, 1e-6, 1e-7, -0, 0.1, 5e-324, 1.7976931348623157e308, 100, -1.5, NaN]",
        "[\n  1e+21,\n  123456789012345680000,\n  0.000001,\n  1e-7,\n  -0,\n  0.1,\n  5e-324,\n  1.7976931348623157e+308,\n  100,\n  -1.5,\n  NaN\n]",
    )]);
}

#[test]
fn short_entries_stand_in_columns() {
    answers(&[
        (
            "return Array.from({ length: 33 }, (_, i) => i * 37)",
            "[\n     0,   37,   74, 111,  148,  185,\n   222,  259,  296, 333,  370,  407,\n   444,  481,  518, 555,  592,  629,\n   666,  703,  740, 777,  814,  851,\n   888,  925,  962, 999, 1036, 1073,\n  1110, 1147, 1184\n]",
        ),
        (
            "return Array.from({ length: 9 }, (_, i) => '語'.repeat(i % 3 + 1))",
            "[\n  '語',     '語語',\n  '語語語', '語',\n  '語語',   '語語語',\n  '語',     '語語',\n  '語語語'\n]",
        ),
        (
            "return Object.assign(Array.from({ length: 8 }, (_, i) => i), { note: 'last' })",
            "[ 0, 1, 2, 3, 4, 5, 6, 7, note: 'last' ]",
        ),
        (
            r#"return Array.from({ length: 10 }, (_, i) => 'e\u0301'.repeat(i))"#,
            "[\n  '',         'é',\n  'éé',       'ééé',\n  'éééé',     'ééééé',\n  'éééééé',   'ééééééé',\n  'éééééééé', 'ééééééééé'\n]",
        ),
    ]);
}

#[test]
fn holes_and_extra_keys_of_arrays_are_counted() {
    answers(&[
        ("return [1, , , 4]", "[ 1, <2 empty items>, 4 ]"),
        (
            "return Object.assign([, 'b'], { more: true, [Symbol('s')]: 0 })",
            "[ <1 empty item>, 'b', more: true, [Symbol(s)]: 0 ]",
        ),
        ("const a = []; a[3e9] = 1; return a", "[ <3000000000 empty items>, 1 ]"),
        ("const a = new Array(400); a[1] = 1; a[399] = 2; return a", "[ <1 empty item>, 1, <397 empty items>, 2 ]"),
    ]);
}

#[test]
fn three_inner_levels_may_share_a_line() {
    answers(&[
        ("return { a: { b: { c: { d: 1 } } } }", "{\n  a: { b: { c: { d: 1 } } }\n}"),
        ("return [[[[1]]], [[[[2]]]]]", "[\n  [ [ [ 1 ] ] ],\n  [\n    [ [ [ 2 ] ] ]\n  ]\n]"),
        (
            "return { deep: { er: { and: { deeper: { still: 1 } } } }, flat: [] }",
            "{\n  deep: {\n    er: { and: { deeper: { still: 1 } } }\n  },\n  flat: []\n}",
        ),
    ]);
}

#[test]
fn depth_ends_at_the_name_of_the_kind() {
    answers(&[(
        "return [[[[[{ a: 1 }, [1], new Map([[1, 2]]), new (class Point { x = 1 }), Object.create(null), /x/, () => 1]]]]]",
        "[\n  [\n    [\n      [\n        [\n          [Object],\n          [Array],\n          [Map],\n          [Point],\n          [Object: null prototype] {},\n          /x/,\n          [Function (anonymous)]\n        ]\n      ]\n    ]\n  ]\n]",
    )]);
}

#[test]
fn circular_values_are_numbered_in_the_order_in_which_they_are_met() {
    answers(&[
        (
            "const a = { name: 'a' }, b = { a }; a.b = b; b.b = b; return [a, b]",
            "[\n  <ref *1> { name: 'a', b: <ref *2> { a: [Circular *1], b: [Circular *2] } },\n  <ref *2> { a: <ref *1> { name: 'a', b: [Circular *2] }, b: [Circular *2] }\n]",
        ),
        ("const m = new Map(); m.set('self', m); return m", "<ref *1> Map(1) { 'self' => [Circular *1] }"),
    ]);
}

#[test]
fn classes_show_their_constructor_and_tag() {
    answers(&[
        (
            "class Base { x = 1 } class Derived extends Base { #hidden = 2; get y() { return 3 } } return [Base, Derived, new Derived(), new (class { z = 1 })]",
            "[ [class Base], [class Derived extends Base], Derived { x: 1 }, { z: 1 } ]",
        ),
        (
            "return [new (class Tagged { get [Symbol.toStringTag]() { return 'T' } }), { [Symbol.toStringTag]: 'Own' }]",
            "[ Tagged [T] {}, { [Symbol(Symbol.toStringTag)]: 'Own' } ]",
        ),
        (
            "return [Object.create(null), Object.setPrototypeOf([1], null), Object.create(Object.create(null))]",
            "[\n  [Object: null prototype] {},\n  [Array(1): null prototype] [ 1 ],\n  Object <[Object: null prototype] {}> {}\n]",
        ),
        ("class Bag extends Map { kind = 'bag' } return new Bag([['k', 1]])", "Bag(1) [Map] { 'k' => 1, kind: 'bag' }"),
    ]);
}

#[test]
fn functions_show_kind_and_name() {
    answers(&[
        (
            "return [function f() {}, () => 1, async () => 1, function* g() {}, async function* h() {}, class K extends Map {}, Object.assign(function p() {}, { q: 1 })]",
            "[\n  [Function: f],\n  [Function (anonymous)],\n  [AsyncFunction (anonymous)],\n  [GeneratorFunction: g],\n  [AsyncGeneratorFunction: h],\n  [class K extends Map],\n  [Function: p] { q: 1 }\n]",
        ),
        (
            "return { classify(a) { return {} }, async method() {}, async() {}, *gen() {} }",
            "{\n  classify: [Function: classify],\n  method: [AsyncFunction: method],\n  async: [Function: async],\n  gen: [GeneratorFunction: gen]\n}",
        ),
    ]);
}

#[test]
fn collections_show_size_and_entries() {
    answers(&[(
        "return [new Map([[{ k: 1 }, [1]]]), new Set(['a', new Set()]), new WeakMap(), new Map([[1, 2]]).entries(), new Set([3]).values(), new Map([['a', [1, 2]]]).values()]",
        "[\n  Map(1) { { k: 1 } => [ 1 ] },\n  Set(2) { 'a', Set(0) {} },\n  WeakMap { <items unknown> },\n  [Map Entries] { [ 1, 2 ] },\n  [Set Iterator] { 3 },\n  [Map Iterator] { [ 1, 2 ] }\n]",
    )]);
}

#[test]
fn binary_data_shows_bytes() {
    answers(&[(
        "return [new Uint8Array([1, 255]), new BigInt64Array(1), new ArrayBuffer(3), new DataView(new ArrayBuffer(2), 1)]",
        "[\n  Uint8Array(2) [ 1, 255 ],\n  BigInt64Array(1) [ 0n ],\n  ArrayBuffer { [Uint8Contents]: <00 00 00>, byteLength: 3 },\n  DataView {\n    byteLength: 1,\n    byteOffset: 1,\n    buffer: ArrayBuffer { [Uint8Contents]: <00 00>, byteLength: 2 }\n  }\n]",
    )]);
}

#[test]
fn boxes_dates_and_expressions_show_what_they_hold() {
    answers(&[(
        r#"return [new String("it's"), Object(1n), Object(Symbol('s')), new Date(1e12), new Date(NaN), Object.assign(/a\/b/gi, { k: 1 })]"#,
        "[\n  [String: \"it's\"],\n  [BigInt: 1n],\n  [Symbol: Symbol(s)],\n  2001-09-09T01:46:40.000Z,\n  Invalid Date,\n  /a\\/b/gi { k: 1 }\n]",
    )]);
}

#[test]
fn accessors_are_named_and_not_run() {
    answers(&[(
        "return { get a() { throw 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} }",
        "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
    )]);
}

#[test]
fn promises_show_their_state() {
    answers(&[(
        "const failed = Promise.reject([1]); failed.catch(() => {}); return [Promise.resolve({ a: 1 }), failed, new Promise(() => {})]",
        "[ Promise { { a: 1 } }, Promise { <rejected> [ 1 ] }, Promise { <pending> } ]",
    )]);
}

#[test]
fn proxies_show_their_target_and_no_trap_runs() {
    answers(&[
        (
            "const trap = () => { throw new Error('trap') }; return [new Proxy({ a: 1 }, { get: trap, ownKeys: trap, getPrototypeOf: trap, getOwnPropertyDescriptor: trap, has: trap }), new Proxy([1], { get: trap })]",
            "[ { a: 1 }, [ 1 ] ]",
        ),
        ("const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return [proxy]", "[ <Revoked Proxy> ]"),
    ]);
}

#[test]
fn generators_and_arguments_are_told_apart() {
    answers(&[(
        "return [(function* g() {})(), (function () { return arguments })(1, 'b')]",
        "[ Object [Generator] {}, [Arguments] { '0': 1, '1': 'b' } ]",
    )]);
}

#[test]
fn an_objects_own_inspection_is_called_with_depth_options_and_inspect() {
    answers(&[
        (
            r#"const custom = Symbol.for('nodejs.util.inspect.custom'); return { at: { [custom](depth, options, inspect) { return `depth ${depth} of ${options.depth}\n${inspect({ a: { b: {} } }, { ...options, depth: 0 })}` } } }"#,
            "{\n  at: depth 3 of 4\n  { a: [Object] }\n}",
        ),
        (
            "const custom = Symbol.for('nodejs.util.inspect.custom'); return [{ [custom]() { return { instead: 1 } } }, { [custom]() { return this }, kept: 1 }]",
            "[\n  { instead: 1 },\n  {\n    kept: 1,\n    [Symbol(nodejs.util.inspect.custom)]: [Function: [nodejs.util.inspect.custom]]\n  }\n]",
        ),
    ]);
}

#[test]
fn an_error_without_frames_stands_in_brackets() {
    answers(&[
        (
            "const e = new TypeError('no frames'); e.stack = 'TypeError: no frames'; e.code = 7; return [e, { e }]",
            "[ [TypeError: no frames] { code: 7 }, { e: [TypeError: no frames] { code: 7 } } ]",
        ),
        (
            r#"class Odd extends Error {} const e = new Odd('m', { cause: 'why' }); e.stack = 'Error: m\n    at somewhere (x.js:1:1)'; return { e }"#,
            "{\n  e: Odd [Error]: m\n      at somewhere (x.js:1:1) {\n    [cause]: 'why'\n  }\n}",
        ),
    ]);
}

#[test]
fn a_log_line_joins_its_values() {
    logs(&[
        (r#"return ['text', 1, 'it\'s', { a: [1, 'x'] }, null]"#, "text 1 it's { a: [ 1, 'x' ] } null"),
        ("return []", ""),
        (
            "return [{ a: { b: { c: { d: 1 } } } }, 'x'.repeat(60), ['y'.repeat(40), 'z'.repeat(40)]]",
            "{ a: { b: { c: [Object] } } } xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx [\n  'yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy',\n  'zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'\n]",
        ),
    ]);
}

#[test]
fn a_format_string_takes_its_values() {
    logs(&[
        (
            "return ['%s is %d years, %i, %f, %j %% %c%s', 'Ann', '42', 42.9, '1.5x', { a: 1 }, 'css', Symbol('s'), 'rest']",
            "Ann is 42 years, 42, 1.5, {\"a\":1} % Symbol(s) rest",
        ),
        ("return ['%s %s', { a: { b: 1 } }, new (class { toString() { return 'own' } })]", "{ a: [Object] } own"),
        ("return ['%o %O', [1], { a: 1 }]", "[ 1, [length]: 1 ] { a: 1 }"),
        ("return ['100% %x', 1]", "100% %x 1"),
        ("return ['%s']", "%s"),
    ]);
}
