//! Cargo's manifests: a parsed `Cargo.toml` comes in; the package, the targets that it names and the names under which it
//! knows the crate `sdp-anchors` go out. It reads no file, and what cargo would refuse elsewhere in the manifest is cargo's to say.

use std::ops::Range;

use toml_edit::{Item, TableLike};

/// The package whose macros bind.
const OURS: &str = "sdp-anchors";

/// The tables that name dependencies, with the spellings that cargo took once.
const DEPENDENCIES: [&str; 5] =
    ["dependencies", "dev-dependencies", "build-dependencies", "dev_dependencies", "build_dependencies"];

/// What one manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    /// Its package; none for a virtual manifest.
    pub(crate) package: Option<Package>,
    /// Where it is the root of a workspace: the keys of `[workspace.dependencies]` that lead to `sdp-anchors`.
    pub(crate) workspace: Option<Vec<String>>,
}

/// A package that says no name, which cargo refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoName {
    /// The bytes of the manifest to blame, where they are known.
    pub(crate) span: Option<Range<usize>>,
}

/// A package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    /// Whether its edition is 2015: then a list of targets that is written out is all that there are.
    pub(crate) is_old: bool,
    /// The folder of its workspace, where `package.workspace` names one.
    pub(crate) workspace: Option<String>,
    /// The library.
    pub(crate) library: Section,
    /// The programs.
    pub(crate) programs: Section,
    /// The tests.
    pub(crate) tests: Section,
    /// The examples.
    pub(crate) examples: Section,
    /// The benches.
    pub(crate) benches: Section,
    /// The build scripts that are named; none where cargo looks for `build.rs` by itself.
    pub(crate) build_scripts: Option<Vec<String>>,
    /// The keys under which it knows `sdp-anchors` by its own word.
    own_keys: Vec<String>,
    /// The keys whose meaning the workspace knows.
    inherited_keys: Vec<String>,
}

/// The targets of one sort.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    /// Those that are written out.
    pub(crate) explicit: Vec<Explicit>,
    /// Whether cargo looks for others by itself, where that is said.
    pub(crate) discovers: Option<bool>,
}

/// A target that is written out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Explicit {
    /// Its name.
    pub(crate) name: Option<String>,
    /// The path of its root from the package's folder.
    pub(crate) path: Option<String>,
}

impl Manifest {
    /// Reads a manifest.
    ///
    /// # Errors
    ///
    /// [`NoName`] when there is a package without a name.
    pub(crate) fn read(document: &dyn TableLike) -> Result<Manifest, NoName> {
        let workspace = member(document, "workspace").map(|workspace| {
            let dependencies = member(workspace, "dependencies");
            dependencies.into_iter().flat_map(own_keys).collect()
        });
        // `project` is what cargo called it once.
        let package = match document.get("package").or_else(|| document.get("project")) {
            Some(item) => Some(Package::read(document, item)?),
            None => None,
        };
        Ok(Manifest { package, workspace })
    }
}

impl Package {
    fn read(document: &dyn TableLike, item: &Item) -> Result<Package, NoName> {
        let no_name = || NoName { span: item.span() };
        let table = item.as_table_like().ok_or_else(no_name)?;
        let name = text(table, "name").filter(|name| !name.is_empty()).ok_or_else(no_name)?;
        let section = |key: &str, discovers: &str| Section {
            explicit: match document.get(key) {
                Some(Item::ArrayOfTables(tables)) => tables.iter().map(|table| Explicit::read(table)).collect(),
                Some(item) => match item.as_array() {
                    Some(array) => {
                        array.iter().filter_map(|value| Some(Explicit::read(value.as_inline_table()?))).collect()
                    }
                    None => item.as_table_like().map(Explicit::read).into_iter().collect(),
                },
                None => Vec::new(),
            },
            discovers: table.get(discovers).and_then(Item::as_bool),
        };
        let mut package = Package {
            name,
            is_old: table.get("edition").is_none_or(|edition| edition.as_str() == Some("2015")),
            workspace: text(table, "workspace"),
            library: section("lib", "autolib"),
            programs: section("bin", "autobins"),
            tests: section("test", "autotests"),
            examples: section("example", "autoexamples"),
            benches: section("bench", "autobenches"),
            build_scripts: table.get("build").and_then(build_scripts),
            own_keys: Vec::new(),
            inherited_keys: Vec::new(),
        };
        package.read_dependencies(document);
        for (_, target) in member(document, "target").into_iter().flat_map(TableLike::iter) {
            if let Some(target) = target.as_table_like() {
                package.read_dependencies(target);
            }
        }
        Ok(package)
    }

