//! What a binding in source code gives: one anchor, whole, with the lines that the graph does not keep.

use super::vocabulary::EdgeType;

/// An anchor as it was authored (newest sheet part 4). Its id's namespace says what it is: `impl:`, `api:` and
/// `component:` bind code, `test:` a test and `oracle:` an oracle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchorDocument {
    /// The id, without an entry address.
    pub id: String,
    /// The 1-based line on which the binding opens: its attribute, or the first line of its comment.
    pub line: u32,
    /// A name for people.
    pub label: Option<String>,
    /// What it binds, in the Protocol's order: satisfies, memberOf, uses, references; or verifies; or models.
    pub bindings: Vec<Binding>,
    /// One token of the corpus's own vocabulary.
    pub role: Option<String>,
    /// The layer of a component.
    pub layer: Option<String>,
    /// One token of the corpus's own vocabulary, for a component.
    pub context: Option<String>,
    /// The test that it stands on, where the source tells its name.
    pub symbol: Option<TestSymbol>,
}

/// One target of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// What the anchor says about the target.
    pub edge_type: EdgeType,
    /// The id; it may name nothing.
    pub target: String,
    /// The 1-based line on which the target is written.
    pub line: u32,
}

/// The name under which a test runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestSymbol {
    /// The name as libtest and nextest print it, such as `orders::tests::refuses_an_empty_cart`.
    pub name: String,
    /// Whether it is the name of one test or opens the names of several.
    pub covers: SymbolMatch,
}

/// How a test's name is to be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SymbolMatch {
    /// It is the whole name of one test.
    Exact,
    /// It opens the name of each test that it stands for: a macro makes several cases of one function, or it is a module.
    Prefix,
}
