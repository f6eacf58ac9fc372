//! Each check with a graph that it refuses and one that it leaves alone; the floor clause by clause.

use super::floor::{Clause, derived_readiness, floor_failures};
use super::*;
use crate::finding::Severity;
use crate::graph::{Claim, Node, SpecNode};
use crate::model::{EdgeType, OpenBag, Readiness};
use crate::testing::{bind, findings, graph, join, spec, unit};

const RULE: &str = "## Intent\n- outcome: o\n\n## Rule\n- it holds";

/// The checks that no graph fails by itself.
const OF_CONTRACTS: [FindingId; 2] = [FindingId::ContractLink, FindingId::UnreadableContract];

fn unmet(graph: &Graph, id: &str, rung: Readiness) -> Vec<&'static str> {
    let index = Index::new(graph);
    let spec = index.spec(graph, id).unwrap();
    floor_failures(graph, &index, spec, rung).iter().map(|failure| failure.clause.id()).collect()
}

fn reached(graph: &Graph, id: &str) -> Option<Readiness> {
    let index = Index::new(graph);
    derived_readiness(graph, &index, index.spec(graph, id).unwrap())
}

#[test]
fn every_finding_about_the_graph_has_one_check() {
    let is_of_a_check = |id: FindingId| {
        let name = id.as_str();
        name.starts_with("conformance/")
            || name.starts_with("honesty/")
            || [FindingId::SupersededDecision, FindingId::SelfRelation].contains(&id)
            || OF_CONTRACTS.contains(&id)
    };
    for id in FindingId::ALL {
        let count = CHECKS.iter().filter(|check| check.id == *id).count();
        assert_eq!(count, usize::from(is_of_a_check(*id)), "{}", id.as_str());
    }
}

/// A model, a ready rule with bindings of every form, an example and a Pack: nothing is said of it.
fn sound() -> Graph {
    let space = "## Model\n- **t** — d\n\n## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```";
    let pack = "---\nid: pack:p\nspecs:\n  - spec:a.b\n  - spec:a\nmodelRefs:\n  - spec:a\n---\n# P\n".to_owned();
    let mut graph = graph(&[
        spec("spec:a model defined", "refines: spec:a.b", &format!("## Intent\n- outcome: o\n\n{space}")),
        spec("spec:a.b rule ready", "refines: spec:a; decidedBy: spec:d", RULE),
        spec("spec:d decision defined", "refines: spec:a", "## Intent\n- outcome: o\n\n## Decision\n- decision: d"),
        spec("spec:a.x example idea", "verifies: spec:a.b", "## Intent\n- outcome: o"),
        pack,
    ]);
    for (id, target) in [("impl:a", "spec:a.b"), ("test:a", "spec:a.b"), ("oracle:a", "spec:a")] {
        bind(&mut graph, id, target);
    }
    unit(&mut graph, "component:c");
    join(&mut graph, "impl:a", EdgeType::MemberOf, "component:c", Claim::Anchored);
    graph
}

/// The sound graph with one thing wrong, for one check.
fn unsound(id: FindingId) -> Graph {
    use Claim::{Anchored, Declared};
    let mut graph = sound();
    let mut state = |change: &dyn Fn(&mut SpecNode)| {
        let Node::Spec(spec) = graph.nodes.iter_mut().find(|node| node.id() == "spec:a.b").unwrap() else { panic!() };
        change(std::sync::Arc::make_mut(spec));
    };
    match id {
        FindingId::ReferentialIntegrity => join(&mut graph, "spec:a", EdgeType::DependsOn, "spec:gone", Declared),
        FindingId::DuplicateIds => graph.nodes.push(graph.nodes[0].clone()),
        FindingId::ClaimSeparation => state(&|spec| spec.claim = Anchored),
        FindingId::StructuralAnchors => join(&mut graph, "impl:a", EdgeType::Uses, "impl:a", Anchored),
        FindingId::VerifiesLinkage => join(&mut graph, "spec:a", EdgeType::Verifies, "spec:d", Declared),
        FindingId::OracleLinkage => join(&mut graph, "oracle:a", EdgeType::Models, "spec:a.b", Anchored),
        FindingId::PackCoherence => graph.edges.retain(|edge| edge.edge_type != EdgeType::BelongsTo),
        FindingId::Orphans => graph.edges.retain(|edge| edge.from != "spec:a.x"),
        FindingId::ProseMentions => state(&|spec| spec.narrative = Some("see spec:gone".to_owned())),
        FindingId::AuthoringShape => state(&|spec| {
            let entries = vec![("observed".to_owned(), "yes".to_owned().into())];
            spec.sections.as_mut().unwrap().ui = Some(OpenBag { description: None, entries });
        }),
        FindingId::DeliveryFacts => state(&|spec| spec.delivery_facts.clear()),
        FindingId::ReadinessFloor => state(&|spec| spec.sections = None),
        FindingId::Gaps => graph.edges.retain(|edge| edge.from != "test:a"),
        FindingId::SupersededDecision => {
            let carrier = spec("spec:e decision idea", "supersedes: spec:d", "## Intent\n- outcome: o");
            let later = crate::testing::graph(&[carrier]);
            graph.nodes.extend(later.nodes);
            graph.edges.extend(later.edges);
        }
        FindingId::SelfRelation => join(&mut graph, "spec:a", EdgeType::Refines, "spec:a", Declared),
        other => panic!("{} needs a graph that its check refuses", other.as_str()),
    }
    graph
}

