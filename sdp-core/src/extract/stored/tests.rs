//! Bytes of whole extractions: what is read back says the same, and no bytes do harm.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::*;
use crate::discover::DiscoverOptions;
use crate::extract::extract;
use crate::finding::FindingId;
use crate::model::{MAX_OPEN_DEPTH, OpenBag, OpenValue};

/// A root with everything that an extraction can hold.
fn root() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let spec = |id: &str, relations: &str, body: &str| {
        format!(
            "---\nid: {id}\nkind: behavior\naltitude: story\nreadiness: idea\nrelations:{relations}\n---\n# Tïtle\n\nProse.\n\n{body}"
        )
    };
    let body = "## Intent\n- outcome: o\n- actor: a\n- risk: r\n- assumption: a\n\n### Open questions\n- [blocking #why] why?\n\n## Behavior\n- rule: [#first] It does\n- rule: It does more\n\n## Constraints\n- statement: s\n- flavor: f\n- target: latency.p95.lt:157ms\n\n## Model\n- **term** — definition\n\n## Design\n- k: v\n\n## Decision\n- decision: d\n\n## UI\n- screen: s\n\n## Verification — manual\n- c\n";
    write("specs/a.sdp.md", &spec("spec:a", "\n  dependsOn: [spec:b, spec:none]", body));
    write("specs/b.sdp.md", &spec("spec:b", " {}", "## Intent\n- outcome: o\n"));
    write("specs/c.sdp.md", &spec("spec:c", " {}", "## Intent\n- outcome: o\n"));
    write("specs/d.sdp.md", &spec("spec:c", " {}", "## Intent\n- outcome: o\n"));
    write(
        "specs/p.sdp.md",
        "---\nid: pack:p\nspecs:\n  - spec:b\n  - spec:a\nmodelRefs:\n  - spec:a\n---\n# P\n\nFraming.\n",
    );
    write(
        "specs/f.sdp.gherkin",
        "@spec.f @altitude.story @readiness.idea\nFeature: F\n\n  @spec.f.one @altitude.story @readiness.idea\n  Scenario: one\n    Given a\n    When b\n    Then c\n",
    );
    write(
        "src/a.py",
        "# @sdpAnchor impl:a\n# @sdpLabel A\n# @sdpSatisfies spec:a, spec:b\n\n# @sdpAnchor test:a\n# @sdpVerifies spec:a\n",
    );
    write("src/x.unknown", "# @sdpAnchor impl:x\n");
    write("Cargo.toml", "[package]\nname = 'p'\n[dependencies]\nsdp-anchors = '0.1'\n");
    write(
        "src/lib.rs",
        "#[cfg(test)]\nmod tests {\n    #[test]\n    #[sdp_anchors::verifies(\"spec:a\")]\n    fn t() {}\n}\n#[sdp_anchors::satisfies(\n    \"spec:a\",\n    \"spec:b\"\n)]\npub fn f() {}\n",
    );
    root
}

/// All that an extraction says, as text.
fn said(extraction: &Extraction) -> String {
    let places: Vec<_> = extraction
        .graph
        .nodes
        .iter()
        .map(|node| (node.id().to_owned(), extraction.place(node.id()).cloned()))
        .collect();
    let Extraction { graph, findings, carrier_count, spec_count, pack_count, anchor_count, root, has_holes, .. } =
        extraction;
    format!("{:#?}", (graph, findings, carrier_count, spec_count, pack_count, anchor_count, root, has_holes, places))
}

fn extracted(root: &Path) -> Extraction {
    extract(root, &DiscoverOptions::default())
}

#[test]
fn what_is_read_back_says_the_same() {
    let root = root();
    let extraction = extracted(root.path());
    assert!(extraction.graph.nodes.len() > 5, "{:#?}", extraction.findings);
    let targets = |node: &Node| extraction.place(node.id()).map_or(0, |place| place.targets.len());
    assert!(extraction.graph.nodes.iter().any(|node| targets(node) > 0), "{:#?}", extraction.findings);
    assert!(!extraction.graph.locations.is_empty() && extraction.anchor_count > 2, "{:#?}", extraction.findings);
    let bytes = extraction.to_bytes().unwrap();
    let back = Extraction::from_bytes(root.path(), &bytes).unwrap();
    assert_eq!(said(&back), said(&extraction));
    assert_eq!(back.to_bytes().unwrap(), bytes);
}

#[test]
fn an_empty_tree_has_a_form_too() {
    let root = tempfile::tempdir().unwrap();
    let extraction = extracted(root.path());
    let back = Extraction::from_bytes(root.path(), &extraction.to_bytes().unwrap()).unwrap();
    assert_eq!(said(&back), said(&extraction));
}

