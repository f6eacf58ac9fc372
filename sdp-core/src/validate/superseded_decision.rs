//! A relation leads to a decision that another decision supersedes: what rests on it may have been ruled otherwise. A
//! warning, since a decision may be superseded in part; relations of the superseding decision itself are left alone.

use hashbrown::{HashMap, HashSet};

use crate::finding::{Finding, FindingId};
use crate::graph::{Edge, Graph, Index, SpecNode};
use crate::model::{EdgeType, SpecKind};
use crate::order::by_code_units;

/// How many decisions a finding names, of those that supersede and of those in force; there is one, as a rule.
const NAMED: usize = 3;

/// How many decisions are looked at to find those in force: a chain of decisions is short, and a hostile one is walked
/// from each of its links.
const WALKED: usize = 100;

#[sdp::satisfies("spec:sdp.checks.relations", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, findings: &mut Vec<Finding>) {
    let superseded = Superseded::of(graph, index);
    if superseded.by.is_empty() {
        return;
    }
    // What leads where, in the graph's order of the first such edge.
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    let mut reliances: Vec<Reliance<'_>> = Vec::new();
    for edge in &graph.edges {
        let Some((spec, decision)) = superseded.reliance(graph, index, edge) else { continue };
        let place = *places.entry((&spec.id, &decision.id)).or_insert(reliances.len());
        if place == reliances.len() {
            reliances.push(Reliance { spec, decision, relations: Vec::new() });
        }
        if let Some(reliance) = reliances.get_mut(place)
            && !reliance.relations.contains(&edge.edge_type)
        {
            reliance.relations.push(edge.edge_type);
        }
    }
    let mut ends: HashMap<&str, End<'_>> = HashMap::new();
    for reliance in &reliances {
        let end = ends.entry(&reliance.decision.id).or_insert_with(|| superseded.end(&reliance.decision.id));
        findings.push(superseded.finding(reliance, end));
    }
}

/// A Spec and the superseded decision that its relations lead to.
struct Reliance<'g> {
    spec: &'g SpecNode,
    decision: &'g SpecNode,
    /// Each relation once.
    relations: Vec<EdgeType>,
}

/// What the walk from a superseded decision to those that supersede it comes to.
enum End<'g> {
    /// The decisions in force, by id; at least one.
    InForce(Vec<&'g str>),
    /// None is in force: every way leads into a circle.
    Circle,
    /// The walk was given up before it came to one.
    Unknown,
}

/// Which decisions are superseded, and by which.
struct Superseded<'g> {
    by: HashMap<&'g str, Vec<&'g str>>,
    /// The same as pairs: superseding, superseded.
    pairs: HashSet<(&'g str, &'g str)>,
}

impl<'g> Superseded<'g> {
    fn of(graph: &'g Graph, index: &Index) -> Self {
        let mut superseded = Superseded { by: HashMap::new(), pairs: HashSet::new() };
        let edges = graph.edges.iter();
        for edge in edges.filter(|edge| edge.declares(EdgeType::Supersedes)) {
            let decision = |id: &str| index.spec(graph, id).filter(|spec| spec.spec_kind == SpecKind::Decision);
            let (Some(later), Some(earlier)) = (decision(&edge.from), decision(&edge.to)) else { continue };
            if later.id != earlier.id && superseded.pairs.insert((&later.id, &earlier.id)) {
                superseded.by.entry(&earlier.id).or_default().push(&later.id);
            }
        }
        superseded
    }

    /// The Spec and the superseded decision of a relation that leads from one to the other.
    fn reliance(&self, graph: &'g Graph, index: &Index, edge: &'g Edge) -> Option<(&'g SpecNode, &'g SpecNode)> {
        let leads_on = edge.is_relation() && edge.edge_type != EdgeType::Supersedes;
        if !leads_on || !self.by.contains_key(edge.to.as_str()) {
            return None;
        }
        let (spec, decision) = (index.spec(graph, &edge.from)?, index.spec(graph, &edge.to)?);
        let is_own = spec.id == decision.id || self.pairs.contains(&(spec.id.as_str(), decision.id.as_str()));
        (!is_own).then_some((spec, decision))
    }