#[test]
fn each_check_refuses_a_graph_and_leaves_the_sound_one_alone() {
    assert_eq!(findings(&sound()), Vec::<String>::new());
    for check in CHECKS.iter().filter(|check| !OF_CONTRACTS.contains(&check.id)) {
        let found = findings(&unsound(check.id));
        assert!(found.iter().any(|row| row.contains(&format!(" {} ", check.id.as_str()))), "{}", check.id.as_str());
    }
}

#[test]
fn a_sound_corpus_has_no_finding() {
    let graph = graph(&[
        spec("spec:a model defined", "refines: spec:a.b", "## Intent\n- outcome: o\n\n## Model\n- **t** — d"),
        spec("spec:a.b rule ready", "refines: spec:a", RULE),
    ]);
    assert_eq!(findings(&graph), ["warning honesty/gaps spec:a.b -"]);
    let mut bound = graph;
    bind(&mut bound, "test:a.b", "spec:a.b");
    assert_eq!(findings(&bound), Vec::<String>::new());
}

#[test]
fn a_missing_target_is_an_error_with_the_one_near_id() {
    let carriers = [
        spec("spec:orders.create rule idea", "dependsOn: spec:orders.totl", RULE),
        spec("spec:orders.total rule idea", "", RULE),
    ];
    let graph = graph(&carriers);
    let report = validate(&graph, &Index::new(&graph));
    let finding = &report.findings[0];
    assert_eq!(
        finding.message,
        "Reference from \"spec:orders.create\" via \"dependsOn\" points to missing target \"spec:orders.totl\". Did you mean \"spec:orders.total\"?"
    );
    assert_eq!(finding.file.as_deref(), Some("000.sdp.md"));
    assert_eq!((finding.line, finding.severity), (None, Severity::Error));
    assert_eq!(findings(&graph)[1], "warning conformance/orphans spec:orders.total -");
}

#[test]
fn a_pack_that_lists_a_missing_member_or_vocabulary_is_an_error() {
    let pack = "---\nid: pack:p\nspecs:\n  - spec:gone\nmodelRefs:\n  - spec:lost\n---\n# P\n".to_owned();
    let graph = graph(&[pack]);
    let messages: Vec<String> =
        validate(&graph, &Index::new(&graph)).findings.into_iter().map(|finding| finding.message).collect();
    assert_eq!(
        messages,
        [
            "Edge \"spec:gone\" → (belongsTo) → \"pack:p\" originates from a node absent from the graph.",
            "Pack \"pack:p\" modelRefs[0] points to missing target \"spec:lost\".",
        ]
    );
}

#[test]
fn an_id_that_two_nodes_carry_is_reported_at_each() {
    let mut graph =
        graph(&[spec("spec:a rule idea", "refines: spec:b", RULE), spec("spec:b rule idea", "refines: spec:a", RULE)]);
    graph.nodes.push(graph.nodes[0].clone());
    let found = findings(&graph);
    assert_eq!(found, ["error conformance/duplicate-ids spec:a -", "error conformance/duplicate-ids spec:a -"]);
}

