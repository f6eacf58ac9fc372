//! Hostile TypeScript: whatever the text is, both readers end, and soon. Each construct that a parser may recurse into is
//! repeated until no stack would hold it; others are hidden behind what makes a `/`, a `<` or a quote mean something else.
//! And what looks like a bundle is read all the same.

use std::fmt::Write;

use sdp_core::anchor;
use sdp_core::carrier;
use sdp_core::finding::{Finding, FindingId};
use sdp_core::typescript::{Modules, PACKAGE};

/// How often what nests deepest stands there.
const TIMES: usize = 200_000;

/// The most bytes of what any other construct is repeated to: more levels than a stack of a thread holds.
const MOST: usize = 16_000;

/// What is repeated so often: each kind of bracket, and what is tried in more than one reading.
const DEEP: &[&str] = &["[", "(", "{", "<", "`${", "<a>", "<>", "<a b={", "a=>", "()=>", "(a)=>{", "<T>(a=", "a<{b:"];

/// What stands before, what is repeated, what stands between, and what is repeated behind.
#[rustfmt::skip]
const CONSTRUCTS: &[(&str, &str, &str, &str)] = &[
    ("", "[", "a", "]"),
    ("", "(", "a", ")"),
    ("", "{", "", "}"),
    ("x=", "{a:", "1", "}"),
    ("", "`${", "1", "}`"),
    ("", "!", "a", ""),
    ("", "- ", "a", ""),
    ("", "~", "a", ""),
    ("", "+ ", "a", ""),
    ("", "typeof ", "a", ""),
    ("", "await ", "a", ""),
    ("", "new ", "a", ""),
    ("", "a=", "1", ""),
    ("", "a=>", "1", ""),
    ("", "()=>", "1", ""),
    ("", "a?b:", "1", ""),
    ("", "a?", "1", ":b"),
    ("", "a**", "1", ""),
    ("", "a+", "1", ""),
    ("", "a??", "1", ""),
    ("", "a||b&&c|d^e&f==g<h<<i+j*k**", "1", ""),
    ("", "a||b&&c|d^e&f==g>h>>i+j*(", "1", ")"),
    ("", "if(a)b;else ", "b", ""),
    ("", "if(a)", "b", ""),
    ("", "if(a)b\nelse ", "c", ""),
    ("", "if(a){}else ", "c", ""),
    ("", "for(;;)", "b", ""),
    ("", "for(a of b)", "b", ""),
    ("", "while(a)", "b", ""),
    ("", "do ", "b", ";while(a)"),
    ("", "with(a)", "b", ""),
    ("", "a:", "b", ""),
    ("", "a:b,", "c", ""),
    ("", "if(a)b:", "c", ""),
    ("", ".b", "", ""),
    ("a", ".b", "", ""),
    ("a", "()", "", ""),
    ("a", "[0]", "", ""),
    ("a", " as b", "", ""),
    ("a", "!", "", ""),
    ("a", "`x`", "", ""),
    ("a", "?.b", "", ""),
    ("a", " satisfies b", "", ""),
    ("type A=b", "[]", "", ""),
    ("type A=b", "[c]", "", ""),
    ("type A=", "()=>", "b", ""),
    ("type A=", "new()=>", "b", ""),
    ("type A=", "abstract new()=>", "b", ""),
    ("type A=", "A<", "b", ">"),
    ("type A=", "a extends b?c:", "b", ""),
    ("type A=", "a extends ", "b", "?c:d"),
    ("type A=", "{} extends ", "{}", "?c:d"),
    ("type A=", "keyof ", "b", ""),
    ("type A=", "readonly ", "b", ""),
    ("type A=", "unique ", "b", ""),
    ("type A=", "(", "b", ")"),
    ("type A=", "[", "b", "]"),
    ("type A=", "{a:", "b", "}"),
    ("type A=", "a|", "b", ""),
    ("type A=", "|", "b", ""),
    ("type A=", "| &", "b", ""),
    ("type A=", "`${", "b", "}`"),
    ("type A=", "infer ", "b", ""),
    ("type A=", "infer a extends ", "b", ""),
    ("type A=a extends ", "infer a extends ", "b", "?c:d"),
    ("function f():", "asserts ", "b", ""),
    ("function f():", "this is ", "b", ""),
    ("function f():", "asserts this is ", "b", ""),
    ("type A=", "?", "b", ""),
    ("type A=", "!", "b", ""),
    ("type A=", "??", "b", ""),
    ("type A=", "...", "b", ""),
    ("type A=[", "...", "b", "]"),
    ("type A=", "typeof a<", "b", ">"),
    ("type A=", "import('a',{with:", "b", "})"),
    ("type A=", "{[a in ", "b", "]:c}"),
    ("type A=", "(a:", "b", ")=>c"),
    ("type A=", "<T extends ", "b", ">()=>c"),
    ("type A=", "<T=", "b", ">()=>c"),
    ("type A=", "{readonly [x:string]:", "b", "}"),
    ("type A=", "{(a:", "b", "):c}"),
    ("type A=a", "[b", "c", "]"),
    ("x=", "<a>", "b", ""),
    ("namespace a", ".b", " {}", ""),
    ("declare module a", ".b", " {}", ""),
    ("", "namespace a{", "", "}"),
    ("", "function f(){", "", "}"),
    ("", "(function(){", "", "})"),
    ("x=", "class{a=", "", "}"),
    ("x=", "class{a(){", "", "}}"),
    ("x=", "class extends ", "a", "{}"),
    ("x=", "class{[", "a", "]}"),
    ("x=", "class{static{", "", "}}"),
    ("x=", "<a>", "b", "</a>"),
    ("x=", "<a b={", "1", "}/>"),
    ("x=", "<a>{", "1", "}</a>"),
    ("x=", "<a b=", "<c/>", "/>"),
    ("x=", "<>", "", "</>"),
    ("x=<a", "", ".b", ""),
    ("x=<a", ".b", "></a", ""),
    ("x=", "<a b={c=>", "1", "}/>"),
    ("x=<a", "<b", "", ""),
    ("x=", "<a<b>{...", "c", "}/>"),
    ("const ", "[", "a", "]"),
    ("const ", "{a:", "b", "}"),
    ("const ", "[a=[", "1", "]]=1"),
    ("", "([", "a", "])=>1"),
    ("", "({a:", "b", "})=>1"),
    ("", "([a=", "1", "])=>1"),
    ("", "(a=", "1", ")=>1"),
    ("", "async(a=", "1", ")=>1"),
    ("", "@a ", "class A{}", ""),
    ("", "@(", "a", ") class A{}"),
    ("x=", "@a class{", "", "}"),
    ("function*f(){", "yield ", "a", "}"),
    ("function*f(){", "yield* ", "a", "}"),
    ("", "a,", "b", ""),
    ("", "try{", "", "}finally{}"),
    ("", "try{}catch{", "", "}"),
    ("", "switch(a){case 1:", "", "}"),
    ("", "switch(a){case ", "1", ":}"),
    ("", "import(", "a", ")"),
    ("", "export ", "", ""),
    ("", "export default ", "", ""),
    ("", "export default class ", "", ""),
    ("", "[...", "a", "]"),
    ("", "{...", "a", "}"),
    ("", "delete ", "a", ""),
    ("", "void ", "a", ""),
    ("", "++ ", "a", ""),
    ("", "a\n++\n", "b", ""),
    ("type A=a", ".b", "", ""),
    ("a", "<b", "", ""),
    ("", "/*#__PURE__*/ ", "a", ""),
    ("", "async a=>", "b", ""),
    ("", "async ", "a", ""),
    ("", "async<", "a", ""),
    ("", "async(", "a", ")"),
    ("", "declare ", "const a", ""),
    ("", "abstract ", "class a{}", ""),
    ("", "enum a{b=", "1", "}"),
    ("", "a<{b:", "c", ""),
    ("", "a<[b,", "c", ""),
    ("", "a<(", "c", ""),
    ("", "a<typeof ", "c", ""),
    ("", "a<`${", "c", ""),
    ("", "a<b,", "c", ""),
    ("", "a<b?", "c", ""),
    ("", "a?(b,c):d=>", "e", ""),
    ("", "a?(b):c=>", "e", ""),
    ("", "(x as ([b=", "c", "])=>T)"),
    ("", "(a=(b)=>", "c", ")"),
    ("", "a?([b]):c=>", "e", ""),
    ("", "(a,[b]=", "c", ")"),
    ("", "({a=", "c", "})"),
    ("", "<T>(a=", "c", ")=>d"),
    ("", "<T,>(a=", "c", ")=>d"),
    ("", "a<<T>(b:", "c", ")=>d>e"),
    ("", "a<b>(", "c", ")"),
    ("", "new a<b>(", "c", ")"),
    ("", "case ", "a", ""),
    ("", "return ", "a", ""),
    ("", "throw ", "a", ""),
    ("", "else ", "a", ""),
    ("", ";", "", ""),
    ("", ",", "", ""),
    ("", "a\n", "", ""),
    ("", "a;", "", ""),
    ("", "{}", "", ""),
    ("", "1;", "", ""),
    ("", "/a/gg,(a)=>1,", "1", ""),
    ("", "/a/gg;(a)=>1;", "1", ""),
    ("", "<!--\n", "a", ""),
    ("", "(a)=>{", "", "}"),
    ("", "f(()=>{", "", "})"),
    ("", "f((a)=>({b:", "1", "}))"),
    ("", "let a;", "", ""),
    ("", "import 'a';", "", ""),
    ("", "export{a};", "", ""),
    ("", "#a in ", "b", ""),
    ("", "a in ", "b", ""),
    ("", "super.", "b", ""),
    ("", "import.meta.", "b", ""),
    ("", "new.target.", "b", ""),
    ("", "function*f(){yield[", "", "]}"),
    ("", "x={get a(){return ", "1", "}}"),
    ("", "a[", "b", "]"),
    ("", "a(", "b", ")"),
    ("", "a`${", "b", "}`"),
    ("", "a?.[", "b", "]"),
    ("", "a?.(", "b", ")"),
    ("", "using ", "a", ""),
    ("", "await using ", "a", ""),
    ("", "let ", "a", ""),
    ("", "static ", "a", ""),
    ("class A{", "static ", "a", "}"),
    ("class A{", "readonly ", "a", "}"),
    ("class A{", "@a ", "a", "}"),
    ("class A{", "get ", "a", "}"),
    ("class A{", "a\n", "", "}"),
    ("interface A{", "a:{", "", "}}"),
    ("interface A extends ", "a<", ">", " {}"),
    ("", "interface A extends B<", ">", "{}"),
    ("class A ", "implements ", "B", "{}"),
    ("class A ", "extends ", "B", "{}"),
    ("import a=", "b.", "c", ""),
    ("import{", "a,", "b", "}from 'c'"),
    ("export ", "*as a from 'b';export ", "{}", ""),
    ("", "a&&=", "b", ""),
    ("", "a??=", "b", ""),
    ("", "a**=", "b", ""),
    ("", "\\u0061\n", "b", ""),
    ("", "t\\u0079peof ", "b", ""),
    ("", "}/", "", ""),
    ("", "/", "", ""),
    ("", "a\n/", "", ""),
    ("", "\"", "", ""),
    ("", "`", "", ""),
    ("", "'\\", "", ""),
    ("", "<", "", ""),
    ("", ">", "", ""),
    ("", "=", "", ""),
    ("", "?", "", ""),
    ("", " : ", "", ""),
    ("", "@", "", ""),
    ("", "#", "", ""),
    ("", "*", "", ""),
    ("", "&", "", ""),
    ("", "|", "", ""),
    ("", "^", "", ""),
    ("", "%", "", ""),
    ("", "...", "", ""),
    ("", "=>", "", ""),
    ("", "?.", "", ""),
    ("", "<<<<<<<\n", "", ""),
    ("", "(a,\n<<<<<<<\n", "", ""),
    ("", "a<\n<<<<<<<\n", "", ""),
    ("function f(", "a?:b,", "", "){}"),
    ("function f(", "public a,", "", "){}"),
    ("function f(", "...", "a", "){}"),
    ("for(", "a of ", "b", ");"),
    ("if(", "a<b&&", "c", ");"),
    ("", ".5", "", ""),
    ("", "1..a+", "1", ""),
    ("type A=", "A.B<", "c", ">"),
    ("type A=", "asserts a is ", "c", ""),
    ("", "a is ", "c", ""),
    ("", "a as ", "c", ""),
    ("", "<const T>", "c", ""),
    ("", "<T extends ", "c", ">()=>1"),
    ("", "<T extends (", "c", ")>()=>1"),
    ("x=", "<T>(", "a", ")</T>"),
    ("x=", "<a>{<T>(b:c)=>", "a", "}</a>"),
    ("x=<a>", "it's [", "", "</a>"),
    ("x=<a>", "/* [ */", "", "</a>"),
    ("", "if(a)/[/.b;[", "", ""),
    ("", "a\n/[/.b(", "", ""),
    ("", "a++/[/.b(", "", ""),
    ("", "}/[/.b(", "", ""),
    ("", "x=()=>{}\n/[/.b(", "", ""),
    ("", "let a\n/]/;[", "", ""),
    ("", "let a:b\n/]/;[", "", ""),
    ("", "let a:b\n<c>]]</c>;[", "", ""),
    ("", "a?.5:[", "", ""),
    ("", "a!/]/b[", "", ""),
    ("", "(a)/]/b[", "", ""),
    ("", "if(a)/]/b;[", "", ""),
    ("", "do;while(a)/]/b;[", "", ""),
    ("", "a=b>/]/c;[", "", ""),
    ("", "a<b>/]/c;[", "", ""),
    ("", "class A{}/]/b;[", "", ""),
    ("", "+{}/]/;[", "", ""),
    ("", "await/]/;[", "", ""),
    ("", "yield/]/;[", "", ""),
    ("", "of/]/;[", "", ""),
    ("", "a.if(b)/]/;[", "", ""),
    ("", "throw/]/;[", "", ""),
    ("", "break\n/]/;[", "", ""),
    ("", "a\u{2028}/]/;[", "", ""),
    ("", "//\u{2028}[", "", ""),
    ("", "/*]*/[", "", ""),
    ("", "`${`]`}`;[", "", ""),
    ("", "\"]\";[", "", ""),
    ("", "'\\\n]';[", "", ""),
    ("", "'\\\r\n]';[", "", ""),
    ("x=", "<a b='\\'>{", "", ""),
    ("x=", "<a b=\">\">]{[", "", ""),
    ("x=", "<a>]</a>,[", "", ""),
    ("x=", "<a>'</a>,[", "", ""),
    ("x=", "<a>`</a>,[", "", ""),
    ("x=", "<a b=']'/>,[", "", ""),
    ("x=", "<a.b c>]</a.b>,[", "", ""),
    ("x=", "a<b>]</b>,[", "", ""),
    ("type A=", "<T>(a:b)=>[", "", ""),
    ("", "new <T>(a)[", "", ""),
    ("", "async<T>(a)=>[", "", ""),
    ("", "async\n<a>]</a>;[", "", ""),
    ("", "await <a>]</a>;[", "", ""),
    ("", "x=y\n<a>]</a>;[", "", ""),
    ("", "type\n<a>]</a>;[", "", ""),
    ("", "x=y as type\n<a>]</a>;[", "", ""),
    ("", "let x:get\n<a>]</a>;[", "", ""),
    ("", "break\n<a>]</a>;[", "", ""),
    ("", "{}<a>]</a>;[", "", ""),
];

