//! The levels that a walk keeps: what opened one, and what is counted in it.

/// What opened a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// The file.
    File,
    /// `(`.
    Paren,
    /// `(` behind `if`, `for`, `while` or `with`: a statement follows its end.
    Head,
    /// `[`.
    Bracket,
    /// `{`.
    Brace,
    /// `${` of a template.
    Substitution,
    /// `{` of JSX: in a tag, or among the children.
    Container,
    /// `<` of a tag.
    Tag,
    /// The children of an element.
    Children,
    /// `<` of type arguments in a tag.
    TagArguments,
}

/// What stands before a token, as far as it says what the token may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Before {
    /// An operator, or a keyword that wants an operand: no operand has ended.
    Operator,
    /// `;`, or the start of a block.
    Start,
    /// `.`: a name follows.
    Dot,
    /// A plain name, a literal, `]` or `)`: an operand has ended.
    Operand,
    /// `}`: a block or an operand.
    Brace,
    /// `>`: an operator, or the end of a type list.
    Angle,
    /// A word that is a keyword in some places only.
    Word,
    /// Such a word that no operand follows, save on a new line.
    Soft,
    /// `new`, and `function`: an operand, or a list of types.
    New,
}

/// A level that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) opened: Opened,
    /// The depth outside of it, with itself.
    pub(super) outside: u32,
    /// The tries outside of it.
    pub(super) tries_outside: u32,
    /// Whether it may be the parameters of an arrow function.
    pub(super) arrow: bool,
    /// Chains of statements.
    pub(super) statements: u32,
    /// Chains of expressions and types.
    pub(super) chain: u32,
    /// Prefixes of one operand.
    pub(super) prefixes: u32,
    /// `<` that may be open.
    pub(super) angles: u32,
    /// Readings that may be tried up to the end of the expression.
    pub(super) tries: u32,
    /// Whether `extends` stood in the expression.
    pub(super) extends: bool,
    /// Whether an attribute of the tag has started.
    pub(super) attributes: bool,
    /// Whether a `do` may wait for its `while`.
    pub(super) does: bool,
}

impl Level {
    /// A level that opens at a depth, inside so many tries.
    pub(super) fn new(opened: Opened, outside: u32, tries_outside: u32, arrow: bool) -> Self {
        Level {
            opened,
            outside,
            tries_outside,
            arrow,
            statements: 0,
            chain: 0,
            prefixes: 0,
            angles: 0,
            tries: 0,
            extends: false,
            attributes: false,
            does: false,
        }
    }

    /// Whether a text goes on alike from either level, whatever they count.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.opened == other.opened
            && self.arrow == other.arrow
            && self.angles == other.angles
            && self.extends == other.extends
            && self.attributes == other.attributes
            && self.does == other.does
    }

    /// Counts what either counts.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.outside = self.outside.max(other.outside);
        self.tries_outside = self.tries_outside.max(other.tries_outside);
        self.statements = self.statements.max(other.statements);
        self.chain = self.chain.max(other.chain);
        self.prefixes = self.prefixes.max(other.prefixes);
        self.tries = self.tries.max(other.tries);
    }

    pub(super) fn depth(&self) -> u32 {
        self.outside + self.statements + self.chain + self.prefixes + 2 * self.angles
    }

    pub(super) fn tries(&self) -> u32 {
        self.tries_outside + self.tries + self.angles
    }

    /// A statement, or a member, has ended.
    pub(super) fn end(&mut self) {
        self.end_statements();
        self.end_expression();
    }

    /// What `else` and `while` go on with has ended.
    pub(super) fn end_statements(&mut self) {
        self.statements = 0;
        self.does = false;
    }

    /// An expression has ended, and all lists in `<` with it.
    pub(super) fn end_expression(&mut self) {
        self.chain = 0;
        self.prefixes = 0;
        self.angles = 0;
        self.tries = 0;
        self.extends = false;
    }
}
