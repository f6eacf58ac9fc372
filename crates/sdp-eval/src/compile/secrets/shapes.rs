//! What a text can look like that no artifact may carry (evaluation sheet, part 3.4). A text comes in; the first category that
//! something in it is of goes out. A text is read once from its start to its end, so that none can make it slow.

/// What a value can look like, in the order in which it is told. People's names have no form and are left out on purpose.
const CATEGORIES: [&str; 5] =
    ["credentials", "tokens", "email addresses", "account identifiers", "transaction content"];
const CREDENTIALS: usize = 0;
const TOKENS: usize = 1;
const ADDRESSES: usize = 2;
const ACCOUNTS: usize = 3;
const TRANSACTIONS: usize = 4;

/// The first category that something in a text is of.
pub(crate) fn category(text: &str) -> Option<&'static str> {
    let mut scan = Runs { text, header: 0, key: 0 };
    let mut found: Option<usize> = None;
    let mut in_word = false;
    for (at, byte) in text.bytes().enumerate() {
        let starts = !in_word && is_word(byte);
        in_word = is_word(byte);
        let hit = match byte {
            b'-' => has_private_key(scan.from(at)).then_some(CREDENTIALS),
            b'@' => is_email_address(text, at).then_some(ADDRESSES),
            _ if !starts => continue,
            b'b' | b'B' => is_bearer(scan.from(at)).then_some(TOKENS),
            b'g' => is_service_token(scan.from(at)).then_some(TOKENS),
            b'e' => scan.is_web_token(at).then_some(TOKENS),
            b's' => scan.is_prefixed_key(at).then_some(TOKENS),
            b'A'..=b'Z' if is_cloud_key(scan.from(at)) => Some(TOKENS),
            b'A'..=b'Z' => is_account(scan.from(at)).then_some(ACCOUNTS),
            b'0'..=b'9' if is_social_security(scan.from(at)) => Some(ACCOUNTS),
            b'0'..=b'9' => is_card_number(scan.from(at)).then_some(TRANSACTIONS),
            _ => continue,
        };
        found = found.into_iter().chain(hit).min();
    }
    found.and_then(|found| CATEGORIES.get(found).copied())
}

pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether no word goes on here.
fn is_end(rest: &[u8]) -> bool {
    !rest.first().is_some_and(|byte| is_word(*byte))
}

/// What follows, where at least `least` bytes of a class stand at the start: what follows the first `least` of them.
fn after(text: &[u8], least: usize, class: impl Fn(u8) -> bool) -> Option<&[u8]> {
    let (start, rest) = text.split_at_checked(least)?;
    start.iter().all(|byte| class(*byte)).then_some(rest)
}

/// The header of a private key.
fn has_private_key(from: &[u8]) -> bool {
    const LABEL: &[u8] = b"PRIVATE KEY";
    from.strip_prefix(b"-----BEGIN ").is_some_and(|rest| {
        let in_label = |byte: &&u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || **byte == b' ';
        let length = rest.iter().take_while(in_label).count();
        rest.get(..length).is_some_and(|label| label.windows(LABEL.len()).any(|window| window == LABEL))
    })
}

/// The word `Bearer` and a token.
fn is_bearer(from: &[u8]) -> bool {
    const WORD: &[u8] = b"bearer";
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"._~+/=-".contains(&byte);
    from.split_at_checked(WORD.len()).is_some_and(|(word, rest)| {
        word.eq_ignore_ascii_case(WORD)
            && rest.first().is_some_and(u8::is_ascii_whitespace)
            && after(rest.trim_ascii_start(), 16, token).is_some()
    })
}

/// A token of a service for repositories.
fn is_service_token(from: &[u8]) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric();
    [b"ghp_", b"gho_", b"ghu_", b"ghs_", b"ghr_"]
        .iter()
        .any(|prefix| from.strip_prefix(*prefix).is_some_and(|rest| after(rest, 16, plain).is_some()))
        || from.strip_prefix(b"github_pat_").is_some_and(|rest| after(rest, 16, is_word).is_some())
}

/// The identifier of a key of a cloud.
fn is_cloud_key(from: &[u8]) -> bool {
    let key = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    [b"AKIA", b"ASIA"]
        .iter()
        .any(|prefix| from.strip_prefix(*prefix).is_some_and(|rest| after(rest, 16, key).is_some()))
}