fn findings(file: &str, text: &str) -> Vec<Finding> {
    let modules = Modules::default();
    if file.ends_with(".sdp.ts") {
        carrier::typescript::read(file, text, &modules).findings
    } else {
        anchor::typescript::read(file, text, &modules).findings
    }
}

fn parses(file: &str, text: &str) -> bool {
    findings(file, text).iter().all(|finding| finding.id != FindingId::ParseError)
}

fn repeated((before, open, middle, close): (&str, &str, &str, &str), times: usize) -> String {
    let most = if DEEP.contains(&open) { usize::MAX } else { MOST };
    let times = times.min(most / (open.len() + close.len()).max(1));
    let import = format!("import {{ spec as s }} from '{PACKAGE}';\n");
    [&import, before, &open.repeat(times), middle, &close.repeat(times)].concat()
}

fn all_end(file: &str, times: usize) {
    for construct in CONSTRUCTS {
        let text = repeated(*construct, times);
        let lines = text.split(['\n', '\r', '\u{2028}']).count();
        for finding in findings(file, &text) {
            // What is left out has no line.
            let Some(line) = finding.line.map(|line| line as usize) else {
                assert_eq!(finding.id, FindingId::FindingsLeftOut);
                continue;
            };
            assert!((1..=lines).contains(&line), "{construct:?} in {file}: {finding:#?}");
        }
    }
}

