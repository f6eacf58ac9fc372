//! The parser: a text comes in, a [`File`] is lent out, or why there is none. A parser that runs out of stack ends the whole
//! process, so [`super::guard`] is asked first, and what nests deep is read on a stack of its own.

use std::panic::{self, AssertUnwindSafe};

use oxc_allocator::Allocator;
use oxc_ast::ast::{Comment, Program};
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

use super::guard;

/// A file that was parsed whole.
pub(crate) struct File<'a> {
    /// Its statements.
    pub(crate) program: &'a Program<'a>,
    /// Its text.
    pub(crate) text: &'a str,
    /// The byte on which each line starts.
    lines: Vec<u32>,
}

impl<'a> File<'a> {
    /// The 1-based line of a byte offset. A line ends where TypeScript ends one.
    #[must_use]
    pub(crate) fn line(&self, offset: u32) -> u32 {
        line_of(&self.lines, offset)
    }

    /// The 1-based line on which a node opens.
    #[must_use]
    pub(crate) fn line_of(&self, node: &impl GetSpan) -> u32 {
        self.line(node.span().start)
    }

    /// Its comments, in the order in which they stand.
    #[must_use]
    pub(crate) fn comments(&self) -> &'a [Comment] {
        &self.program.comments
    }
}

/// Where and why a file does not parse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unparsed {
    /// What the parser says, in one line.
    pub(crate) message: String,
    /// The 1-based line.
    pub(crate) line: u32,
}

/// Parses the text of a file and lends it out. JSX is read where `path` ends with `.tsx`.
///
/// # Errors
/// [`Unparsed`] at the first place that is no TypeScript, or from which on it nests too deep.
pub(crate) fn with_file<R: Send>(
    path: &str,
    text: &str,
    read: impl FnOnce(&File<'_>) -> R + Send,
) -> Result<R, Unparsed> {
    let jsx = path.ends_with(".tsx");
    // The mark of UTF-8 is no part of the text: `#!` opens a file behind it, too.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    match guard::depth(text, jsx) {
        Ok(depth) => parsed(jsx, text, depth, read),
        Err(refused) => Err(unparsed(jsx, text, &refused)),
    }
}

