//! What evaluation contracts of 10 KB, 100 KB and 1 MB cost, by what is large in them: `cargo bench -p xtask --bench eval`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot be set up has failed")]

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use sdp_eval::compile::{CompileOptions, compile};
use sdp_eval::contract::EvalContract;
use sdp_eval::document;
use sdp_eval::seal::seal;
use serde_json::{Value, json};

/// What they are built from: one tool that finds a room, one step, one oracle.
const SMALL: &str = include_str!("../../crates/sdp-eval/corpus/unsupported-interface-kind/passes.json");

const SIZES: [usize; 3] = [10_000, 100_000, 1_000_000];

/// What is large in a contract.
#[derive(Clone, Copy)]
enum Large {
    /// The list of oracles, each with a check of its own.
    Oracles,
    /// The keys of one operation's request and response.
    Keys,
    /// The check of one oracle.
    Check,
    /// The operations of one interface, each with a witness.
    Operations,
}

const ALL: [(&str, Large); 4] =
    [("oracles", Large::Oracles), ("keys", Large::Keys), ("check", Large::Check), ("operations", Large::Operations)];

/// A contract with so many of what is large in it.
fn built(large: Large, count: usize) -> Vec<u8> {
    let mut contract: Value = serde_json::from_str(SMALL).unwrap();
    let oracle = contract["oracles"][0].clone();
    let operation = contract["permittedInterfaces"][0]["operations"][0].clone();
    let existence = oracle["check"].clone();
    for at in 0..count {
        match large {
            Large::Oracles => {
                let mut oracle = oracle.clone();
                oracle["id"] = json!(format!("O-{:03}", at + 2));
                push(&mut contract["oracles"], oracle);
            }
            Large::Keys => {
                let key = format!("key-{at}");
                let operation = &mut contract["permittedInterfaces"][0]["operations"][0];
                for shape in ["/requestShape/arguments", "/responseDescriptor"] {
                    let shape = operation.pointer_mut(shape).unwrap();
                    push(&mut shape["permittedKeys"], json!(key));
                    shape["types"][&key] = json!("string");
                }
            }
            Large::Check => {
                let check = &mut contract["oracles"][0]["check"];
                if at == 0 {
                    *check = json!({ "op": "all", "operands": [] });
                    contract["oracles"][0]["direction"]["relation"] = json!("all");
                }
                push(&mut contract["oracles"][0]["check"]["operands"], existence.clone());
            }
            Large::Operations => {
                let mut operation = operation.clone();
                operation["operationId"] = json!(format!("find-room-{at}"));
                operation["toolName"] = json!(format!("find_room_{at}"));
                let text = operation.to_string().replace("-seats", &format!("-seats-{at}"));
                push(&mut contract["permittedInterfaces"][0]["operations"], serde_json::from_str(&text).unwrap());
            }
        }
    }
    let ids = contract["oracles"].as_array().unwrap().iter().map(|oracle| oracle["id"].clone()).collect();
    contract["behaviors"][0]["oracles"] = ids;
    serde_json::to_vec(&contract).unwrap()
}

fn push(list: &mut Value, element: Value) {
    list.as_array_mut().unwrap().push(element);
}

/// A contract of a size.
fn sized(large: Large, bytes: usize) -> Vec<u8> {
    let (few, more) = (built(large, 10).len(), built(large, 20).len());
    built(large, bytes.saturating_sub(few) / ((more - few) / 10) + 10)
}

fn contracts(criterion: &mut Criterion) {
    for (name, large) in ALL {
        let mut group = criterion.benchmark_group(format!("contract, large by {name}"));
        group.sample_size(10);
        for size in SIZES {
            let bytes = sized(large, size);
            let contract = document::read::<EvalContract>(&bytes).unwrap();
            compile(&contract.artifact, CompileOptions::default()).unwrap();
            seal(&contract).unwrap();
            group.throughput(Throughput::Bytes(bytes.len() as u64));
            group.bench_function(BenchmarkId::new("read", size), |bencher| {
                bencher.iter(|| document::read::<EvalContract>(black_box(&bytes)));
            });
            group.bench_function(BenchmarkId::new("compile", size), |bencher| {
                bencher.iter(|| compile(black_box(&contract.artifact), CompileOptions::default()));
            });
            group.bench_function(BenchmarkId::new("seal", size), |bencher| bencher.iter(|| seal(black_box(&contract))));
            group.bench_function(BenchmarkId::new("canonical", size), |bencher| {
                bencher.iter(|| black_box(&contract).canonical());
            });
        }
        group.finish();
    }
}

criterion_group!(benches, contracts);
criterion_main!(benches);
