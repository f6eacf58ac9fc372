//! The evidence table: what each kind must carry to be scoped, and to be defined.

use super::{Judge, is_stated};
use crate::graph::SpecNode;
use crate::model::{Behavior, EdgeType, Example, Sections, SpecKind};
use crate::space;

impl Judge<'_> {
    /// The scoped cell of a Spec's kind.
    pub(super) fn evidence_present(&self, spec: &SpecNode) -> bool {
        let sections = spec.sections.as_ref();
        match spec.spec_kind {
            SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract => {
                has_rules(spec)
                    || has_examples(spec)
                    || has_flows(spec)
                    || has_constraints(spec)
                    || self.has_promoted_constraint(spec)
                    || self.has_promoted_child(spec)
            }
            SpecKind::Example => has_examples(spec),
            SpecKind::Rule => has_rules(spec),
            SpecKind::Constraint => has_constraints(spec),
            SpecKind::Model => has_terms(spec),
            SpecKind::Decision => sections
                .and_then(|sections| sections.decision.as_ref())
                .is_some_and(|decision| *decision != crate::model::Decision::default()),
        }
    }

    /// The defined cell of the judged Spec's kind.
    pub(super) fn evidence_complete(&self) -> bool {
        let spec = self.spec;
        let sections = spec.sections.as_ref();
        match spec.spec_kind {
            SpecKind::Behavior | SpecKind::Workflow | SpecKind::Contract => {
                has_rules(spec) || has_examples(spec) || self.has_promoted_child(spec)
            }
            SpecKind::Example => space::is_bindable(self.graph, self.index, spec),
            SpecKind::Rule => has_rules(spec),
            SpecKind::Constraint => {
                has_constraints(spec)
                    && sections
                        .iter()
                        .flat_map(|sections| sections.constraints.iter().flatten())
                        .all(|constraint| is_stated(constraint.target.as_deref()))
            }
            SpecKind::Model => has_terms(spec),
            SpecKind::Decision => is_stated(
                sections
                    .and_then(|sections| sections.decision.as_ref())
                    .and_then(|decision| decision.decision.as_deref()),
            ),
        }
    }

    /// A refining rule or example that carries its own evidence.
    fn has_promoted_child(&self, spec: &SpecNode) -> bool {
        self.index
            .edges_to(self.graph, &spec.id)
            .filter(|edge| edge.declares(EdgeType::Refines))
            .filter_map(|edge| self.index.spec(self.graph, &edge.from))
            .any(|child| match child.spec_kind {
                SpecKind::Rule => has_rules(child),
                SpecKind::Example => has_examples(child),
                _ => false,
            })
    }

    fn has_promoted_constraint(&self, spec: &SpecNode) -> bool {
        self.index
            .edges_from(self.graph, &spec.id)
            .filter(|edge| edge.declares(EdgeType::ConstrainedBy))
            .filter_map(|edge| self.index.spec(self.graph, &edge.to))
            .any(|target| target.spec_kind == SpecKind::Constraint && has_constraints(target))
    }
}

fn behavior(spec: &SpecNode) -> Option<&Behavior> {
    spec.sections.as_ref().and_then(|sections: &Sections| sections.behavior.as_ref())
}

fn has_rules(spec: &SpecNode) -> bool {
    behavior(spec).is_some_and(|behavior| behavior.rules.as_ref().is_some_and(|rules| !rules.is_empty()))
}

fn has_examples(spec: &SpecNode) -> bool {
    examples(spec).next().is_some()
}

/// The examples of a Spec's behavior section.
fn examples(spec: &SpecNode) -> impl Iterator<Item = &Example> {
    behavior(spec).into_iter().flat_map(|behavior| behavior.examples.iter().flatten())
}

fn has_flows(spec: &SpecNode) -> bool {
    behavior(spec).is_some_and(|behavior| behavior.flows.as_ref().is_some_and(|flows| !flows.is_empty()))
}

fn has_constraints(spec: &SpecNode) -> bool {
    let constraints = spec.sections.as_ref().and_then(|sections| sections.constraints.as_ref());
    constraints.is_some_and(|constraints| !constraints.is_empty())
}

fn has_terms(spec: &SpecNode) -> bool {
    let model = spec.sections.as_ref().and_then(|sections| sections.model.as_ref());
    model.and_then(|model| model.terms.as_ref()).is_some_and(|terms| !terms.is_empty())
}