    /// Walks from a superseded decision to those that nothing supersedes.
    fn end(&self, decision: &'g str) -> End<'g> {
        let mut seen: HashSet<&str> = HashSet::new();
        seen.insert(decision);
        let mut ahead = vec![decision];
        let mut in_force = Vec::new();
        let mut is_whole = true;
        while let Some(id) = ahead.pop() {
            let Some(later) = self.by.get(id) else {
                in_force.push(id);
                continue;
            };
            for id in later {
                if seen.len() > WALKED {
                    is_whole = false;
                    break;
                }
                if seen.insert(id) {
                    ahead.push(id);
                }
            }
        }
        in_force.sort_by(|left, right| by_code_units(left, right));
        match (in_force.is_empty(), is_whole) {
            (false, _) => End::InForce(in_force),
            (true, true) => End::Circle,
            (true, false) => End::Unknown,
        }
    }

    fn finding(&self, reliance: &Reliance<'_>, end: &End<'_>) -> Finding {
        let Reliance { spec, decision, relations } = reliance;
        let later = self.by.get(decision.id.as_str()).map_or(&[][..], Vec::as_slice);
        let relations: Vec<&str> = relations.iter().map(|relation| relation.as_str()).collect();
        let named = first_few(later, '"', " · ");
        let message = format!(
            "Spec \"{}\" declares {} → \"{}\", a decision superseded by {named} — informative only (a decision may be superseded in part).",
            spec.id,
            relations.join(" · "),
            decision.id
        );
        let finding = Finding::warning(FindingId::SupersededDecision, message)
            .about(&spec.id)
            .naming(&decision.id)
            .at(&spec.file, None);
        match end {
            // Only of decisions in force: otherwise the remedy would move the warning. A Spec cannot rely on itself.
            End::InForce(ids) if !ids.contains(&spec.id.as_str()) => finding.with_help(format!(
                "let the relation lead to {}, or keep it and let the warning stand where the earlier decision still holds",
                first_few(ids, '`', " or ")
            )),
            End::Circle => finding.with_help(format!(
                "no decision is in force: those that supersede `{}` supersede each other in a circle; remove one `supersedes`",
                decision.id
            )),
            End::InForce(_) | End::Unknown => finding,
        }
    }
}

/// The first ids of a list, between marks, and how many more there are.
fn first_few(ids: &[&str], mark: char, between: &str) -> String {
    let mut named = ids.iter().take(NAMED).map(|id| format!("{mark}{id}{mark}")).collect::<Vec<_>>().join(between);
    if let Some(more) = ids.len().checked_sub(NAMED).filter(|more| *more > 0) {
        named.push_str(&format!(" and {more} more"));
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Claim;
    use crate::testing::{bind, graph, join, said, spec};
    use crate::validate::validate;

    fn decision(id: &str, relations: &str) -> String {
        spec(&format!("spec:{id} decision idea"), relations, "")
    }

    fn said_of(carriers: &[String]) -> Vec<String> {
        said(&graph(carriers), FindingId::SupersededDecision)
    }

    #[test]
    #[sdp::verifies("spec:sdp.checks.relations")]
    fn every_relation_but_supersedes_is_looked_at() {
        for relation in ["refines", "dependsOn", "constrainedBy", "decidedBy", "verifies"] {
            let reliant = spec("spec:a rule idea", &format!("{relation}: spec:old"), "");
            assert_eq!(
                said_of(&[reliant, decision("new", "supersedes: spec:old"), decision("old", "")]),
                [format!(
                    "warning 000.sdp.md spec:a spec:old -: Spec \"spec:a\" declares {relation} → \"spec:old\", a decision superseded by \"spec:new\" — informative only (a decision may be superseded in part)."
                )]
            );
        }
        let third = decision("third", "supersedes: spec:old");
        assert_eq!(
            said_of(&[third, decision("new", "supersedes: spec:old"), decision("old", "")]),
            Vec::<String>::new()
        );
    }

    #[test]
    fn a_decision_in_force_and_a_decision_that_nothing_replaces_may_be_relied_on() {
        let reliant = spec("spec:a rule idea", "decidedBy: spec:new; dependsOn: spec:apart", "");
        let carriers = [reliant, decision("new", "supersedes: spec:old"), decision("old", ""), decision("apart", "")];
        assert_eq!(said_of(&carriers), Vec::<String>::new());
    }

    #[test]
    fn the_superseding_decision_may_name_what_it_replaces() {
        let new = decision("new", "supersedes: spec:old; refines: spec:old; dependsOn: spec:old");
        assert_eq!(said_of(&[new, decision("old", "dependsOn: spec:old")]), Vec::<String>::new());
    }

    #[test]
    fn several_relations_to_one_decision_are_one_warning() {
        let reliant = spec("spec:a rule idea", "refines: spec:old; decidedBy: spec:old", "");
        let later: Vec<String> =
            ["1", "2", "3", "4", "5"].iter().map(|id| decision(id, "supersedes: spec:old")).collect();
        let carriers = [&[reliant, decision("old", "")], &later[..]].concat();
        assert_eq!(
            said_of(&carriers),
            [
                "warning 000.sdp.md spec:a spec:old -: Spec \"spec:a\" declares decidedBy · refines → \"spec:old\", a decision superseded by \"spec:1\" · \"spec:2\" · \"spec:3\" and 2 more — informative only (a decision may be superseded in part)."
            ]
        );
    }

    #[test]
    fn an_edge_that_is_refused_supersedes_nothing() {
        let carriers = [
            spec("spec:a rule idea", "dependsOn: spec:old; refines: spec:rule", ""),
            spec("spec:b rule idea", "supersedes: spec:old", ""),
            decision("new", "supersedes: spec:rule; refines: spec:old"),
            decision("old", "supersedes: spec:old"),
            spec("spec:rule rule idea", "", ""),
        ];
        let mut graph = graph(&carriers);
        join(&mut graph, "spec:gone", EdgeType::Supersedes, "spec:old", Claim::Declared);
        join(&mut graph, "spec:new", EdgeType::Supersedes, "spec:old", Claim::Anchored);
        assert_eq!(said(&graph, FindingId::SupersededDecision), Vec::<String>::new());
    }

    #[test]
    fn a_binding_to_a_superseded_decision_is_no_relation() {
        let mut graph = graph(&[decision("new", "supersedes: spec:old"), decision("old", "")]);
        bind(&mut graph, "impl:a", "spec:old");
        bind(&mut graph, "test:a", "spec:old");
        assert_eq!(said(&graph, FindingId::SupersededDecision), Vec::<String>::new());
    }

    /// The remedy of each finding; none where it has none of its own.
    fn remedies(carriers: &[String]) -> Vec<Option<String>> {
        let graph = graph(carriers);
        let findings = validate(&graph, &Index::new(&graph)).findings.into_iter();
        findings.filter(|finding| finding.id == FindingId::SupersededDecision).map(|finding| finding.help).collect()
    }

    fn instead(named: &str) -> Option<String> {
        Some(format!(
            "let the relation lead to {named}, or keep it and let the warning stand where the earlier decision still holds"
        ))
    }

    #[test]
    fn the_remedy_names_the_decisions_at_the_end_of_the_chain() {
        let reliant = spec("spec:a rule idea", "decidedBy: spec:old", "");
        let mut carriers = vec![reliant, decision("old", ""), decision("new", "supersedes: spec:old")];
        assert_eq!(remedies(&carriers), [instead("`spec:new`")]);
        carriers.push(decision("newer", "supersedes: spec:new"));
        carriers.push(decision("newest", "supersedes: spec:newer"));
        assert_eq!(remedies(&carriers), [instead("`spec:newest`")]);
        carriers.push(decision("aside", "supersedes: spec:old"));
        assert_eq!(remedies(&carriers), [instead("`spec:aside` or `spec:newest`")]);
        for id in ["1", "2"] {
            carriers.push(decision(id, "supersedes: spec:new"));
        }
        assert_eq!(remedies(&carriers), [instead("`spec:1` or `spec:2` or `spec:aside` and 1 more")]);
    }

    #[test]
    fn in_a_circle_no_decision_is_in_force() {
        let circle = || {
            Some(
                "no decision is in force: those that supersede `spec:old` supersede each other in a circle; remove one `supersedes`"
                    .to_owned(),
            )
        };
        let reliant = spec("spec:a rule idea", "decidedBy: spec:old", "");
        let new = decision("new", "supersedes: spec:old");
        let two = [reliant.clone(), decision("old", "supersedes: spec:new"), new.clone()];
        assert_eq!(remedies(&two), [circle()]);
        let (x, y) = (decision("x", "supersedes: [spec:new, spec:y]"), decision("y", "supersedes: spec:x"));
        let mut ahead = vec![reliant, decision("old", ""), new, x, y];
        assert_eq!(remedies(&ahead), [circle()]);
        ahead.push(decision("z", "supersedes: spec:y"));
        assert_eq!(remedies(&ahead), [instead("`spec:z`")], "one way leads out of the circle");
    }

    #[test]
    fn a_decision_is_not_sent_to_itself() {
        let newest = decision("newest", "supersedes: spec:new; refines: spec:old");
        let carriers = [decision("old", ""), decision("new", "supersedes: spec:old"), newest];
        assert_eq!(remedies(&carriers), [None]);
    }

    #[test]
    fn a_chain_beyond_measure_is_left_without_a_name() {
        let chain = |links: usize| {
            let mut carriers = vec![spec("spec:a rule idea", "decidedBy: spec:d0", ""), decision("d0", "")];
            carriers
                .extend((1..=links).map(|at| decision(&format!("d{at}"), &format!("supersedes: spec:d{}", at - 1))));
            remedies(&carriers)
        };
        assert_eq!(chain(WALKED), [instead(&format!("`spec:d{WALKED}`"))]);
        assert_eq!(chain(WALKED + 1), [None]);
    }
}
