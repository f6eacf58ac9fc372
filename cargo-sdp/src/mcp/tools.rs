//! The tools: what each is for, what it takes, and how one asks it for less. Arguments come in and are judged here, so that no
//! call runs with one that it does not know.

use std::collections::BTreeMap;

use sdp_core::harmless;
use sdp_core::suggest::first_nearest;
use serde_json::{Map, Value, json};

/// How many characters an answer has by default.
pub(super) const CHARS: usize = 20_000;

/// How few and how many characters may be asked for.
pub(super) const MIN_CHARS: usize = 2_000;
pub(super) const MAX_CHARS: usize = 200_000;

/// One tool.
#[derive(Debug)]
pub(super) struct Tool {
    /// The name that a client calls.
    pub(super) name: &'static str,
    /// The name for people.
    pub(super) title: &'static str,
    /// What it is for, to a model that knows nothing of the graph.
    pub(super) description: &'static str,
    /// What it takes, beside what every tool takes.
    arguments: &'static [Argument],
    /// Whether it reads a repository, which may be one of several roots.
    looks: bool,
    /// How one asks for less.
    pub(super) how: &'static str,
    /// What it does.
    pub(super) act: Act,
}

/// What a tool does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Q,
    Recipes,
    Recipe,
    SpecContext,
    PackContext,
    FindConcept,
    BlastRadius,
    Check,
}

#[derive(Debug)]
struct Argument {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    description: &'static str,
}

/// What an argument is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    TextOrNumber,
    Texts,
    Flag,
    Object,
    Chars,
}

impl Kind {
    fn schema(self) -> Value {
        match self {
            Kind::Text => json!({ "type": "string" }),
            Kind::TextOrNumber => json!({ "type": ["string", "integer"] }),
            Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
            Kind::Flag => json!({ "type": "boolean" }),
            Kind::Object => json!({ "type": "object" }),
            Kind::Chars => json!({ "type": "integer", "minimum": MIN_CHARS, "maximum": MAX_CHARS, "default": CHARS }),
        }
    }

    fn takes(self) -> &'static str {
        match self {
            Kind::Text => "a string",
            Kind::TextOrNumber => "a number or a string",
            Kind::Texts => "an array of strings",
            Kind::Flag => "true or false",
            Kind::Object => "an object",
            Kind::Chars => "an integer from 2000 to 200000",
        }
    }

    fn accepts(self, value: &Value) -> bool {
        match self {
            Kind::Text => value.is_string(),
            Kind::TextOrNumber => value.is_string() || whole(value).is_some(),
            Kind::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Kind::Flag => value.is_boolean(),
            Kind::Object => value.is_object(),
            Kind::Chars => whole(value)
                .and_then(|chars| usize::try_from(chars).ok())
                .is_some_and(|chars| (MIN_CHARS..=MAX_CHARS).contains(&chars)),
        }
    }
}

/// A whole number, however it is written: `26` or `26.0`, which JSON Schema calls an integer too.
fn whole(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_f64()?.to_string().parse().ok())
}

const fn needed(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: true, description }
}

const fn optional(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument { name, kind, is_required: false, description }
}

/// What every tool takes.
static OF_ALL: [Argument; 1] = [optional(
    "max_chars",
    Kind::Chars,
    "The longest answer, in characters. A longer one is cut at whole items, and `truncated` names what was left out.",
)];

/// What every tool takes that reads a repository.
static OF_LOOKING: [Argument; 1] = [optional(
    "root",
    Kind::Text,
    "The name of one of the roots that the configuration lists. Needed only where it lists several.",
)];

