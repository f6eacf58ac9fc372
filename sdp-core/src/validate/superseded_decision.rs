//! A relation leads to a decision that another decision supersedes: what rests on it may have been ruled otherwise. A
//! warning, since a decision may be superseded in part; relations of the superseding decision itself are left alone.

use hashbrown::{HashMap, HashSet};

use crate::finding::{Finding, FindingId};
use crate::graph::{Claim, Edge, Graph, Index, SpecNode};
use crate::model::{EdgeType, SpecKind};

/// How many superseding decisions a finding names; there is one, as a rule.
const NAMED: usize = 3;

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
    findings.extend(reliances.iter().map(|reliance| superseded.finding(reliance)));
}

/// A Spec and the superseded decision that its relations lead to.
struct Reliance<'g> {
    spec: &'g SpecNode,
    decision: &'g SpecNode,
    /// Each relation once.
    relations: Vec<EdgeType>,
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
        for edge in edges.filter(|edge| edge.edge_type == EdgeType::Supersedes && edge.claim == Claim::Declared) {
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
        let is_relation = edge.edge_type.is_authored() && edge.edge_type != EdgeType::Supersedes;
        if !is_relation || edge.claim != Claim::Declared || !self.by.contains_key(edge.to.as_str()) {
            return None;
        }
        let (spec, decision) = (index.spec(graph, &edge.from)?, index.spec(graph, &edge.to)?);
        let is_own = spec.id == decision.id || self.pairs.contains(&(spec.id.as_str(), decision.id.as_str()));
        (!is_own).then_some((spec, decision))
    }

    fn finding(&self, reliance: &Reliance<'_>) -> Finding {
        let Reliance { spec, decision, relations } = reliance;
        let later = self.by.get(decision.id.as_str()).map_or(&[][..], Vec::as_slice);
        let relations: Vec<&str> = relations.iter().map(|relation| relation.as_str()).collect();
        let mut named = later.iter().take(NAMED).map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(" · ");
        if let Some(more) = later.len().checked_sub(NAMED).filter(|more| *more > 0) {
            named.push_str(&format!(" and {more} more"));
        }
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
        match later {
            // Of a decision that is in force; otherwise the remedy would only move the warning.
            [one] if !self.by.contains_key(one) => finding.with_help(format!(
                "let the relation lead to `{one}`, or keep it and let the warning stand where the earlier decision still holds"
            )),
            _ => finding,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{bind, graph, join, said, spec};
    use crate::validate::validate;

    fn decision(id: &str, relations: &str) -> String {
        spec(&format!("spec:{id} decision idea"), relations, "")
    }

    fn said_of(carriers: &[String]) -> Vec<String> {
        said(&graph(carriers), FindingId::SupersededDecision)
    }

    #[test]
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

    #[test]
    fn the_remedy_names_the_decision_only_when_it_is_in_force() {
        let remedies = |carriers: &[String]| {
            let graph = graph(carriers);
            let findings = validate(&graph, &Index::new(&graph)).findings.into_iter();
            findings.filter(|finding| finding.id == FindingId::SupersededDecision).map(|finding| finding.help).collect()
        };
        let reliant = spec("spec:a rule idea", "decidedBy: spec:old", "");
        let (old, new) = (decision("old", ""), decision("new", "supersedes: spec:old"));
        let named = "let the relation lead to `spec:new`, or keep it and let the warning stand where the earlier decision still holds";
        let found: Vec<Option<String>> = remedies(&[reliant.clone(), old.clone(), new.clone()]);
        assert_eq!(found, [Some(named.to_owned())]);
        let found: Vec<Option<String>> = remedies(&[reliant, old, new, decision("newest", "supersedes: spec:new")]);
        assert_eq!(found, [None]);
    }
}
