//! Each folder of `tests/fixtures` is a test: `root/` is extracted and checked; `findings.txt` holds what must be said,
//! one line a finding, and `graph.json` what must be derived. `UPDATE_FIXTURES=1` writes both anew: read what it wrote.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sdp_core::discover::DiscoverOptions;
use sdp_core::extract::extract;
use sdp_core::finding::FindingId;
use sdp_core::reader::Reader;
use sdp_core::space;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    folders
}

/// What is said and what is derived.
fn outcome(fixture: &Path) -> [(&'static str, String); 2] {
    let extraction = extract(&fixture.join("root"), &DiscoverOptions::default());
    let reader = Reader::new(Arc::clone(&extraction.graph));
    let mut said = String::new();
    let of_spaces = space::findings(reader.graph(), reader.index());
    for finding in extraction.findings.iter().chain(reader.findings()).chain(&of_spaces) {
        said.push_str(&finding.line_form());
        said.push('\n');
    }
    [("findings.txt", said), ("graph.json", extraction.graph.to_json().unwrap())]
}

#[test]
fn every_fixture_says_and_derives_what_is_recorded() {
    let mut differences = Vec::new();
    for fixture in fixtures() {
        for (name, actual) in outcome(&fixture) {
            differences.extend(sdp_tests::difference_or_update(&fixture.join(name), &actual, "UPDATE_FIXTURES"));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn each_finding_of_extraction_and_checks_is_given_by_a_fixture() {
    // These need what a fixture folder cannot hold: special files, unreadable ones, flags, a configuration, a graph made
    // by hand. Their own tests stand with discovery, configuration, the checks and the command line.
    let elsewhere = [
        FindingId::SkippedCarrier,
        FindingId::SkippedIgnoreFile,
        FindingId::SkippedRuleFile,
        FindingId::UnreadableCarrier,
        // A hundred findings, and 256 KiB, are too much for a fixture; their tests stand with the spaces and with Gherkin.
        FindingId::FindingsLeftOut,
        FindingId::LargeCarrier,
        FindingId::UnmatchedExclude,
        FindingId::UnmatchedRuleGlob,
        FindingId::NoSpecs,
        FindingId::InvalidConfig,
        FindingId::UnmatchedSeverity,
        FindingId::UnmatchedWaiver,
        FindingId::ExpiredWaiver,
        FindingId::StaleBaseline,
        FindingId::DuplicateIds,
        FindingId::DeliveryFacts,
        // This build reads every form.
        FindingId::UnreadCarrier,
        FindingId::UnreadableSource,
        FindingId::UnmatchedLanguage,
        FindingId::UnmatchedModule,
        // Contracts are named by a configuration; their tests stand with those of the command line.
        FindingId::ContractLink,
        FindingId::UnreadableContract,
        FindingId::UnmatchedContract,
        // An extraction imports nothing; the tests of these stand with `cargo sdp import`.
        FindingId::InvalidSourcePath,
        FindingId::NoSources,
        FindingId::ImportRefusal,
        FindingId::PackUnsupported,
        FindingId::UnsupportedConstruct,
        FindingId::EmptyImport,
        FindingId::TargetExists,
    ];
    let said: String = fixtures().iter().map(|fixture| outcome(fixture)[0].1.clone()).collect();
    for id in FindingId::ALL {
        let given = said.contains(&format!("] {} — ", id.as_str()));
        assert_eq!(given, !elsewhere.contains(id), "{}", id.as_str());
    }
}