/// The scans whose words a hyphen may join. What starts later in a run is part of what started first, so that each run is read
/// once.
struct Runs<'t> {
    text: &'t str,
    /// The end of the run in which a web token's header was looked for.
    header: usize,
    /// The end of the run in which a key was looked for.
    key: usize,
}

impl<'t> Runs<'t> {
    fn from(&self, at: usize) -> &'t [u8] {
        self.text.as_bytes().get(at..).unwrap_or_default()
    }

    /// What follows the prefix in its run, and what follows the run.
    fn run(&self, at: usize, prefix: &[u8]) -> Option<(&'t [u8], &'t [u8])> {
        let rest = self.from(at).strip_prefix(prefix)?;
        Some(rest.split_at(rest.iter().take_while(|byte| is_word(**byte) || **byte == b'-').count()))
    }

    /// Two parts of a JSON web token, of which the first is a header.
    fn is_web_token(&mut self, at: usize) -> bool {
        if at < self.header {
            return false;
        }
        let Some((header, behind)) = self.run(at, b"eyJ") else { return false };
        self.header = at + header.len();
        let part = |byte: u8| is_word(byte) || byte == b'-';
        header.len() >= 8 && behind.strip_prefix(b".").is_some_and(|next| after(next, 8, part).is_some())
    }

    /// A key that starts with `sk-`, and no words in kebab case.
    fn is_prefixed_key(&mut self, at: usize) -> bool {
        if at < self.key {
            return false;
        }
        let Some((key, _)) = self.run(at, b"sk-") else { return false };
        self.key = at + key.len();
        key.len() >= 16
            && (key.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
                || key.split(|byte| *byte == b'-').any(|word| word.len() >= 16))
    }
}

/// An address of electronic mail around the sign at a place.
fn is_email_address(text: &str, at: usize) -> bool {
    let Some((name, domain)) = text.split_at_checked(at) else { return false };
    let named = name.chars().next_back().is_some_and(|last| last.is_alphanumeric() || "._%+-".contains(last));
    let domain = domain.strip_prefix('@').filter(|_| named).unwrap_or_default();
    let end = domain.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.'))).unwrap_or(domain.len());
    let mut labels = domain.get(..end).unwrap_or_default().split('.');
    labels.next().is_some_and(|first| !first.is_empty())
        && labels
            .take_while(|label| !label.is_empty())
            .any(|label| label.chars().take(2).filter(|c| c.is_alphabetic()).count() == 2)
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

/// A social security number.
fn is_social_security(from: &[u8]) -> bool {
    let rest = after(from, 3, is_digit).and_then(|rest| rest.strip_prefix(b"-"));
    let rest = rest.and_then(|rest| after(rest, 2, is_digit)).and_then(|rest| rest.strip_prefix(b"-"));
    rest.and_then(|rest| after(rest, 4, is_digit)).is_some_and(is_end)
}

/// Whether an account number starts here: 15 to 34 capitals and digits, in one word or in groups of four.
fn is_account(from: &[u8]) -> bool {
    let capital = |byte: u8| byte.is_ascii_uppercase();
    let either = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let Some(mut rest) = after(from, 2, capital).and_then(|rest| after(rest, 2, is_digit)) else { return false };
    if !is_end(rest) {
        let more = rest.iter().take(31).take_while(|byte| either(byte)).count();
        return (11..=30).contains(&more) && rest.get(more..).is_some_and(is_end);
    }
    let (mut length, mut digits) = (0, 2);
    while let Some(group) = rest.strip_prefix(b" ") {
        let size = group.iter().take(5).take_while(|byte| either(byte)).count();
        let Some((group, behind)) = group.split_at_checked(size).filter(|(_, behind)| is_end(behind)) else { break };
        if !(1..=4).contains(&size) || length + size > 30 {
            break;
        }
        length += size;
        digits += group.iter().filter(|byte| byte.is_ascii_digit()).count();
        rest = behind;
        if size < 4 {
            break;
        }
    }
    // Words in capitals can be groups of four too, but they are not mostly digits.
    length >= 11 && digits >= 10
}

/// The number of a card: four groups of four digits.
fn is_card_number(from: &[u8]) -> bool {
    let mut rest = after(from, 4, is_digit);
    for _ in 0..3 {
        rest = rest
            .and_then(|rest| rest.strip_prefix(b" ").or_else(|| rest.strip_prefix(b"-")))
            .and_then(|rest| after(rest, 4, is_digit));
    }
    rest.is_some_and(is_end)
}