#[test]
fn a_repeated_anchor_is_reported_without_a_line_as_every_finding_about_a_graph_is() {
    let mut graph = sound();
    unit(&mut graph, "test:a");
    let repeated = validate(&graph, &Index::new(&graph)).findings;
    let places: Vec<_> = repeated.iter().map(|finding| (finding.id, finding.file.as_deref(), finding.line)).collect();
    assert_eq!(places, [(FindingId::DuplicateIds, Some("src/lib.rs"), None); 2]);
}

#[test]
fn a_stated_delivery_fact_in_an_open_section_is_an_error() {
    let design = "## Intent\n- outcome: o\n\n## Design\n- k: v";
    let mut graph = graph(&[
        spec("spec:a rule idea", "refines: spec:b", design),
        spec("spec:b rule idea", "refines: spec:a", RULE),
    ]);
    let Node::Spec(node) = &mut graph.nodes[0] else { panic!() };
    std::sync::Arc::make_mut(node).sections.as_mut().unwrap().design =
        Some(OpenBag { description: None, entries: vec![("implemented".to_owned(), "yes".to_owned().into())] });
    assert_eq!(findings(&graph), ["error honesty/authoring-shape spec:a implemented"]);
}

#[test]
fn an_outcome_or_a_parent_is_enough_for_an_idea() {
    let bare = graph(&[spec("spec:a rule idea", "dependsOn: spec:a", "")]);
    assert_eq!(unmet(&bare, "spec:a", Readiness::Idea), ["intent.outcome-or-parent-relation"]);
    assert_eq!(reached(&bare, "spec:a"), None);
    let child = graph(&[spec("spec:a rule idea", "refines: spec:gone", "")]);
    assert_eq!(reached(&child, "spec:a"), Some(Readiness::Idea));
    assert_eq!(unmet(&child, "spec:a", Readiness::Scoped), ["intent.outcome", "kind-evidence-present"]);
}

#[test]
fn membership_in_a_pack_is_no_relation() {
    let pack = "---\nid: pack:p\nspecs:\n  - spec:a\n---\n# P\n".to_owned();
    let graph = graph(&[spec("spec:a rule scoped", "", RULE), pack]);
    assert_eq!(unmet(&graph, "spec:a", Readiness::Scoped), ["at-least-one-relation"]);
    assert_eq!(findings(&graph), ["error honesty/readiness-floor spec:a at-least-one-relation"]);
}

#[test]
fn a_blocking_question_holds_a_spec_below_defined() {
    let open = |flag: &str| {
        let body = format!("## Intent\n- outcome: o\n\n### Open questions\n- [{flag}] why?\n\n## Rule\n- it holds");
        graph(&[spec("spec:a rule idea", "refines: spec:a", &body)])
    };
    assert_eq!(unmet(&open("blocking"), "spec:a", Readiness::Defined), ["no-blocking-open-questions"]);
    assert_eq!(reached(&open("blocking"), "spec:a"), Some(Readiness::Scoped));
    assert_eq!(unmet(&open("non-blocking"), "spec:a", Readiness::Defined), Vec::<&str>::new());
}

#[test]
fn what_a_ready_spec_rests_on_states_at_least_defined() {
    let graph = graph(&[
        spec(
            "spec:a rule ready",
            "verifies: spec:idea; decidedBy: spec:idea; refines: spec:scoped; dependsOn: spec:done",
            RULE,
        ),
        spec("spec:idea rule idea", "refines: spec:a", RULE),
        spec("spec:scoped rule scoped", "refines: spec:a", RULE),
        spec("spec:done rule defined", "refines: spec:a", RULE),
    ]);
    let index = Index::new(&graph);
    let failures = floor_failures(&graph, &index, index.spec(&graph, "spec:a").unwrap(), Readiness::Ready);
    let [failure] = &failures[..] else { panic!("{failures:?}") };
    assert_eq!(failure.clause, Clause::TypedTargetsDefined);
    let targets: Vec<_> =
        failure.targets.iter().map(|target| (target.edge_type.as_str(), target.id.as_str(), target.stated)).collect();
    assert_eq!(
        targets,
        [("refines", "spec:scoped", Some(Readiness::Scoped)), ("decidedBy", "spec:idea", Some(Readiness::Idea))]
    );
}

