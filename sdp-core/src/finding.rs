//! Findings: what every check says, in one shape. Checks hand findings on; they never print.

use std::cmp::Ordering;
use std::fmt;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::harmless;
use crate::model::EdgeType;
use crate::order::by_code_units;

macro_rules! finding_ids {
    ($($variant:ident = $id:literal, $family:ident, $help:literal;)*) => {
        /// Every finding that the engine can give: `extract/…`, `conformance/…`, `honesty/…` and `contracts/…` carry the
        /// Protocol's names, `sdp/…` are this engine's own (fact sheet part 8; DESIGN part 2).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum FindingId {
            $(#[doc = concat!("`", $id, "`: ", $help)] $variant,)*
        }

        impl FindingId {
            /// All ids, in the order in which they are declared.
            pub const ALL: &[FindingId] = &[$(FindingId::$variant),*];

            /// The id as it is printed and written, such as `extract/invalid-id`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(FindingId::$variant => $id,)* }
            }

            /// The family that the wire form names.
            #[must_use]
            pub const fn family(self) -> Family {
                match self { $(FindingId::$variant => Family::$family,)* }
            }

            /// One sentence on how such a finding is mended.
            #[must_use]
            pub const fn help(self) -> &'static str {
                match self { $(FindingId::$variant => $help,)* }
            }

            /// The text that explains it: the file of its id in the room [`crate::explain`].
            pub(crate) const fn explanation(self) -> &'static str {
                match self { $(FindingId::$variant => include_str!(concat!("explain/", $id, ".md")),)* }
            }
        }
    };
}

