//! What a corpus of 160, 1 600, 16 000 and 100 000 Specs costs, stage by stage: `cargo bench -p xtask`. The corpora are
//! those of `cargo xtask corpus`, written once to the target folder.

#![expect(clippy::unwrap_used, reason = "a bench that cannot be set up has failed")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::{Extraction, extract};
use sdp_core::graph::{Graph, Index, Node};
use sdp_core::reader::Reader;
use sdp_core::space;
use sdp_core::validate::{CHECKS, validate};
use xtask::corpus::Corpus;

const SIZES: [usize; 4] = [160, 1_600, 16_000, 100_000];

fn corpus(specs: usize) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("corpus-{specs}"));
    if !folder.exists() {
        let unfinished = folder.with_extension("unfinished");
        Corpus::new(specs, unfinished.clone()).write().unwrap();
        std::fs::rename(unfinished, &folder).unwrap();
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
        group.bench_function(check.id.as_str(), |bencher| bencher.iter(|| check.findings(&graph, &index)));
    }
    group.finish();
}

criterion_group!(benches, stages, checks);
criterion_main!(benches);
