//! Estimates against the answers that they stand for.

use std::path::Path;

use super::*;
use crate::discover::DiscoverOptions;
use crate::extract::extract;

#[track_caller]
fn assert_near(estimate: u64, answer: &impl serde::Serialize, id: &str) {
    let real = serde_json::to_string(answer).unwrap().len() as u64;
    assert!(2 * estimate >= real && estimate <= 8 * real, "{id}: {estimate} for {real}");
}

#[test]
fn an_estimate_is_near_the_real_answer() {
    // The sample has no Pack; the project's own Specs have a large one.
    for folder in ["../examples/shop", "../specs"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let reader = Reader::of(&extract(&root, &DiscoverOptions::default()));
        assert!(reader.specs().len() > 1, "{folder}");
        for spec in reader.specs() {
            assert_near(reader.spec_context_bytes(&spec.id), &reader.spec_context(&spec.id).unwrap(), &spec.id);
        }
        for pack in reader.packs() {
            assert_near(reader.pack_context_bytes(&pack.id), &reader.pack_context(&pack.id).unwrap(), &pack.id);
        }
    }
}

#[test]
fn a_title_counts_as_often_as_the_answer_repeats_it() {
    let title = "t".repeat(100_000);
    let mut carriers: Vec<String> =
        (0..30).map(|number| spec(&format!("spec:m{number} rule idea"), "decidedBy: spec:d", RULE)).collect();
    carriers.push(spec("spec:d decision idea", "", "").replace("# Title of spec:d", &format!("# {title}")));
    let members: Vec<String> = (0..30).map(|number| format!("spec:m{number}")).collect();
    carriers.push(pack(&members.join("\n  - ")));
    let reader = reader(&carriers, &[("impl:b", "spec:m0"), ("test:b", "spec:m0")]);
    let context = reader.pack_context("pack:shop").unwrap();
    assert_eq!(context.members[7].design.as_ref().unwrap().decisions[0].title.as_ref(), Some(&title));
    let (estimate, real) =
        (reader.pack_context_bytes("pack:shop"), serde_json::to_string(&context).unwrap().len() as u64);
    assert!(estimate >= real && estimate < real + 300_000, "{estimate} for {real}");
    let context = reader.spec_context("spec:m0").unwrap();
    let (estimate, real) =
        (reader.spec_context_bytes("spec:m0"), serde_json::to_string(&context).unwrap().len() as u64);
    assert!(2 * estimate >= real && estimate < real + 10_000, "{estimate} for {real}");
    assert_eq!((reader.spec_context_bytes("spec:none"), reader.pack_context_bytes("spec:m0")), (0, 0));
}