finding_ids! {
    InvalidFrontmatter = "extract/invalid-frontmatter", Conformance,
        "a carrier opens with `---`, closed frontmatter keys and a closing `---`";
    NonStaticEnvelope = "extract/non-static-envelope", Conformance,
        "kind, altitude and readiness each take one of the words that the Protocol lists";
    InvalidId = "extract/invalid-id", Conformance,
        "an id is written `<namespace>:<path>`, with dot-joined segments of letters, digits and `-`";
    DuplicateCarrierId = "extract/duplicate-id", Conformance,
        "give all but one another id; none of them is in the graph until then";
    ReservedProperty = "extract/reserved-property", Conformance,
        "delivery facts, claims and derived edges are computed, never authored: remove the key";
    NonStaticSection = "extract/non-static-section", Conformance,
        "write the value itself: a string, a number, `true` or `false`, an array or an object literal";
    UnrecognizedStatement = "extract/unrecognized-statement", Conformance,
        "a TypeScript carrier holds imports of the protocol package and constants that `spec(…)` or `pack(…)` make, and nothing else";
    UnrecognizedProperty = "extract/unrecognized-property", Conformance,
        "only the section's own keys are accepted; a plain bullet must not open with one word and a colon";
    UnrecognizedHeading = "extract/unrecognized-heading", Conformance,
        "the section names are a closed list: Intent, Behavior, Rule, Workflow, Contract, Example space, Constraints, Model, Design, Decision, UI and Verification";
    UnownedProse = "extract/unowned-prose", Conformance,
        "move the prose above the section's first entry, or make it an entry";
    InvalidMarkdownStructure = "extract/invalid-markdown-structure", Conformance,
        "an entry is one line that opens with `- `; nothing nests and nothing wraps";
    GherkinSyntax = "extract/gherkin-syntax", Conformance,
        "the file must be Gherkin in English: `Feature:`, `Scenario:`, and steps that open with Given, When, Then, And or But";
    GherkinGrammar = "extract/gherkin-grammar", Conformance,
        "a Feature is a behavior and each Scenario an example; tags, keyed bullets and steps state all that the carrier can hold";
    TooManyGherkinFindings = "extract/too-many-gherkin-findings", Conformance,
        "mend the findings that are shown; the rest is reported then";
    ParseError = "extract/parse-error", Conformance,
        "mend the file's syntax; none of its bindings is in the graph until then";
    MisplacedAuthoring = "extract/misplaced-authoring", Conformance,
        "write the binding on an item outside function bodies and macros, or as a comment that stands for itself";
    ReferentialIntegrity = "conformance/referential-integrity", Conformance,
        "correct the id, or write the Spec that it names";
    DuplicateIds = "conformance/duplicate-ids", Conformance,
        "each id names one node";
    ClaimSeparation = "conformance/claim-separation", Conformance,
        "let the relation lead to a Spec of the kind that it asks for, or declare another relation";
    StructuralAnchors = "conformance/structural-anchors", Conformance,
        "correct the binding in source code: one component for each unit, no unit that names itself, no target twice";
    VerifiesLinkage = "conformance/verifies-linkage", Conformance,
        "only an example verifies: bind a test to it, or declare another relation";
    OracleLinkage = "conformance/oracle-linkage", Conformance,
        "an oracle models one Spec with an example space, and each such Spec has one oracle at most";
    PackCoherence = "conformance/pack-coherence", Conformance,
        "list each member once, only Specs, and only model Specs under `modelRefs`";
    Orphans = "conformance/orphans", Conformance,
        "declare the relation that ties this Spec to another one, or list it in a Pack";
    ProseMentions = "conformance/prose-mentions", Conformance,
        "correct the id in the prose; a mention that needs a tie declares the relation that fits";
    AuthoringShape = "honesty/authoring-shape", Honesty,
        "delivery facts are derived from bindings: remove the key";
    DeliveryFacts = "honesty/delivery-facts", Honesty,
        "delivery facts follow from bindings alone: derive the graph anew";
    ReadinessFloor = "honesty/readiness-floor", Honesty,
        "add what the clause asks for, or state a lower readiness";
    Gaps = "honesty/gaps", Honesty,
        "bind a test to the Spec, or to an example that verifies it: `#[sdp::verifies(…)]`, in TypeScript `specTest({ … })`, in any language `@sdpVerifies`";
    UntypedVocabularySlot = "contracts/untyped-vocabulary-slot", Conformance,
        "declare the slot in the example space: `{name:number}`, `{name:string}`, `{name:boolean}` or `{name:\"a\"|\"b\"}`";
    ConflictingDimension = "contracts/conflicting-dimension", Conformance,
        "declare one type for each slot name of an example space";
    UndeclaredSlot = "contracts/undeclared-slot", Conformance,
        "declare the slot in a Given or When step of the example space, or bind another one";
    ConflictingBinding = "contracts/conflicting-binding", Conformance,
        "bind each slot to one value; another case is another example";
    OffDimensionValue = "contracts/off-dimension-value", Conformance,
        "bind a value of the declared type, or widen the declaration";
    MultiEntryExample = "contracts/multi-entry-example", Conformance,
        "give each case an example Spec of its own";
    UnmatchedVocabularyStep = "contracts/unmatched-vocabulary-step", Conformance,
        "use a step of the example space word for word, with every slot bound";
    InvalidSourcePath = "import/invalid-source-path", Conformance,
        "name a `.sdp.ts` file, or a folder that holds some";
    NoSources = "import/no-sources", Conformance,
        "name a folder that holds `.sdp.ts` carriers";
    ImportRefusal = "import/refusal", Conformance,
        "mend what is said of the carrier; a carrier with findings is not converted";
    PackUnsupported = "import/pack-unsupported", Conformance,
        "leave its carrier out with `--exclude`: a Pack may stay in TypeScript, or be written in Markdown by hand";
    UnsupportedConstruct = "import/unsupported-construct", Conformance,
        "change what the path names so that Markdown can hold it, or keep the carrier in TypeScript";
    EmptyImport = "import/empty", Conformance,
        "name a carrier that holds a Spec";
    TargetExists = "import/target-exists", Conformance,
        "remove the Markdown file, or leave the TypeScript carrier out";
    SupersededDecision = "sdp/superseded-decision", Sdp,
        "let the relation lead to the decision that is in force, or keep it and let the warning stand";
    FindingsLeftOut = "sdp/findings-left-out", Sdp,
        "mend the findings that are said; the rest is said then";
    SelfRelation = "sdp/self-relation", Sdp,
        "remove the relation, or let it lead to the Spec that was meant";
    ContractLink = "sdp/contract-link", Sdp,
        "let the link name a Spec or an entry of one; one that leads elsewhere has another scheme than `sdp`";
    UnreadableContract = "sdp/unreadable-contract", Sdp,
        "make the contract a regular file with the JSON of an evaluation contract, or leave it out of `contracts`";
    UnmatchedContract = "sdp/unmatched-contract", Sdp,
        "correct the pattern in `contracts`, or remove it";
    UnmatchedSeverity = "sdp/unmatched-severity", Sdp,
        "name a finding id or a group as `cargo sdp explain` lists them, or remove the override";
    UnreadCarrier = "sdp/unread-carrier", Sdp,
        "use a build with TypeScript, or write the Specs of this carrier in Markdown or Gherkin";
    MistypedProperty = "sdp/mistyped-property", Sdp,
        "write the kind of value that the field takes";
    SkippedCarrier = "sdp/skipped-carrier", Sdp,
        "only regular files are read: put the carrier itself into the tree, or exclude the path";
    UnreadableCarrier = "sdp/unreadable-carrier", Sdp,
        "make the path readable, or exclude it with `--exclude`";
    LargeCarrier = "sdp/large-carrier", Sdp,
        "split the carrier: it holds 256 KiB at most";
    NotUtf8 = "sdp/not-utf8", Sdp,
        "save the file as UTF-8";
    UnresolvedAnchor = "sdp/unresolved-anchor", Sdp,
        "write the attribute with its crate's name, such as `#[sdp::satisfies(…)]`, or bring it into scope with `use sdp::satisfies;`";
    UnreachedSource = "sdp/unreached-source", Sdp,
        "declare the file with `mod`, or remove it: the compiler does not see it, so nothing proves its bindings";
    SkippedSource = "sdp/skipped-source", Sdp,
        "only regular files are read: put the source file itself into the tree, or exclude the path";
    UnreadableSource = "sdp/unreadable-source", Sdp,
        "make the file readable and smaller than 16 MiB, or exclude it with `--exclude`";
    UnmatchedLanguage = "sdp/unmatched-language", Sdp,
        "correct the ending or name in `comment-languages`, or remove the entry";
    UnmatchedModule = "sdp/unmatched-module", Sdp,
        "write the module as imports write it, or as the path of its file from the root, such as `src/model/sdp.ts`; or remove it";
    UnmatchedExclude = "sdp/unmatched-exclude", Sdp,
        "remove the exclude, or correct its path: it is an exact prefix below the root";
    SkippedIgnoreFile = "sdp/skipped-ignore-file", Sdp,
        "a `.gitignore` counts when it is a readable regular file of at most 256 KiB";
    SkippedRuleFile = "sdp/skipped-rule-file", Sdp,
        "only regular files are read: put the rule itself into the tree, or exclude the path";
    UnmatchedRuleGlob = "sdp/unmatched-rule-glob", Sdp,
        "correct the pattern in `rule-globs`, or remove it";
    UnmatchedWaiver = "sdp/unmatched-waiver", Sdp,
        "remove the waiver, or correct its rule (the id of a finding, or the case of a rule, such as `rule::naming`) and its subject";
    ExpiredWaiver = "sdp/expired-waiver", Sdp,
        "mend what it waives, or agree on another day";
    StaleBaseline = "sdp/stale-baseline", Sdp,
        "`--update-baseline` writes the rows of today into the baseline";
    NoSpecs = "sdp/no-specs", Sdp,
        "`cargo sdp init` writes a first Spec; where there are some, point `--root` at the folder that holds them";
    InvalidConfig = "sdp/invalid-config", Sdp,
        "correct what the message names; `cargo sdp explain sdp/invalid-config` lists the keys and their values";
}

