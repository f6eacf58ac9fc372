//! Settings: a root comes in, each key with its value and where it was said goes out, a row for each entry of a list.

use std::env;
use std::path::Path;

use sdp_core::anchor::{Authored, ConfiguredLanguage, Meaning};
use sdp_core::config::{Config, Limits, OutDir, TargetOrigin, is_of_cargo, located_target_folder};
use sdp_harness::cache::{self, CacheFolder};
use sdp_harness::paths;
use serde_json::{Value, json};

use crate::root::{CommonArgs, Workspace, environment};

/// What is said of a key that nobody sets.
const DEFAULT: &str = "default";

/// The variables that may name the target folder, the stronger one first.
const TARGET_VARIABLES: [&str; 2] = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR"];

/// One key with a value.
pub(super) struct Setting {
    key: String,
    value: Value,
    from: String,
}

impl Setting {
    fn new(key: impl Into<String>, value: impl Into<Value>, from: impl Into<String>) -> Self {
        Setting { key: key.into(), value: value.into(), from: from.into() }
    }

    pub(super) fn json(&self) -> Value {
        json!({ "key": self.key, "value": self.value, "from": self.from })
    }

    pub(super) fn row(&self) -> [String; 3] {
        [self.key.clone(), told(&self.value), self.from.clone()]
    }
}

/// A value for people: a text as it is, anything else as JSON.
pub(super) fn told(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

/// Where lines of the configuration are said to stand.
pub(super) struct Origin<'c> {
    config: &'c Config,
    file: Option<String>,
}

impl<'c> Origin<'c> {
    pub(super) fn of(config: &'c Config) -> Self {
        Origin { config, file: config.source.as_deref().map(|path| paths::from(&config.root, path)) }
    }

    /// Where a key stands, or that it holds by default.
    fn key(&self, key: &str) -> String {
        match self.config.places.get(key) {
            Some(line) => self.line(*line),
            None => DEFAULT.to_owned(),
        }
    }

    pub(super) fn line(&self, line: u32) -> String {
        match &self.file {
            Some(file) => format!("{file}:{line}"),
            None => DEFAULT.to_owned(),
        }
    }
}

/// Every key.
pub(super) fn of(workspace: &Workspace, common: &CommonArgs) -> Vec<Setting> {
    let config = &workspace.config;
    let origin = Origin::of(config);
    let mut all = folders(workspace, common, &origin);
    let mut list = |key: &str, values: Vec<(Value, String)>| {
        if values.is_empty() {
            all.push(Setting::new(key, json!([]), origin.key(key)));
        }
        all.extend(values.into_iter().map(|(value, from)| Setting::new(key, value, from)));
    };
    let excludes = workspace.discover.exclude.iter().map(|path| {
        let is_configured = config.exclude.contains(path);
        let from = if is_configured { origin.key("exclude") } else { "--exclude".to_owned() };
        (Value::from(path.as_str()), from)
    });
    list("exclude", excludes.collect());
    let globs = config.rule_globs.iter().map(|glob| (Value::from(glob.as_str()), origin.key("rule-globs")));
    list("rule-globs", globs.collect());
    let contracts = config.contracts.iter().map(|(glob, place)| (Value::from(glob.as_str()), origin.line(place.line)));
    list("contracts", contracts.collect());
    let Limits { time, memory } = config.limits;
    let seconds = if time.subsec_nanos() == 0 { json!(time.as_secs()) } else { json!(time.as_secs_f64()) };
    list("limits.time", vec![(seconds, origin.key("limits.time"))]);
    list("limits.memory", vec![(json!(memory / (1024 * 1024)), origin.key("limits.memory"))]);
    let severities: Vec<_> = config.severities.configured().collect();
    if severities.is_empty() {
        list("severity", Vec::new());
    }
    for (selector, level) in severities {
        let key = format!("severity.{selector}");
        let from = origin.key(&key);
        list(&key, vec![(level.as_str().into(), from)]);
    }
    let languages = config.languages.configured().iter().map(|language| {
        let from = language.endings.first().or(language.names.first()).map(|(_, place)| origin.line(place.line));
        (of_language(language), from.unwrap_or_else(|| origin.key("comment-languages")))
    });
    list("comment-languages", languages.collect());
    let modules = config.modules.iter().map(|(module, place)| (Value::from(module.as_str()), origin.line(place.line)));
    list("typescript.trusted", modules.collect());
    let waivers = config.own_waivers().map(|waiver| {
        let value = json!({
            "rule": waiver.rule, "subject": waiver.subject, "reason": waiver.reason, "expires": waiver.expires.to_string(),
        });
        (value, origin.line(waiver.line))
    });
    list("waivers", waivers.collect());
    let baseline = config.baseline.as_deref().map(|path| paths::from(&config.root, path));
    list("baseline", vec![(json!(baseline), origin.key("baseline"))]);
    all
}