#[test]
fn no_construct_ends_the_process_of_a_carrier() {
    all_end("a.sdp.ts", TIMES);
}

#[test]
fn no_construct_ends_the_process_of_a_source() {
    all_end("a.ts", TIMES);
}

#[test]
fn no_construct_ends_the_process_of_a_source_with_jsx() {
    all_end("a.tsx", TIMES);
}

#[test]
fn no_construct_is_fatal_just_below_the_limit() {
    for times in [60, 240, 470, 990] {
        for file in ["a.ts", "a.tsx"] {
            all_end(file, times);
        }
    }
    all_end("a.sdp.ts", 470);
}

#[test]
fn two_constructs_in_turn_are_not_fatal_either() {
    for (at, first) in CONSTRUCTS.iter().enumerate().step_by(3) {
        for second in CONSTRUCTS.iter().skip(at % 7).step_by(11) {
            let open = [first.1, second.1].concat();
            let close = [second.3, first.3].concat();
            let text = repeated((first.0, &open, second.2, &close), 150);
            for file in ["a.ts", "a.tsx"] {
                findings(file, &text);
            }
        }
    }
}

#[sdp::verifies("spec:sdp.anchors.typescript")]
#[test]
fn brackets_that_nest_too_deep_are_refused() {
    for (open, close) in [("[", "]"), ("(", ")"), ("{", "}"), ("`${", "}`"), ("!", ""), ("a=>", ""), ("if(a)", "")] {
        let text = repeated(("", open, "a", close), 5_000);
        for file in ["a.sdp.ts", "a.ts", "a.tsx"] {
            assert!(!parses(file, &text), "{open} in {file}");
        }
    }
}

