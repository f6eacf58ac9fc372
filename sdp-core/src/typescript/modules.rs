//! Modules: a specifier that a file imports comes in, what the module gives goes out where it is trusted (fact sheet 6.2, newest
//! sheet part 4). Nothing is looked up: a path is compared as it is written.

/// The package of the builders.
pub const PACKAGE: &str = "@libar-dev/software-delivery-protocol";

/// What a trusted module gives.
#[cfg(feature = "typescript")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Surface {
    /// All builders.
    Whole,
    /// The builders of anchors and of ids: the path `/anchors` of the package.
    Anchors,
}

/// The modules whose builders count, beside the package: entries of the key `typescript.trusted`. An entry is a specifier as
/// imports write it, or the root-relative path of the file to which a relative one leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Modules {
    entries: Vec<String>,
}

impl Modules {
    /// The modules of these entries.
    #[must_use]
    pub fn new(entries: Vec<String>) -> Self {
        Modules { entries }
    }

    /// The entries, as they were given.
    #[must_use]
    pub fn entries(&self) -> &[String] {
        &self.entries
    }

    /// What a specifier that `file` imports gives, and which entry says so.
    #[cfg(feature = "typescript")]
    pub(super) fn surface(&self, file: &str, specifier: &str) -> Option<(Surface, Option<usize>)> {
        if let Some(path) = specifier.strip_prefix(PACKAGE) {
            let surface = match path {
                "" => Some(Surface::Whole),
                "/anchors" => Some(Surface::Anchors),
                _ => None,
            };
            if let Some(surface) = surface {
                return Some((surface, None));
            }
        }
        let resolved = resolved(file, specifier).unwrap_or_default();
        let entry = self
            .entries
            .iter()
            .position(|entry| entry == specifier || (is_path(entry) && resolved.iter().any(|path| path == entry)))?;
        Some((Surface::Whole, Some(entry)))
    }
}

/// Whether an entry may be the path of a file: its last segment has an ending.
#[cfg(feature = "typescript")]
pub(crate) fn is_path(entry: &str) -> bool {
    entry.rsplit('/').next().is_some_and(|name| name.char_indices().any(|(at, one)| at > 0 && one == '.'))
}

/// The endings that imports write, each with those of the files that may stand behind it.
#[cfg(feature = "typescript")]
const ENDINGS: &[(&str, &[&str])] =
    &[(".js", &[".ts", ".tsx"]), (".jsx", &[".tsx"]), (".mjs", &[".mts"]), (".cjs", &[".cts"])];

/// The endings of TypeScript, behind which no other stands.
#[cfg(feature = "typescript")]
const OF_TYPESCRIPT: &[&str] = &[".ts", ".tsx", ".mts", ".cts"];

/// The root-relative paths to which a relative specifier may lead, or none where it is not relative or leads out.
#[cfg(feature = "typescript")]
fn resolved(file: &str, specifier: &str) -> Option<Vec<String>> {
    if !matches!(specifier, "." | "..") && !specifier.starts_with("./") && !specifier.starts_with("../") {
        return None;
    }
    let mut segments: Vec<&str> = file.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." | "" => {}
            ".." => drop(segments.pop()?),
            name => segments.push(name),
        }
    }
    let path = segments.join("/");
    if path.is_empty() {
        return Some(vec!["index.ts".to_owned()]);
    }
    let written = ENDINGS.iter().find_map(|(ending, files)| Some((path.strip_suffix(ending)?, files)));
    let mut paths: Vec<String> = match written {
        Some((stem, files)) => files.iter().map(|ending| format!("{stem}{ending}")).collect(),
        None if OF_TYPESCRIPT.iter().any(|ending| path.ends_with(ending)) => Vec::new(),
        None => [".ts", ".tsx", "/index.ts"].iter().map(|ending| format!("{path}{ending}")).collect(),
    };
    paths.push(path);
    Some(paths)
}

#[cfg(all(test, feature = "typescript"))]
mod tests {
    use super::*;

    fn leads(file: &str, specifier: &str, entry: &str) -> bool {
        Modules::new(vec![entry.to_owned()]).surface(file, specifier).is_some()
    }

    #[test]
    fn a_relative_specifier_leads_to_the_files_that_it_may_mean() {
        for (specifier, entry) in [
            ("./b.js", "src/b.ts"),
            ("./b.js", "src/b.tsx"),
            ("./b.js", "src/b.js"),
            ("./b.jsx", "src/b.tsx"),
            ("./b.mjs", "src/b.mts"),
            ("./b.cjs", "src/b.cts"),
            ("./b.cjs", "src/b.cjs"),
            ("./b", "src/b.ts"),
            ("./b", "src/b/index.ts"),
            ("./b.gen", "src/b.gen.ts"),
            ("./b.ts", "src/b.ts"),
            (".//x/../b.ts", "src/b.ts"),
            ("../b.js", "b.ts"),
            (".", "src/index.ts"),
            ("./", "src/index.ts"),
            ("..", "index.ts"),
            ("../", "index.ts"),
        ] {
            assert!(leads("src/a.ts", specifier, entry), "{specifier} {entry}");
        }
        for (specifier, entry) in [
            ("./b.ts", "src/b.ts.ts"),
            ("./b.mts", "src/b.mts.ts"),
            ("./b.js", "src/b.mts"),
            ("./b", "b.ts"),
            ("b", "src/b.ts"),
            ("..b", "src/b.ts"),
            ("../../b", "b.ts"),
            ("/src/b.ts", "src/b.ts"),
            // A folder is no file.
            ("./b", "src/b"),
            (".", "src"),
        ] {
            assert!(!leads("src/a.ts", specifier, entry), "{specifier} {entry}");
        }
    }

    #[test]
    fn a_specifier_counts_as_it_is_written() {
        for specifier in ["@acme/sdp", "#sdp", "sdp", "./b", "~/b.js", "https://a.example/b.ts"] {
            assert!(leads("src/a.ts", specifier, specifier), "{specifier}");
        }
    }
}
