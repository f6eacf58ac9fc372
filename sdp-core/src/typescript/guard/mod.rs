//! What the parser may be given: a text comes in, a bound on the depth of the parser's recursion goes out, or the place from
//! which on it must not be parsed.
//!
//! The parser recurses, and a stack that runs out ends the process. Where it cannot tell what a `<` or a `(` opens, it tries one
//! reading and then the other, which may cost time and memory without bound. So the text is walked first, token by token,
//! without recursion. The walk knows where strings, templates, comments, regular expressions and JSX text stand, and so what
//! opens and closes a level. It counts
//! - levels: brackets, substitutions of templates, elements of JSX, and lists in `<` and `>`,
//! - chains, which recurse without a bracket: prefixes, assignments, arrows, conditions, `else if`, labels,
//! - what is read anew: each byte once for every reading that may be tried around it.
//!
//! The counts are upper bounds. A chain ends only where every reading of it has ended. Where a text has several readings at a
//! place, all of them are followed until one is left ([`readings`]). Where the walk cannot follow them, and where no reading goes
//! on, the text is refused from there on. So whatever is let pass fits the stack that it gets.
//!
//! - [`walk`]: the state of the walk, its counts, and the step from token to token; [`level`]: what is counted in a level
//! - [`brackets`], [`angles`], [`operators`], [`words`], [`slash`], [`literals`], [`space`], [`jsx`]: the tokens
//! - [`readings`]: several readings at once
//! - [`stack`]: the stack that a depth needs

mod angles;
mod brackets;
mod jsx;
mod level;
mod literals;
mod operators;
mod readings;
mod slash;
mod space;
mod stack;
mod walk;
mod words;

pub(super) use self::stack::on_a_stack_for;
use self::walk::Walk;

/// The deepest text that is parsed, in levels.
const MAX_DEPTH: u32 = 1_000;

/// How many bytes may be read anew, beside twice the text.
const MAX_READ_ANEW: u64 = 24 * 1024 * 1024;

/// How many bytes may be looked at ahead, beside four times the text.
const MAX_LOOKED: usize = 1024 * 1024;

/// How many tokens a text may have: each takes up to 200 bytes of its tree.
const MAX_TOKENS: u32 = 5_000_000;

/// How often a doubling is counted before it counts as endless.
const MAX_TRIES: u32 = 32;

/// How many errors inside tokens are let pass: the parser copies them at each attempt.
const MAX_SLIPS: u32 = 100;

/// How many readings of one place are followed.
const MAX_READINGS: usize = 8;

/// Why a text is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refused {
    /// The byte from which on it is not.
    pub(super) at: usize,
    /// Why.
    pub(super) why: &'static str,
    /// Up to where the text may be parsed, so that the parser says itself what is wrong.
    pub(super) parsed_to: Option<usize>,
    /// A bound on the depth up to there.
    pub(super) depth: u32,
    /// Whether the parser gives up at this place, so that it does not see what stands behind.
    ends: bool,
}

const TOO_LONG: &str = "the text is too long to be parsed";
const TOO_DEEP: &str = "the text nests too deep to be parsed";
const TOO_MANY_READINGS: &str = "the text has too many possible readings to be parsed";
const UNCLEAR: &str = "the text cannot be told apart from here on";
const UNPAIRED: &str = "a bracket closes that did not open";
const UNTERMINATED: &str = "what opens here does not end";
const NO_OPERAND: &str = "an operator has nothing to work on";

/// A bound on the depth of a text.
///
/// # Errors
/// [`Refused`] for a text that must not be parsed whole.
pub(super) fn depth(text: &str, jsx: bool) -> Result<u32, Refused> {
    let mut walk = Walk::new(text, jsx);
    loop {
        walk.run()?;
        if walk.others.is_empty() {
            return Ok(walk.deepest);
        }
        walk = readings::told_apart(walk)?;
    }
}

