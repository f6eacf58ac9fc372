//! The languages whose comments may hold anchors: a file's name comes in, its language goes out, by one look into a table
//! for each `.` of the name. Languages of the configuration stand before those that are built in.

pub(crate) mod syntax;
mod table;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;

use self::syntax::{Block, Line, PLAIN, Syntax, Text, block, line, long, nested};
use self::table::{BUILT_IN, BuiltIn};
use super::{comment, rust};
use crate::typescript::{IS_READ, Modules};

/// The one language whose attributes are read too.
const RUST: &str = "Rust";

/// The language whose constants are read too, by a parser of its own.
const TYPESCRIPT: &str = "TypeScript";

/// What ends the name of a file of TypeScript that only declares. It binds nothing.
const DECLARATIONS: &str = ".d.ts";

/// Whether an ending, without its dot, is one of TypeScript.
pub(crate) fn is_typescript(ending: &str) -> bool {
    matches!(ending, "ts" | "tsx" | "mts" | "cts")
}

/// Whether files with an ending of TypeScript are read.
pub(crate) fn is_read_typescript(ending: &str) -> bool {
    IS_READ && matches!(ending, "ts" | "tsx")
}

/// One language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// Its name, for people.
    pub name: Cow<'static, str>,
    rules: Rules,
}

/// Where the rules of a language come from.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Rules {
    /// Rust's own, and whether attributes are read too.
    Rust { attributes: bool },
    /// TypeScript's own.
    TypeScript,
    /// The table.
    BuiltIn(&'static Syntax<'static>),
    /// The configuration.
    Own(OwnRules),
}

/// Rules as a configuration states them. In its texts a backslash takes the next character along, and they may span lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnRules {
    /// What opens a comment that ends with its line.
    pub line: Vec<String>,
    /// What opens and what closes a block comment.
    pub block: Vec<(String, String)>,
    /// Whether block comments nest.
    pub nested: bool,
    /// The quotes of texts.
    pub strings: Vec<String>,
}

/// One entry of `comment-languages`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfiguredLanguage {
    /// Endings without the dot, each with where it stands.
    pub endings: Vec<(String, Authored)>,
    /// Whole names of files, each with where it stands.
    pub names: Vec<(String, Authored)>,
    /// How its comments are written.
    pub meaning: Meaning,
}

/// How the comments of a configured language are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// As in a language that is built in, by a name that [`built_in_name`] gives.
    Like(&'static str),
    /// By rules of its own.
    Own(OwnRules),
}

/// A place in a configuration file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Authored {
    /// The file, relative to the root.
    pub file: &'static str,
    /// The 1-based line.
    pub line: u32,
    /// The 1-based column, in characters.
    pub column: u32,
}

/// A language of one [`Languages`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LanguageId(usize);

/// The languages of a run: those that are built in, and those of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Languages {
    table: Arc<Table>,
    configured: Vec<ConfiguredLanguage>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Table {
    all: Vec<Language>,
    by_ending: HashMap<Cow<'static, str>, LanguageId>,
    by_name: HashMap<Cow<'static, str>, LanguageId>,
}

static DEFAULT: LazyLock<Arc<Table>> = LazyLock::new(|| {
    let mut table = Table::default();
    for (place, BuiltIn { name, endings, file_names, .. }) in BUILT_IN.iter().enumerate() {
        let id = LanguageId(place);
        table.all.extend(like(name, true));
        table.by_ending.extend(endings.iter().map(|ending| (Cow::Borrowed(*ending), id)));
        table.by_name.extend(file_names.iter().map(|name| (Cow::Borrowed(*name), id)));
    }
    Arc::new(table)
});

/// The language with a built-in name.
fn like(name: &str, attributes: bool) -> Option<Language> {
    let row = BUILT_IN.iter().find(|row| row.name == name)?;
    let rules = match row.name {
        RUST => Rules::Rust { attributes },
        TYPESCRIPT => Rules::TypeScript,
        _ => Rules::BuiltIn(&row.syntax),
    };
    Some(Language { name: Cow::Borrowed(row.name), rules })
}

/// The names of the built-in languages, in their order.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|row| row.name)
}

/// The built-in name that a word is, whatever its case.
#[must_use]
pub fn built_in_name(word: &str) -> Option<&'static str> {
    built_in_names().find(|name| name.eq_ignore_ascii_case(word))
}

/// Names of files that announce the built-in languages: each ending behind a stem, and each whole name.
pub fn built_in_file_names() -> impl Iterator<Item = String> {
    BUILT_IN.iter().flat_map(|row| {
        let by_ending = row.endings.iter().map(|ending| format!("a.{ending}"));
        by_ending.chain(row.file_names.iter().map(|name| (*name).to_owned()))
    })
}

