//! What the head of a body says to a run: the text of the body comes in, the name of its findings, its description and the parameters
//! that it takes go out.

use serde_json::{Map, Value};
use thiserror::Error;

use super::name::check_level;

/// The longest name of a rule, in characters.
const MAX_NAME: usize = 200;

/// What a head says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RuleHead {
    /// What a finding is called that names no rule.
    pub(super) rule: Option<String>,
    /// What the rule is for.
    pub(super) description: Option<String>,
    /// The parameters that the body takes, where it lists them.
    pub(super) accepts: Option<Vec<String>>,
}

/// Why a head cannot be followed, at its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{why}")]
pub struct HeadError {
    /// The 1-based line.
    pub line: u32,
    /// What is wrong.
    pub why: String,
}

impl RuleHead {
    /// Reads the head of a body.
    ///
    /// # Errors
    /// [`HeadError`]: a name that findings could not have.
    pub(super) fn of(body: &str) -> Result<Self, HeadError> {
        let head = sdp_recipes::head_of(body);
        let mut names = head.rules.iter();
        let rule =
            names.next().map(|(line, name)| checked(name).map_err(|why| HeadError { line: *line, why })).transpose()?;
        if let Some((line, _)) = names.next() {
            return Err(HeadError { line: *line, why: "the head states `@rule` twice".to_owned() });
        }
        let description = head.description.join(" ");
        Ok(RuleHead {
            rule,
            description: Some(description.trim().to_owned()).filter(|text| !text.is_empty()),
            accepts: head.states_params.then(|| head.params.into_iter().map(str::to_owned).collect()),
        })
    }

    /// Whether the body takes a parameter by its own word.
    pub(super) fn lists(&self, param: &str) -> bool {
        self.accepts.iter().flatten().any(|accepted| accepted == param)
    }

    /// The parameters that the head does not list, where it lists any.
    pub(super) fn unknown<'p>(&self, params: &'p Map<String, Value>) -> Vec<&'p str> {
        match &self.accepts {
            Some(accepts) => params.keys().filter(|key| !accepts.contains(key)).map(String::as_str).collect(),
            None => Vec::new(),
        }
    }
}

fn checked(name: &str) -> Result<String, String> {
    if name.chars().count() > MAX_NAME {
        return Err(format!("the name that `@rule` states is longer than {MAX_NAME} characters"));
    }
    for level in name.split("::").flat_map(|level| level.split('/')) {
        check_level(level).map_err(|error| format!("`@rule` states no name: {error}"))?;
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_names_findings_describes_the_rule_and_lists_parameters() {
        let head = RuleHead::of("\u{FEFF}// @rule naming/kebab::ids\n// @description Ids are\n// @description words\n// @params a, b\nreturn []").unwrap();
        assert_eq!(head.rule.as_deref(), Some("naming/kebab::ids"));
        assert_eq!(head.description.as_deref(), Some("Ids are words"));
        assert_eq!(head.accepts, Some(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(RuleHead::of("return []\n// @rule late"), Ok(RuleHead::default()));
        assert_eq!(RuleHead::of("// @params\nreturn []").unwrap().accepts, Some(Vec::new()), "it takes none");
    }

    #[test]
    fn a_name_that_no_finding_could_have_is_refused_at_its_line() {
        let long = format!("// @rule {}", "a".repeat(201));
        for (body, line, why) in [
            ("// @rule", 1, "`@rule` states no name: it is empty"),
            ("// x\n\n// @rule a//b", 3, "`@rule` states no name: it is empty"),
            ("// @rule a::", 1, "`@rule` states no name: it is empty"),
            (
                "// @rule a:::b",
                1,
                "`@rule` states no name: `::` parts the levels of a case's name, so a level cannot hold it nor begin or end with `:`",
            ),
            (
                "// @rule a\u{202e}b",
                1,
                "`@rule` states no name: it holds a control character, an invisible character, or white space at its edge",
            ),
            ("// @rule a\n// @rule b", 2, "the head states `@rule` twice"),
            (&long, 1, "the name that `@rule` states is longer than 200 characters"),
        ] {
            assert_eq!(RuleHead::of(body), Err(HeadError { line, why: why.to_owned() }), "{body}");
        }
    }
}
