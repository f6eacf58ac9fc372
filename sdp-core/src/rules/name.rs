//! Names of cases: a rule file's path, a configured name, a check's id or a recipe come in, the name that a test runner
//! prints and filters by goes out. A name that a runner could misread is refused, never mended, so that two names cannot
//! become one in silence.

use thiserror::Error;

use crate::harmless::{is_harmful, opens_command};

/// What a rule file's name ends with; the rest of the path is its case's name.
const RULE_SUFFIX: &str = ".sdp.js";

/// Why a name cannot be a case's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nothing is left of it.
    #[error("it is empty")]
    Empty,
    /// `::` parts the levels of a name and cannot stand inside one; neither can a `:` at its edge.
    #[error("`::` parts the levels of a case's name, so a level cannot hold it nor begin or end with `:`")]
    Colons,
    /// Controls, invisible characters, or white space at an edge.
    #[error("it holds a control character, an invisible character, or white space at its edge")]
    Unprintable,
    /// `##[`, `##vso[` and the like give a CI runner commands.
    #[error("it holds `##` with a `[` after it, which gives a CI runner commands")]
    Command,
}

/// The case of a rule file: `rule::a::x` for `rules/a/x.sdp.js`, found by `rules/**/*.sdp.js`. The folders that stand
/// before the glob's first wildcard are not part of the name.
///
/// # Errors
/// [`NameError`] when a folder or the file is named so that a runner could misread it.
pub fn of_rule_file(path: &str, glob: &str) -> Result<String, NameError> {
    let rest = path.strip_prefix(literal_folder(glob)).unwrap_or(path);
    let stem = rest.strip_suffix(RULE_SUFFIX).or_else(|| rest.strip_suffix(".js")).unwrap_or(rest);
    let mut name = String::from("rule");
    for level in stem.split('/') {
        check_level(level)?;
        name.push_str("::");
        name.push_str(level);
    }
    Ok(name)
}

/// The case of a configured rule: `rule::<name>`.
///
/// # Errors
/// [`NameError`] when a runner could misread the name.
pub fn of_configured_rule(name: &str) -> Result<String, NameError> {
    check_level(name)?;
    Ok(format!("rule::{name}"))
}

/// The case of a check: `check::conformance::orphans` for `conformance/orphans`.
#[must_use]
pub fn of_check(id: &str) -> String {
    format!("check::{}", id.replace('/', "::"))
}

/// The case of a recipe: `recipe::26-dependency-cycles`.
#[must_use]
pub fn of_recipe(number: u32, slug: &str) -> String {
    format!("recipe::{number:02}-{slug}")
}

/// A case as a run over several roots calls it: its name opens with the name of its root. A root without a name is alone.
#[must_use]
pub fn in_root(root: Option<&str>, case: &str) -> String {
    match root {
        Some(root) => format!("{root}::{case}"),
        None => case.to_owned(),
    }
}

/// The folders before a glob's first wildcard, with the last `/`; empty when it opens with one.
fn literal_folder(glob: &str) -> &str {
    let literal = glob.find(['*', '?', '[', '{', '\\']).and_then(|wildcard| glob.get(..wildcard)).unwrap_or(glob);
    literal.rfind('/').and_then(|slash| literal.get(..=slash)).unwrap_or("")
}

/// Whether a text can be one level of a name.
pub(super) fn check_level(level: &str) -> Result<(), NameError> {
    if level.is_empty() {
        return Err(NameError::Empty);
    }
    if level.contains("::") || level.starts_with(':') || level.ends_with(':') {
        return Err(NameError::Colons);
    }
    if level.trim() != level || level.chars().any(is_harmful) {
        return Err(NameError::Unprintable);
    }
    if opens_command(level) {
        return Err(NameError::Command);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folders_before_the_first_wildcard_are_not_part_of_a_name() {
        for (path, glob, name) in [
            ("rules/a/x.sdp.js", "rules/**/*.sdp.js", "rule::a::x"),
            ("rules/x.sdp.js", "rules/**/*.sdp.js", "rule::x"),
            ("rules/x.sdp.js", "rules/x.sdp.js", "rule::x"),
            ("tools/rules/b/x.sdp.js", "tools/rules/b*/**", "rule::b::x"),
            ("rules/a/x.sdp.js", "**/*.sdp.js", "rule::rules::a::x"),
            ("rules/a/x y.js", "rules/{a,b}/*.js", "rule::a::x y"),
            ("rules/a.b.sdp.js", "rules/*", "rule::a.b"),
            ("rules/notes.txt", "rules/*", "rule::notes.txt"),
        ] {
            assert_eq!(of_rule_file(path, glob).as_deref(), Ok(name), "{path} by {glob}");
        }
    }

    #[test]
    fn a_name_that_a_runner_could_misread_is_refused() {
        let glob = "rules/**";
        assert_eq!(of_rule_file("rules/a::b.sdp.js", glob), Err(NameError::Colons));
        assert_eq!(of_rule_file("rules/a:/b.sdp.js", glob), Err(NameError::Colons));
        assert_eq!(of_rule_file("rules/.sdp.js", glob), Err(NameError::Empty));
        assert_eq!(of_rule_file("rules/a\nb.sdp.js", glob), Err(NameError::Unprintable));
        assert_eq!(of_rule_file("rules/ a.sdp.js", glob), Err(NameError::Unprintable));
        assert_eq!(of_configured_rule("a\u{202e}b"), Err(NameError::Unprintable));
        for command in ["##[error]x", "a ##vso[task.complete]", "##teamcity[a]"] {
            assert_eq!(of_configured_rule(command), Err(NameError::Command));
        }
        assert_eq!(of_configured_rule("##a").as_deref(), Ok("rule::##a"));
        assert_eq!(of_configured_rule("no-orphans").as_deref(), Ok("rule::no-orphans"));
    }

    #[test]
    fn checks_and_recipes_have_names_of_their_own() {
        assert_eq!(of_check("conformance/orphans"), "check::conformance::orphans");
        assert_eq!(of_recipe(26, "dependency-cycles"), "recipe::26-dependency-cycles");
        assert_eq!(of_recipe(3, "guarantee"), "recipe::03-guarantee");
    }
}
