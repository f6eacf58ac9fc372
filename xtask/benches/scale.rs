//! What a corpus of 160, 1 600, 16 000 and 100 000 Specs costs, stage by stage, and what its sources cost: `cargo bench -p
//! xtask`. The corpora are those of `cargo xtask corpus`, written once to the target folder.

#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sdp_core::anchor::rust::tokens::Tokens;
use sdp_core::anchor::{Languages, comment};
use sdp_core::config::Environment;
use sdp_core::discover::{DiscoverOptions, walk};
use sdp_core::extract::{Changes, Extraction, Memory, extract};
use sdp_core::graph::{Graph, Index, Node};
use sdp_core::reader::Reader;
use sdp_core::space;
use sdp_core::validate::{CHECKS, validate};
use sdp_harness::cache::{self, CacheFolder, Origin};
use xtask::corpus::{Anchors, Corpus};

const SIZES: [usize; 4] = [160, 1_600, 16_000, 100_000];

/// The sizes that are measured with sources too: each 16 Specs have 21 of them at most.
const SIZES_WITH_SOURCES: [usize; 2] = [1_600, 16_000];

/// How many sources without an anchor a feature has, where they are measured.
const NOISE: usize = 20;

/// How many bytes the source holds that is scanned.
const SOURCE_BYTES: usize = 8 * 1024 * 1024;

fn corpus(specs: usize) -> PathBuf {
    corpus_with(specs, Anchors::None, 0)
}

fn corpus_with(specs: usize, anchors: Anchors, noise: usize) -> PathBuf {
    let name = match (anchors, noise) {
        (Anchors::None, 0) => format!("corpus-{specs}"),
        (Anchors::None, noise) => format!("corpus-{specs}-noise-{noise}"),
        (Anchors::Rust, noise) => format!("corpus-{specs}-rust-noise-{noise}"),
        (Anchors::TypeScript, noise) => format!("corpus-{specs}-typescript-noise-{noise}"),
    };
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    if !folder.exists() {
        let unfinished = folder.with_extension("unfinished");
        Corpus::new(specs, unfinished.clone()).with_sources(anchors, noise).write().unwrap();
        fs::rename(unfinished, &folder).unwrap();
    }
    folder
}

fn derived(specs: usize) -> Extraction {
    let extraction = extract(&corpus(specs), &DiscoverOptions::default());
    assert!(extraction.findings.is_empty());
    extraction
}

/// Every file of a graph, each once.
fn files(graph: &Graph) -> Vec<String> {
    let files: BTreeSet<&str> = graph.nodes.iter().map(Node::file).collect();
    files.into_iter().map(str::to_owned).collect()
}

fn stages(criterion: &mut Criterion) {
    for specs in SIZES {
        let folder = corpus(specs);
        let graph = derived(specs).graph;
        let index = Index::new(&graph);
        let mut group = criterion.benchmark_group("scale");
        group.sample_size(10).throughput(Throughput::Elements(specs as u64));
        group.bench_function(BenchmarkId::new("extract", specs), |bencher| {
            bencher.iter(|| extract(&folder, &DiscoverOptions::default()));
        });
        group.bench_function(BenchmarkId::new("index", specs), |bencher| bencher.iter(|| Index::new(&graph)));
        group.bench_function(BenchmarkId::new("validate", specs), |bencher| bencher.iter(|| validate(&graph, &index)));
        group.bench_function(BenchmarkId::new("spaces", specs), |bencher| {
            bencher.iter(|| space::findings(&graph, &index));
        });
        let reader = || Reader::with_report(Arc::clone(&graph), Arc::default());
        let (packs, files) = (reader().packs().to_vec(), files(&graph));
        group.bench_function(BenchmarkId::new("pack contexts", specs), |bencher| {
            bencher.iter(|| {
                let reader = reader();
                packs.iter().filter_map(|pack| reader.pack_context(&pack.id)).count()
            });
        });
        group.bench_function(BenchmarkId::new("blast radius", specs), |bencher| {
            bencher.iter(|| reader().blast_radius(&files));
        });
        group.bench_function(BenchmarkId::new("summaries", specs), |bencher| {
            bencher.iter(|| reader().specs().len());
        });
        group
            .bench_function(BenchmarkId::new("json", specs), |bencher| bencher.iter(|| graph.to_json().unwrap().len()));
        group.finish();
    }
}

fn checks(criterion: &mut Criterion) {
    let graph = derived(16_000).graph;
    let index = Index::new(&graph);
    let mut group = criterion.benchmark_group("check");
    group.sample_size(10);
    for check in CHECKS {
        group.bench_function(check.id.as_str(), |bencher| bencher.iter(|| check.findings(&graph, &index, &[])));
    }
    group.finish();
}

