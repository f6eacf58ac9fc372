//! What an author can do about a finding of a carrier: the finding and the text that it is about come in, one sentence
//! goes out. The messages are the Protocol's; the remedies are ours, and name what was meant where one word is near.

mod body;
mod front;
mod source;

use crate::carrier::words::nearest;
use crate::finding::Finding;

pub(super) use source::Source;

/// A remedy that fits this very finding; none where that of its id says it all.
pub(super) fn remedy(finding: &Finding, source: &Source<'_>) -> Option<String> {
    front::remedy(finding, source).or_else(|| body::remedy(finding, source))
}

/// The one word that was meant, or what may stand there.
fn meant(written: &str, known: &[&str], otherwise: &str) -> String {
    match nearest(written, known) {
        Some(word) => format!("did you mean `{word}`?"),
        None if otherwise.is_empty() => format!("it is one of {}", known.join(", ")),
        None => otherwise.to_owned(),
    }
}