impl FindingId {
    /// The part of the id before its `/`, by which overrides and lists know several findings at once. Unlike
    /// [`FindingId::family`] it is written in the id: `contracts/…` is of the group `contracts` and the family
    /// `conformance`.
    #[must_use]
    pub fn group(self) -> &'static str {
        self.as_str().split_once('/').map_or("", |(group, _)| group)
    }

    /// The part of the id behind its `/`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.as_str().split_once('/').map_or("", |(_, name)| name)
    }

    /// The groups, in the order of the ids; each once, because the ids of a group stand together.
    pub fn groups() -> impl Iterator<Item = &'static str> {
        let mut last = "";
        FindingId::ALL.iter().map(|id| id.group()).filter(move |group| std::mem::replace(&mut last, group) != *group)
    }

    /// Whether an error with this id is never lowered: it says that something to be judged could not be read, so that
    /// whatever else is said stands on a graph with holes, or on nothing.
    #[must_use]
    pub fn is_fixed(self) -> bool {
        let own = [
            FindingId::UnreadableCarrier,
            FindingId::UnreadableSource,
            FindingId::UnreadableContract,
            FindingId::LargeCarrier,
            FindingId::MistypedProperty,
            FindingId::NotUtf8,
            FindingId::NoSpecs,
            FindingId::UnmatchedRuleGlob,
            FindingId::UnmatchedSeverity,
            FindingId::UnmatchedWaiver,
            FindingId::ExpiredWaiver,
            FindingId::StaleBaseline,
            FindingId::InvalidConfig,
        ];
        self.group() == "extract" || own.contains(&self)
    }
}

