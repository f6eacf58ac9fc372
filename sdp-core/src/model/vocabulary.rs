//! The closed word lists of the Protocol (newest sheet part 1 and 3).

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$vdoc])* $variant,)* }

        impl $name {
            /// All of them, in the Protocol's order.
            pub const ALL: &[$name] = &[$($name::$variant),*];

            /// The word as it is authored and written.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// The value that a word names, or none.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some($name::$variant),)* _ => None }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(test)]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": $name::ALL })
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    };
}

words! {
    /// What a Spec is.
    SpecKind {
        /// Use case or behavior.
        Behavior = "behavior",
        /// Several steps of one flow.
        Workflow = "workflow",
        /// One concrete case.
        Example = "example",
        /// A business rule.
        Rule = "rule",
        /// A non-functional constraint.
        Constraint = "constraint",
        /// A vocabulary.
        Model = "model",
        /// A decision record.
        Decision = "decision",
        /// An interface contract.
        Contract = "contract",
    }
}

impl SpecKind {
    /// The kind's name for people.
    #[must_use]
    pub const fn display_label(self) -> &'static str {
        match self {
            SpecKind::Behavior => "Use Case / Behavior",
            SpecKind::Workflow => "Workflow",
            SpecKind::Example => "Example / Scenario",
            SpecKind::Rule => "Business Rule",
            SpecKind::Constraint => "Constraint (NFR)",
            SpecKind::Model => "Domain Model",
            SpecKind::Decision => "Decision Record",
            SpecKind::Contract => "Contract",
        }
    }
}

words! {
    /// How far above the ground a Spec stands.
    Altitude {
        /// The widest.
        Epic = "epic",
        /// The middle.
        Feature = "feature",
        /// The narrowest.
        Story = "story",
    }
}

/// The names of delivery facts, which no author may state.
pub const FACT_NAMES: [&str; 3] = ["implemented", "has-verifier", "observed"];

words! {
    /// The phases of an example and of an example space, in order.
    Phase {
        /// Before.
        Given = "given",
        /// What is done.
        When = "when",
        /// After.
        Then = "then",
    }
}

words! {
    /// The rung that an author states; ordered from lowest to highest.
    Readiness {
        /// An intent.
        Idea = "idea",
        /// Bounded.
        Scoped = "scoped",
        /// Complete.
        Defined = "defined",
        /// Buildable.
        Ready = "ready",
    }
}

impl Readiness {
    /// The rung above, or none above `ready`.
    #[must_use]
    pub const fn next(self) -> Option<Readiness> {
        match self {
            Readiness::Idea => Some(Readiness::Scoped),
            Readiness::Scoped => Some(Readiness::Defined),
            Readiness::Defined => Some(Readiness::Ready),
            Readiness::Ready => None,
        }
    }
}

words! {
    /// The relations that an author declares between Specs, in their closed order.
    RelationType {
        /// Stands below its target.
        Refines = "refines",
        /// Needs its target.
        DependsOn = "dependsOn",
        /// Is bounded by a rule or constraint.
        ConstrainedBy = "constrainedBy",
        /// Is shaped by a decision.
        DecidedBy = "decidedBy",
        /// Shows its target to hold.
        Verifies = "verifies",
        /// Replaces an earlier decision.
        Supersedes = "supersedes",
    }
}

words! {
    /// All twelve edges of the graph (newest sheet part 9).
    EdgeType {
        /// Authored.
        Refines = "refines",
        /// Authored.
        DependsOn = "dependsOn",
        /// Authored.
        ConstrainedBy = "constrainedBy",
        /// Authored.
        DecidedBy = "decidedBy",
        /// Authored by an example, or anchored by a test.
        Verifies = "verifies",
        /// Authored.
        Supersedes = "supersedes",
        /// A Pack's manifest lists the Spec.
        BelongsTo = "belongsTo",
        /// Code realizes the Spec.
        Satisfies = "satisfies",
        /// An oracle models an example space.
        Models = "models",
        /// Code belongs to a component.
        MemberOf = "memberOf",
        /// Code uses code.
        Uses = "uses",
        /// Code follows a design.
        References = "references",
    }
}

impl EdgeType {
    /// Whether an author declares it in a Spec.
    #[must_use]
    pub const fn is_authored(self) -> bool {
        matches!(
            self,
            EdgeType::Refines
                | EdgeType::DependsOn
                | EdgeType::ConstrainedBy
                | EdgeType::DecidedBy
                | EdgeType::Verifies
                | EdgeType::Supersedes
        )
    }

    /// Whether the Spec that it leaves rests on the one that it reaches.
    #[must_use]
    pub const fn is_footing(self) -> bool {
        matches!(self, EdgeType::Refines | EdgeType::DependsOn | EdgeType::ConstrainedBy | EdgeType::DecidedBy)
    }
}

impl From<RelationType> for EdgeType {
    fn from(relation: RelationType) -> Self {
        match relation {
            RelationType::Refines => EdgeType::Refines,
            RelationType::DependsOn => EdgeType::DependsOn,
            RelationType::ConstrainedBy => EdgeType::ConstrainedBy,
            RelationType::DecidedBy => EdgeType::DecidedBy,
            RelationType::Verifies => EdgeType::Verifies,
            RelationType::Supersedes => EdgeType::Supersedes,
        }
    }
}

words! {
    /// How a Spec is verified.
    VerificationMode {
        /// By hand.
        Manual = "manual",
        /// By reading.
        Reviewed = "reviewed",
        /// By a contract.
        Contract = "contract",
        /// By running.
        Executable = "executable",
    }
}
