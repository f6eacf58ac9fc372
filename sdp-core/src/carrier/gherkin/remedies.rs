//! What an author can do about a text that is no Gherkin: the parser's words come in, one sentence goes out. The findings
//! of the grammar bring their remedies along.

/// The keywords that open a Feature.
const FEATURES: [&str; 3] = ["Feature:", "Business Need:", "Ability:"];

/// A remedy that fits this very error.
pub(super) fn remedy(message: &str) -> &'static str {
    // What was expected is the parser's; what came instead is the author's.
    let (expected, got) = message.split_once(", got '").unwrap_or((message, ""));
    let expects = |kind: &str| expected.contains(kind);
    if message.starts_with("A tag may not") {
        "write each tag as one word behind its `@`; a comment behind tags opens with ` #`"
    } else if message.starts_with("inconsistent cell count") {
        "a carrier holds no tables: bind the values in slots of the step's own line"
    } else if message.starts_with("Language not supported") {
        "remove the `# language:` line: a carrier's keywords are English"
    } else if !expects("#FeatureLine") && FEATURES.iter().any(|keyword| got.starts_with(keyword)) {
        "a carrier holds one Feature: move the second one, with its tags, into a file of its own"
    } else if expects("#Other") {
        "a carrier holds no doc strings: say it in the step's own line"
    } else if expects("#FeatureLine") {
        "the file opens with tags and a line `Feature: …`"
    } else if expects("#EOF") {
        "a line behind a step opens with Given, When, Then, And or But and a space, or is a title such as `Scenario: …`; prose stands above the first step"
    } else {
        "behind tags comes the title that they belong to, such as `Scenario: …`"
    }
}
