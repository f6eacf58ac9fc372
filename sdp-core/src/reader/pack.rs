//! One Pack opened up: its members and how far each has come, what nothing verifies, and the relations that cross its
//! edge. Counts and facts only; nothing here judges a design or states a rung for its author.

use hashbrown::HashSet;

use rayon::prelude::*;

use super::{
    BoundaryRow, BoundaryVia, MemberDecision, MemberDesign, MemberQuestion, PackBoundary, PackContext,
    PackMemberSummary, PackSummary, Reader, VerifierCount, VerifierGap,
};
use crate::graph::{DeliveryFact, Node, PackNode, SpecNode, counts_as_verifier, delivery_facts, is_implemented};
use crate::model::{EdgeType, OpenBag, Readiness, SpecKind};
use crate::order::by_code_units;
use crate::validate::floor;

/// A member as the Pack lists it, and the Spec that it names.
type Member<'g> = (&'g str, Option<&'g SpecNode>);

impl Reader {
    /// All that is known of one Pack; none when no Pack has the id.
    #[must_use]
    #[sdp::satisfies("spec:sdp.reader.pack-context", component = "component:sdp.reader")]
    pub fn pack_context(&self, id: &str) -> Option<PackContext> {
        let Node::Pack(pack) = self.index.node(&self.graph, id)? else { return None };
        let listed = self.listed(pack);
        let members: Vec<PackMemberSummary> = listed
            .par_iter()
            .map(|(id, spec)| match spec {
                Some(spec) => self.member(spec),
                None => unresolved(id),
            })
            .collect();
        let mut verifier_gaps: Vec<VerifierGap> = members.iter().filter_map(verifier_gap).collect();
        verifier_gaps.sort_by(|left, right| by_code_units(&left.id, &right.id));
        Some(PackContext {
            summary: pack_summary(pack),
            verifier_gaps,
            boundary: self.boundary(&listed),
            members,
            findings: self.findings_of(id).cloned().collect(),
        })
    }

    /// The members in authored order, each once.
    fn listed<'r>(&'r self, pack: &'r PackNode) -> Vec<Member<'r>> {
        let mut seen = HashSet::with_capacity(pack.members.len());
        let distinct = pack.members.iter().map(String::as_str).filter(|id| seen.insert(*id));
        distinct.map(|id| (id, self.index.spec(&self.graph, id))).collect()
    }

    fn member(&self, spec: &SpecNode) -> PackMemberSummary {
        let id = spec.id.as_str();
        let next = spec.readiness.next();
        let (verifiers, examples) = self.verifier_counts(id);
        PackMemberSummary {
            id: spec.id.clone(),
            resolved: true,
            title: spec.title.clone(),
            spec_kind: Some(spec.spec_kind),
            altitude: Some(spec.altitude),
            stated_readiness: Some(spec.readiness),
            derived_readiness: floor::derived_readiness(&self.graph, &self.index, spec),
            delivery_facts: delivery_facts(&self.graph, &self.index, id),
            file: Some(spec.file.clone()),
            stated_next_rung: next,
            stated_next_rung_failures: Some(next.map(|rung| self.failures(spec, rung)).unwrap_or_default()),
            design: Some(self.design(spec)),
            implementations: Some(self.code_bindings(id, EdgeType::Satisfies)),
            references: Some(self.code_bindings(id, EdgeType::References)),
            verifiers: Some(verifiers),
            examples: Some(examples),
        }
    }

    /// All verifiers of a Spec, and the example Specs among them.
    fn verifier_counts(&self, id: &str) -> (VerifierCount, VerifierCount) {
        let (mut verifiers, mut examples) = (VerifierCount::default(), VerifierCount::default());
        for edge in self.index.edges_to(&self.graph, id).filter(|edge| edge.edge_type == EdgeType::Verifies) {
            let enabled = counts_as_verifier(&self.graph, &self.index, edge);
            verifiers.add(enabled);
            if self.index.spec(&self.graph, &edge.from).is_some_and(|spec| spec.spec_kind == SpecKind::Example) {
                examples.add(enabled);
            }
        }
        (verifiers, examples)
    }

    fn design(&self, spec: &SpecNode) -> MemberDesign {
        let design = spec.sections.as_ref().and_then(|sections| sections.design.as_ref());
        let open_questions = self.questions(spec);
        MemberDesign {
            entries: design.map_or(0, |design| design.entries.len()),
            declarations: design.map_or(0, declarations),
            blocking_questions: open_questions.iter().filter(|question| question.blocking).count(),
            open_questions,
            decisions: self.decisions(&spec.id),
        }
    }

    fn questions(&self, spec: &SpecNode) -> Vec<MemberQuestion> {
        let intent = spec.sections.as_ref().and_then(|sections| sections.intent.as_ref());
        let questions = intent.and_then(|intent| intent.open_questions.as_deref()).unwrap_or_default();
        let mut open: Vec<MemberQuestion> = questions
            .iter()
            .enumerate()
            .map(|(index, question)| MemberQuestion {
                index,
                question: question.question.clone(),
                blocking: question.blocking,
                key: question.key.clone(),
                line: None,
            })
            .collect();
        for row in self.location_rows(&spec.id) {
            let index = row.entry.strip_prefix("question[").and_then(|rest| rest.strip_suffix(']')?.parse().ok());
            if let Some(question) = index.and_then(|index: usize| open.get_mut(index)) {
                question.line = Some(row.line);
            }
        }
        open
    }

