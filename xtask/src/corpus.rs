//! `cargo xtask corpus`: a synthetic corpus for benches and scale tests. A number of Specs, a seed and what sources to add
//! come in; the carriers and sources of a green corpus go out, byte for byte those that the project's Python generator
//! writes. It must never depend on anything but what it is told.

mod sources;

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::python_random::PythonRandom;

const DEFAULT_SEED: u64 = 7;

/// How many Specs a feature family has.
const FAMILY: usize = 16;
/// How many families one Pack lists.
const PACK: usize = 50;
/// How many rules a family has.
const RULES: usize = 3;
/// How many examples a family has.
const CASES: usize = 9;

/// What sentences and names are made of.
const WORDS: [&str; 50] = [
    "account", "ledger", "cart", "order", "invoice", "refund", "payment", "shipment", "parcel", "stock", "price",
    "quote", "customer", "session", "token", "policy", "limit", "region", "tenant", "export", "import", "audit",
    "report", "schedule", "batch", "retry", "queue", "event", "message", "payload", "schema", "index", "cache",
    "shard", "replica", "snapshot", "backup", "restore", "metric", "alert", "trace", "budget", "quota", "plan", "seat",
    "license", "coupon", "campaign", "segment", "profile",
];

/// What `cargo xtask corpus` is told.
#[derive(Debug, clap::Args)]
pub struct Corpus {
    /// How many Specs to write: the nearest multiple of 16 that is not above it, and at least 16
    #[arg(value_name = "N")]
    specs: usize,
    /// The folder to write to; files of other names that it has stay
    out: PathBuf,
    /// Which corpus of this size: the same seed always gives the same bytes
    #[arg(long, default_value_t = DEFAULT_SEED)]
    seed: u64,
    /// Whether each feature has a source file that binds it, one of its rules and three of its examples
    #[arg(long, value_name = "none|rust|ts", value_parser = anchors, default_value = "none")]
    anchors: Anchors,
    /// How many source files without an anchor each feature has
    #[arg(long, value_name = "F", default_value_t)]
    noise: usize,
}

/// In what form the sources of a corpus bind its Specs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchors {
    /// No source binds anything.
    None,
    /// Attributes on Rust items.
    Rust,
    /// Constants in TypeScript.
    TypeScript,
}

/// The form that an argument names.
fn anchors(argument: &str) -> Result<Anchors, &'static str> {
    match argument {
        "none" => Ok(Anchors::None),
        "rust" => Ok(Anchors::Rust),
        "ts" => Ok(Anchors::TypeScript),
        _ => Err("the form is `none`, `rust` or `ts`"),
    }
}

impl Corpus {
    /// A corpus of about so many Specs in a folder, with the seed that `cargo xtask corpus` takes by default.
    #[must_use]
    pub fn new(specs: usize, out: PathBuf) -> Self {
        Corpus { specs, out, seed: DEFAULT_SEED, anchors: Anchors::None, noise: 0 }
    }

    /// The same corpus with sources: one file with anchors for each feature, and so many without.
    #[must_use]
    pub fn with_sources(self, anchors: Anchors, noise: usize) -> Self {
        Corpus { anchors, noise, ..self }
    }

    /// Writes the corpus and gives the number of its Specs.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn write(&self) -> io::Result<usize> {
        self.generate(&mut |path, text| write(&self.out.join(path), text))
    }

    /// Writes the corpus and says how many Specs it has.
    ///
    /// # Errors
    /// What the disk, or standard output, refuses.
    pub fn run(&self) -> io::Result<()> {
        let specs = self.write()?;
        writeln!(io::stdout(), "{specs} Specs in {}", self.out.display())
    }

    /// Hands every file of the corpus to `sink` and gives the number of its Specs; refuses what `sink` refuses.
    fn generate(&self, sink: &mut Sink<'_>) -> io::Result<usize> {
        let families = (self.specs / FAMILY).max(1);
        let mut random = PythonRandom::new(self.seed);
        for family in Family::all().take(families) {
            family.generate(&mut random, sink)?;
            match self.anchors {
                Anchors::None => {}
                Anchors::Rust => family.bound_rust(&mut random, sink)?,
                Anchors::TypeScript => family.bound_typescript(&mut random, sink)?,
            }
            for source in 0..self.noise {
                family.plain_source(&mut random, self.anchors, source, sink)?;
            }
        }
        let mut members = Family::all().take(families);
        for pack in 0..families.div_ceil(PACK) {
            let specs: String = members.by_ref().take(PACK).map(|family| family.members()).collect();
            let about = sentence(&mut random, 20);
            let text = format!("---\nid: pack:group-{pack}\nspecs:\n{specs}---\n# Group {pack}\n\n{about}.\n");
            sink(&format!("specs/group-{pack}.pack.sdp.md"), &text)?;
        }
        Ok(families * FAMILY)
    }
}

