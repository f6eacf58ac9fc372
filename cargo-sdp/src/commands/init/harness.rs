//! Where the crate of the test target comes from: what the user named, or where this program was built or installed from, comes in; the
//! value of the dependency goes out. The crate is on no registry yet, so that a version alone would be nobody's.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use sdp_core::config;
use sdp_harness::paths;
use toml_edit::{Item, Value};

/// Where the crate lies in a clone of the project.
const IN_CLONE: &str = "crates/sdp-harness";
/// Where the guide expects a clone: beside the repository.
pub(super) const BESIDE: &str = "../cargo-sdp";
/// The largest record of installed programs that is read, in bytes.
const MAX_RECORD: u64 = 1024 * 1024;

/// Where the crate was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// In a clone on this machine.
    Clone(PathBuf),
    /// In a repository that cargo clones; its address, and the commit.
    Git(String, Option<String>),
    /// On a registry; the version.
    Registry(String),
}

impl Source {
    /// The one that the user named: a folder with a clone, or an address.
    pub(super) fn named(text: &str, cwd: &Path) -> Option<Source> {
        if let Some(clone) = clone_at(&cwd.join(text)) {
            return Some(Source::Clone(clone));
        }
        let is_address = text.contains("://") && !text.contains(char::is_whitespace);
        is_address.then(|| Source::Git(text.to_owned(), None))
    }

    /// The one that this program came from, or a clone beside the package.
    pub(super) fn found(package: &Path) -> Option<Source> {
        let program = env::current_exe().ok().and_then(|program| program.canonicalize().ok());
        let built_in = program.iter().flat_map(|program| program.ancestors().skip(1)).find_map(clone_at);
        let beside = || clone_at(&package.join(BESIDE));
        let record = || program.as_deref()?.parent()?.parent().and_then(recorded);
        built_in.or_else(beside).map(Source::Clone).or_else(record)
    }

    /// The value of the dependency for a package.
    pub(super) fn dependency(&self, package: &Path) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        match self {
            Source::Clone(clone) => {
                let real = package.canonicalize().unwrap_or_else(|_| package.to_owned());
                format!("{{ path = {} }}", quoted(&paths::from(&real, &clone.join(IN_CLONE))))
            }
            Source::Git(address, None) => format!("{{ git = {} }}", quoted(address)),
            Source::Git(address, Some(commit)) => {
                format!("{{ git = {}, rev = {} }}", quoted(address), quoted(commit))
            }
            Source::Registry(version) => quoted(version),
        }
    }
}

/// The dependency as the guide has it, for an author who writes it by hand.
pub(super) fn by_hand() -> String {
    format!("{{ path = \"{BESIDE}/{IN_CLONE}\" }}")
}

/// The clone that a folder is, or whose crate it is.
fn clone_at(folder: &Path) -> Option<PathBuf> {
    let real = folder.canonicalize().ok()?;
    let has_crate = |clone: &Path| clone.join(IN_CLONE).join("Cargo.toml").is_file();
    if has_crate(&real) {
        return Some(real);
    }
    let clone = real.parent()?.parent()?;
    (real.ends_with(IN_CLONE) && has_crate(clone)).then(|| clone.to_owned())
}

/// What cargo has recorded of the installation in a folder that holds its `bin`.
fn recorded(folder: &Path) -> Option<Source> {
    let record = folder.join(".crates.toml");
    let metadata = fs::metadata(&record).ok().filter(fs::Metadata::is_file)?;
    if metadata.len() > MAX_RECORD {
        return None;
    }
    let document = config::parse_toml(fs::read(record).ok()?).ok()?;
    let installed = document.get("v1").and_then(Item::as_table_like)?;
    installed.iter().find_map(|(package, _)| of_package_id(package))
}

/// The source of an installed `cargo-sdp VERSION (SOURCE)`.
fn of_package_id(package: &str) -> Option<Source> {
    let (version, source) = package.strip_prefix("cargo-sdp ")?.strip_suffix(')')?.split_once(" (")?;
    if let Some(path) = source.strip_prefix("path+file://") {
        // An address in which letters are written by their numbers is not read.
        let folder = Path::new(path);
        return folder.parent().filter(|_| !path.contains('%')).and_then(clone_at).map(Source::Clone);
    }
    if let Some(address) = source.strip_prefix("git+") {
        let (address, commit) = address.rsplit_once('#')?;
        let address = address.split('?').next().unwrap_or(address);
        return Some(Source::Git(address.to_owned(), Some(commit.to_owned())));
    }
    source.starts_with("registry+").then(|| Source::Registry(version.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_of_cargo_says_where_the_program_came_from() {
        let folder = tempfile::TempDir::new().unwrap();
        let clone = folder.path().canonicalize().unwrap().join("clone");
        fs::create_dir_all(clone.join(IN_CLONE)).unwrap();
        fs::write(clone.join(IN_CLONE).join("Cargo.toml"), "").unwrap();
        let record = |line: &str| {
            fs::write(folder.path().join(".crates.toml"), format!("[v1]\n\"other 1.0.0 (registry+x)\" = []\n{line}\n"))
                .unwrap();
            recorded(folder.path())
        };
        let from = |source: &str| record(&format!("\"cargo-sdp 0.1.0 ({source})\" = [\"cargo-sdp\"]"));
        assert_eq!(from(&format!("path+file://{}/cargo-sdp", clone.display())), Some(Source::Clone(clone.clone())));
        assert_eq!(from("path+file:///gone/cargo-sdp"), None);
        let git = Source::Git("https://example.org/sdp".to_owned(), Some("abc".to_owned()));
        assert_eq!(from("git+https://example.org/sdp?rev=abc#abc"), Some(git.clone()));
        assert_eq!(git.dependency(&clone), "{ git = \"https://example.org/sdp\", rev = \"abc\" }");
        assert_eq!(from("registry+https://example.org/index"), Some(Source::Registry("0.1.0".to_owned())));
        assert_eq!(record(""), None);
        assert_eq!(record("not toml"), None);
        let package = clone.join("deep/er");
        fs::create_dir_all(&package).unwrap();
        assert_eq!(Source::Clone(clone).dependency(&package), "{ path = \"../../crates/sdp-harness\" }");
    }

    #[test]
    fn a_named_source_is_a_clone_or_an_address() {
        let folder = tempfile::TempDir::new().unwrap();
        let clone = folder.path().canonicalize().unwrap();
        fs::create_dir_all(clone.join(IN_CLONE)).unwrap();
        assert_eq!(Source::named(".", &clone), None, "it holds no crate");
        fs::write(clone.join(IN_CLONE).join("Cargo.toml"), "").unwrap();
        for text in [".", IN_CLONE] {
            assert_eq!(Source::named(text, &clone), Some(Source::Clone(clone.clone())), "{text}");
        }
        let git = Source::Git("https://example.org/sdp.git".to_owned(), None);
        assert_eq!(Source::named("https://example.org/sdp.git", &clone), Some(git));
        assert_eq!(Source::named("a b://c", &clone), None);
    }
}