    fn decisions(&self, id: &str) -> Vec<MemberDecision> {
        let edges = self.index.edges_from(&self.graph, id);
        let mut targets: Vec<&str> =
            edges.filter(|edge| edge.declares(EdgeType::DecidedBy)).map(|edge| edge.to.as_str()).collect();
        targets.sort_by(|left, right| by_code_units(left, right));
        targets.dedup();
        let decision = |id: &str| {
            let spec = self.index.spec(&self.graph, id);
            MemberDecision {
                id: id.to_owned(),
                title: spec.and_then(|spec| spec.title.clone()),
                stated_readiness: spec.map(|spec| spec.readiness),
                resolved: spec.is_some(),
            }
        };
        targets.into_iter().map(decision).collect()
    }

    fn boundary(&self, members: &[Member<'_>]) -> PackBoundary {
        let inside: HashSet<&str> = members.iter().map(|(id, _)| *id).collect();
        let outside = |id: &str| self.index.spec(&self.graph, id).filter(|spec| !inside.contains(spec.id.as_str()));
        let (mut rests_on, mut rested_on_by) = (Vec::new(), Vec::new());
        for (place, (member, spec)) in members.iter().enumerate() {
            if spec.is_none() {
                continue;
            }
            let crossing = |edge_type, other| Crossing { other, edge_type, place, member };
            for edge in self.index.edges_from(&self.graph, member).filter(|edge| edge.is_relation()) {
                if edge.edge_type.is_footing() {
                    rests_on.extend(outside(&edge.to).map(|other| crossing(edge.edge_type, other)));
                }
            }
            for edge in self.index.edges_to(&self.graph, member).filter(|edge| edge.is_relation()) {
                rested_on_by.extend(outside(&edge.from).map(|other| crossing(edge.edge_type, other)));
            }
        }
        PackBoundary { rests_on: self.boundary_rows(rests_on), rested_on_by: self.boundary_rows(rested_on_by) }
    }

    fn boundary_rows(&self, mut crossings: Vec<Crossing<'_>>) -> Vec<BoundaryRow> {
        crossings.sort_by(|left, right| {
            by_code_units(&left.other.id, &right.other.id)
                .then(left.edge_type.cmp(&right.edge_type))
                .then(left.place.cmp(&right.place))
        });
        let rows = crossings.chunk_by(|left, right| left.other.id == right.other.id);
        rows.filter_map(|row| {
            let other = row.first()?.other;
            Some(BoundaryRow {
                id: other.id.clone(),
                title: other.title.clone(),
                stated_readiness: other.readiness,
                implemented: is_implemented(&self.graph, &self.index, &other.id),
                via: row.chunk_by(|left, right| left.edge_type == right.edge_type).filter_map(via).collect(),
            })
        })
        .collect()
    }
}

/// A relation between a member and a Spec outside.
struct Crossing<'g> {
    other: &'g SpecNode,
    edge_type: EdgeType,
    /// Where the Pack lists the member.
    place: usize,
    member: &'g str,
}

/// Crossings of one type and one Spec outside.
fn via(crossings: &[Crossing<'_>]) -> Option<BoundaryVia> {
    let mut members: Vec<String> = crossings.iter().map(|crossing| crossing.member.to_owned()).collect();
    members.dedup();
    Some(BoundaryVia { edge_type: crossings.first()?.edge_type, members })
}

impl VerifierCount {
    fn add(&mut self, enabled: bool) {
        self.total += 1;
        self.enabled += usize::from(enabled);
    }
}

/// The row of a Pack.
pub(super) fn pack_summary(pack: &PackNode) -> PackSummary {
    PackSummary {
        id: pack.id.clone(),
        title: pack.title.clone(),
        framing: pack.framing.clone(),
        file: pack.file.clone(),
        model_refs: pack.model_refs.clone().unwrap_or_default(),
    }
}

fn unresolved(id: &str) -> PackMemberSummary {
    PackMemberSummary {
        id: id.to_owned(),
        resolved: false,
        title: None,
        spec_kind: None,
        altitude: None,
        stated_readiness: None,
        derived_readiness: None,
        delivery_facts: Vec::new(),
        file: None,
        stated_next_rung: None,
        stated_next_rung_failures: None,
        design: None,
        implementations: None,
        references: None,
        verifiers: None,
        examples: None,
    }
}

fn verifier_gap(member: &PackMemberSummary) -> Option<VerifierGap> {
    let stated_readiness = member.stated_readiness?;
    let priority = stated_readiness == Readiness::Ready;
    let verified = member.delivery_facts.contains(&DeliveryFact::HasVerifier);
    (!verified).then(|| VerifierGap { id: member.id.clone(), stated_readiness, priority })
}

fn declarations(design: &OpenBag) -> usize {
    design.entries.iter().filter(|(_, value)| value.as_text().is_some_and(opens_with_code_span)).count()
}

/// Whether a value opens with a code span that ends on its first line: a run of backticks, and the next run of the same
/// length (newest sheet part 2, pinned declarations).
fn opens_with_code_span(value: &str) -> bool {
    let line = value.split(['\r', '\n']).next().unwrap_or_default();
    let span = line.trim_start_matches('`');
    let fence = line.len() - span.len();
    // A run of any other length belongs to the span.
    fence > 0 && span.split(|character| character != '`').any(|run| run.len() == fence)
}

#[cfg(test)]
mod tests {
    use super::opens_with_code_span;

    #[test]
    fn a_declaration_opens_with_a_code_span_on_one_line() {
        for value in ["`a`", "`a` and more", "``a `b` c``", "`a ``b`` c`", "`a`\nsecond line", "` `", "`a`b`"] {
            assert!(opens_with_code_span(value), "{value:?}");
        }
        for value in ["", "a `b`", " `a`", "`a", "``", "````", "``a`", "`a``", "`a\nb`", "`a\r\nb`", "```ts\na\n```"] {
            assert!(!opens_with_code_span(value), "{value:?}");
        }
    }
}