/// The built-in languages as rows of a Markdown table: name, files, comments.
#[must_use]
pub fn markdown_rows() -> String {
    let quoted = |text: &str| format!("`` {} ``", text.trim_end().replace('|', "\\|"));
    let joined = |cells: Vec<String>| cells.join(", ");
    let mut rows = String::new();
    for BuiltIn { name, endings, file_names, syntax } in BUILT_IN {
        let files = endings.iter().map(|ending| format!("`.{ending}`"));
        let files = files.chain(file_names.iter().map(|name| format!("`{name}`")));
        let lines = syntax.line.iter().map(|line| quoted(line.token));
        let blocks = syntax.block.iter().map(|block| quoted(&format!("{} {}", block.open, block.close)));
        let brackets = syntax.special.iter().filter_map(|special| match special {
            syntax::Special::LongBrackets(token) => Some(quoted(&format!("{token}[[ ]]"))),
            _ => None,
        });
        let comments = joined(lines.chain(blocks).chain(brackets).collect());
        rows.push_str(&format!("| {name} | {} | {comments} |\n", joined(files.collect())));
    }
    rows
}

impl Default for Languages {
    fn default() -> Self {
        Languages { table: Arc::clone(&DEFAULT), configured: Vec::new() }
    }
}

impl Languages {
    /// The built-in languages and those of a configuration, which replace what an ending or a name meant.
    #[must_use]
    pub fn with(configured: Vec<ConfiguredLanguage>) -> Self {
        let mut languages = Languages::default();
        if configured.is_empty() {
            return languages;
        }
        let table = Arc::make_mut(&mut languages.table);
        for entry in &configured {
            let language = match &entry.meaning {
                Meaning::Like(name) => like(name, false),
                Meaning::Own(rules) => {
                    let first = entry.endings.first().or(entry.names.first()).map_or("", |(text, _)| text);
                    Some(Language { name: Cow::Owned(first.to_owned()), rules: Rules::Own(rules.clone()) })
                }
            };
            let Some(language) = language else { continue };
            let id = LanguageId(table.all.len());
            table.all.push(language);
            let keys = |list: &[(String, Authored)]| -> Vec<(Cow<'static, str>, LanguageId)> {
                list.iter().map(|(text, _)| (Cow::Owned(text.clone()), id)).collect()
            };
            table.by_ending.extend(keys(&entry.endings));
            table.by_name.extend(keys(&entry.names));
        }
        languages.configured = configured;
        languages
    }

    /// The language that a file's own name announces: by the whole name, else by its longest known ending.
    #[must_use]
    pub fn of_file_name(&self, name: &str) -> Option<LanguageId> {
        if let Some(id) = self.table.by_name.get(name) {
            return Some(*id);
        }
        if name.ends_with(DECLARATIONS) {
            return None;
        }
        let dots = memchr::memchr_iter(b'.', name.as_bytes()).filter(|dot| *dot > 0);
        dots.filter_map(|dot| name.get(dot + 1..)).find_map(|ending| self.table.by_ending.get(ending)).copied()
    }

    /// A language of these.
    #[must_use]
    pub fn get(&self, id: LanguageId) -> Option<&Language> {
        self.table.all.get(id.0)
    }

    /// The languages that a configuration adds, as authored.
    #[must_use]
    pub fn configured(&self) -> &[ConfiguredLanguage] {
        &self.configured
    }

    /// All of them, those that are built in first.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = &Language> {
        self.table.all.iter()
    }

    /// The configured endings (`.ending`) and names that none of some file names has, each with where it stands.
    pub(crate) fn unmatched<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<(String, Authored)> {
        let entries = || self.configured.iter();
        let mut endings: HashMap<&str, bool> =
            entries().flat_map(|entry| &entry.endings).map(|(ending, _)| (ending.as_str(), false)).collect();
        let mut whole: HashMap<&str, bool> =
            entries().flat_map(|entry| &entry.names).map(|(name, _)| (name.as_str(), false)).collect();
        for name in names {
            if let Some(found) = whole.get_mut(name) {
                *found = true;
            }
            for dot in memchr::memchr_iter(b'.', name.as_bytes()).filter(|dot| *dot > 0) {
                if let Some(found) = name.get(dot + 1..).and_then(|ending| endings.get_mut(ending)) {
                    *found = true;
                }
            }
        }
        let mut unmatched = Vec::new();
        for entry in entries() {
            let lost = entry.endings.iter().filter(|(ending, _)| endings.get(ending.as_str()) == Some(&false));
            unmatched.extend(lost.map(|(ending, place)| (format!(".{ending}"), *place)));
            let lost = entry.names.iter().filter(|(name, _)| whole.get(name.as_str()) == Some(&false));
            unmatched.extend(lost.cloned());
        }
        unmatched
    }

    /// Whether there is anything that [`Languages::unmatched`] could name.
    pub(crate) fn are_configured(&self) -> bool {
        !self.configured.is_empty()
    }
}

impl Language {
    /// Whether the attributes of its files are read, too.
    #[must_use]
    pub fn has_attributes(&self) -> bool {
        self.rules == Rules::Rust { attributes: true }
    }

    /// Whether its files are parsed as TypeScript.
    #[must_use]
    pub fn is_typescript(&self) -> bool {
        self.rules == Rules::TypeScript
    }

