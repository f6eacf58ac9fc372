//! The modules that a Rust file declares in other files: its text comes in; each `mod x;` and `include!("…")` outside of
//! bodies goes out, with the inline modules around it and the paths that attributes give. It reads no file and never fails: what
//! is no Rust declares nothing.

use memchr::memmem;

use super::tokens::{Kind, Token, Tokens};

/// How deep inline modules may nest; what lies deeper is not looked at.
const MAX_INLINE: usize = 64;

/// How many inline modules and how many declarations of one file are followed.
const MAX_DECLARATIONS: usize = 1 << 14;

/// How many conditional paths of one module are followed.
const MAX_PATHS: usize = 32;

/// What a file declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declared {
    /// The inline modules, each behind the one that holds it.
    pub(crate) inline: Vec<Inline>,
    /// What other files are to hold, in the order in which it stands.
    pub(crate) elsewhere: Vec<Elsewhere>,
}

/// An inline module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Inline {
    /// The place in the list of the one around it.
    pub(crate) within: Option<usize>,
    /// Its name, as it is written.
    pub(crate) name: String,
    /// The folders that attributes give.
    pub(crate) paths: Paths,
    depth: usize,
}

/// Something that another file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Elsewhere {
    /// The place of the inline module around it.
    pub(crate) within: Option<usize>,
    /// What it is.
    pub(crate) what: What,
}

/// What another file holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A module.
    Module {
        /// Its name, as it is written.
        name: String,
        /// The files that attributes give.
        paths: Paths,
    },
    /// More of the same module: the path of an `include!`.
    Included(String),
}

/// What `path` attributes say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Paths {
    /// The path of the first `#[path = "…"]`.
    pub(crate) always: Option<String>,
    /// The paths of the first few `#[cfg_attr(…, path = "…")]`.
    pub(crate) perhaps: Vec<String>,
}

/// A name without its `r#`.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix("r#").unwrap_or(name)
}

/// A module's name as the compiler says it: `r#` stays where the name is a keyword.
pub(crate) fn said(name: &str) -> &str {
    const KEYWORDS: [&str; 48] = [
        "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
        "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
        "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type",
        "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    let bare = plain(name);
    if KEYWORDS.contains(&bare) { name } else { bare }
}

/// What a file declares.
pub(crate) fn declared(text: &str) -> Declared {
    if !may_declare(text.as_bytes()) {
        return Declared::default();
    }
    let mut scan = Scan {
        text,
        tokens: Tokens::new(text),
        declared: Declared::default(),
        open: Vec::new(),
        paths: Paths::default(),
    };
    scan.run();
    scan.declared
}

/// Whether a file may declare something: most hold no `mod` but an inline one, and are not looked at as tokens.
fn may_declare(bytes: &[u8]) -> bool {
    let is_word = |byte: u8| byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80;
    let declares = |at: usize| {
        let behind = bytes.get(at + 3..).unwrap_or_default();
        let name = behind.trim_ascii_start();
        if name.len() == behind.len() {
            // A comment may stand right behind the word.
            return name.first() == Some(&b'/');
        }
        let length = name.iter().take_while(|byte| is_word(**byte) || **byte == b'#').count();
        let rest = name.get(length..).unwrap_or_default().trim_ascii_start();
        matches!(rest.first(), Some(b';' | b'/'))
    };
    memmem::find_iter(bytes, b"mod").any(declares) || memmem::find(bytes, b"include!").is_some()
}

/// An open bracket that may hold items.
#[derive(Clone, Copy)]
struct Open {
    /// Whether it belongs to a macro's invocation, else to an inline module.
    is_invocation: bool,
    /// The place in the list of the inline module that its items are in.
    within: Option<usize>,
}

struct Scan<'t> {
    text: &'t str,
    tokens: Tokens<'t>,
    declared: Declared,
    /// The brackets around the token, but those of bodies, which are passed over.
    open: Vec<Open>,
    /// What the attributes before the token say of the item to come.
    paths: Paths,
}