/// The root, the file of the configuration, and where things go.
fn folders(workspace: &Workspace, common: &CommonArgs, origin: &Origin<'_>) -> Vec<Setting> {
    let config = &workspace.config;
    let environment = environment(&workspace.cwd);
    let root = config.root.to_string_lossy().into_owned();
    let mut all = Vec::new();
    if let Some(name) = &config.name {
        all.push(Setting::new("name", name.as_str(), origin.key("roots")));
    }
    all.extend([
        Setting::new("root", root, how_found(config, common)),
        Setting::new("configuration", json!(origin.file), if origin.file.is_some() { "file" } else { DEFAULT }),
    ]);
    let target = located_target_folder(&config.root, &environment);
    let relative = |path: &Path| paths::from(&config.root, path);
    match &target {
        Some((folder, found)) => {
            let from = match found {
                TargetOrigin::Environment => variable().unwrap_or("environment").to_owned(),
                TargetOrigin::CargoConfig(file) => relative(file),
                TargetOrigin::Default => DEFAULT.to_owned(),
            };
            all.push(Setting::new("target-folder", relative(folder), from));
        }
        None => all.push(Setting::new("target-folder", Value::Null, "no cargo package here")),
    }
    let from = match config.out_dir {
        OutDir::Configured(_) => origin.key("out-dir"),
        OutDir::Default => DEFAULT.to_owned(),
    };
    all.push(Setting::new("out-dir", relative(&config.out_dir(&environment)), from));
    all.push(if cache::is_turned_off(env::var_os(cache::NO_CACHE).as_deref()) {
        Setting::new("cache-folder", Value::Null, cache::NO_CACHE)
    } else {
        Setting::new("cache-folder", relative(&CacheFolder::of(&config.root, &environment).path()), DEFAULT)
    });
    all
}

/// How the root was found: the order is that of the search.
fn how_found(config: &Config, common: &CommonArgs) -> &'static str {
    if common.root.is_some() {
        return "--root";
    }
    if common.manifest_path.is_some() {
        return "--manifest-path";
    }
    if config.source.is_some() {
        return "nearest folder upwards with a configuration";
    }
    if is_of_cargo(&config.root) {
        return "cargo workspace or package";
    }
    if config.root.join(".git").exists() { "git top level" } else { "current folder" }
}

fn variable() -> Option<&'static str> {
    TARGET_VARIABLES.into_iter().find(|name| env::var_os(name).is_some_and(|value| !value.is_empty()))
}

fn of_language(language: &ConfiguredLanguage) -> Value {
    let texts = |list: &[(String, Authored)]| list.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>();
    let mut value = json!({ "endings": texts(&language.endings), "names": texts(&language.names) });
    let more = match &language.meaning {
        Meaning::Like(name) => json!({ "like": name }),
        Meaning::Own(rules) => json!({
            "line": rules.line, "block": rules.block, "nested": rules.nested, "strings": rules.strings,
        }),
    };
    if let (Value::Object(fields), Value::Object(more)) = (&mut value, more) {
        fields.extend(more);
    }
    value
}
