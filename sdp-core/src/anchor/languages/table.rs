//! The languages that are built in, each with the names of its files and the rules of its own reference. A row is data; what
//! the rules mean is said in `syntax`.

use super::syntax::{
    Block, Heredoc, Line, PLAIN, Place, Special, Syntax, Text, block, column_block, line, line_at, long, nested,
    open_ended, plain, prefixed, raw, text, with_hole,
};

/// A language that is built in.
#[derive(Debug)]
pub(crate) struct BuiltIn {
    /// Its name, for people and for `like`.
    pub(crate) name: &'static str,
    /// The endings of its files, without the dot.
    pub(crate) endings: &'static [&'static str],
    /// Whole names of files.
    pub(crate) file_names: &'static [&'static str],
    /// Its rules.
    pub(crate) syntax: Syntax<'static>,
}

const SLASHES: &[Line<'static>] = &[line("//")];
const HASH: &[Line<'static>] = &[line("#")];
const HASH_WORD: &[Line<'static>] = &[line_at("#", Place::WordStart)];
const DASHES: &[Line<'static>] = &[line("--")];
const SEMICOLON: &[Line<'static>] = &[line(";")];
const PERCENT: &[Line<'static>] = &[line("%")];
const STARS: &[Block<'static>] = &[block("/*", "*/")];
const NESTED_STARS: &[Block<'static>] = &[nested("/*", "*/")];
const MARKUP: &[Block<'static>] = &[block("<!--", "-->")];
const QUOTE: &[Text<'static>] = &[text("\"")];
const QUOTES: &[Text<'static>] = &[text("\""), text("'")];
const LONG_QUOTE: &[Text<'static>] = &[long("\"")];
const LONG_QUOTES: &[Text<'static>] = &[long("\""), long("'")];
const TRIPLE_QUOTE: &[Text<'static>] = &[long("\"\"\""), text("\"")];
const TRIPLE_QUOTES: &[Text<'static>] = &[long("\"\"\""), long("'''"), text("\""), text("'")];
const CHARACTER: &[Special] = &[Special::Character];
const BACKSLASH: &[&str] = &["\\"];

/// `//`, `/* */`, `"` and characters.
const C: Syntax<'static> = Syntax { line: SLASHES, block: STARS, texts: QUOTE, special: CHARACTER, ..PLAIN };
const CPP: Syntax<'static> = Syntax { special: &[Special::RawParentheses, Special::Character], ..C };
/// `//`, `/* */`, and texts in both quotes.
const TWO_QUOTES: Syntax<'static> = Syntax { line: SLASHES, block: STARS, texts: QUOTES, ..PLAIN };
const JAVASCRIPT: Syntax<'static> =
    Syntax { texts: &[with_hole(long("`"), "${"), text("\""), text("'")], special: &[Special::Regex], ..TWO_QUOTES };
const PYTHON: Syntax<'static> = Syntax { line: HASH, texts: TRIPLE_QUOTES, ..PLAIN };
const SHELL: Syntax<'static> = Syntax {
    line: HASH_WORD,
    texts: &[prefixed(Text { close: "'", ..long("$'") }), with_hole(long("\""), "$("), raw("'", "'")],
    special: &[Special::Heredoc(Heredoc::Shell)],
    skips: BACKSLASH,
    ..PLAIN
};
const LISP: Syntax<'static> =
    Syntax { line: SEMICOLON, block: &[nested("#|", "|#")], texts: &[long("\""), long("|")], skips: &["#\\"], ..PLAIN };
const BASIC_QUOTE: &[Text<'static>] = &[plain("\"")];
const HASKELL_SYMBOLS: &str = "!#$%&*+./<=>?@\\^|~:";

/// The row of a language.
const fn row(
    name: &'static str,
    endings: &'static [&'static str],
    file_names: &'static [&'static str],
    syntax: Syntax<'static>,
) -> BuiltIn {
    BuiltIn { name, endings, file_names, syntax }
}

/// All of them, by name. The comments of Rust and TypeScript are told by their own tokens; their rules here serve for people.
pub(crate) static BUILT_IN: &[BuiltIn] = &[
    row("Ada", &["adb", "ads", "ada"], &[], Syntax { line: DASHES, texts: BASIC_QUOTE, special: CHARACTER, ..PLAIN }),
    row(
        "Agda",
        &["agda"],
        &[],
        Syntax { line: DASHES, block: &[nested("{-", "-}")], texts: QUOTE, special: CHARACTER, ..PLAIN },
    ),
    row("AWK", &["awk"], &[], Syntax { line: HASH, texts: QUOTE, special: &[Special::Regex], ..PLAIN }),
    row(
        "Batch",
        &["bat", "cmd"],
        &[],
        Syntax {
            line: &[
                line_at("REM ", Place::FirstOnLine),
                line_at("rem ", Place::FirstOnLine),
                line_at("Rem ", Place::FirstOnLine),
                line_at("@REM ", Place::FirstOnLine),
                line_at("@rem ", Place::FirstOnLine),
                line_at("::", Place::FirstOnLine),
            ],
            ..PLAIN
        },
    ),
    row("C", &["c", "h"], &[], C),
    row(
        "C#",
        &["cs", "csx"],
        &[],
        Syntax {
            texts: &[
                Text { close: "\"", not_before: "\"", ..raw("@\"", "\"") },
                Text { close: "\"", not_before: "\"", ..raw("@$\"", "\"") },
                text("\""),
            ],
            special: &[Special::ManyQuotes, Special::Character],
            ..C
        },
    ),
    row("C++", &["cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "ipp", "inl", "ixx", "cppm"], &[], CPP),
    row(
        "Clojure",
        &["clj", "cljs", "cljc", "cljd", "edn", "bb"],
        &[],
        Syntax { line: SEMICOLON, texts: LONG_QUOTE, skips: BACKSLASH, ..PLAIN },
    ),
    row(
        "CMake",
        &["cmake"],
        &["CMakeLists.txt"],
        Syntax { line: HASH, texts: LONG_QUOTE, special: &[Special::LongBrackets("#")], skips: BACKSLASH, ..PLAIN },
    ),
    row(
        "CoffeeScript",
        &["coffee"],
        &["Cakefile"],
        Syntax {
            line: HASH,
            block: &[block("###", "###")],
            texts: &[long("///"), long("\"\"\""), long("'''"), long("\""), long("'")],
            ..PLAIN
        },
    ),
    row("Common Lisp", &["lisp", "lsp", "cl", "asd"], &[], LISP),
    row(
        "Crystal",
        &["cr"],
        &[],
        Syntax {
            line: HASH_WORD,
            texts: LONG_QUOTE,
            special: &[Special::Character, Special::Sigil(b'%'), Special::Heredoc(Heredoc::Ruby), Special::Regex],
            ..PLAIN
        },
    ),
    row("CSS", &["css"], &[], Syntax { block: STARS, texts: QUOTES, ..PLAIN }),
    row("CUDA", &["cu", "cuh"], &[], CPP),
    row("CUE", &["cue"], &[], Syntax { line: SLASHES, texts: TRIPLE_QUOTES, ..PLAIN }),
    row(
        "D",
        &["d", "di"],
        &[],
        Syntax {
            block: &[nested("/+", "+/"), block("/*", "*/")],
            texts: &[prefixed(raw("r\"", "\"")), raw("`", "`"), long("\"")],
            ..C
        },
    ),
    row(
        "Dart",
        &["dart"],
        &[],
        Syntax {
            line: SLASHES,
            block: NESTED_STARS,
            texts: &[
                prefixed(raw("r\"\"\"", "\"\"\"")),
                prefixed(raw("r'''", "'''")),
                with_hole(long("\"\"\""), "${"),
                with_hole(long("'''"), "${"),
                prefixed(Text { close: "\"", ..plain("r\"") }),
                prefixed(Text { close: "'", ..plain("r'") }),
                with_hole(text("\""), "${"),
                with_hole(text("'"), "${"),
            ],
            ..PLAIN
        },
    ),
    row(
        "Dhall",
        &["dhall"],
        &[],
        Syntax {
            line: DASHES,
            block: &[nested("{-", "-}")],
            texts: &[Text { not_before: "'$", ..with_hole(raw("''", "''"), "${") }, with_hole(text("\""), "${")],
            ..PLAIN
        },
    ),
    row(
        "Dockerfile",
        &["dockerfile", "containerfile"],
        &["Dockerfile", "Containerfile"],
        Syntax { line: &[line_at("#", Place::FirstOnLine)], special: &[Special::Heredoc(Heredoc::Shell)], ..PLAIN },
    ),
    row(
        "Elixir",
        &["ex", "exs"],
        &[],
        Syntax {
            line: HASH,
            texts: &[
                with_hole(long("\"\"\""), "#{"),
                with_hole(long("'''"), "#{"),
                with_hole(long("\""), "#{"),
                with_hole(long("'"), "#{"),
            ],
            special: &[Special::Sigil(b'~')],
            skips: &["?\\", "?"],
            ..PLAIN
        },
    ),
    row(
        "Elm",
        &["elm"],
        &[],
        Syntax { line: DASHES, block: &[nested("{-", "-}")], texts: TRIPLE_QUOTE, special: CHARACTER, ..PLAIN },
    ),
    row("Emacs Lisp", &["el"], &[], Syntax { line: SEMICOLON, texts: LONG_QUOTE, skips: &["?\\", "?"], ..PLAIN }),
    row(
        "Erlang",
        &["erl", "hrl", "escript"],
        &["rebar.config"],
        Syntax { line: PERCENT, texts: LONG_QUOTES, skips: &["$\\", "$"], ..PLAIN },
    ),
    row(
        "F#",
        &["fs", "fsi", "fsx"],
        &[],
        Syntax {
            line: SLASHES,
            block: &[nested("(*", "*)")],
            texts: &[raw("\"\"\"", "\"\"\""), Text { not_before: "\"", ..raw("@\"", "\"") }, long("\"")],
            special: CHARACTER,
            // `(*)` is an operator.
            skips: &["(*)"],
            ..PLAIN
        },
    ),
    row("Fish", &["fish"], &[], Syntax { line: HASH_WORD, texts: LONG_QUOTES, skips: BACKSLASH, ..PLAIN }),
    row(
        "Fortran",
        &["f90", "f95", "f03", "f08", "F90", "F95"],
        &[],
        Syntax { line: &[line("!")], texts: &[plain("\""), plain("'")], ..PLAIN },
    ),
    row(
        "Fortran (fixed form)",
        &["f", "for", "f77", "F"],
        &[],
        Syntax {
            line: &[
                line_at("C", Place::LineStart),
                line_at("c", Place::LineStart),
                line_at("*", Place::LineStart),
                line("!"),
            ],
            texts: &[plain("\""), plain("'")],
            ..PLAIN
        },
    ),
    row("GDScript", &["gd"], &[], PYTHON),
    row("Gherkin", &["feature"], &[], Syntax { line: &[line_at("#", Place::FirstOnLine)], ..PLAIN }),
    row("Gleam", &["gleam"], &[], Syntax { line: SLASHES, texts: LONG_QUOTE, ..PLAIN }),
    row("GLSL", &["glsl", "vert", "frag", "geom", "comp"], &[], Syntax { line: SLASHES, block: STARS, ..PLAIN }),
    row("Go", &["go"], &["go.mod", "go.work"], Syntax { texts: &[raw("`", "`"), text("\"")], ..C }),
    row("GraphQL", &["graphql", "gql", "graphqls"], &[], Syntax { line: HASH, texts: TRIPLE_QUOTE, ..PLAIN }),
    row(
        "Groovy",
        &["groovy", "gradle", "gvy"],
        &["Jenkinsfile"],
        Syntax {
            texts: &[with_hole(long("\"\"\""), "${"), long("'''"), with_hole(text("\""), "${"), text("'")],
            special: &[Special::Regex],
            ..TWO_QUOTES
        },
    ),
    row(
        "Haskell",
        &["hs", "hsc"],
        &[],
        Syntax {
            line: &[Line { not_before: HASKELL_SYMBOLS, ..line("--") }],
            block: &[nested("{-", "-}")],
            texts: QUOTE,
            special: CHARACTER,
            ..PLAIN
        },
    ),
    row("Haxe", &["hx"], &[], Syntax { texts: LONG_QUOTES, special: &[Special::Regex], ..TWO_QUOTES }),
    row(
        "HCL",
        &["hcl", "tf", "tfvars", "tofu", "nomad"],
        &[],
        Syntax {
            line: &[line("#"), line("//")],
            block: STARS,
            texts: &[with_hole(text("\""), "${")],
            special: &[Special::Heredoc(Heredoc::Ruby)],
            ..PLAIN
        },
    ),
    row("HLSL", &["hlsl", "fx"], &[], C),
    row("HTML", &["html", "htm", "xhtml"], &[], Syntax { block: MARKUP, ..PLAIN }),
    row(
        "Idris",
        &["idr"],
        &[],
        Syntax { line: DASHES, block: &[nested("{-", "-}")], texts: TRIPLE_QUOTE, special: CHARACTER, ..PLAIN },
    ),
    row(
        "INI",
        &["ini", "cfg", "conf"],
        &[],
        Syntax { line: &[line_at("#", Place::FirstOnLine), line_at(";", Place::FirstOnLine)], ..PLAIN },
    ),
    row("Java", &["java"], &[], Syntax { texts: TRIPLE_QUOTE, ..C }),
    row("JavaScript", &["js", "mjs", "cjs", "jsx"], &["Jakefile"], JAVASCRIPT),
    row(
        "Jsonnet",
        &["jsonnet", "libsonnet"],
        &[],
        Syntax {
            line: &[line("//"), line("#")],
            block: STARS,
            texts: &[raw("|||", "|||"), long("\""), long("'")],
            ..PLAIN
        },
    ),
    row(
        "Julia",
        &["jl"],
        &[],
        Syntax {
            line: HASH,
            block: &[nested("#=", "=#")],
            texts: &[with_hole(long("\"\"\""), "$("), with_hole(long("\""), "$("), Text { close: "`", ..long("`") }],
            special: CHARACTER,
            ..PLAIN
        },
    ),
    row(
        "Just",
        &["just"],
        &["Justfile", "justfile", ".justfile"],
        Syntax { line: HASH_WORD, texts: TRIPLE_QUOTES, ..PLAIN },
    ),
    row(
        "Kotlin",
        &["kt", "kts"],
        &[],
        Syntax {
            block: NESTED_STARS,
            texts: &[with_hole(raw("\"\"\"", "\"\"\""), "${"), with_hole(text("\""), "${")],
            ..C
        },
    ),
    row("LaTeX", &["tex", "sty"], &[], Syntax { line: PERCENT, skips: BACKSLASH, ..PLAIN }),
    row(
        "Lean",
        &["lean"],
        &[],
        Syntax { line: DASHES, block: &[nested("/-", "-/")], texts: LONG_QUOTE, special: CHARACTER, ..PLAIN },
    ),
    row("Less", &["less"], &[], Syntax { line: &[line_at("//", Place::WordStart)], ..TWO_QUOTES }),
    row(
        "Lua",
        &["lua", "luau"],
        &[],
        Syntax { line: DASHES, texts: QUOTES, special: &[Special::LongBrackets("--")], ..PLAIN },
    ),
    row(
        "Makefile",
        &["mk", "mak", "make"],
        &["Makefile", "makefile", "GNUmakefile"],
        Syntax { line: HASH_WORD, texts: QUOTES, skips: BACKSLASH, ..PLAIN },
    ),
    row("Metal", &["metal"], &[], CPP),
    row(
        "Nim",
        &["nim", "nims", "nimble"],
        &[],
        Syntax {
            line: HASH,
            block: &[nested("##[", "]##"), nested("#[", "]#")],
            texts: &[
                raw("\"\"\"", "\"\"\""),
                prefixed(Text { close: "\"", not_before: "\"", ..plain("r\"") }),
                text("\""),
            ],
            special: CHARACTER,
            ..PLAIN
        },
    ),
    row(
        "Nix",
        &["nix"],
        &[],
        Syntax {
            line: HASH,
            block: STARS,
            texts: &[Text { not_before: "'$\\", ..with_hole(raw("''", "''"), "${") }, with_hole(long("\""), "${")],
            ..PLAIN
        },
    ),
    row(
        "Nushell",
        &["nu"],
        &[],
        Syntax { line: HASH_WORD, texts: &[long("\""), raw("'", "'"), raw("`", "`")], ..PLAIN },
    ),
    row("Objective-C", &["m", "mm"], &[], C),
    row(
        "OCaml",
        &["ml", "mli", "mll", "mly"],
        &[],
        Syntax {
            block: &[nested("(*", "*)")],
            texts: LONG_QUOTE,
            special: &[Special::BraceBars, Special::Character],
            ..PLAIN
        },
    ),
    row("Odin", &["odin"], &[], Syntax { block: NESTED_STARS, texts: &[raw("`", "`"), text("\"")], ..C }),
    row(
        "Pascal",
        &["pas", "pp", "dpr", "lpr"],
        &[],
        Syntax { line: SLASHES, block: &[block("{", "}"), block("(*", "*)")], texts: &[plain("'")], ..PLAIN },
    ),
    row(
        "Perl",
        &["pl", "pm", "t"],
        &["cpanfile"],
        Syntax {
            line: HASH_WORD,
            block: &[
                column_block("=pod", "=cut"),
                column_block("=head", "=cut"),
                column_block("=over", "=cut"),
                column_block("=item", "=cut"),
                column_block("=begin", "=cut"),
                column_block("=for", "=cut"),
                column_block("=encoding", "=cut"),
            ],
            texts: &[
                text("\""),
                text("'"),
                open_ended(Text { place: Place::LineStart, ..raw("__END__", "") }),
                open_ended(Text { place: Place::LineStart, ..raw("__DATA__", "") }),
            ],
            special: &[Special::Heredoc(Heredoc::Ruby), Special::Regex],
            skips: BACKSLASH,
            ..PLAIN
        },
    ),
    row(
        "PHP",
        &["php", "phtml"],
        &[],
        Syntax {
            line: &[line("//"), Line { not_before: "[", ..line("#") }],
            block: STARS,
            texts: &[open_ended(raw("?>", "<?")), with_hole(long("\""), "{$"), long("'")],
            special: &[Special::Heredoc(Heredoc::Php)],
            opens_behind: "<?",
            ends_line: "?>",
            ..PLAIN
        },
    ),
    row(
        "PowerShell",
        &["ps1", "psm1", "psd1"],
        &[],
        Syntax {
            line: HASH_WORD,
            block: &[block("<#", "#>")],
            texts: &[
                raw("@\"\n", "\n\"@"),
                raw("@\"\r\n", "\n\"@"),
                raw("@'\n", "\n'@"),
                raw("@'\r\n", "\n'@"),
                with_hole(Text { escape: Some(b'`'), ..long("\"") }, "$("),
                raw("'", "'"),
            ],
            skips: &["`"],
            ..PLAIN
        },
    ),
    row("Prisma", &["prisma"], &[], Syntax { line: SLASHES, texts: QUOTE, ..PLAIN }),
    row(
        "Properties",
        &["properties"],
        &[".editorconfig"],
        Syntax {
            line: &[
                line_at("#", Place::FirstOnLine),
                line_at("!", Place::FirstOnLine),
                line_at(";", Place::FirstOnLine),
            ],
            ..PLAIN
        },
    ),
    row("Protobuf", &["proto"], &[], TWO_QUOTES),
    row(
        "PureScript",
        &["purs"],
        &[],
        Syntax {
            line: &[Line { not_before: HASKELL_SYMBOLS, ..line("--") }],
            block: &[block("{-", "-}")],
            texts: TRIPLE_QUOTE,
            special: CHARACTER,
            ..PLAIN
        },
    ),
    row("Python", &["py", "pyi", "pyw"], &[], PYTHON),
    row(
        "R",
        &["r", "R"],
        &[".Rprofile"],
        Syntax {
            line: HASH,
            texts: &[
                prefixed(raw("r\"(", ")\"")),
                prefixed(raw("R\"(", ")\"")),
                prefixed(raw("r'(", ")'")),
                prefixed(raw("r\"[", "]\"")),
                prefixed(raw("r\"{", "}\"")),
                long("\""),
                long("'"),
                text("`"),
            ],
            ..PLAIN
        },
    ),
    row("Racket", &["rkt", "rktl"], &[], LISP),
    row("Rego", &["rego"], &[], Syntax { line: HASH, texts: &[raw("`", "`"), text("\"")], ..PLAIN }),
    row(
        "Ruby",
        &["rb", "rake", "gemspec", "ru"],
        &["Rakefile", "Gemfile", "Vagrantfile", "Podfile", "Brewfile"],
        Syntax {
            line: HASH_WORD,
            block: &[column_block("=begin", "=end")],
            texts: &[
                with_hole(long("\""), "#{"),
                long("'"),
                with_hole(long("`"), "#{"),
                open_ended(Text { place: Place::LineStart, ..raw("__END__", "") }),
            ],
            special: &[Special::Sigil(b'%'), Special::Heredoc(Heredoc::Ruby), Special::Regex],
            skips: &["?\\", "?"],
            ..PLAIN
        },
    ),
    row("Rust", &["rs"], &[], Syntax { block: NESTED_STARS, ..C }),
    row(
        "Scala",
        &["scala", "sc", "sbt"],
        &[],
        Syntax { block: NESTED_STARS, texts: &[raw("\"\"\"", "\"\"\""), text("\"")], ..C },
    ),
    row("Scheme", &["scm", "ss", "sld", "sps"], &[], LISP),
    row("SCSS", &["scss"], &[], Syntax { line: &[line_at("//", Place::WordStart)], ..TWO_QUOTES }),
    row(
        "Shell",
        &["sh", "bash", "zsh", "ksh", "bats", "ebuild"],
        &[".bashrc", ".bash_profile", ".profile", ".zshrc", ".envrc", "PKGBUILD", "APKBUILD"],
        SHELL,
    ),
    row("Slint", &["slint"], &[], Syntax { block: NESTED_STARS, special: &[], ..C }),
    row("Solidity", &["sol"], &[], TWO_QUOTES),
    row(
        "SQL",
        &["sql", "psql", "ddl"],
        &[],
        Syntax {
            line: DASHES,
            block: NESTED_STARS,
            texts: &[
                prefixed(Text { close: "'", not_before: "'", ..long("E'") }),
                prefixed(Text { close: "'", not_before: "'", ..long("e'") }),
                raw("'", "'"),
                raw("\"", "\""),
                plain("`"),
            ],
            special: &[Special::DollarQuotes],
            ..PLAIN
        },
    ),
    row("Starlark", &["bzl", "bazel", "star"], &["BUILD", "WORKSPACE", "BUCK", "Tiltfile"], PYTHON),
    row(
        "Swift",
        &["swift"],
        &[],
        Syntax {
            line: SLASHES,
            block: NESTED_STARS,
            texts: &[with_hole(long("\"\"\""), "\\("), with_hole(text("\""), "\\(")],
            special: &[Special::Hashes],
            ..PLAIN
        },
    ),
    row(
        "Tcl",
        &["tcl", "tk", "sdc", "xdc"],
        &[],
        Syntax {
            line: &[line_at("#", Place::FirstOnLine)],
            texts: &[Text { place: Place::WordStart, ..text("\"") }],
            skips: BACKSLASH,
            ..PLAIN
        },
    ),
    row("Thrift", &["thrift"], &[], Syntax { line: &[line("//"), line("#")], ..TWO_QUOTES }),
    row(
        "TOML",
        &["toml"],
        &["Pipfile"],
        Syntax { line: HASH, texts: &[long("\"\"\""), raw("'''", "'''"), text("\""), plain("'")], ..PLAIN },
    ),
    #[cfg(feature = "typescript")]
    row("TypeScript", &["ts", "tsx"], &[], Syntax { block: &[block("/**", "*/")], ..PLAIN }),
    row(
        "Typst",
        &["typ"],
        &[],
        Syntax {
            line: &[line_at("//", Place::WordStart)],
            block: NESTED_STARS,
            texts: &[raw("```", "```"), plain("`"), text("\"")],
            skips: BACKSLASH,
            ..PLAIN
        },
    ),
    row("Verilog", &["v", "vh", "sv", "svh"], &[], Syntax { line: SLASHES, block: STARS, texts: QUOTE, ..PLAIN }),
    row(
        "VHDL",
        &["vhd", "vhdl"],
        &[],
        Syntax { line: DASHES, block: STARS, texts: BASIC_QUOTE, special: CHARACTER, ..PLAIN },
    ),
    row("Vim script", &["vim"], &[".vimrc"], Syntax { line: &[line_at("\"", Place::FirstOnLine)], ..PLAIN }),
    row("Visual Basic", &["vb", "vbs", "bas"], &[], Syntax { line: &[line("'")], texts: BASIC_QUOTE, ..PLAIN }),
    row("WGSL", &["wgsl"], &[], Syntax { line: SLASHES, block: NESTED_STARS, ..PLAIN }),
    row(
        "XML",
        &["xml", "xsd", "xsl", "xslt", "csproj", "fsproj", "vbproj", "props", "targets"],
        &[],
        Syntax { block: MARKUP, texts: &[raw("<![CDATA[", "]]>")], ..PLAIN },
    ),
    row(
        "YAML",
        &["yml", "yaml"],
        &[],
        Syntax {
            line: HASH_WORD,
            texts: &[
                Text { place: Place::ValueStart, ..long("\"") },
                Text { place: Place::ValueStart, not_before: "'", ..raw("'", "'") },
            ],
            special: &[Special::Indented],
            ..PLAIN
        },
    ),
    row("Zig", &["zig", "zon"], &[], Syntax { block: &[], texts: &[open_ended(raw("\\\\", "\n")), text("\"")], ..C }),
];