#[test]
fn a_ready_spec_has_no_dangling_relation_and_no_dangling_binding() {
    let mut graph = graph(&[spec("spec:a rule ready", "verifies: spec:gone", RULE)]);
    bind(&mut graph, "impl:a", "spec:a");
    graph.nodes.retain(|node| node.id() != "impl:a");
    assert_eq!(unmet(&graph, "spec:a", Readiness::Ready), ["all-relations-resolve", "anchors-resolve"]);
}

#[test]
fn each_kind_has_its_own_evidence() {
    let outcome = |body: &str| format!("## Intent\n- outcome: o\n\n{body}");
    // kind, body, reached
    let cases = [
        ("behavior", "", Some(Readiness::Idea)),
        ("behavior", "## Behavior\n- flow: f", Some(Readiness::Scoped)),
        ("behavior", "## Constraints\n- statement: s", Some(Readiness::Scoped)),
        ("behavior", "## Behavior\n- rule: r", Some(Readiness::Ready)),
        ("behavior", "## Example space\n\n```gwt-vocabulary\nGiven a\nWhen b\nThen c\n```", Some(Readiness::Idea)),
        ("workflow", "## Workflow\n- one flow", Some(Readiness::Scoped)),
        ("contract", "## Contract\n- one rule", Some(Readiness::Ready)),
        ("rule", "## Rule", Some(Readiness::Idea)),
        ("rule", "## Rule\n- it holds", Some(Readiness::Ready)),
        ("constraint", "## Constraints\n- statement: s", Some(Readiness::Scoped)),
        ("constraint", "## Constraints\n- statement: s\n- target: t", Some(Readiness::Ready)),
        ("model", "## Model\nprose", Some(Readiness::Idea)),
        ("model", "## Model\n- **t** — d", Some(Readiness::Ready)),
        ("decision", "## Decision", Some(Readiness::Idea)),
        ("decision", "## Decision\n- context: c", Some(Readiness::Scoped)),
        ("decision", "## Decision\n- decision: d", Some(Readiness::Ready)),
    ];
    for (kind, body, expected) in cases {
        let root = spec("spec:root rule ready", "refines: spec:root", RULE);
        let graph = graph(&[root, spec(&format!("spec:a {kind} idea"), "refines: spec:root", &outcome(body))]);
        assert_eq!(reached(&graph, "spec:a"), expected, "{kind}: {body}");
    }
}

#[test]
fn evidence_may_be_promoted_to_a_child_or_a_constraint() {
    let parent = |relations: &str| spec("spec:p behavior idea", relations, "## Intent\n- outcome: o");
    let child = graph(&[parent("dependsOn: spec:p.r"), spec("spec:p.r rule defined", "refines: spec:p", RULE)]);
    assert_eq!(reached(&child, "spec:p"), Some(Readiness::Ready));
    let empty = graph(&[parent("dependsOn: spec:p.r"), spec("spec:p.r rule defined", "refines: spec:p", "## Rule")]);
    assert_eq!(reached(&empty, "spec:p"), Some(Readiness::Idea));
    let constraint = "## Constraints\n- statement: s";
    let bounded =
        graph(&[parent("constrainedBy: spec:c"), spec("spec:c constraint defined", "refines: spec:p", constraint)]);
    assert_eq!(reached(&bounded, "spec:p"), Some(Readiness::Scoped));
}

#[test]
fn an_example_is_concrete_when_it_binds_what_its_parent_declares() {
    let parent = spec(
        "spec:p behavior defined",
        "refines: spec:p",
        "## Intent\n- outcome: o\n\n## Example space\n\n```gwt-vocabulary\nGiven a cart with {n:number} items\nAnd a {bare} slot\nWhen it is ordered\nThen the total is {t:number}\n```",
    );
    let example = |given: &str| {
        let body = format!(
            "## Intent\n- outcome: o\n\n```gwt\nGiven {given}\nWhen it is ordered\nThen the total is {{t: 5}}\n```"
        );
        graph(&[parent.clone(), spec("spec:p.x example idea", "refines: spec:p", &body)])
    };
    let complete =
        |given: &str| !unmet(&example(given), "spec:p.x", Readiness::Defined).contains(&"kind-evidence-complete");
    assert!(complete("a cart with {n: 2} items"));
    assert!(complete("a cart with {n: \"two\"} items"), "the value is not the floor's business");
    assert!(!complete("a cart with {n} items"), "unbound");
    assert!(!complete("a basket with {n: 2} items"), "unknown words");
    assert!(!complete("a {bare: 1} slot"), "declared without a type");
}
