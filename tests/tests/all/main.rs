//! Every end-to-end and conformance test in one binary, a module per command or corpus.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::indexing_slicing,
    reason = "a test stops at the first thing that fails, and says when it was skipped"
)]

mod agreement;
mod anchor_grammar;
mod anchors;
mod cache;
mod cli_accept;
mod cli_build;
mod cli_check;
mod cli_common;
mod cli_config;
mod cli_eval;
mod cli_explain;
mod cli_help;
mod cli_impact;
mod cli_import;
mod cli_init;
mod cli_mcp;
mod cli_new;
mod cli_q;
mod cli_q_params;
mod cli_questions;
mod cli_recipes;
mod cli_roots;
mod cli_rules;
mod cli_severity;
mod cli_unbound;
mod config_schema;
mod configured_rules;
mod contracts;
mod corpora;
mod docs;
mod eval_schema;
mod example_rules;
mod example_shop;
mod fixtures;
mod gherkin_cases;
mod graph_cases;
mod hostile;
mod import_documents;
mod inputs;
mod markdown_cases;
mod outputs;
mod outputs_routes;
mod own_examples;
mod recipes;
mod rules;
mod schema;
mod traps;
mod traps_runner;
mod typescript_cases;
mod typescript_hostile;
mod watch;

#[test]
fn no_test_file_is_forgotten() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|name| name != "main")
        .collect();
    files.sort();
    let declared: Vec<&str> =
        include_str!("main.rs").lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    assert_eq!(files, declared);
}
