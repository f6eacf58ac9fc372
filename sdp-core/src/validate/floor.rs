//! The readiness floor: which clauses of a rung a Spec does not satisfy (newest sheet part 11). Cumulative; it judges
//! structure only, reads no more than the graph and never writes a rung.

mod evidence;
mod remedies;
#[cfg(test)]
mod tests;

use crate::graph::{Claim, Edge, Graph, Index, NodeType, SpecNode};
use crate::model::{EdgeType, Readiness, is_js_whitespace};

/// The clauses of the floor, in the order in which they are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// A stable id.
    Id,
    /// A title.
    Title,
    /// A kind.
    Kind,
    /// An altitude.
    Altitude,
    /// An outcome, or a parent.
    OutcomeOrParent,
    /// An outcome.
    Outcome,
    /// A relation.
    Relation,
    /// The kind's evidence, begun.
    EvidencePresent,
    /// The kind's evidence, whole.
    EvidenceComplete,
    /// Nothing blocks.
    NoBlockingQuestions,
    /// Nothing dangles.
    RelationsResolve,
    /// What it rests on is defined.
    TypedTargetsDefined,
    /// Its bindings resolve.
    AnchorsResolve,
}

impl Clause {
    /// The clauses of one rung alone.
    #[must_use]
    pub const fn of_rung(rung: Readiness) -> &'static [Clause] {
        match rung {
            Readiness::Idea => &[Clause::Id, Clause::Title, Clause::Kind, Clause::Altitude, Clause::OutcomeOrParent],
            Readiness::Scoped => &[Clause::Outcome, Clause::Relation, Clause::EvidencePresent],
            Readiness::Defined => &[Clause::EvidenceComplete, Clause::NoBlockingQuestions],
            Readiness::Ready => &[Clause::RelationsResolve, Clause::TypedTargetsDefined, Clause::AnchorsResolve],
        }
    }

    /// The clause's id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Clause::Id => "id",
            Clause::Title => "title",
            Clause::Kind => "kind",
            Clause::Altitude => "altitude",
            Clause::OutcomeOrParent => "intent.outcome-or-parent-relation",
            Clause::Outcome => "intent.outcome",
            Clause::Relation => "at-least-one-relation",
            Clause::EvidencePresent => "kind-evidence-present",
            Clause::EvidenceComplete => "kind-evidence-complete",
            Clause::NoBlockingQuestions => "no-blocking-open-questions",
            Clause::RelationsResolve => "all-relations-resolve",
            Clause::TypedTargetsDefined => "typed-dependency-targets-are-defined",
            Clause::AnchorsResolve => "anchors-resolve",
        }
    }

    /// What it asks for, in the Protocol's words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Clause::Id => "Envelope includes a stable spec id.",
            Clause::Title => "Envelope includes a human-readable title.",
            Clause::Kind => "Envelope states the authored spec kind.",
            Clause::Altitude => "Envelope states the authored altitude.",
            Clause::OutcomeOrParent => "Spec states intent.outcome or declares a parent relation via refines.",
            Clause::Outcome => "Spec states the intended outcome.",
            Clause::Relation => "Spec declares at least one authored relation.",
            Clause::EvidencePresent => "The kind's natural evidence is present (per-kind evidence table).",
            Clause::EvidenceComplete => "The kind's natural evidence is complete (per-kind evidence table).",
            Clause::NoBlockingQuestions => "Spec has no blocking open question in intent.openQuestions.",
            Clause::RelationsResolve => "All authored relations resolve to known targets.",
            Clause::TypedTargetsDefined => {
                "Every refines, dependsOn, constrainedBy, and decidedBy target states at least defined."
            }
            Clause::AnchorsResolve => "Any anchors present resolve.",
        }
    }
}

/// A clause that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The clause.
    pub clause: Clause,
    /// The targets that hold it back, by relation order and id; only for [`Clause::TypedTargetsDefined`].
    pub targets: Vec<Target>,
}

/// A relation target that states less than `defined`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The relation.
    pub edge_type: EdgeType,
    /// The target.
    pub id: String,
    /// What it states; none when it is no Spec.
    pub stated: Option<Readiness>,
}

