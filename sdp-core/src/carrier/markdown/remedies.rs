//! What an author can do about a finding of a carrier: the finding and the text that it is about come in, one sentence
//! goes out. The messages are the Protocol's; the remedies are ours, and name what was meant where one word is near.

mod body;
mod front;
mod source;

use crate::finding::Finding;
use crate::suggest::first_nearest;

pub(super) use source::Source;

/// How far a word may be from the one that was meant.
const NEAR: usize = 2;

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

/// The one word that was meant, whatever its capitals.
fn nearest<'k>(written: &str, known: &[&'k str]) -> Option<&'k str> {
    let same = known.iter().copied().find(|word| word.eq_ignore_ascii_case(written));
    same.or_else(|| first_nearest(written, known.iter().copied(), NEAR))
}