/// What a minifier leaves of a large program: statements on one line, long chains, long ladders.
fn bundle() -> String {
    let mut text = format!("import{{spec as s,codeAnchor as c}}from\"{PACKAGE}\";");
    let mut at = 0;
    while text.len() < 5 << 20 {
        at += 1;
        write!(
            text,
            "var a{at}=function(t,e){{if(!t||e<0&&t>1)return e?t/2:!1;for(var n=0,r=t.length;n<r;n++)t[n]=t[n]+\"x'[\"+n/r+`[${{n}}`;return/[\"'/]/g.test(e)?t:void 0}},b{at}=(t,e=1,...n)=>({{a:t,b:[e,...n],c:t?.d??e}});"
        )
        .unwrap();
        match at % 50 {
            0 => {
                text.push_str("x=a");
                text.push_str(&"+\"b\"+c".repeat(3_000));
                text.push(';');
            }
            10 => {
                text.push_str("x=$(a)");
                text.push_str(&".b(c,{d:1}).e".repeat(1_000));
                text.push(';');
            }
            20 => {
                text.push_str(&"if(a){b(c)}else ".repeat(400));
                text.push_str("d();");
            }
            30 => {
                text.push_str("switch(a){");
                for case in 0..1_000 {
                    write!(text, "case {case}:b(c?-1:d);break;").unwrap();
                }
                text.push_str("default:e()}");
            }
            40 => {
                text.push_str("x={");
                text.push_str(&"a:function(){return!b},c:!0,d:[1,2],".repeat(2_000));
                text.push_str("};class D extends E{a=1;b(){return super.b()}}");
            }
            _ => {}
        }
    }
    text
}