/// Takes one file: its path in the corpus, with `/`, and its text.
type Sink<'a> = dyn FnMut(&str, &str) -> io::Result<()> + 'a;

/// A behavior with its example space and examples, and the rules, constraint, model and decision around it.
struct Family {
    /// The word that the steps speak of.
    domain: &'static str,
    /// The first segment of the ids, and the folder.
    name: String,
}

impl Family {
    /// All families, without end. A name says how often its word was used before.
    fn all() -> impl Iterator<Item = Self> {
        WORDS
            .iter()
            .cycle()
            .enumerate()
            .map(|(index, domain)| Self { domain, name: format!("{domain}{}", index / WORDS.len()) })
    }

    /// The lines with which a Pack lists the family's Specs.
    fn members(&self) -> String {
        let names = ["flow", "model", "decision", "latency"].map(str::to_owned);
        let rules = (0..RULES).map(|rule| format!("rule-{rule}"));
        let cases = (0..CASES).map(|case| format!("flow.case-{case}"));
        names.into_iter().chain(rules).chain(cases).map(|path| format!("  - spec:{}.{path}\n", self.name)).collect()
    }

    /// Hands the family's carriers to `sink`, in the order in which the random numbers are drawn.
    fn generate(&self, random: &mut PythonRandom, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut carrier = |file: &str, text: String| sink(&format!("specs/{}/{file}.sdp.md", self.name), &text);
        carrier("decision", self.decision(random))?;
        carrier("model", self.model(random))?;
        carrier("latency", self.latency(random))?;
        carrier("flow", self.flow(random))?;
        for rule in 0..RULES {
            carrier(&format!("rule-{rule}"), self.rule(random, rule))?;
        }
        for case in 0..CASES {
            carrier(&format!("flow.case-{case}"), self.case(random, case))?;
        }
        Ok(())
    }

    fn decision(&self, random: &mut PythonRandom) -> String {
        let mut words = |count| sentence(random, count);
        let envelope = self.envelope("decision", "decision", "feature", &[("refines", "model")]);
        format!(
            "{envelope}# {}\n\n## Intent\n- outcome: {}.\n\n## Decision\n\
             - context: {}.\n- decision: {}.\n- rationale: {}.\n- alternative: {}.\n- consequence: {}.\n",
            words(5),
            words(9),
            words(14),
            words(12),
            words(10),
            words(8),
            words(9),
        )
    }

    fn model(&self, random: &mut PythonRandom) -> String {
        let envelope = self.envelope("model", "model", "feature", &[("decidedBy", "decision")]);
        let (title, outcome) = (sentence(random, 4), sentence(random, 8));
        let terms: [&str; 5] = random.sample(&WORDS);
        let terms: String =
            terms.iter().map(|term| format!("- **{} {term}** — {}.\n", self.name, sentence(random, 9))).collect();
        format!("{envelope}# {title}\n\n## Intent\n- outcome: {outcome}.\n\n## Model\n{terms}")
    }

    fn latency(&self, random: &mut PythonRandom) -> String {
        let envelope = self.envelope("latency", "constraint", "story", &[("refines", "flow")]);
        let (title, outcome, statement) = (sentence(random, 5), sentence(random, 8), sentence(random, 9));
        let limit = random.randrange::<50, 900>();
        format!(
            "{envelope}# {title}\n\n## Intent\n- outcome: {outcome}.\n\n## Constraints\n\
             - statement: {statement}.\n- flavor: performance\n- target: latency.p95.lt:{limit}ms\n"
        )
    }