fn parsed<R: Send>(jsx: bool, text: &str, depth: u32, read: impl FnOnce(&File<'_>) -> R + Send) -> Result<R, Unparsed> {
    guard::on_a_stack_for(depth, || {
        let allocator = Allocator::default();
        let kind = if jsx { SourceType::tsx() } else { SourceType::ts() };
        let parsed = caught(|| Parser::new(&allocator, text, kind).parse())?;
        let lines = line_starts(text);
        let first = |counts: &dyn Fn(&str, Option<&str>) -> bool| {
            let counting =
                parsed.diagnostics.iter().filter(|wrong| counts(&wrong.message, wrong.code.number.as_deref()));
            // The first of the labels is often where something opens; the primary one is what is wrong.
            let placed = counting.map(|wrong| {
                let primary = wrong.labels.iter().find(|label| label.primary());
                let first = || wrong.labels.iter().min_by_key(|label| label.offset());
                (primary.or_else(first).map_or(0, |label| label.offset()), wrong)
            });
            placed.min_by_key(|(at, _)| *at).map(|(at, wrong)| (at, wrong.message.to_string()))
        };
        let wrong = first(&|message, number| !checked_later(number, message));
        // There is no tree behind what the parser does not recover from, whoever says it.
        if let Some((at, message)) = wrong.or_else(|| parsed.panicked.then(|| first(&|_, _| true)).flatten()) {
            return Err(Unparsed { message, line: line_of(&lines, at) });
        }
        Ok(read(&File { program: &parsed.program, text, lines }))
    })
}

/// What is wrong with a text that is not parsed whole: what the parser says of the part before, or else the guard.
fn unparsed(jsx: bool, text: &str, refused: &guard::Refused) -> Unparsed {
    let own = || {
        let at = u32::try_from(refused.at).unwrap_or(u32::MAX);
        Unparsed { message: refused.why.to_owned(), line: line_of(&line_starts(text), at) }
    };
    let before = refused.parsed_to.and_then(|to| text.get(..to));
    before.and_then(|text| parsed(jsx, text, refused.depth, |_| ()).err()).unwrap_or_else(own)
}

/// Whether TypeScript says it of a file only when it checks it, so that the file parses all the same: the tree is as it would
/// be. The parser gives TypeScript's own number to what TypeScript says, and a text alone to the rest.
fn checked_later(number: Option<&str>, message: &str) -> bool {
    match number {
        // A binary file, and `a<b>.c`.
        Some(number) => !matches!(number, "1490" | "1477"),
        None => CHECKED_LATER.iter().any(|(start, end)| message.starts_with(start) && message.ends_with(end)),
    }
}

/// How such messages start and end.
const CHECKED_LATER: &[(&str, &str)] = &[
    ("Identifier `", "` has already been declared"),
    ("Duplicated export ", ""),
    ("Private identifier '#", " is not allowed in property names"),
    ("Missing initializer in ", " declaration"),
    ("Lexical declaration cannot appear in a single-statement context", ""),
    ("Declaration cannot appear in a single-statement context", ""),
    ("Invalid class declaration", ""),
    ("Async functions can only be declared ", ""),
    ("Generators can only be declared ", ""),
    ("`await` is only allowed within async functions ", ""),
    ("`for await` loops are only allowed within async functions ", ""),
    ("A 'yield' expression is only allowed in a generator body.", ""),
    ("Expression must be enclosed in parentheses to be used as a decorator.", ""),
    ("The left-hand side of a `for...of` statement may not be `async`", ""),
    ("The left-hand side of a for...in statement cannot be an ", "using declaration."),
    ("Only a single declaration is allowed in a `for...", "` statement"),
    ("for-in loop variable declaration may not have an initializer", ""),
    ("Classes can't have an element named '#constructor'", ""),
    ("Classes can't have a field named 'constructor'", ""),
    ("Classes may not have a static property named 'prototype'", ""),
    ("Classes may not have a field named 'constructor'", ""),
    ("Constructor can't ", ""),
    ("Cannot use `", "` as an identifier in an async context"),
    ("Cannot use `", "` as an identifier in a generator context"),
    ("A string literal cannot be used as an exported binding without `from`", ""),
    ("A reserved word cannot be used as an exported binding without `from`", ""),
    ("An export name cannot include a unicode lone surrogate", ""),
    ("Illegal newline after throw", ""),
    ("Tagged template expressions are not permitted in an optional chain", ""),
    ("Private fields cannot be accessed on super", ""),
    ("A 'set' accessor ", ""),
    ("A 'get' accessor must not have any formal parameters.", ""),
    ("Using declarations may not have binding patterns.", ""),
    ("Using declarations must have an initializer.", ""),
    ("'using' declaration cannot appear in the bare case statement.", ""),
    ("'await using' declaration cannot appear in the bare case statement.", ""),
    ("Invalid assignment in object literal", ""),
    ("Unexpected new.target expression", ""),
    ("A rest element cannot have an initializer.", ""),
    ("A rest parameter cannot have an initializer.", ""),
    ("A rest parameter or binding pattern may not have a trailing comma.", ""),
    ("'", "' modifier cannot be used here."),
    ("Logical expressions and coalesce expressions cannot be mixed", ""),
    ("Decorators may not appear after 'export' or 'export default' ", ""),
    ("Invalid rest element target in destructuring assignment", ""),
    ("Only '=' operator can be used for specifying default value.", ""),
];

/// Where debug assertions hold, the parser has some of its own that a text may break, and the text is refused. What the panic
/// says goes to where the process sends it: a library leaves the hook alone, and a release has no such assertions.
fn caught<T>(parse: impl FnOnce() -> T) -> Result<T, Unparsed> {
    panic::catch_unwind(AssertUnwindSafe(parse))
        .map_err(|_| Unparsed { message: "the parser gives up on the text".to_owned(), line: 1 })
}

/// Where each line starts: behind `\n`, `\r\n`, `\r`, U+2028 and U+2029.
fn line_starts(text: &str) -> Vec<u32> {
    /// What U+2028 and U+2029 open with in UTF-8.
    const OPENS: u8 = 0xE2;
    let is_separator = |rest: &[u8]| rest.starts_with("\u{2028}".as_bytes()) || rest.starts_with("\u{2029}".as_bytes());
    let bytes = text.as_bytes();
    let ends = memchr::memchr3_iter(b'\n', b'\r', OPENS, bytes).filter_map(|at| {
        let rest = bytes.get(at..)?;
        match rest {
            [b'\r', b'\n', ..] => None,
            [b'\n' | b'\r', ..] => Some(at + 1),
            _ => is_separator(rest).then_some(at + '\u{2028}'.len_utf8()),
        }
    });
    std::iter::once(0).chain(ends.map(|at| u32::try_from(at).unwrap_or(u32::MAX))).collect()
}

fn line_of(starts: &[u32], offset: u32) -> u32 {
    u32::try_from(starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(path: &str, text: &str) -> Result<u32, Unparsed> {
        with_file(path, text, |file| file.line_of(file.program.body.last().unwrap()))
    }

    #[test]
    fn what_typescript_says_only_when_it_checks_keeps_no_file_out() {
        for source in CHECKED {
            let refused = line("a.ts", source).err();
            assert_eq!(refused, None, "{source}");
        }
        for source in CHECKED_IN_JSX {
            let refused = line("a.tsx", source).err();
            assert_eq!(refused, None, "{source}");
        }
    }

    #[test]
    fn what_typescript_cannot_parse_keeps_the_file_out() {
        for source in BROKEN {
            let text = format!("let before;\n{source}\n");
            let refused = line("a.ts", &text).err();
            assert!(refused.is_some(), "{source}");
        }
        for source in BROKEN_IN_JSX {
            let refused = line("a.tsx", source).err();
            assert!(refused.is_some(), "{source}");
        }
    }

    #[test]
    fn a_mark_of_utf_8_hides_no_opening_and_moves_no_line() {
        for opening in ["", "#!/usr/bin/env node\n", "'use strict';\n", "#!/usr/bin/env node\r\n'use strict';\r\n"] {
            let lines = u32::try_from(opening.lines().count()).unwrap();
            let marked = format!("\u{FEFF}{opening}let a;\n");
            assert_eq!(line("a.ts", &marked), Ok(lines + 1), "{opening:?}");
            assert_eq!(line("a.ts", &format!("{marked}let b = ;")).unwrap_err().line, lines + 2, "{opening:?}");
        }
        // It opens the text once.
        assert!(line("a.ts", "\u{FEFF}\u{FEFF}#!/usr/bin/env node\nlet a;").is_err());
    }

    #[test]
    fn the_first_wrong_place_is_named() {
        let refused = line("a.ts", "const a = 1;\nfunction f() { await a; }\n/a/gg;\n").unwrap_err();
        assert_eq!(refused.line, 3);
        let refused = line("a.ts", "let a;\n\nlet b = f(1];\n").unwrap_err();
        assert_eq!((refused.line, refused.message.as_str()), (3, "Expected `,` or `)` but found `]`"));
        for (path, text, expected) in [
            ("a.ts", "f({\n  a: 1\n  b: 2,\n});\n", 3),
            ("a.ts", "f([\n  1,\n  2;\n", 3),
            ("a.tsx", "let a = <b>\n  c\n</d>;\n", 3),
        ] {
            assert_eq!(line(path, text).unwrap_err().line, expected, "{text}");
        }
        let refused = line("a.ts", "let a;\nlet b = 'c\nd';\n").unwrap_err();
        assert_eq!((refused.line, refused.message.as_str()), (2, "Unterminated string"));
        let refused = line("a.ts", "let a;\n<!-- b\n").unwrap_err();
        assert_eq!(refused.line, 2);
    }

    #[test]
    fn a_line_ends_where_typescript_ends_it() {
        for (text, expected) in [
            ("\u{feff}let a;\nlet b;", 2),
            ("let a;\r\nlet b;", 2),
            ("let a;\rlet b;", 2),
            ("let a;\u{2028}let b;\u{2029}let c;", 3),
            ("#!/usr/bin/env node [ `\nlet a;", 2),
            ("/* \n */ let a = `\n`;\nlet b;", 4),
            ("let a = 1 /* [ */ // [\n  + 2;\nlet b;", 3),
            ("let a;\u{85}let b;", 1),
        ] {
            assert_eq!(line("a.ts", text), Ok(expected), "{text:?}");
        }
    }

    /// TypeScript parses these without a word.
    const CHECKED: &[&str] = &[
        "interface A { abstract x: number }",
        "const o = { #a: 1 };",
        "/a/uv;",
        "const {a};",
        "let [b];",
        "const a;",
        "if (a) const b = 1;",
        "namespace N { export = a; }",
        "namespace N { import a from 'b'; }",
        "namespace N { export * from 'b'; }",
        "namespace N { export { a } from 'b'; }",
        "namespace N { export default 1; }",
        "namespace N { export as namespace a; }",
        "declare namespace N { a(); }",
        "declare namespace N { declare const a: number; }",
        "module \"a\" {}",
        "if (a) class B {}",
        "interface A<const T> {}",
        "if (a) async function f() {}",
        "if (a) function* f() {}",
        "function f() { await a; }",
        "function f() { for await (const a of b) {} }",
        "function f() { yield a; }",
        "class A extends B extends C {}",
        "class A implements B extends C {}",
        "class A extends B, C {}",
        "class A implements B implements C {}",
        "class A { const a = 1; }",
        "type T = [a?, b];",
        "type T = [...a[], ...b[]];",
        "type T = [...a[], b?];",
        "import type a, { b } from 'c';",
        "function f(...a?) {}",
        "@a?.b class A {}",
        "for (async of b) {}",
        "class A { #constructor() {} }",
        "class A { static prototype = 1; }",
        "class A { get constructor() { return 1; } }",
        "class A { async constructor() {} }",
        "class A { accessor a?: number; }",
        "let a! = 1;",
        "let a!;",
        "async function f() { const await = 1; }",
        "async (await) => 1;",
        "function* f() { const yield = 1; }",
        "class A { *constructor() {} }",
        "class A { declare constructor(); }",
        "class A { constructor(): void {} }",
        "class A { constructor<T>() {} }",
        "class A { 'constructor' = 1; }",
        "export { 'a' };",
        "export { if };",
        "export { \"\\ud800\" as a } from 'b';",
        "throw\na;",
        "a?.b`c`;",
        "class A { constructor(this: A) {} }",
        "const f = (this: A) => 1;",
        "function f<>() {}",
        "f<>();",
        "type A = B<>;",
        "class A extends B { a() { super.#a; } }",
        "class A { set a(b): void {} }",
        "class A { get a<T>() { return 1; } }",
        "class A { set a() {} }",
        "class A { set a(b, c) {} }",
        "class A { set a(...b) {} }",
        "class A { set a(b = 1) {} }",
        "class A { set a(b?) {} }",
        "class A { get a(b) { return 1; } }",
        "return 1;",
        "class A { static { return; } }",
        "using {a} = b;",
        "for (await using a in b) {}",
        "for (using a in b) {}",
        "for (let a, b of c) {}",
        "for (let a, b in c) {}",
        "for (let a = 1 in c) {}",
        "using a;",
        "switch (a) { case 1: using b = c; }",
        "switch (a) { default: default: }",
        "({ a = 1 });",
        "f({ a = 1 });",
        "new.target;",
        "a = new.target;",
        "const {...a: b} = c;",
        "const [...a = 1] = c;",
        "function f(...a = []) {}",
        "class A { export a = 1; }",
        "export export const a = 1;",
        "declare declare const a: number;",
        "async class A {}",
        "abstract function f();",
        "static const a = 1;",
        "public const a = 1;",
        "private class A {}",
        "readonly const a = 1;",
        "class A { readonly a() {} }",
        "interface A { public a: number }",
        "interface A { static a: number }",
        "interface A { readonly a(): void }",
        "class A { public private a = 1; }",
        "class A { static public a = 1; }",
        "class A { abstract private a; }",
        "class A { declare a() {} }",
        "function f<public T>() {}",
        "function f<in T>() {}",
        "function f(static a) {}",
        "function f(public a) {}",
        "class A { constructor(public {a}) {} }",
        "class A { constructor(public constructor) {} }",
        "function f(a? = 1) {}",
        "interface A { public [a: string]: b }",
        "interface A { [a?: string]: b }",
        "interface A { [a: b, c: d]: e }",
        "interface A { [a: \"x\"]: e }",
        "type A = readonly string;",
        "class A { private #a = 1; }",
        "import type { type a } from 'b';",
        "export type { type a } from 'b';",
        "a ?? b || c;",
        "abstract class A { abstract a() {} }",
        "abstract class A { abstract a = 1; }",
        "abstract class A { abstract #a; }",
        "abstract class A { abstract get a() { return 1; } }",
        "function f(a?, b) {}",
        "import type a = b.c;",
        "type string = 1;",
        "interface any {}",
        "class any {}",
        "enum number {}",
        "function f<string>() {}",
        "@a export @b class A {}",
        "class A { @a b(); b(c?) {} }",
        "type A = [a: b?];",
        "type A = [a: ...b];",
        "type A = [...a?: b];",
        "declare function f() {}",
        "declare class A { a() {} }",
        "declare function* f();",
        "function* f(); function* f() {}",
        "declare let a: number = 1;",
        "declare const a: number = 1;",
        "declare class A { a = 1 }",
        "interface A implements B {}",
        "interface A extends B.c() {}",
        "interface A extends {} {}",
        "interface A extends B, {}",
        "function f(a, ...b,) {}",
        "const [...a,] = b;",
        "({ ...{ a } } = b);",
        "[a += 1] = b;",
        "const o = { public a: 1 };",
        "import defer a from 'b';",
        "import defer { a } from 'b';",
        "type A = import(a);",
        "label: function* f() {}",
        "label: const a = 1;",
        "({ set a() {} });",
        "({ get a(b) { return 1; } });",
        "class A { override override a = 1; }",
        "class A { async get a() { return 1; } }",
        "abstract interface A {}",
        "async interface A {}",
        "declare export const a: b;",
        "export async const a = 1;",
    ];

    /// And these.
    const CHECKED_IN_JSX: &[&str] = &["const a = <a b={} />;", "const a = <a>{b, c}</a>;", "const a = <a b={c, d} />;"];

    /// TypeScript does not parse these.
    const BROKEN: &[&str] = &[
        "\"\\u{110000}\";",
        "\"\\x0\";",
        "const s = \"\\u00\";",
        "v\\u0061r a = 1;",
        "const f = async a\n=> a;",
        "const {...{a}} = c;",
        "new a?.b();",
        "new a?.();",
        "for await (const a in b) {}",
        "for await (;;) {}",
        "new import('a');",
        "class A { accessor constructor; }",
        "class A { a!?: number; }",
        "class A { a?!: number; }",
        "class A { a!(): void; }",
        "`\\u{`;",
        "`\\x`;",
        "();",
        "a<b>.c;",
        "class A extends B { a() { super; } }",
        "function () {}",
        "try {}",
        "class A { static static a = 1; }",
        "-a ** b;",
        "<a>b ** c;",
        "typeof a ** b;",
        "f(a,,b);",
        "function f(a,,b) {}",
        "type A = { a: 1,, b: 2 };",
        "import {a,,b} from 'c';",
        "export default const a = 1;",
        "export default a, b;",
        "async function f() { (await a) => 1; }",
        "a?.;",
        "a?.1;",
        "const a = 1_;",
        "const a = 1__0;",
        "const a = 3in [];",
        "type A = b | | c;",
        "a => {} ()",
        "a => {} || b",
        "() => {}.a",
        "({ get a: 1 });",
        "import { if } from 'a';",
        "import if from 'a';",
        "import { a as if } from 'b';",
        "const class = 1;",
        "const enum = 1;",
        "var a = b ? c;",
        "let a: ;",
        "let a = ;",
        "const a = codeAnchor({ ;",
        "let a: b is c;",
        "type A = abstract () => void;",
        "type A = string | () => void;",
        "class A { get async a() { return 1; } }",
        "class A { a b; }",
    ];

    /// Nor these.
    const BROKEN_IN_JSX: &[&str] = &[
        "const a = <a></b>;",
        "const a = <></b>;",
        "const a = <a></>;",
        "const a = <a/><b/>;",
        "const a = <a>}</a>;",
        "const a = <a>></a>;",
        "const a = <a.b-c/>;",
        "const a = <a:b.c/>;",
        "const a = <a b=c/>;",
        "const a = <a {b}/>;",
        "const a = <T>(b: T) => b;",
    ];

    #[test]
    fn a_parser_that_panics_refuses_the_text() {
        assert_eq!(caught(|| 1), Ok(1));
        let refused = caught(|| -> u8 { std::panic::resume_unwind(Box::new("asserted")) }).unwrap_err();
        assert_eq!((refused.line, refused.message.as_str()), (1, "the parser gives up on the text"));
    }
}