#[test]
fn an_extraction_under_overrides_is_not_stored() {
    let root = root();
    let mut severities = Severities::default();
    severities.give(crate::severity::Override::new("warnings", crate::severity::Level::Deny).unwrap());
    assert_eq!(extracted(root.path()).weighed(&severities).to_bytes(), None);
}

#[test]
fn every_truncation_and_every_addition_is_refused() {
    let root = root();
    let mut bytes = extracted(root.path()).to_bytes().unwrap();
    for length in 0..bytes.len() {
        assert!(Extraction::from_bytes(root.path(), &bytes[..length]).is_err(), "{length}");
    }
    bytes.push(0);
    assert!(Extraction::from_bytes(root.path(), &bytes).is_err());
}

#[test]
fn a_length_beyond_the_bytes_takes_no_room() {
    let mut bytes = vec![0, 0, 0, 0, 0];
    u64::MAX.store(&mut bytes);
    assert!(Extraction::from_bytes(Path::new("/"), &bytes).is_err());
    let mut bytes = vec![0, 0, 0, 0, 0, 0];
    (u64::MAX / 2).store(&mut bytes);
    assert!(Extraction::from_bytes(Path::new("/"), &bytes).is_err());
}

fn bag(value: OpenValue) -> OpenBag {
    OpenBag { description: None, entries: vec![("k".to_owned(), value)] }
}

fn nested(depth: usize) -> OpenBag {
    bag((1..depth).fold(OpenValue::Bool(true), |value, _| OpenValue::List(vec![value])))
}

fn bytes_of(value: &impl Stored) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.store(&mut bytes);
    bytes
}

#[test]
fn values_nest_as_deep_as_a_carrier_may_nest_them() {
    let deepest = nested(MAX_OPEN_DEPTH);
    assert_eq!(Input::new(&bytes_of(&deepest)).whole::<OpenBag>(), Ok(deepest));
    for depth in [MAX_OPEN_DEPTH + 1, 2_000] {
        assert_eq!(Input::new(&bytes_of(&nested(depth))).whole::<OpenBag>(), Err(NotStored), "{depth}");
    }
}

#[test]
fn numbers_stay_of_their_kind() {
    for text in ["0", "-1", "18446744073709551615", "-9223372036854775808", "2.0", "-0.0", "1e300", "0.1"] {
        let number: serde_json::Number = serde_json::from_str(text).unwrap();
        let value = bag(OpenValue::Number(number.clone()));
        let Ok(back) = Input::new(&bytes_of(&value)).whole::<OpenBag>() else { panic!("{text}") };
        assert_eq!(format!("{back:?}"), format!("{value:?}"), "{text}");
        assert_eq!(serde_json::to_string(&back).unwrap(), serde_json::to_string(&value).unwrap(), "{text}");
    }
}

#[test]
fn a_number_has_one_form() {
    for number in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
        assert_eq!(Input::new(&bytes_of(&number)).whole::<u64>(), Ok(number));
    }
    for bytes in [&[0x80, 0][..], &[0xFF; 10], &[0xFF; 11], &[]] {
        assert_eq!(Input::new(bytes).whole::<u64>(), Err(NotStored), "{bytes:?}");
    }
}

#[test]
fn findings_that_differ_have_other_bytes() {
    let finding = crate::finding::Finding::warning(FindingId::Orphans, "m").at("a", 1);
    let others = [
        vec![],
        vec![finding.clone().at("a", None)],
        vec![finding.clone().with_help("h")],
        vec![finding.clone(), finding.clone()],
    ];
    for other in others {
        assert_ne!(findings_to_bytes(&other), findings_to_bytes(std::slice::from_ref(&finding)));
    }
    assert_eq!(findings_to_bytes(&[finding.clone(), finding.clone()]), findings_to_bytes(&vec![finding; 2]));
}

proptest! {
    #[test]
    fn no_bytes_do_harm(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = Extraction::from_bytes(Path::new("/"), &bytes);
    }

    #[test]
    fn a_changed_byte_gives_an_error_or_an_extraction(at in any::<prop::sample::Index>(), byte in any::<u8>()) {
        static STORED: OnceLock<Vec<u8>> = OnceLock::new();
        let mut bytes = STORED.get_or_init(|| extracted(root().path()).to_bytes().unwrap()).clone();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if let Ok(read) = Extraction::from_bytes(Path::new("/"), &bytes) {
            // Two nodes may have one id now, so that the bytes need not be the same again.
            prop_assert!(read.to_bytes().is_none_or(|again| Extraction::from_bytes(Path::new("/"), &again).is_ok()));
        }
    }
}