impl<'t> Scan<'t> {
    fn run(&mut self) {
        // The tokens before this one, the nearest last.
        let mut before: [Option<Token>; 2] = [None, None];
        while let Some(token) = self.tokens.next() {
            if self.declared.elsewhere.len() >= MAX_DECLARATIONS {
                return;
            }
            let mut last = Some(token.clone());
            match token.kind {
                Kind::Punct('#') => {
                    self.attribute();
                    continue;
                }
                Kind::Punct(';') => self.paths = Paths::default(),
                Kind::Close(_) => {
                    self.open.pop();
                    self.paths = Paths::default();
                }
                Kind::Open(bracket) => self.bracket(bracket, &before),
                Kind::Word if self.of(&token) == "mod" => last = self.module(),
                _ => {}
            }
            let [_, nearest] = before;
            before = [nearest, last];
        }
    }

    fn of(&self, token: &Token) -> &'t str {
        self.text.get(token.range.clone()).unwrap_or_default()
    }

    /// Behind a `mod`: its name, and whether it is inline. The last token that was taken.
    fn module(&mut self) -> Option<Token> {
        let name = self.tokens.next().filter(|token| token.kind == Kind::Word)?;
        let named = self.of(&name).to_owned();
        let paths = std::mem::take(&mut self.paths);
        let opener = self.tokens.next()?;
        let within = self.within();
        match opener.kind {
            Kind::Punct(';') => {
                self.declared.elsewhere.push(Elsewhere { within, what: What::Module { name: named, paths } });
            }
            Kind::Open(b'{') => {
                let around =
                    within.and_then(|within| self.declared.inline.get(within)).map_or(0, |inline| inline.depth);
                if around >= MAX_INLINE || self.declared.inline.len() >= MAX_DECLARATIONS {
                    self.pass();
                } else {
                    self.open.push(Open { is_invocation: false, within: Some(self.declared.inline.len()) });
                    self.declared.inline.push(Inline { within, name: named, paths, depth: around + 1 });
                }
            }
            _ => {}
        }
        Some(opener)
    }

    fn within(&self) -> Option<usize> {
        self.open.last().and_then(|open| open.within)
    }

    /// An opened bracket: what it holds may be items when it belongs to a macro's invocation, `name!(…)`. That of
    /// `macro_rules! name {…}` is none.
    fn bracket(&mut self, bracket: u8, before: &[Option<Token>; 2]) {
        let is_in_invocation = self.open.last().is_some_and(|open| open.is_invocation);
        let invocation = Open { is_invocation: true, within: self.within() };
        let [word, nearest] = before;
        let is_called = nearest.as_ref().is_some_and(|token| token.kind == Kind::Punct('!'));
        let called = word.as_ref().filter(|token| is_called && token.kind == Kind::Word).map(|token| self.of(token));
        match called {
            Some("include") => self.include(),
            Some(_) => self.open.push(invocation),
            // `if #[cfg(…)] { mod x; }` and its like.
            None if is_in_invocation && bracket == b'{' => self.open.push(invocation),
            None => self.pass(),
        }
        if bracket == b'{' {
            self.paths = Paths::default();
        }
    }

    /// Over what an open bracket holds, up to its end.
    fn pass(&mut self) {
        let mut depth = 1_usize;
        for token in self.tokens.by_ref() {
            match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    /// Behind `include!(`.
    fn include(&mut self) {
        let Some(first) = self.tokens.next() else { return };
        match first.kind {
            Kind::Close(_) => return,
            Kind::Open(_) => self.pass(),
            Kind::Text => {
                if let Some(path) = string(self.of(&first)) {
                    let within = self.within();
                    self.declared.elsewhere.push(Elsewhere { within, what: What::Included(path) });
                }
            }
            _ => {}
        }
        self.pass();
    }

    /// Behind a `#`: what a `path` attribute says is kept for the item to come.
    fn attribute(&mut self) {
        let mut opener = self.tokens.next();
        if opener.as_ref().is_some_and(|token| token.kind == Kind::Punct('!')) {
            opener = self.tokens.next();
        }
        if opener.is_none_or(|token| token.kind != Kind::Open(b'[')) {
            return;
        }
        let mut depth = 1_usize;
        let mut is_conditional = false;
        // Whether `path` and then `=` were met, where an attribute may stand.
        let mut met = 0;
        for (place, token) in self.tokens.by_ref().enumerate() {
            let text = self.text.get(token.range.clone()).unwrap_or_default();
            match token.kind {
                Kind::Open(_) => depth += 1,
                Kind::Close(_) => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return;
            }
            met = match (token.kind, met) {
                (Kind::Word, _) if place == 0 && text == "cfg_attr" => {
                    is_conditional = true;
                    0
                }
                (Kind::Word, _) if text == "path" && (place == 0 || is_conditional) => 1,
                (Kind::Punct('='), 1) => 2,
                (Kind::Text, 2) => {
                    match string(text) {
                        Some(_) if is_conditional && self.paths.perhaps.len() >= MAX_PATHS => {}
                        Some(path) if is_conditional => self.paths.perhaps.push(path),
                        Some(path) if self.paths.always.is_none() => self.paths.always = Some(path),
                        _ => {}
                    }
                    0
                }
                _ => 0,
            };
        }
    }
}

/// What a string literal holds; none for one that is no plain text, or escapes more than quotes and backslashes.
fn string(literal: &str) -> Option<String> {
    let raw = literal.strip_prefix('r');
    let quoted = raw.unwrap_or(literal).trim_matches('#');
    let text = quoted.strip_prefix('"')?.strip_suffix('"')?;
    if raw.is_some() || !text.contains('\\') {
        return Some(text.to_owned());
    }
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.push(letters.next().filter(|escaped| matches!(escaped, '\\' | '"' | '\''))?),
            letter => plain.push(letter),
        }
    }
    Some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text declares, as `inline::modules::name`, with what attributes say behind it.
    fn rows(text: &str) -> Vec<String> {
        let Declared { inline, elsewhere } = declared(text);
        let said = |paths: &Paths| {
            let always = paths.always.iter().map(|path| format!("={path}"));
            always.chain(paths.perhaps.iter().map(|path| format!("?{path}"))).collect::<String>()
        };
        let row = |elsewhere: &Elsewhere| {
            let mut row = match &elsewhere.what {
                What::Module { name, paths } => format!("{name}{}", said(paths)),
                What::Included(path) => format!("<{path}>"),
            };
            let mut within = elsewhere.within;
            while let Some(place) = within {
                row = format!("{}{}::{row}", inline[place].name, said(&inline[place].paths));
                within = inline[place].within;
            }
            row
        };
        elsewhere.iter().map(row).collect()
    }

    #[test]
    fn modules_of_other_files_are_found_with_what_is_around_them() {
        let cases: [(&str, &[&str]); 8] = [
            ("mod a; pub mod b; pub(crate) mod c; pub(in crate::x) mod d;", &["a", "b", "c", "d"]),
            ("mod a { mod b; mod c { mod d; } mod e; } mod f;", &["a::b", "a::c::d", "a::e", "f"]),
            ("#[cfg(test)]\nmod tests;\n#[macro_use] mod m;", &["tests", "m"]),
            ("mod r#type; mod é;", &["r#type", "é"]),
            ("mod/* x */a; mod b/* ; */; mod // c\n d\n;", &["a", "b", "d"]),
            ("// mod a;\n/* mod b; */ const X: &str = \"mod c;\"; mod d;", &["d"]),
            ("modx; let mod_a; r#mod b; mod $name; mod 1; mod", &[]),
            ("#![allow(x)]\n//! mod a;\nmod b;", &["b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn attributes_give_paths_to_the_item_behind_them_only() {
        let cases: [(&str, &[&str]); 9] = [
            ("#[path = \"x.rs\"] mod a; mod b;", &["a=x.rs", "b"]),
            ("#[path = r\"x.rs\"] #[path = \"y.rs\"] pub mod a;", &["a=x.rs"]),
            ("#[path=r#\"x.rs\"#] mod a { mod b; }", &["a=x.rs::b"]),
            ("#[cfg_attr(unix, path = \"u.rs\")] #[cfg_attr(not(unix), path = \"w.rs\")] mod a;", &["a?u.rs?w.rs"]),
            ("#[cfg_attr(all(a, b), allow(x), path = \"u.rs\")] mod a;", &["a?u.rs"]),
            ("#[doc = \"path\"] #[x(path = \"y.rs\")] mod a;", &["a"]),
            ("#[path = \"x.rs\"] use b; mod a;", &["a"]),
            ("#[path = \"x.rs\"] fn b() {} mod a;", &["a"]),
            ("#[path = \"a\\\\b\\\".rs\"] mod a; #[path = \"\\u{61}\"] mod b;", &["a=a\\b\".rs", "b"]),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn bodies_and_definitions_of_macros_declare_nothing_and_invocations_do() {
        let cases: [(&str, &[&str]); 7] = [
            ("fn f() { quote! { mod a; } mod b; } mod c;", &["c"]),
            ("macro_rules! m { () => { mod a; } } mod c;", &["c"]),
            ("macro_rules! m ( () => { mod a; } ); mod c;", &["c"]),
            ("macro m() { mod a; } mod c;", &["c"]),
            (
                "cfg_if::cfg_if! { if #[cfg(unix)] { mod a; } else { #[path = \"x.rs\"] mod b; } } mod c;",
                &["a", "b=x.rs", "c"],
            ),
            ("m!(mod a;); m![mod b;]; mod d { m! { mod c; } }", &["a", "b", "d::c"]),
            ("impl X { fn f() {} } struct S { a: [u8; { mod b; 1 }] } mod c;", &["c"]),
        ];
        for (text, expected) in cases {
            assert_eq!(rows(text), expected, "{text}");
        }
    }

    #[test]
    fn a_file_that_is_included_by_its_name_is_found() {
        let text = "include!(\"a.rs\"); mod b { std::include! { \"c.rs\" } } include!(concat!(env!(\"OUT_DIR\"), \"/d.rs\")); mod e; fn f() { include!(\"g.rs\") }";
        assert_eq!(rows(text), ["<a.rs>", "b::<c.rs>", "e"]);
        assert_eq!(rows("include!(); include!((\"a\")); mod b;"), ["b"]);
        assert_eq!(
            rows("m! { mod c { mod held; } }\nmacro_rules! n { () => { mod a; } }\nmod b { include!(\"x.rs\"); }"),
            ["c::held", "b::<x.rs>"]
        );
        assert_eq!(
            rows("macro_rules! m { ($($item:item)*) => { $($item)* } }\nmod b { include!(\"x.rs\"); }"),
            ["b::<x.rs>"]
        );
    }

    #[test]
    fn what_never_ends_and_what_never_began_ends() {
        for text in
            ["mod a {", "}}} mod a;", "#[path = \"x", "mod a { ) mod b;", "include!(", "#", "#[", "mod a", "m!("]
        {
            let _ = declared(text);
        }
        assert_eq!(rows("}}} mod a;"), ["a"]);
    }

    #[test]
    fn deep_nesting_and_very_many_declarations_are_bounded() {
        let deep = format!("{}mod x;{} mod y;", "mod a { ".repeat(100_000), "}".repeat(100_000));
        assert_eq!(rows(&deep), ["y"]);
        let held = format!("{}mod x;{} mod y;", "mod a { ".repeat(MAX_INLINE), "}".repeat(MAX_INLINE));
        assert_eq!(rows(&held).len(), 2);
        let invocations = format!("{}mod x;{}", "m! { ".repeat(100_000), "}".repeat(100_000));
        assert_eq!(declared(&invocations).elsewhere.len(), 1);
        assert_eq!(declared(&"mod a;".repeat(MAX_DECLARATIONS + 10)).elsewhere.len(), MAX_DECLARATIONS);
    }
}
