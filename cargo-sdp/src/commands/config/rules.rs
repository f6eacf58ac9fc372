//! Rules: a root comes in; its rule files with the patterns that found them, and its configured rules with all that they name, go
//! out. No body and no file of parameters is read.

use globset::GlobMatcher;
use sdp_core::config::{Config, ParamsInput, RuleBody, compile_glob};
use sdp_core::params::Input;
use sdp_core::rules::name::in_root;
use sdp_core::rules::{BodyTask, Source, Task, is_body_file, plan};
use sdp_recipes::recipe;
use serde_json::{Value, json};

use super::settings::{Origin, told};
use crate::root::Workspace;

/// What is added to the path of a file that is not there.
const MISSING: &str = "is missing";

/// A rule file that runs under its own name.
pub(super) struct RuleFile {
    path: String,
    case: String,
    glob: String,
}

impl RuleFile {
    pub(super) fn json(&self) -> Value {
        json!({ "file": self.path, "case": self.case, "glob": self.glob })
    }

    pub(super) fn row(&self) -> [String; 3] {
        [self.case.clone(), self.path.clone(), self.glob.clone()]
    }
}

/// The rule files; none where the rules cannot be planned, which is a finding of its own.
pub(super) fn files(workspace: &Workspace) -> Vec<RuleFile> {
    let config = &workspace.config;
    let Ok(plan) = plan(config, &workspace.discover) else { return Vec::new() };
    let globs: Vec<(&String, GlobMatcher)> =
        config.rule_globs.iter().filter_map(|glob| Some((glob, compile_glob(glob).ok()?))).collect();
    let folder = config.config_folder();
    let files = plan.cases.into_iter().filter_map(|case| match case.task {
        Task::Body(BodyTask { source: Source::File(path), .. }) => {
            // Of several patterns that match a file, the first one names its case.
            let from_config = path.strip_prefix(&folder).unwrap_or(&path);
            let glob = globs.iter().find(|(_, matcher)| matcher.is_match(from_config)).map(|(glob, _)| (*glob).clone());
            Some(RuleFile { glob: glob.unwrap_or_default(), case: in_root(config.name.as_deref(), &case.name), path })
        }
        _ => None,
    });
    files.collect()
}

/// A rule of the configuration.
pub(super) struct ConfiguredRule {
    case: String,
    from: String,
    body: (String, bool),
    params: Vec<(Value, String, bool)>,
    severity: Option<&'static str>,
    description: Option<String>,
}

impl ConfiguredRule {
    pub(super) fn json(&self) -> Value {
        let params = self
            .params
            .iter()
            .map(|(input, from, is_missing)| json!({ "input": input, "from": from, "isMissing": is_missing }));
        json!({
            "case": self.case,
            "from": self.from,
            "body": self.body.0,
            "isMissing": self.body.1,
            "params": params.collect::<Vec<_>>(),
            "severity": self.severity,
            "description": self.description,
        })
    }

    pub(super) fn rows(&self) -> Vec<[String; 3]> {
        let gone = |is_missing: bool| if is_missing { MISSING.to_owned() } else { String::new() };
        let below = |name: &str, value: &str, said: String| [format!("  {name}"), value.to_owned(), said];
        let mut rows = vec![[self.case.clone(), String::new(), self.from.clone()]];
        rows.push(below("body", &self.body.0, gone(self.body.1)));
        for (input, from, is_missing) in &self.params {
            let said = if *is_missing { format!("{from}, {MISSING}") } else { from.clone() };
            rows.push(below("params", &told(input), said));
        }
        rows.extend(self.severity.map(|word| below("severity", word, String::new())));
        rows.extend(self.description.as_deref().map(|text| below("description", text, String::new())));
        rows
    }
}

/// The configured rules, as authored.
pub(super) fn configured(workspace: &Workspace) -> Vec<ConfiguredRule> {
    let config = &workspace.config;
    let origin = Origin::of(config);
    let rules = config.rules.iter().map(|rule| ConfiguredRule {
        case: in_root(config.name.as_deref(), &format!("rule::{}", rule.name)),
        from: origin.line(rule.line),
        body: body(config, &rule.body),
        params: rule.params.iter().map(|one| params(config, &origin, one)).collect(),
        severity: rule.severity.map(|severity| severity.as_str()),
        description: rule.description.clone(),
    });
    rules.collect()
}

/// What a rule runs, and whether it is missing as far as that can be seen.
fn body(config: &Config, body: &RuleBody) -> (String, bool) {
    match body {
        RuleBody::File(path) => (format!("{}{path}", config.config_folder()), !is_body_file(&config.base, path)),
        RuleBody::Recipe(number) => match recipe(*number) {
            Some(recipe) => (format!("recipe {number} ({})", recipe.slug), false),
            None => (format!("recipe {number}"), true),
        },
        RuleBody::Dependency { package, path } => (format!("dependency:{package}/{path}"), false),
    }
}

fn params(config: &Config, origin: &Origin<'_>, one: &ParamsInput) -> (Value, String, bool) {
    let value = match &one.input {
        Input::Table(table) => Value::Object(table.clone()),
        Input::Inline(text) => text.as_str().into(),
        Input::File(path) => format!("@{path}").into(),
        Input::Keyed(key, path) => format!("{key}=@{path}").into(),
    };
    let is_missing = one.input.path().is_some_and(|path| !config.base.join(path).is_file());
    (value, origin.line(one.line), is_missing)
}