type Step = Result<(), Refused>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_too_many_tokens_is_refused() {
        assert_eq!(depth(&";".repeat(5_000_001), false).unwrap_err().why, TOO_LONG);
    }

    #[test]
    fn usual_code_is_shallow_however_long_it_is() {
        for text in [
            "const a = { b: [1, f(c)] };\n",
            "a = b\nc = d\nif (a) b\nelse c\n",
            "var a=1,b=2;function f(a){return a?b:c}if(a){b()}else c();for(var i=0;i<n;i++)f(i);",
            "x(a+\"b\"+c/2/d);y=/[/]/.test(z)?!0:-1;",
            "export type A = | 'a' | 'b';\ninterface B { a: string; b?: C<D, E>[] }\n",
            "export enum A { a = 1, b, c = 'd' }\n",
            "switch (a) { case 1: b(); break\ncase 2: c\n}\n",
            "while (a < b) c++;\n",
            "async () => { await a; for await (const b of c) {} };\n",
            "class A<T extends B<C>> extends D<T> { a = 1\n b = 2\n c<U>(d: U) { return <E>d } }\n",
            "type A = B extends infer C ? C : D;\n",
            "if (a) b; else if (c) d; else e;\n",
            "`a${`b${c}`}`;\n",
            "a ? (b) : (c);\n(a) => (b, c);\n",
            "label: for (;;) break label;\n",
            "let a: B\nlet c: D = e as F\n",
        ] {
            let deep = depth(&text.repeat(4_000), false).unwrap();
            assert!(deep < 24, "{text}: {deep}");
        }
        for text in [
            "const a = <A b='c\\' {...d} e={f}>it's [ `${g}<h/></A>;\n",
            "const a = <T,>(b: T) => <><i.j/>(k)</>;\n",
            "const a = (<A<B> c={(d) => <e>{f && <g/>}</e>}/>);\n",
            "type A = <T>(b: T) => C\nconst d = b < c && e > f;\n",
        ] {
            let deep = depth(&text.repeat(4_000), true).unwrap();
            assert!(deep < 24, "{text}: {deep}");
        }
    }

    #[test]
    fn long_ladders_and_chains_of_one_statement_are_read() {
        for (open, close) in [
            ("if (a) { b } else ", "c"),
            ("a + 'b' + ", "c"),
            ("a.b().", "c"),
            ("a && !b || ", "c"),
            ("a | ", "b"),
            ("a, ", "b"),
        ] {
            assert!(depth(&format!("{}{close}", open.repeat(450)), false).is_ok(), "{open}");
        }
        assert!(depth(&format!("{}c", "a ? b : ".repeat(400)), false).is_ok());
    }

    #[test]
    fn what_nests_too_deep_is_refused_where_it_does() {
        let text = format!("a;\n{}", "[".repeat(2_000));
        let refused = depth(&text, false).unwrap_err();
        assert_eq!((refused.why, refused.parsed_to), (TOO_DEEP, None));
        assert!((1_000..1_010).contains(&refused.at), "{refused:?}");
        // Brackets that only seem to close.
        for hidden in [
            "/]/",
            "']'",
            "\"]\"",
            "`]`",
            "// ]\n",
            "/*]*/",
            "a/]/.b(",
            "if(a)/]/;",
            "a++\n/]/;",
            "x=>{}\n/]/;",
            "`${'`]'}`;",
        ] {
            let text = format!("[{hidden}").repeat(2_000);
            assert!(depth(&text, false).is_err(), "{hidden}");
            assert!(depth(&text, true).is_err(), "{hidden}");
        }
        for hidden in
            ["<a>]</a>,", "<a b=']'/>,", "<a b='\\'>]</a>,", "<a.b c>it's ]</a.b>,", "<>]</>,", "<a>]{'}'}</a>,"]
        {
            assert!(depth(&format!("[{hidden}").repeat(2_000), true).is_err(), "{hidden}");
        }
    }

    #[test]
    fn too_many_readings_are_refused() {
        for open in ["a<b", "a<{b:", "(x as ([b=", "a?(b,c):d=>", "(a=(b)=>", "a<(b=", "([a]):b=>"] {
            assert!(depth(&open.repeat(300), false).is_err(), "{open}");
        }
    }

    #[test]
    fn a_text_that_ends_wrong_may_be_parsed_up_to_there() {
        for (text, to) in [("a(];b", 3), ("'a\nb", 2), ("/*", 2), ("`a", 2), ("let b = /c\n", 10)] {
            assert_eq!(depth(text, false).unwrap_err().parsed_to, Some(to), "{text}");
        }
    }

    #[test]
    fn a_place_with_two_readings_is_followed_in_both() {
        for text in [
            "type A = <T>(\n  b: C<T>\n) => void;",
            "const a = <T extends B>(b: T) => b;",
            "const a = <T extends keyof B = 'c'>(\n b: T) => b;",
            "interface A {\n  a: b;\n  <\n    const C extends D<\n E>,\n  >(c: C): D\n}",
            "interface A {\n  a?: <B extends C>(\n d: B) => D;\n}",
            "const a = b as <T extends string>(c: D<T>) => E;",
            "f(function <T>(a: B<T>) {\n// it's\n});",
            "const a = b ? <c>({d('e')})</c> : null;",
            "const a = <b\n  // it's {\n  c='d' /* > */\n/>;",
            "const a = <b>/** it's [ */</b>;\nconst c = <d>// [\n</d // e\n>;",
            "if (a) {}/^[.'-]b/.test(c) ? d : e;",
            "let a: b\n/'/.test(c);",
        ] {
            assert!(depth(text, true).is_ok_and(|depth| depth < 16), "{text}: {:?}", depth(text, true));
            assert!(depth(&format!("{text}\n").repeat(2_000), true).is_ok_and(|depth| depth < 24), "{text}");
        }
        assert!(depth("{}/^[.'-]b/.test(c);", false).is_ok());
        assert!(depth("\\u0061b = 1;", false).is_ok());
        assert!(depth("v\\u0061r a = 1;", false).is_err());
    }

    #[test]
    fn what_is_deep_in_either_reading_is_refused() {
        // Types, or an element whose text hides what nests.
        for (open, more) in [("<T>(", "'{"), ("<T>(", "<a>"), ("<T extends A>(", "{'"), ("<T>(", "[")] {
            let text = format!("a = b as\n{open}{}", more.repeat(2_000));
            assert!(depth(&text, true).is_err(), "{text}");
        }
        // A regular expression, or a division in front of what nests.
        for more in ["['/(", "(/", "[/.b("] {
            assert!(depth(&format!("{{}}/a{}", more.repeat(2_000)), false).is_err(), "{more}");
        }
    }

    #[test]
    fn readings_that_stay_open_cost_no_more_than_the_text() {
        for open in ["{}/a'/", "a\n/b(/;", "=<T>(", "a as <T>(b", "\n<a extends b>(", "=<T a=\"'", "{}/`/\n"] {
            let text = open.repeat(2_000_000 / open.len());
            // It ends, whatever it says.
            let _ = depth(&text, true);
            let _ = depth(&text, false);
        }
    }
}
