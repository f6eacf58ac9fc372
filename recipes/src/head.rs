//! The head of a body: the `//` comment lines that open it. What comes in is a recipe's or a rule's source, what goes
//! out are the tags that it states; nothing of the code behind it is read.

/// What a body says of itself, tag by tag (`// @title …`). All parts are borrowed from the body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head<'a> {
    /// `@title`: its heading in the catalog.
    pub title: Option<&'a str>,
    /// `@description`: what it answers; several lines join.
    pub description: Vec<&'a str>,
    /// `@rule`: what a finding is called that names no rule, with the 1-based line of the tag; one is meant to be there.
    pub rules: Vec<(u32, &'a str)>,
    /// `@params`: the parameters that it accepts, comma or space separated.
    pub params: Vec<&'a str>,
    /// Whether there is a `@params`, which may list none.
    pub states_params: bool,
    /// `@takes`: what each parameter takes, by its name.
    pub takes: Vec<(&'a str, &'a str)>,
    /// `@opt-in`: whether it judges only where the configuration runs it as a rule.
    pub is_opt_in: bool,
    /// `@needs`: parameters without which it answers for the empty value.
    pub needs: Vec<&'a str>,
    /// `@gives`: the shape of its answer.
    pub gives: Vec<&'a str>,
}

/// Reads the head of a body; a body without one has an empty head.
#[must_use]
pub fn head_of(body: &str) -> Head<'_> {
    let mut head = Head::default();
    for (number, line) in (1..).zip(body.strip_prefix('\u{FEFF}').unwrap_or(body).lines()) {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let Some(comment) = line.strip_prefix("//") else { break };
        let Some(tag) = comment.trim().strip_prefix('@') else { continue };
        let (name, value) = tag.split_once(char::is_whitespace).map_or((tag, ""), |(name, value)| (name, value.trim()));
        match name {
            "title" => head.title = Some(value),
            "description" => head.description.push(value),
            "rule" => head.rules.push((number, value)),
            "params" => {
                head.states_params = true;
                head.params.extend(words(value));
            }
            "takes" => head.takes.extend(value.split_once(' ')),
            "opt-in" => head.is_opt_in = true,
            "needs" => head.needs.extend(words(value)),
            "gives" => head.gives.push(value),
            _ => {}
        }
    }
    head
}

impl<'a> Head<'a> {
    /// What a parameter takes, in words; none where the head does not say it.
    #[must_use]
    pub(crate) fn taken_by(&self, param: &str) -> Option<&'a str> {
        self.takes.iter().find(|(name, _)| *name == param).map(|(_, kind)| *kind)
    }
}

fn words(value: &str) -> impl Iterator<Item = &str> {
    value.split([',', ' ', '\t']).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_ends_at_the_first_code_line() {
        let head = head_of("// @title Cycles\n// free text\n// @params severity, scope\nreturn 1\n// @needs term\n");
        assert_eq!(head.title, Some("Cycles"));
        assert_eq!(head.params, ["severity", "scope"]);
        assert_eq!(head.needs, Vec::<&str>::new());
    }

    #[test]
    fn a_parameter_has_the_words_for_what_it_takes() {
        let head = head_of("// @params spec, severity\n// @takes spec a Spec id\n// @takes bare\n// @opt-in\n");
        assert_eq!((head.taken_by("spec"), head.taken_by("severity")), (Some("a Spec id"), None));
        assert_eq!((head.takes.len(), head.is_opt_in), (1, true));
        assert!(!head_of("// @title T\n").is_opt_in);
    }
}
