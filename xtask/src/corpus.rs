//! `cargo xtask corpus`: a synthetic corpus for benches and scale tests. A number of Specs and a seed come in; carriers of a
//! green corpus without anchors go out, byte for byte those that the project's Python generator writes. It must never
//! depend on anything but number and seed.

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
#[derive(clap::Args)]
pub struct Corpus {
    /// How many Specs to write: the nearest multiple of 16 that is not above it, and at least 16
    #[arg(value_name = "N")]
    specs: usize,
    /// The folder to write to; files of other names that it has stay
    out: PathBuf,
    /// Which corpus of this size: the same seed always gives the same bytes
    #[arg(long, default_value_t = DEFAULT_SEED)]
    seed: u64,
}

impl Corpus {
    /// A corpus of about so many Specs in a folder, with the seed that `cargo xtask corpus` takes by default.
    #[must_use]
    pub fn new(specs: usize, out: PathBuf) -> Self {
        Corpus { specs, out, seed: DEFAULT_SEED }
    }

    /// Writes the corpus and gives the number of its Specs.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn write(&self) -> io::Result<usize> {
        generate(self.specs, self.seed, &mut |path, text| write(&self.out.join(path), text))
    }

    /// Writes the corpus and says how many Specs it has.
    ///
    /// # Errors
    /// What the disk, or standard output, refuses.
    pub fn run(&self) -> io::Result<()> {
        let specs = self.write()?;
        writeln!(io::stdout(), "{specs} Specs in {}", self.out.display())
    }
}

/// Takes one file: its path in the corpus, with `/`, and its text.
type Sink<'a> = dyn FnMut(&str, &str) -> io::Result<()> + 'a;

/// Hands every file of the corpus to `sink` and gives the number of its Specs; refuses what `sink` refuses.
fn generate(specs: usize, seed: u64, sink: &mut Sink<'_>) -> io::Result<usize> {
    let families = (specs / FAMILY).max(1);
    let mut random = PythonRandom::new(seed);
    for family in Family::all().take(families) {
        family.generate(&mut random, sink)?;
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
mod tests {
    use super::*;
    use sdp_canon::{Digest, Hasher};
    use std::collections::BTreeMap;

    fn corpus(specs: usize, seed: u64) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        generate(specs, seed, &mut |path, text| {
            assert_eq!(files.insert(path.to_owned(), text.to_owned()), None, "{path} is written twice");
            Ok(())
        })
        .unwrap();
        files
    }

    /// The digest of all files: path, NUL, text, NUL, in the order of the paths.
    fn digest(files: &BTreeMap<String, String>) -> Digest {
        let mut hasher = Hasher::new();
        for (path, text) in files {
            for piece in [path, "\0", text, "\0"] {
                hasher.update(piece);
            }
        }
        hasher.finish()
    }

    #[test]
    fn a_small_corpus_has_the_bytes_of_the_python_generator() {
        for (specs, seed, pinned) in [
            (16, 7, "fc9761bfca06fa58b1dc8f2534b314ea4e4383d9e47c36c5bacbb5d9d364db33"),
            (160, 7, "195e7fc6ec88ebd33059c5249f2aa893c6d819bd8761f6f7d14701c19bcf5d2e"),
            (1600, 4_294_967_301, "e6c43092a3a38524b65d84e2b5392e70e74e64b5517e8f962512f6e266e175d1"),
        ] {
            assert_eq!(digest(&corpus(specs, seed)).to_string(), pinned, "{specs} Specs, seed {seed}");
        }
    }

    #[test]
    fn a_corpus_has_whole_families_and_at_least_one() {
        for (asked, specs, packs) in [(0, 16, 1), (31, 16, 1), (32, 32, 1), (800, 800, 1), (816, 816, 2)] {
            let files = corpus(asked, 7);
            assert_eq!(files.len(), specs + packs, "{asked}");
            assert_eq!(generate(asked, 7, &mut |_, _| Ok(())).unwrap(), specs, "{asked}");
        }
    }

    #[test]
    fn a_pack_lists_every_spec_of_its_families() {
        let files = corpus(816, 7);
        let listed = |pack: &str| files[pack].lines().filter(|line| line.starts_with("  - spec:")).count();
        assert_eq!(listed("specs/group-0.pack.sdp.md"), 800);
        assert_eq!(listed("specs/group-1.pack.sdp.md"), 16);
        let ids = files.values().filter_map(|text| text.lines().nth(1)?.strip_prefix("id: spec:"));
        let packs = [&files["specs/group-0.pack.sdp.md"], &files["specs/group-1.pack.sdp.md"]];
        for id in ids {
            let line = format!("  - spec:{id}\n");
            assert_eq!(packs.iter().filter(|pack| pack.contains(&line)).count(), 1, "{id}");
        }
    }

    #[test]
    fn another_seed_gives_another_corpus() {
        assert_ne!(digest(&corpus(16, 7)), digest(&corpus(16, 8)));
    }

    #[test]
    fn a_sink_that_refuses_ends_the_run() {
        let mut calls = 0;
        let refused = generate(160, 7, &mut |_, _| {
            calls += 1;
            if calls == 3 { Err(io::Error::other("full")) } else { Ok(()) }
        });
        assert_eq!(refused.unwrap_err().to_string(), "full");
        assert_eq!(calls, 3);
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/specs/a.sdp.md");
        let message = write(&path, "").unwrap_err().to_string();
        assert!(message.starts_with(&format!("cannot write `{}`: ", path.display())), "{message}");
    }
}