/// The family of a finding: what the Protocol judges (`conformance`, `honesty`), and what this engine says of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// The form of what was written.
    Conformance,
    /// Whether what was stated is earned.
    Honesty,
    /// This engine's own observations.
    Sdp,
}

impl Family {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Family::Conformance => "conformance",
            Family::Honesty => "honesty",
            Family::Sdp => "sdp",
        }
    }
}

/// How much a finding weighs: an error ends a check with exit code 1, a warning never does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Must be mended.
    Error,
    /// Informs.
    Warning,
}

impl Severity {
    /// The wire name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One finding. Lines and columns are 1-based, columns count characters; `file` is root-relative with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which finding it is.
    pub id: FindingId,
    /// How much it weighs.
    pub severity: Severity,
    /// What is wrong, in the Protocol's words where it has them.
    pub message: String,
    /// The id that it is about.
    pub subject: Option<String>,
    /// The other id (or clause) that it names.
    pub related: Option<String>,
    /// The field inside the subject.
    pub path: Option<String>,
    /// What ties the subject to the other id: with it the line of a target is found. It is not printed.
    pub edge_type: Option<EdgeType>,
    /// The carrier.
    pub file: Option<String>,
    /// The line in the carrier.
    pub line: Option<u32>,
    /// The column in that line, where it is known.
    pub column: Option<u32>,
    /// A remedy that fits this very finding; else [`FindingId::help`] serves.
    pub help: Option<String>,
}