    fn flow(&self, random: &mut PythonRandom) -> String {
        let mut words = |count| sentence(random, count);
        let domain = self.domain;
        let relations = [("dependsOn", "model"), ("constrainedBy", "latency"), ("decidedBy", "decision")];
        let envelope = self.envelope("flow", "behavior", "feature", &relations);
        let story = format!(
            "# {}\n\n{}. {}.\n\n## Intent\n- actor: {domain} clerk\n- outcome: {}.\n- value: {}.\n",
            words(5),
            words(22),
            words(18),
            words(9),
            words(9),
        );
        format!(
            "{envelope}{story}\n## Example space\n\n```gwt-vocabulary\n\
             Given a {domain} holds {{count:number}} entries\n\
             And the {domain} is {{state:\"open\"|\"closed\"|\"frozen\"}}\n\
             When the clerk posts the {domain}\n\
             Then the {domain} totals {{total:number}}\n\
             And the post is {{result:\"accepted\"|\"refused\"}}\n```\n"
        )
    }

    fn rule(&self, random: &mut PythonRandom, rule: usize) -> String {
        let mut words = |count| sentence(random, count);
        let envelope = self.envelope(&format!("rule-{rule}"), "rule", "story", &[("refines", "flow")]);
        format!(
            "{envelope}# {}\n\n## Intent\n- outcome: {}.\n\n## Rule\n- {}.\n- {}.\n- {}.\n",
            words(5),
            words(9),
            words(14),
            words(14),
            words(14),
        )
    }

    fn case(&self, random: &mut PythonRandom, case: usize) -> String {
        let domain = self.domain;
        let relations = [("refines", "flow"), ("verifies", "flow")];
        let envelope = self.envelope(&format!("flow.case-{case}"), "example", "story", &relations);
        let (title, outcome) = (sentence(random, 6), sentence(random, 8));
        let total = case * 7;
        let state = match case % 3 {
            0 => "open",
            1 => "closed",
            _ => "frozen",
        };
        let result = if case.is_multiple_of(2) { "accepted" } else { "refused" };
        format!(
            "{envelope}# {title}\n\n## Intent\n- outcome: {outcome}.\n\n```gwt\n\
             Given a {domain} holds {{count: {case}}} entries\n\
             And the {domain} is {{state: \"{state}\"}}\n\
             When the clerk posts the {domain}\n\
             Then the {domain} totals {{total: {total}}}\n\
             And the post is {{result: \"{result}\"}}\n```\n"
        )
    }

    /// The frontmatter of one carrier. Paths, its own and those that its relations name, stand below the family's name.
    fn envelope(&self, path: &str, kind: &str, altitude: &str, relations: &[(&str, &str)]) -> String {
        let name = &self.name;
        let relations: String =
            relations.iter().map(|(relation, target)| format!("  {relation}: spec:{name}.{target}\n")).collect();
        format!(
            "---\nid: spec:{name}.{path}\nkind: {kind}\naltitude: {altitude}\nreadiness: defined\nrelations:\n{relations}---\n"
        )
    }
}

/// So many words in a row, the first one with a capital letter.
fn sentence(random: &mut PythonRandom, count: usize) -> String {
    let mut sentence = String::new();
    for _ in 0..count {
        let word = random.choice(&WORDS);
        if !sentence.is_empty() {
            sentence.push(' ');
        }
        sentence.push_str(word);
    }
    if let Some(first) = sentence.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    sentence
}

/// Writes one file with the folders above it. The file is not synced: a corpus is made again, never mended.
fn write(path: &Path, text: &str) -> io::Result<()> {
    let written = match path.parent() {
        Some(folder) => fs::create_dir_all(folder).and_then(|()| fs::write(path, text)),
        None => fs::write(path, text),
    };
    written.map_err(|error| io::Error::new(error.kind(), format!("cannot write `{}`: {error}", path.display())))
}

#[cfg(test)]
mod tests;