    /// Whether bytes of one of its files may hold a binding, in one form or the other; `modules` are those that count in
    /// TypeScript. It misses none, but may be wrong.
    pub(crate) fn may_bind(&self, bytes: &[u8], modules: &Modules) -> bool {
        comment::may_hold_anchors(bytes)
            || (self.has_attributes() && rust::may_hold_anchors(bytes))
            || (self.is_typescript() && may_import(bytes, modules))
    }

    /// Hands the rules to a reader; none are those of Rust, which are told by its tokens, and of TypeScript, which is parsed.
    pub(crate) fn with_syntax<T>(&self, read: impl FnOnce(Option<&Syntax<'_>>) -> T) -> T {
        match &self.rules {
            Rules::Rust { .. } | Rules::TypeScript => read(None),
            Rules::BuiltIn(syntax) => read(Some(syntax)),
            Rules::Own(own) => {
                let lines: Vec<Line<'_>> = own.line.iter().map(|token| line(token)).collect();
                let pair = if own.nested { nested } else { block };
                let blocks: Vec<Block<'_>> = own.block.iter().map(|(open, close)| pair(open, close)).collect();
                let texts: Vec<Text<'_>> = own.strings.iter().map(|quote| long(quote)).collect();
                read(Some(&Syntax { line: &lines, block: &blocks, texts: &texts, ..PLAIN }))
            }
        }
    }
}

#[cfg(feature = "typescript")]
fn may_import(bytes: &[u8], modules: &Modules) -> bool {
    super::typescript::Gate::new(modules).may_bind(bytes)
}

#[cfg(not(feature = "typescript"))]
const fn may_import(_: &[u8], _: &Modules) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(languages: &Languages, file: &str) -> Option<String> {
        languages.of_file_name(file).and_then(|id| languages.get(id)).map(|language| language.name.to_string())
    }

    #[test]
    fn a_file_is_known_by_its_whole_name_or_its_longest_ending() {
        let languages = Languages::default();
        let cases = [
            ("lib.rs", Some("Rust")),
            ("a.b.py", Some("Python")),
            ("Makefile", Some("Makefile")),
            ("CMakeLists.txt", Some("CMake")),
            ("BUILD.bazel", Some("Starlark")),
            ("Justfile", Some("Just")),
            ("Dockerfile", Some("Dockerfile")),
            (".rs", None),
            ("rs", None),
            ("a.", None),
            ("a.md", None),
            ("a.ts", is_read_typescript("ts").then_some("TypeScript")),
            ("a.b.tsx", is_read_typescript("tsx").then_some("TypeScript")),
            ("a.d.ts", None),
            (".d.ts", None),
            ("a.mts", None),
            ("a.cts", None),
            ("a.json", None),
            ("", None),
        ];
        for (file, name) in cases {
            assert_eq!(name_of(&languages, file).as_deref(), name, "{file}");
        }
    }

    #[test]
    fn no_ending_and_no_name_belongs_to_two_languages() {
        let mut seen = std::collections::BTreeSet::new();
        for row in BUILT_IN {
            for ending in row.endings {
                assert!(seen.insert(format!(".{ending}")), "{ending}");
                assert!(crate::carrier::CarrierForm::of_file_name(&format!("a.{ending}")).is_none(), "{ending}");
            }
            for name in row.file_names {
                assert!(seen.insert((*name).to_owned()), "{name}");
            }
            assert!(!row.syntax.line.is_empty() || !row.syntax.block.is_empty(), "{}", row.name);
        }
        assert!(built_in_names().is_sorted_by_key(str::to_lowercase));
        assert!(BUILT_IN.len() >= 40);
    }

    #[test]
    fn a_configured_language_replaces_what_an_ending_meant() {
        let at = Authored { file: "sdp.toml", line: 1, column: 2 };
        let entry = |endings: &[&str], names: &[&str], meaning| ConfiguredLanguage {
            endings: endings.iter().map(|ending| ((*ending).to_owned(), at)).collect(),
            names: names.iter().map(|name| ((*name).to_owned(), at)).collect(),
            meaning,
        };
        let languages = Languages::with(vec![
            entry(&["py", "x.py"], &["Foofile"], Meaning::Like("Rust")),
            entry(
                &["nope"],
                &["Nofile"],
                Meaning::Own(OwnRules { line: vec!["--".to_owned()], ..OwnRules::default() }),
            ),
        ]);
        assert_eq!(name_of(&languages, "a.py").as_deref(), Some("Rust"));
        assert_eq!(name_of(&languages, "a.pyi").as_deref(), Some("Python"));
        assert_eq!(name_of(&languages, "a.nope").as_deref(), Some("nope"));
        let like_rust = languages.of_file_name("Foofile").and_then(|id| languages.get(id)).unwrap();
        assert!(!like_rust.has_attributes());
        let rust = languages.of_file_name("a.rs").and_then(|id| languages.get(id)).unwrap();
        assert!(rust.has_attributes());
        let unmatched: Vec<String> =
            languages.unmatched(["a.x.py", "Foofile"].into_iter()).into_iter().map(|(text, _)| text).collect();
        assert_eq!(unmatched, [".nope", "Nofile"]);
        assert_ne!(languages, Languages::default());
    }
}
