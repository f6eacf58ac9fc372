//! From files into the graph.

use std::sync::Arc;

use serde_json::json;

use super::{RULE, pack, reader};
use crate::model::EdgeType;
use crate::reader::Reader;
use crate::testing::{bind, graph, spec, tie, unit_in};

const SPACE: &str = "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```";

#[test]
fn a_reference_leads_from_its_file_to_the_spec() {
    let mut graph = graph(&[spec("spec:a rule idea", "", RULE)]);
    unit_in(&mut graph, "impl:a", "src/a.rs");
    tie(&mut graph, "impl:a", EdgeType::References, "spec:a");
    tie(&mut graph, "impl:a", EdgeType::References, "spec:gone");
    tie(&mut graph, "impl:a", EdgeType::Uses, "impl:b");
    let reader = Reader::new(Arc::new(graph));
    assert_eq!(reader.by_file("src/a.rs").specs, ["spec:a", "spec:gone"]);
}

#[test]
#[sdp::verifies("spec:sdp.reader.blast-radius")]
fn a_change_names_what_it_reaches_and_why() {
    let mut graph = graph(&[
        spec("spec:a rule idea", "refines: spec:b; dependsOn: spec:c", RULE),
        spec("spec:b behavior idea", "", SPACE),
        spec("spec:c rule idea", "refines: spec:gone", RULE),
        pack("spec:a"),
    ]);
    bind(&mut graph, "impl:a", "spec:a");
    bind(&mut graph, "impl:gone", "spec:gone");
    bind(&mut graph, "test:a", "spec:a");
    unit_in(&mut graph, "impl:alone", "src/lib.rs");
    tie(&mut graph, "impl:alone", EdgeType::Uses, "impl:a");
    unit_in(&mut graph, "impl:far", "src/far.rs");
    tie(&mut graph, "impl:far", EdgeType::References, "spec:a");
    tie(&mut graph, "impl:far", EdgeType::Satisfies, "spec:a");
    unit_in(&mut graph, "oracle:b", "src/oracle.rs");
    tie(&mut graph, "oracle:b", EdgeType::Models, "spec:b");
    let reader = Reader::new(Arc::new(graph));
    let files = ["./src/lib.rs", "src/none.rs", "000.sdp.md", "src/lib.rs", "src/oracle.rs", "././x"];
    let through = |file: &str, id: &str, edge: &str| json!({ "file": file, "throughBinding": { "id": id, "edgeType": edge, "claim": "anchored" } });
    let edge = |from: &str, edge: &str, to: &str, claim: &str| json!({ "from": from, "edgeType": edge, "to": to, "claim": claim });
    assert_eq!(
        serde_json::to_string(&reader.blast_radius(&files)).unwrap(),
        json!({
            "changedFiles": ["./x", "000.sdp.md", "src/lib.rs", "src/none.rs", "src/oracle.rs"],
            "impactedSpecs": [
                { "id": "spec:a", "reasons": [
                    { "file": "000.sdp.md" },
                    through("src/lib.rs", "impl:a", "satisfies"),
                    through("src/lib.rs", "test:a", "verifies"),
                ] },
                { "id": "spec:b", "reasons": [through("src/oracle.rs", "oracle:b", "models")] },
                { "id": "spec:gone", "reasons": [through("src/lib.rs", "impl:gone", "satisfies")] },
            ],
            "impactedPacks": [],
            "atRisk": [
                { "id": "impl:far", "nodeType": "CodeNode", "reasons": [
                    edge("impl:far", "references", "spec:a", "anchored"),
                    edge("impl:far", "satisfies", "spec:a", "anchored"),
                ] },
                { "id": "pack:shop", "nodeType": "Pack", "title": "The shop", "reasons": [
                    edge("spec:a", "belongsTo", "pack:shop", "declared"),
                ] },
                { "id": "spec:c", "nodeType": "Primitive", "title": "Title of spec:c", "reasons": [
                    edge("spec:a", "dependsOn", "spec:c", "declared"),
                    edge("spec:c", "refines", "spec:gone", "declared"),
                ] },
            ],
            "coverageUnknown": ["./x", "src/none.rs"],
            "unlinked": [{ "file": "src/lib.rs", "id": "impl:alone" }],
        })
        .to_string()
    );
}

#[test]
fn a_changed_pack_is_impacted_and_its_members_are_at_risk() {
    let reader = reader(&[spec("spec:a rule idea", "", RULE), pack("spec:a")], &[]);
    let answer = serde_json::to_value(reader.blast_radius(&["001.sdp.md"])).unwrap();
    assert_eq!(answer["impactedSpecs"], json!([]));
    assert_eq!(answer["impactedPacks"], json!([{ "id": "pack:shop", "reasons": [{ "file": "001.sdp.md" }] }]));
    assert_eq!(answer["atRisk"][0]["id"], "spec:a");
    let nothing = reader.blast_radius(&[""; 0]);
    assert_eq!((nothing.changed_files.len(), nothing.at_risk.len(), nothing.coverage_unknown.len()), (0, 0, 0));
}

#[test]
fn an_oracle_that_is_not_the_only_one_carries_no_change() {
    let carriers = [spec("spec:a behavior idea", "", SPACE), spec("spec:b rule idea", "", RULE)];
    let two = reader(&carriers, &[("oracle:o", "spec:a"), ("oracle:p", "spec:a"), ("oracle:q", "spec:b")]);
    let answer = two.blast_radius(&["src/lib.rs"]);
    assert_eq!(answer.impacted_specs, []);
    assert_eq!((answer.unlinked, answer.coverage_unknown), (Vec::new(), Vec::new()), "only code units are unlinked");
}