#[test]
fn a_bundle_of_five_megabytes_is_read() {
    let text = bundle();
    for file in ["a.ts", "a.tsx"] {
        let read = anchor::typescript::read(file, &text, &Modules::default());
        assert_eq!(read.findings.iter().find(|finding| finding.id == FindingId::ParseError), None, "{file}");
    }
}

#[test]
fn long_code_is_read_whatever_its_style() {
    for (file, line) in [
        ("a.ts", "const a = b\nif (a) c()\nelse d()\n"),
        ("a.ts", "export type A = 'a' | `b${C}` | D<E, F>[]\ninterface G { a: string\n b?: (c: D) => E }\n"),
        ("a.ts", "export enum A { a, b = 'c', d = 1 << 2 }\n"),
        ("a.ts", "it('a', async () => { expect(await b<C>(d)).toBe(!e) })\n"),
        ("a.tsx", "export const A = (p: B<C>) => <D e=\"f'\" {...p}>it's {g ? <H/> : (i)} / <></></D>\n"),
        ("a.tsx", "const a = <T,>(b: T) => b\nconst c = d < e && f > g\ntype H = <I>(j: I) => K\n"),
    ] {
        let text = format!("import {{ spec }} from '{PACKAGE}'\n{}", line.repeat(20_000));
        assert!(parses(file, &text), "{line}");
    }
}