fn sources(criterion: &mut Criterion) {
    for specs in SIZES_WITH_SOURCES {
        let mut group = criterion.benchmark_group("sources");
        group.sample_size(10).throughput(Throughput::Elements(specs as u64));
        for (name, anchors, noise) in [
            ("extract with anchors", Anchors::Rust, 0),
            ("extract with noise", Anchors::None, NOISE),
            ("extract with anchors and noise", Anchors::Rust, NOISE),
            ("extract with anchors in TypeScript", Anchors::TypeScript, 0),
            ("extract with anchors and noise in TypeScript", Anchors::TypeScript, NOISE),
        ] {
            let folder = corpus_with(specs, anchors, noise);
            group.bench_function(BenchmarkId::new(name, specs), |bencher| {
                bencher.iter(|| extract(&folder, &DiscoverOptions::default()));
            });
        }
        group.finish();
    }
}

/// One large source: the sources of a corpus, one behind the other, each below a comment; the first comment binds.
fn large_source() -> String {
    let folder = corpus_with(1_600, Anchors::Rust, 0).join("src");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let sources: Vec<String> = paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let mut text = String::from("// @sdpAnchor impl:large.source\n\n");
    for source in sources.iter().cycle() {
        if text.len() >= SOURCE_BYTES {
            return text;
        }
        text.push_str("/// What the words of this part come to: \"none\" when there are none.\n");
        text.push_str("/* one word /* in a word */ and one more */\n// see above\n");
        text.push_str(source);
    }
    text
}

fn scans(criterion: &mut Criterion) {
    let text = large_source();
    let languages = Languages::default();
    let rust = languages.of_file_name("lib.rs").and_then(|id| languages.get(id)).unwrap();
    let mut group = criterion.benchmark_group("scan");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("tokens of Rust", |bencher| bencher.iter(|| Tokens::new(&text).count()));
    group.bench_function("comments of Rust", |bencher| bencher.iter(|| comment::read(rust, "src/lib.rs", &text)));
    group.finish();
}

/// What a process of a test runner pays for its graph: the first, each other one, and one that does without the cache.
fn caches(criterion: &mut Criterion) {
    let options = DiscoverOptions::default();
    for specs in [1_600, 16_000] {
        let root = corpus(specs);
        let folder = CacheFolder::of(&root, &Environment::default());
        let mut group = criterion.benchmark_group("cache");
        group.sample_size(10).throughput(Throughput::Elements(specs as u64));
        // Files that were written a moment ago are not trusted.
        let later = || SystemTime::now() + Duration::from_secs(10);
        let found = || cache::find(&root, &options, &folder, later());
        group.bench_function(BenchmarkId::new("none", specs), |bencher| {
            bencher.iter(|| cache::extraction(&root, &options, None));
        });
        let removed = || drop(fs::remove_dir_all(folder.path()));
        group.bench_function(BenchmarkId::new("cold", specs), |bencher| {
            bencher.iter_batched(removed, |()| found(), BatchSize::PerIteration);
        });
        group.bench_function(BenchmarkId::new("warm", specs), |bencher| bencher.iter(found));
        let (extraction, origin) = found();
        assert_eq!(origin, Origin::Cache { files: origin_files(&origin), read: 0 });
        let bytes = extraction.to_bytes().unwrap();
        group.bench_function(BenchmarkId::new("from bytes", specs), |bencher| {
            bencher.iter(|| Extraction::from_bytes(&root, &bytes).unwrap());
        });
        group.bench_function(BenchmarkId::new("walk", specs), |bencher| bencher.iter(|| walk(&root, &options)));
        group.finish();
    }
}

fn origin_files(origin: &Origin) -> usize {
    match origin {
        Origin::Cache { files, .. } => *files,
        Origin::Anew { .. } => 0,
    }
}

/// What an edit of one carrier costs who keeps a memory: the extraction alone, and all that a check answers from.
fn edits(criterion: &mut Criterion) {
    let options = DiscoverOptions::default();
    for specs in [1_600, 16_000] {
        let root = corpus(specs);
        let file = walk(&root, &options).carriers.swap_remove(0).path;
        let path = root.join(&file);
        let text = fs::read_to_string(&path).unwrap();
        let other = text.replacen("\n# ", "\n# Again ", 1);
        assert_ne!(text, other);
        let changes = Changes::Paths(BTreeSet::from([file]));
        let mut memory = Memory::default();
        let mut is_other = false;
        let mut edited = |memory: &mut Memory| {
            is_other = !is_other;
            fs::write(&path, if is_other { &other } else { &text }).unwrap();
            memory.walk(&root, &options, &changes);
            memory.extract(&root, &options, &changes)
        };
        let mut group = criterion.benchmark_group("edit");
        group.sample_size(10).throughput(Throughput::Elements(specs as u64));
        group.bench_function(BenchmarkId::new("extract", specs), |bencher| bencher.iter(|| edited(&mut memory)));
        group.bench_function(BenchmarkId::new("check", specs), |bencher| {
            bencher.iter(|| {
                let reader = Reader::of(&edited(&mut memory));
                (reader.report().findings.len(), space::findings(reader.graph(), reader.index()).len())
            });
        });
        group.finish();
        fs::write(&path, &text).unwrap();
    }
}

criterion_group!(benches, stages, checks, sources, scans, caches, edits);
criterion_main!(benches);