/// The clauses at or below a rung that a Spec does not satisfy, in clause order.
#[must_use]
pub fn floor_failures(graph: &Graph, index: &Index, spec: &SpecNode, rung: Readiness) -> Vec<Failure> {
    let judge = Judge { graph, index, spec };
    Readiness::ALL
        .iter()
        .take_while(|each| **each <= rung)
        .flat_map(|each| Clause::of_rung(*each))
        .filter_map(|clause| judge.failure(*clause))
        .collect()
}

/// The highest rung whose clauses, and all below, hold; the stated rung plays no part. None when `idea` fails.
#[must_use]
pub fn derived_readiness(graph: &Graph, index: &Index, spec: &SpecNode) -> Option<Readiness> {
    let judge = Judge { graph, index, spec };
    let holds = |rung: &&Readiness| Clause::of_rung(**rung).iter().all(|clause| judge.failure(*clause).is_none());
    Readiness::ALL.iter().take_while(holds).last().copied()
}

/// One Spec under judgement.
struct Judge<'g> {
    graph: &'g Graph,
    index: &'g Index,
    spec: &'g SpecNode,
}

impl<'g> Judge<'g> {
    fn failure(&self, clause: Clause) -> Option<Failure> {
        if clause == Clause::TypedTargetsDefined {
            let targets = self.undefined_targets();
            return (!targets.is_empty()).then_some(Failure { clause, targets });
        }
        (!self.holds(clause)).then(|| Failure { clause, targets: Vec::new() })
    }

    fn holds(&self, clause: Clause) -> bool {
        let sections = self.spec.sections.as_ref();
        let intent = sections.and_then(|sections| sections.intent.as_ref());
        let outcome = || is_stated(intent.and_then(|intent| intent.outcome.as_deref()));
        match clause {
            Clause::Id => is_stated(Some(&self.spec.id)),
            Clause::Title => is_stated(self.spec.title.as_deref()),
            // A node cannot hold an unknown kind or altitude.
            Clause::Kind | Clause::Altitude => true,
            Clause::OutcomeOrParent => outcome() || self.relations().any(|edge| edge.edge_type == EdgeType::Refines),
            Clause::Outcome => outcome(),
            Clause::Relation => self.relations().next().is_some(),
            Clause::EvidencePresent => self.evidence_present(self.spec),
            Clause::EvidenceComplete => self.evidence_complete(),
            Clause::NoBlockingQuestions => {
                !intent.is_some_and(|intent| intent.open_questions.iter().flatten().any(|question| question.blocking))
            }
            Clause::RelationsResolve => self.relations().all(|edge| self.index.position(&edge.to).is_some()),
            Clause::TypedTargetsDefined => self.undefined_targets().is_empty(),
            Clause::AnchorsResolve => self
                .index
                .edges_to(self.graph, &self.spec.id)
                .filter(|edge| is_binding(edge))
                .all(|edge| self.index.position(&edge.from).is_some()),
        }
    }

    /// Declared relations that leave the Spec.
    fn relations(&self) -> impl Iterator<Item = &'g Edge> {
        self.index.edges_from(self.graph, &self.spec.id).filter(|edge| edge.is_relation())
    }

    fn undefined_targets(&self) -> Vec<Target> {
        let mut targets: Vec<Target> = self
            .relations()
            .filter(|edge| edge.edge_type.is_footing())
            .filter_map(|edge| {
                let node = self.index.node(self.graph, &edge.to)?;
                let stated = node.as_spec().map(|spec| spec.readiness);
                let defined = node.node_type() == NodeType::Primitive && stated >= Some(Readiness::Defined);
                (!defined).then(|| Target { edge_type: edge.edge_type, id: edge.to.clone(), stated })
            })
            .collect();
        // Edges of one Spec are sorted by type name and id; the closed relation order differs from the type names.
        targets.sort_by_key(|target| target.edge_type);
        targets
    }
}

fn is_binding(edge: &Edge) -> bool {
    match edge.edge_type {
        EdgeType::Satisfies | EdgeType::Models => true,
        EdgeType::Verifies => edge.claim == Claim::Anchored,
        _ => false,
    }
}

fn is_stated(text: Option<&str>) -> bool {
    text.is_some_and(|text| !text.trim_matches(is_js_whitespace).is_empty())
}