    fn read_dependencies(&mut self, owner: &dyn TableLike) {
        for table in DEPENDENCIES.iter().filter_map(|key| member(owner, key)) {
            self.own_keys.extend(own_keys(table));
            self.inherited_keys
                .extend(table.iter().filter(|(_, item)| is_inherited(item)).map(|(key, _)| key.to_owned()));
        }
    }

    /// Whether the workspace has to be asked for the meaning of a dependency.
    pub(crate) fn inherits(&self) -> bool {
        !self.inherited_keys.is_empty()
    }

    /// The names under which its source knows `sdp-anchors`, sorted, each once. `workspace` holds the keys of the
    /// workspace that lead there; where no workspace was found a key counts by its usual name.
    pub(crate) fn crate_names(&self, workspace: Option<&[String]>) -> Vec<String> {
        let is_ours = |key: &&String| match workspace {
            Some(keys) => keys.contains(key),
            None => *key == OURS || *key == "sdp",
        };
        let keys = self.own_keys.iter().chain(self.inherited_keys.iter().filter(is_ours));
        let mut names: Vec<String> = keys.map(|key| key.replace('-', "_")).collect();
        if self.name == OURS {
            names.push(OURS.replace('-', "_"));
        }
        names.sort();
        names.dedup();
        names
    }
}

impl Explicit {
    fn read(table: &dyn TableLike) -> Explicit {
        Explicit { name: text(table, "name"), path: text(table, "path") }
    }
}

/// `build = "build.rs"`, a list of such, or `false`; `true` is what cargo does by itself.
fn build_scripts(item: &Item) -> Option<Vec<String>> {
    match (item.as_str(), item.as_bool(), item.as_array()) {
        (Some(path), _, _) => Some(vec![path.to_owned()]),
        (_, Some(false), _) => Some(Vec::new()),
        (_, _, Some(paths)) => Some(paths.iter().filter_map(|path| path.as_str().map(str::to_owned)).collect()),
        _ => None,
    }
}

/// The keys of a table of dependencies that lead to `sdp-anchors` without asking the workspace.
fn own_keys(dependencies: &dyn TableLike) -> Vec<String> {
    let is_ours = |key: &str, item: &Item| match item.as_table_like().and_then(|table| text(table, "package")) {
        Some(package) => package == OURS,
        None => key == OURS && !is_inherited(item),
    };
    dependencies.iter().filter(|(key, item)| is_ours(key, item)).map(|(key, _)| key.to_owned()).collect()
}

fn is_inherited(item: &Item) -> bool {
    item.as_table_like().and_then(|table| table.get("workspace")).and_then(Item::as_bool) == Some(true)
}

fn member<'a>(table: &'a dyn TableLike, key: &str) -> Option<&'a dyn TableLike> {
    table.get(key).and_then(Item::as_table_like)
}