/// The tools, in the order in which they are listed.
pub(super) static TOOLS: &[Tool] = &[
    Tool {
        name: "q",
        title: "Ask the graph",
        description: "\
Run one JavaScript async-function body over the graph of Specs and get what it returns, as JSON. Use it for every question \
that no other tool answers; one body replaces reading many files.\n\
The body sees: g (the reader), graph ({ nodes, edges, locations }), report (findings of the checks), params, recipes(number, params).\n\
g.specs() rows { id, title, narrative, specKind, altitude, statedReadiness, derivedReadiness, deliveryFacts, file, packs }; \
g.packs(); g.findings(); g.specContext(id); g.packContext(id); g.exampleSpace(id, { pairs }); g.findByConcept(text); \
g.byFile(path); g.blastRadius(files); g.byId(id) a node; g.out(id, type?) and g.in(id, type?) edges { from, type, to, claim }.\n\
Edge types: refines, dependsOn, constrainedBy, decidedBy, verifies, supersedes, belongsTo, satisfies, references, uses, \
memberOf, models.\n\
`return` is the answer: return only the fields that you need. No files, network, timers or modules; 10 seconds and 256 MB. \
Example: return g.specs().filter((s) => s.deliveryFacts.length === 0).map((s) => s.id)",
        arguments: &[
            needed("body", Kind::Text, "The inside of an async function, such as `return g.specs().length`."),
            optional("params", Kind::Object, "What the body sees as `params`."),
            optional(
                "deterministic",
                Kind::Flag,
                "Let Date stand still and seed Math.random, so that each run gives the same.",
            ),
        ],
        looks: true,
        how: "return fewer fields, filter, or slice in the body; or raise max_chars",
        act: Act::Q,
    },
    Tool {
        name: "recipes",
        title: "List recipes",
        description: "\
List the shipped recipes: questions to the graph that somebody already wrote down, each with number, slug, title, what it \
answers and which parameters it takes. Look here before you write a body for `q`. With `show` one recipe is given whole, \
with its JavaScript body, to read or to change.",
        arguments: &[optional(
            "show",
            Kind::TextOrNumber,
            "The number or the slug of one recipe to show with its body.",
        )],
        looks: false,
        how: "show one recipe by its number with `show`; or raise max_chars",
        act: Act::Recipes,
    },
    Tool {
        name: "recipe",
        title: "Run a recipe",
        description: "\
Run one shipped recipe over the graph. `recipes` lists them with their parameters. Worth knowing: 1 what is to be built next, \
3 what one Spec guarantees and who verifies it (spec), 4 what breaks if files change (files), 8 orphans and gaps, \
19 what to look at before work on a Spec (spec), 20 open questions, 26 dependency cycles. A parameter that names a subject \
may be left out: the answer is then about the first one and names it. An unknown parameter is answered with { unknownParams, accepts }.",
        arguments: &[
            needed(
                "recipe",
                Kind::TextOrNumber,
                "The number in the catalog, or the slug, such as 26 or `dependency-cycles`.",
            ),
            optional("params", Kind::Object, "Parameters of the recipe, such as {\"spec\": \"spec:shop.refund\"}."),
        ],
        looks: true,
        how: "narrow it with the recipe's parameters, or call it from a body of `q` with `await recipes(N, params)` and pick; or raise max_chars",
        act: Act::Recipe,
    },
    Tool {
        name: "spec_context",
        title: "One Spec",
        description: "\
Everything known of one Spec: its row, its sections (rules, examples, design, questions), what keeps it from its readiness \
(floorFailures, nextRungFailures), relations out and in, the code that implements or references it with file and line, the \
tests that verify it with their names, its oracle, where its entries stand, and its findings. Read it before you change code \
that the Spec is about. A Spec is a written statement of what the software is meant to do, with an id like `spec:shop.refund`.",
        arguments: &[needed(
            "spec",
            Kind::Text,
            "The id, such as `spec:shop.refund`. find_concept finds ids by words.",
        )],
        looks: true,
        how: "ask `q` for one part, such as return g.specContext(id).verifiers; or raise max_chars",
        act: Act::SpecContext,
    },
    Tool {
        name: "pack_context",
        title: "One Pack",
        description: "\
Everything known of one Pack, a named list of Specs that belong together: each member with readiness, delivery facts, open \
questions, decisions and counts of code and tests; members that no test verifies (verifierGaps); what the Pack rests on and \
what rests on it outside (boundary); its findings.",
        arguments: &[needed("pack", Kind::Text, "The id, such as `pack:shop`. `return g.packs()` in `q` lists them.")],
        looks: true,
        how: "ask `q` for one part, such as return g.packContext(id).verifierGaps; or raise max_chars",
        act: Act::PackContext,
    },
    Tool {
        name: "find_concept",
        title: "Find a concept",
        description: "\
Find the Specs, Packs, code and tests whose id, title, prose or sections hold a text, without regard to case; best match \
first, as { id, nodeType, title, matchedIn }. Start here when you have words and no id. One text, not several words apart: \
`refund` finds more than `refund policy`.",
        arguments: &[needed("text", Kind::Text, "The text to look for.")],
        looks: true,
        how: "look for a longer text; or raise max_chars",
        act: Act::FindConcept,
    },
    Tool {
        name: "blast_radius",
        title: "Blast radius of files",
        description: "\
What a change of these files reaches: impactedSpecs and impactedPacks with the reasons, atRisk (neighbours one edge away), \
coverageUnknown (files of which the graph knows nothing) and unlinked (code that binds no Spec). Ask it with the files that \
you are about to change, or have changed.",
        arguments: &[needed("files", Kind::Texts, "Paths relative to the root, with `/`, such as `src/refund.rs`.")],
        looks: true,
        how: "give fewer files, or map the ids alone in `q`: return g.blastRadius(files).impactedSpecs.map((s) => s.id); or raise max_chars",
        act: Act::BlastRadius,
    },
    Tool {
        name: "check",
        title: "Check the Specs",
        description: "\
Check all Specs, anchors and the graph: every finding with id, severity, message, file, line, column and a help that says how \
to mend it, and a summary. Errors come first. Run it after each change of a Spec or of an anchor in code. Findings are the \
answer, not a failure of the tool.",
        arguments: &[optional(
            "errors_only",
            Kind::Flag,
            "Leave the warnings out of the list; they are still counted.",
        )],
        looks: true,
        how: "set errors_only, mend the first findings and check again; or raise max_chars",
        act: Act::Check,
    },
];

