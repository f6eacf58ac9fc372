//! Builders: the imports of a file and the modules that are trusted come in; which local names build Specs, Packs, anchors,
//! relations and ids goes out (fact sheet 6.2, newest sheet part 4). Only imports bind: no `require`, no re-export, no
//! element access, no name that was bound anew.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use oxc_ast::ast::{Expression, ImportDeclaration, ImportDeclarationSpecifier, Statement};

use super::modules::{Modules, Surface};
use crate::model::RelationType;

/// A function of the Protocol that a file may call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builder {
    /// `spec`.
    Spec,
    /// `pack`.
    Pack,
    /// `codeAnchor`.
    CodeAnchor,
    /// `specTest`.
    SpecTest,
    /// `specOracle`.
    SpecOracle,
    /// `refines` and its siblings.
    Relation(RelationType),
    /// `specId` and its siblings.
    Id(IdBuilder),
}

/// A function that wraps an id and says of which namespaces it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdBuilder {
    /// `specId`.
    Spec,
    /// `packId`.
    Pack,
    /// `ref`.
    Ref,
    /// `codeAnchorId`.
    CodeAnchor,
    /// `componentAnchorId`.
    ComponentAnchor,
    /// `testAnchorId`.
    TestAnchor,
    /// `oracleAnchorId`.
    OracleAnchor,
}

impl IdBuilder {
    const ALL: &[IdBuilder] = &[
        IdBuilder::Spec,
        IdBuilder::Pack,
        IdBuilder::Ref,
        IdBuilder::CodeAnchor,
        IdBuilder::ComponentAnchor,
        IdBuilder::TestAnchor,
        IdBuilder::OracleAnchor,
    ];

    /// The exported name.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            IdBuilder::Spec => "specId",
            IdBuilder::Pack => "packId",
            IdBuilder::Ref => "ref",
            IdBuilder::CodeAnchor => "codeAnchorId",
            IdBuilder::ComponentAnchor => "componentAnchorId",
            IdBuilder::TestAnchor => "testAnchorId",
            IdBuilder::OracleAnchor => "oracleAnchorId",
        }
    }

    /// The namespaces that it takes.
    #[must_use]
    pub(crate) const fn namespaces(self) -> &'static [&'static str] {
        match self {
            IdBuilder::Spec | IdBuilder::Ref => &["spec"],
            IdBuilder::Pack => &["pack"],
            IdBuilder::CodeAnchor => &["impl", "api", "component"],
            IdBuilder::ComponentAnchor => &["component"],
            IdBuilder::TestAnchor => &["test"],
            IdBuilder::OracleAnchor => &["oracle"],
        }
    }
}

impl Builder {
    /// The builder of an exported name.
    #[must_use]
    pub(crate) fn of(name: &str) -> Option<Self> {
        let id = || IdBuilder::ALL.iter().find(|id| id.as_str() == name).map(|id| Builder::Id(*id));
        match name {
            "spec" => Some(Builder::Spec),
            "pack" => Some(Builder::Pack),
            "codeAnchor" => Some(Builder::CodeAnchor),
            "specTest" => Some(Builder::SpecTest),
            "specOracle" => Some(Builder::SpecOracle),
            _ => RelationType::from_word(name).map(Builder::Relation).or_else(id),
        }
    }

    /// The exported name.
    #[must_use]
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Builder::Spec => "spec",
            Builder::Pack => "pack",
            Builder::CodeAnchor => "codeAnchor",
            Builder::SpecTest => "specTest",
            Builder::SpecOracle => "specOracle",
            Builder::Relation(relation) => relation.as_str(),
            Builder::Id(id) => id.as_str(),
        }
    }

    /// Whether a module with this surface exports it.
    fn is_of(self, surface: Surface) -> bool {
        match surface {
            Surface::Whole => true,
            Surface::Anchors => {
                matches!(self, Builder::CodeAnchor | Builder::SpecTest | Builder::SpecOracle | Builder::Id(_))
            }
        }
    }
}

/// The local names of a file that stand for builders.
#[derive(Debug, Default)]
pub(crate) struct Builders<'a> {
    names: HashMap<&'a str, Builder>,
    namespaces: HashMap<&'a str, Surface>,
    /// Which entries of [`Modules`] were used.
    used: BTreeSet<usize>,
}

impl<'a> Builders<'a> {
    /// Reads the imports of a file.
    #[must_use]
    pub(crate) fn read(file: &str, statements: &[Statement<'a>], modules: &Modules) -> Self {
        let mut builders = Builders::default();
        for statement in statements {
            if let Statement::ImportDeclaration(import) = statement {
                builders.import(file, import, modules);
            }
        }
        builders
    }

    fn import(&mut self, file: &str, import: &ImportDeclaration<'a>, modules: &Modules) {
        let Some((surface, entry)) = modules.surface(file, import.source.value.as_str()) else { return };
        self.used.extend(entry);
        for specifier in import.specifiers.iter().flatten() {
            match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(named) => {
                    let builder = Builder::of(named.imported.name().as_str()).filter(|builder| builder.is_of(surface));
                    if let Some(builder) = builder {
                        self.names.insert(named.local.name.as_str(), builder);
                    }
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(default) => {
                    self.namespaces.insert(default.local.name.as_str(), surface);
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(namespace) => {
                    self.namespaces.insert(namespace.local.name.as_str(), surface);
                }
            }
        }
    }

    /// Whether an import is of a module that counts.
    #[must_use]
    pub(crate) fn is_trusted(file: &str, import: &ImportDeclaration<'_>, modules: &Modules) -> bool {
        modules.surface(file, import.source.value.as_str()).is_some()
    }

    /// Whether no name stands for a builder.
    #[must_use]
    pub(crate) fn is_empty(&self) -> bool {
        self.names.is_empty() && self.namespaces.is_empty()
    }

    /// The local names, of builders and of namespaces.
    pub(crate) fn local_names(&self) -> impl Iterator<Item = &'a str> {
        self.names.keys().chain(self.namespaces.keys()).copied()
    }

    /// The builder that a callee names: `spec`, or `sdp.spec` of a namespace. Scopes are not looked at.
    #[must_use]
    pub(crate) fn of(&self, callee: &Expression<'_>) -> Option<Builder> {
        match callee {
            Expression::Identifier(name) => self.names.get(name.name.as_str()).copied(),
            Expression::StaticMemberExpression(member) if !member.optional => {
                let Expression::Identifier(namespace) = &member.object else { return None };
                let surface = self.namespaces.get(namespace.name.as_str())?;
                Builder::of(member.property.name.as_str()).filter(|builder| builder.is_of(*surface))
            }
            _ => None,
        }
    }

    /// The entries of [`Modules`] that an import used, by position.
    #[must_use]
    pub(crate) fn used(&self) -> Vec<usize> {
        self.used.iter().copied().collect()
    }
}