fn text(table: &dyn TableLike, key: &str) -> Option<String> {
    table.get(key).and_then(Item::as_str).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Manifest, NoName> {
        Manifest::read(toml_edit::Document::parse(text).unwrap().as_table())
    }

    fn package(rest: &str) -> Package {
        read(&format!("package = {{ name = 'p', edition = '2024' }}\n{rest}")).unwrap().package.unwrap()
    }

    #[test]
    fn a_dependency_on_sdp_anchors_is_known_by_its_key() {
        let cases: [(&str, &[&str]); 10] = [
            ("[dependencies]\nsdp = { package = 'sdp-anchors', version = '0.1' }", &["sdp"]),
            ("[dependencies.my-sdp]\npackage = 'sdp-anchors'", &["my_sdp"]),
            ("[dependencies]\nsdp-anchors = '0.1'", &["sdp_anchors"]),
            ("[dev-dependencies]\nsdp-anchors.path = '../x'", &["sdp_anchors"]),
            (
                "[build-dependencies]\nb = { package = 'sdp-anchors' }\n[dependencies]\na = { package = 'sdp-anchors' }",
                &["a", "b"],
            ),
            ("[target.'cfg(unix)'.dependencies]\nu = { package = 'sdp-anchors' }", &["u"]),
            (
                "[target.x.dev-dependencies]\nu = { package = 'sdp-anchors' }\n[dependencies]\nu = { package = 'sdp-anchors' }",
                &["u"],
            ),
            // Another crate of that name, and another crate under our name.
            ("[dependencies]\nsdp = '0.1'", &[]),
            ("[dependencies]\nsdp-anchors = { package = 'other' }", &[]),
            ("[dependencies]\nserde = '1'", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(package(text).crate_names(None), expected, "{text}");
        }
    }

    #[test]
    fn a_dependency_of_the_workspace_means_what_the_workspace_says() {
        let text = "[dependencies]\nsdp.workspace = true\nbind = { workspace = true }\nsdp-anchors.workspace = true";
        let package = package(text);
        assert!(package.inherits());
        let workspace = read("[workspace.dependencies]\nbind = { package = 'sdp-anchors' }\nsdp = '0.1'").unwrap();
        assert_eq!(package.crate_names(workspace.workspace.as_deref()), ["bind"]);
        assert_eq!(package.crate_names(None), ["sdp", "sdp_anchors"], "no workspace is found: the usual names count");
    }

    #[test]
    fn the_crate_itself_knows_its_own_name() {
        let manifest = read("[package]\nname = 'sdp-anchors'").unwrap();
        assert_eq!(manifest.package.unwrap().crate_names(None), ["sdp_anchors"]);
    }

    #[test]
    fn a_virtual_manifest_is_no_package_and_a_package_needs_a_name() {
        assert_eq!(read("[workspace]").unwrap(), Manifest { package: None, workspace: Some(Vec::new()) });
        assert_eq!(read("x = 1").unwrap(), Manifest::default());
        assert_eq!(read("\n[package]\nversion = '1'").unwrap_err(), NoName { span: Some(1..10) });
        for text in ["package = 1", "package.name = 1", "package.name = ''"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read("project.name = 'old'").unwrap().package.unwrap().name, "old");
    }

    #[test]
    fn targets_are_read_in_every_form_of_toml() {
        let text = "bin = [{ name = 'a' }, { path = 'b.rs' }, 1]\n[lib]\nname = 'l'\npath = 'x/l.rs'\n[[test]]\nname = 't'\n[[test]]\nname = 'u'";
        let package = package(text);
        let name = |name: &str| Explicit { name: Some(name.to_owned()), path: None };
        assert_eq!(package.programs.explicit, [name("a"), Explicit { name: None, path: Some("b.rs".to_owned()) }]);
        assert_eq!(package.library.explicit, [Explicit { path: Some("x/l.rs".to_owned()), ..name("l") }]);
        assert_eq!(package.tests.explicit, [name("t"), name("u")]);
        assert_eq!(package.examples, Section::default());
    }

    #[test]
    fn what_cargo_looks_for_by_itself_can_be_switched_off() {
        let read = |rest: &str| read(&format!("[package]\nname = 'p'\n{rest}")).unwrap().package.unwrap();
        assert_eq!(read("autobins = false").programs.discovers, Some(false));
        assert_eq!(read("autolib = false").library.discovers, Some(false));
        assert_eq!((read("autotests = true").tests.discovers, read("").tests.discovers), (Some(true), None));
        assert_eq!(read("build = 'b.rs'").build_scripts, Some(vec!["b.rs".to_owned()]));
        assert_eq!(read("build = ['a.rs', 'b.rs']").build_scripts.map(|all| all.len()), Some(2));
        assert_eq!(read("build = false").build_scripts, Some(Vec::new()));
        assert_eq!((read("build = true").build_scripts, read("").build_scripts), (None, None));
        assert!(read("").is_old && read("edition = '2015'").is_old);
        assert!(!read("edition = '2021'").is_old && !read("edition.workspace = true").is_old);
        assert_eq!(read("workspace = '../w'").workspace.as_deref(), Some("../w"));
    }
}