/// The tool with a name.
pub(super) fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    fn all_arguments(&self) -> impl Iterator<Item = &'static Argument> {
        let root: &[Argument] = if self.looks { &OF_LOOKING } else { &[] };
        self.arguments.iter().chain(root).chain(&OF_ALL)
    }

    /// The JSON Schema of its arguments.
    pub(super) fn schema(&self) -> Map<String, Value> {
        let mut properties = Map::new();
        for argument in self.all_arguments() {
            let mut schema = argument.kind.schema();
            if let Some(fields) = schema.as_object_mut() {
                fields.insert("description".to_owned(), argument.description.into());
            }
            properties.insert(argument.name.to_owned(), schema);
        }
        let required: Vec<Value> =
            self.all_arguments().filter(|one| one.is_required).map(|one| one.name.into()).collect();
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.insert("properties".to_owned(), properties.into());
        if !required.is_empty() {
            schema.insert("required".to_owned(), required.into());
        }
        schema.insert("additionalProperties".to_owned(), false.into());
        schema
    }

    /// Judges the arguments of a call. What is wrong comes back as a message and a hint.
    pub(super) fn judge(&self, given: Map<String, Value>) -> Result<Arguments, (String, String)> {
        let names = || self.all_arguments().map(|argument| argument.name);
        let listed = || format!("`{}` takes {}", self.name, names().collect::<Vec<_>>().join(", "));
        let mut judged = BTreeMap::new();
        for (name, value) in given {
            let Some(argument) = self.all_arguments().find(|argument| argument.name == name) else {
                let nearest = first_nearest(&name, names(), 2);
                let nearest = nearest.map(|near| format!("did you mean `{near}`? ")).unwrap_or_default();
                let message = format!("`{}` has no argument `{}`.", self.name, harmless::cut(&name, 100));
                return Err((message, format!("{nearest}{}", listed())));
            };
            if value.is_null() && !argument.is_required {
                continue;
            }
            if !argument.kind.accepts(&value) {
                let message = format!("`{}` of `{}` takes {}.", argument.name, self.name, argument.kind.takes());
                return Err((message, argument.description.to_owned()));
            }
            judged.insert(argument.name, value);
        }
        match self.all_arguments().find(|argument| argument.is_required && !judged.contains_key(argument.name)) {
            Some(argument) => Err((
                format!("`{}` needs the argument `{}`.", self.name, argument.name),
                argument.description.to_owned(),
            )),
            None => Ok(Arguments(judged)),
        }
    }
}

/// Arguments that the tool knows, each of its kind.
#[derive(Debug, Default)]
pub(super) struct Arguments(BTreeMap<&'static str, Value>);

impl Arguments {
    /// A text, empty where it is not given.
    pub(super) fn text(&self, name: &str) -> &str {
        self.given_text(name).unwrap_or_default()
    }

    /// A text, where it is given.
    pub(super) fn given_text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    /// What names something, by a number or a text.
    pub(super) fn name(&self, name: &str) -> Option<String> {
        let value = self.0.get(name)?;
        value.as_str().map(str::to_owned).or_else(|| whole(value).map(|number| number.to_string()))
    }

    /// A list of texts.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let items = self.0.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// A flag; off where it is not given.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// An object; empty where it is not given.
    pub(super) fn object(&self, name: &str) -> Map<String, Value> {
        self.0.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
    }

    /// The longest answer that is wanted.
    pub(super) fn chars(&self) -> usize {
        let chars = self.0.get("max_chars").and_then(whole);
        chars.and_then(|chars| usize::try_from(chars).ok()).unwrap_or(CHARS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(tool: &str, given: Value) -> Result<Arguments, (String, String)> {
        find(tool).unwrap().judge(given.as_object().unwrap().clone())
    }

    #[test]
    fn an_argument_that_a_tool_does_not_know_is_refused_with_the_one_that_was_meant() {
        let (message, hint) = judge("q", json!({ "bodi": "return 1" })).unwrap_err();
        assert_eq!(message, "`q` has no argument `bodi`.");
        assert_eq!(hint, "did you mean `body`? `q` takes body, params, deterministic, root, max_chars");
        assert_eq!(judge("q", json!({})).unwrap_err().0, "`q` needs the argument `body`.");
        assert_eq!(
            judge("blast_radius", json!({ "files": ["a", 1] })).unwrap_err().0,
            "`files` of `blast_radius` takes an array of strings."
        );
        for chars in [json!(1_999), json!(200_001), json!("x"), json!(-1), json!(2_000.5)] {
            assert!(judge("check", json!({ "max_chars": chars })).is_err(), "{chars}");
        }
        assert_eq!(judge("check", json!({ "max_chars": 2_000, "root": null })).unwrap().chars(), 2_000);
        assert_eq!(judge("check", json!({ "max_chars": 3_000.0 })).unwrap().chars(), 3_000);
        for number in [json!(26), json!(26.0), json!("26")] {
            assert_eq!(judge("recipe", json!({ "recipe": number })).unwrap().name("recipe").as_deref(), Some("26"));
        }
        for number in [json!(-1), json!(1.5), json!(1e308), json!(true)] {
            assert!(judge("recipe", json!({ "recipe": number })).is_err(), "{number}");
        }
    }
}