impl Finding {
    /// An error without a place.
    #[must_use]
    pub fn error(id: FindingId, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Error, message)
    }

    /// A warning without a place.
    #[must_use]
    pub fn warning(id: FindingId, message: impl Into<String>) -> Self {
        Self::new(id, Severity::Warning, message)
    }

    /// A warning that findings with an id were left out, which it names.
    #[must_use]
    pub(crate) fn left_out(of: FindingId, message: impl Into<String>) -> Self {
        Self::warning(FindingId::FindingsLeftOut, message).naming(of.as_str())
    }

    /// Whether it has an id, or says that findings with that id were left out.
    #[must_use]
    pub fn is_of(&self, id: FindingId) -> bool {
        let is_left_out = self.id == FindingId::FindingsLeftOut && self.related.as_deref() == Some(id.as_str());
        self.id == id || is_left_out
    }

    fn new(id: FindingId, severity: Severity, message: impl Into<String>) -> Self {
        Finding {
            id,
            severity,
            message: message.into(),
            subject: None,
            related: None,
            path: None,
            edge_type: None,
            file: None,
            line: None,
            column: None,
            help: None,
        }
    }

    /// The same finding in a file, at a 1-based line where one is known.
    #[must_use]
    pub fn at(mut self, file: impl Into<String>, line: impl Into<Option<u32>>) -> Self {
        self.file = Some(file.into());
        self.line = line.into();
        self
    }

    /// The same finding about an id.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }

    /// The same finding naming a second id or clause.
    #[must_use]
    pub fn naming(mut self, related: impl Into<String>) -> Self {
        self.related = Some(related.into());
        self
    }

    /// The same finding at a field of its subject.
    #[must_use]
    pub fn in_field(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// The same finding about the edge of this type between its two ids.
    #[must_use]
    pub fn through(mut self, edge_type: EdgeType) -> Self {
        self.edge_type = Some(edge_type);
        self
    }

    /// The same finding with a remedy of its own.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The remedy to show: the finding's own, else its id's.
    #[must_use]
    pub fn remedy(&self) -> &str {
        self.help.as_deref().unwrap_or_else(|| self.id.help())
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The pinned one-line form: `<file>:<line> — [<severity>] <id> — <message>` (fact sheet part 8). It never opens like
    /// a command to a CI runner.
    #[must_use]
    pub fn line_form(&self) -> String {
        let place = match (self.file.as_deref().map(harmless::path), self.line) {
            (Some(file), Some(line)) => format!("{file}:{line} — "),
            (Some(file), None) => format!("{file} — "),
            (None, _) => String::new(),
        };
        format!("{place}[{}] {} — {}", self.severity, self.id.as_str(), self.message)
    }
}

/// The order of every list of findings: file, line, id, column, subject, related; what is absent comes first.
#[must_use]
pub fn finding_order(left: &Finding, right: &Finding) -> Ordering {
    let text =
        |a: &Option<String>, b: &Option<String>| by_code_units(a.as_deref().unwrap_or(""), b.as_deref().unwrap_or(""));
    text(&left.file, &right.file)
        .then_with(|| left.line.unwrap_or(0).cmp(&right.line.unwrap_or(0)))
        .then_with(|| left.id.as_str().cmp(right.id.as_str()))
        .then_with(|| left.column.cmp(&right.column))
        .then_with(|| text(&left.subject, &right.subject))
        .then_with(|| text(&left.related, &right.related))
}

/// What is said of a delivery fact that stands in a section.
pub(crate) fn hand_authored_fact(spec: &str, section: &str, fact: &str) -> String {
    format!(
        "\"{spec}\" hand-authors the derived delivery fact \"{fact}\" at \"{section}.{fact}\" — delivery facts are derived, never authored."
    )
}

/// What is said of a name that an object or an anchor states twice.
pub(crate) fn authored_twice(name: &str, consequence: &str) -> String {
    format!(
        "property \"{name}\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, {consequence}"
    )
}

/// The wire form: `validatorId, family, severity, message`, then what is known of `subjectId, relatedId, path, file, line`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("validatorId", self.id.as_str())?;
        map.serialize_entry("family", self.id.family().as_str())?;
        map.serialize_entry("severity", self.severity.as_str())?;
        map.serialize_entry("message", &self.message)?;
        let optional =
            [("subjectId", &self.subject), ("relatedId", &self.related), ("path", &self.path), ("file", &self.file)];
        for (name, value) in optional {
            if let Some(value) = value {
                map.serialize_entry(name, value)?;
            }
        }
        if let Some(line) = self.line {
            map.serialize_entry("line", &line)?;
        }
        map.end()
    }
}

/// One report over one graph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings, in [`finding_order`].
    pub findings: Vec<Finding>,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("validatorId", "graph")?;
        map.serialize_entry("findings", &self.findings)?;
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique_and_say_their_group() {
        let mut seen = std::collections::BTreeSet::new();
        for id in FindingId::ALL {
            assert!(seen.insert(id.as_str()), "{} is declared twice", id.as_str());
            let family =
                if ["extract", "contracts", "import"].contains(&id.group()) { "conformance" } else { id.group() };
            assert_eq!(family, id.family().as_str(), "{}", id.as_str());
            assert_eq!(format!("{}/{}", id.group(), id.name()), id.as_str());
            assert!(!id.help().is_empty());
        }
        let groups: Vec<&str> = FindingId::groups().collect();
        assert_eq!(groups, ["extract", "conformance", "honesty", "contracts", "import", "sdp"]);
    }

    #[test]
    fn the_wire_form_leaves_out_what_is_unknown() {
        let finding = Finding::warning(FindingId::Orphans, "m").about("spec:a.b").at("a.sdp.md", None);
        let json = serde_json::to_string(&finding).unwrap();
        assert_eq!(
            json,
            r#"{"validatorId":"conformance/orphans","family":"conformance","severity":"warning","message":"m","subjectId":"spec:a.b","file":"a.sdp.md"}"#
        );
        assert_eq!(finding.line_form(), "a.sdp.md — [warning] conformance/orphans — m");
    }
}
