//! What no artifact may carry: row 27. A contract comes in; nothing, or the first value that is shaped like a secret or like
//! somebody's data, goes out. What was found is never repeated.
//!
//! Every text that is a value is scanned, in the order in which the contract's fields are declared; keys are not. Every scan reads
//! a text once from its start to its end, so that no text can make it slow.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeTuple, SerializeTupleStruct,
    Serializer,
};

use super::Checked;
use crate::contract::EvalContract;
use crate::fault::{FailureCode, StructuralFailure};

/// Row 27: no value is shaped like a secret.
pub(crate) fn excluded_content(contract: &EvalContract) -> Checked {
    scan(contract)
}

/// A failure of another row, without what is shaped like a secret in its words.
pub(super) fn withheld(contract: &EvalContract, failure: StructuralFailure) -> StructuralFailure {
    let of_detail = category(&failure.detail);
    let of_path = category(&failure.artifact_path);
    if failure.code == FailureCode::ExcludedContentInDeclaration || (of_detail.is_none() && of_path.is_none()) {
        return failure;
    }
    if let Err(found) = excluded_content(contract) {
        return found;
    }
    let shaped = |category: &str| format!("not told, since it would repeat what is shaped like {category} (AD-18)");
    StructuralFailure {
        code: failure.code,
        artifact_path: of_path.map_or(failure.artifact_path, |_| "EvalContract".to_owned()),
        detail: of_detail.or(of_path).map_or(failure.detail, shaped),
    }
}

fn scan(root: &impl Serialize) -> Checked {
    root.serialize(&mut Scan::default()).map_err(|Stop(failure)| failure)
}

/// What a value can look like, in the order in which it is told. People's names have no form and are left out on purpose.
const CATEGORIES: [&str; 5] =
    ["credentials", "tokens", "email addresses", "account identifiers", "transaction content"];
const CREDENTIALS: usize = 0;
const TOKENS: usize = 1;
const ADDRESSES: usize = 2;
const ACCOUNTS: usize = 3;
const TRANSACTIONS: usize = 4;

/// The first category that something in a text is of.
fn category(text: &str) -> Option<&'static str> {
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

const fn is_word(byte: u8) -> bool {
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

/// One step of the path to a value.
enum Part {
    Key { name: Cow<'static, str>, ordinal: usize },
    Index(usize),
}

/// The scan under way: a serializer that keeps the path and stops at the first hit.
#[derive(Default)]
struct Scan {
    path: Vec<Part>,
}

impl Scan {
    fn text(&self, text: &str) -> Result<(), Stop> {
        let Some(category) = category(text) else { return Ok(()) };
        Err(Stop(StructuralFailure::new(
            FailureCode::ExcludedContentInDeclaration,
            self.path(),
            format!(
                "carries a value shaped like {category}, which AD-18 excludes from every artifact this package produces; store a digest \
                 or an AD-8 opaque reference instead. The matched text is not quoted here, since a diagnostic is kept and passed on \
                 like an artifact"
            ),
        )))
    }

    /// The path as failures spell it. A key that is no plain word stands in quotes; one that is itself shaped like a secret is told
    /// by its place among its neighbours.
    fn path(&self) -> String {
        let mut path = "EvalContract".to_owned();
        for part in &self.path {
            let part = match part {
                Part::Index(index) => format!("[{index}]"),
                Part::Key { name, ordinal } if category(name).is_some() => format!("[key {ordinal}]"),
                Part::Key { name, .. }
                    if !name.is_empty() && name.bytes().all(|byte| is_word(byte) || matches!(byte, b'-' | b'$')) =>
                {
                    format!(".{name}")
                }
                Part::Key { name, .. } => format!("[{}]", serde_json::Value::from(name.as_ref())),
            };
            path.push_str(&part);
        }
        path
    }

    fn below(&mut self, part: Part, value: &(impl Serialize + ?Sized)) -> Result<(), Stop> {
        self.path.push(part);
        value.serialize(&mut *self)?;
        self.path.pop();
        Ok(())
    }
}

/// Why the scan stopped.
#[derive(Debug)]
struct Stop(StructuralFailure);

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Stop {}

impl serde::ser::Error for Stop {
    /// What cannot be scanned is refused. No part of a contract is so.
    fn custom<T: fmt::Display>(_: T) -> Self {
        let detail = "cannot be scanned for excluded content (AD-18)";
        Self(StructuralFailure::new(FailureCode::ExcludedContentInDeclaration, "EvalContract", detail))
    }
}

impl<'s> Serializer for &'s mut Scan {
    type Ok = ();
    type Error = Stop;
    type SerializeSeq = Elements<'s>;
    type SerializeTuple = Elements<'s>;
    type SerializeTupleStruct = Elements<'s>;
    type SerializeTupleVariant = Impossible<(), Stop>;
    type SerializeMap = Members<'s>;
    type SerializeStruct = Members<'s>;
    type SerializeStructVariant = Impossible<(), Stop>;

    fn serialize_str(self, text: &str) -> Result<(), Stop> {
        self.text(text)
    }

    fn serialize_char(self, character: char) -> Result<(), Stop> {
        self.text(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bool(self, _: bool) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_i8(self, _: i8) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_i16(self, _: i16) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_i32(self, _: i32) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_i64(self, _: i64) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_u8(self, _: u8) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_u16(self, _: u16) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_u32(self, _: u32) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_u64(self, _: u64) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_f32(self, _: f32) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_f64(self, _: f64) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<(), Stop> {
        Err(serde::ser::Error::custom("bytes"))
    }

    fn serialize_none(self) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<(), Stop> {
        Ok(())
    }

    /// A word of a closed list.
    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Stop> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Stop> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Stop> {
        self.below(Part::Key { name: Cow::Borrowed(variant), ordinal: 0 }, value)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Elements<'s>, Stop> {
        Ok(Elements { scan: self, next: 0 })
    }

    fn serialize_tuple(self, _: usize) -> Result<Elements<'s>, Stop> {
        Ok(Elements { scan: self, next: 0 })
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Elements<'s>, Stop> {
        Ok(Elements { scan: self, next: 0 })
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant, Stop> {
        Err(serde::ser::Error::custom("a tuple"))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Members<'s>, Stop> {
        Ok(Members { scan: self, next: 0, key: String::new() })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'s>, Stop> {
        Ok(Members { scan: self, next: 0, key: String::new() })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant, Stop> {
        Err(serde::ser::Error::custom("a variant"))
    }
}

/// The elements of a list, as they come.
struct Elements<'s> {
    scan: &'s mut Scan,
    next: usize,
}

impl SerializeSeq for Elements<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.next += 1;
        self.scan.below(Part::Index(self.next - 1), value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

impl SerializeTuple for Elements<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

impl SerializeTupleStruct for Elements<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

/// The members of an object, as they come.
struct Members<'s> {
    scan: &'s mut Scan,
    next: usize,
    key: String,
}

impl SerializeMap for Members<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stop> {
        self.key = match serde_json::to_value(key) {
            Ok(serde_json::Value::String(key)) => key,
            _ => return Err(serde::ser::Error::custom("a key that is no text")),
        };
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stop> {
        self.next += 1;
        let name = Cow::Owned(std::mem::take(&mut self.key));
        self.scan.below(Part::Key { name, ordinal: self.next - 1 }, value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

impl SerializeStruct for Members<'_> {
    type Ok = ();
    type Error = Stop;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<(), Stop> {
        self.next += 1;
        self.scan.below(Part::Key { name: Cow::Borrowed(key), ordinal: self.next - 1 }, value)
    }

    fn end(self) -> Result<(), Stop> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::{cli_contract, compiles, contract, mcp_contract, refused, set, typed};

    /// Texts of each category, put together here so that no file looks as if it held one.
    fn shaped() -> Vec<(&'static str, String)> {
        let long = "a1".repeat(18);
        vec![
            ("credentials", ["-----BEGIN ", "PRIVATE", " KEY-----"].concat()),
            ("credentials", ["key: -----BEGIN ", "OPENSSH PRIVATE", " KEY-----\nb3Bl"].concat()),
            ("credentials", ["-----BEGIN ", "PGP PRIVATE", " KEY BLOCK-----"].concat()),
            ("tokens", format!("Authorization: Bearer {long}")),
            ("tokens", "bearer\t abcdefgh.ijklm/=".to_owned()),
            ("tokens", ["see ey", "JhbGciOiJI.eyJzdWIiOiI.c2ln"].concat()),
            ("tokens", format!("sk-{}", "abcdefghijklmnopqrst")),
            ("tokens", format!("use sk-proj-{long}")),
            ("tokens", format!("ghp_{long}")),
            ("tokens", format!("(ghs_{long})")),
            ("tokens", format!("github_pat_{long}_{long}")),
            ("tokens", format!("AKIA{}", "Z2".repeat(8))),
            ("email addresses", "write to ann.o+tag@mail.example.org.".to_owned()),
            ("email addresses", "\u{fc}@\u{fc}ber.de".to_owned()),
            ("account identifiers", ["DE", "89370400440532013000"].concat()),
            ("account identifiers", ["pay NO", "93 8601 1117 947."].concat()),
            ("account identifiers", ["NL", "91 ABNA 0417 1643 00 today"].concat()),
            ("account identifiers", ["is 078", "-05-1120."].concat()),
            ("transaction content", ["card 4111 1111", " 1111 1111"].concat()),
            ("transaction content", ["4111-1111", "-1111 1111"].concat()),
        ]
    }

    #[test]
    fn each_form_is_of_its_category() {
        for (name, text) in shaped() {
            assert_eq!(category(&text), Some(name), "{text}");
        }
    }

    #[test]
    fn what_is_near_a_form_is_none() {
        let long = "a1".repeat(18);
        for text in [
            "",
            "-----BEGIN CERTIFICATE-----",
            "PRIVATE KEY",
            "The bearer authentication is on.",
            "Bearer",
            "forbearer abcdefghijklmnopqrstuvw",
            "eyJ0aXRsZSI6ImxhbXAifQ==",
            "eyJhbGciOiJI.short",
            "task-abcdefghijklmnopqrstuvw1",
            "sk-is-a-prefix-of-keys",
            "sk-short1",
            &format!("xghp_{long}"),
            "ghp_short",
            "AKIAshort",
            "@/noteId",
            "name@host",
            "sdp@1.2.3",
            "a@.de",
            "a@b..de",
            "^[^@]+@[a-z]+\\.org$",
            "DE89",
            "de89370400440532013000",
            "DE89370400440532013000_",
            "AB12 NOTE THAT THIS CODE",
            "078-05-11201",
            "1078-05-1120",
            "4111 1111 1111",
            "41111 1111 1111 1111",
            "sha256:8f9dea3200000000000000000000000000000000000000000000000000000000",
            "00000000-1111-1111-1111-111111111111",
            "2027-01-31T00:00:00Z",
        ] {
            assert_eq!(category(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_value_is_told_and_never_repeated() {
        for (name, text) in shaped() {
            let (code, path, detail) = refused(contract(), "/behaviors/0/description", json!(text));
            assert_eq!(
                (code.as_str(), path.as_str()),
                ("excluded-content-in-declaration", "EvalContract.behaviors[0].description")
            );
            assert!(detail.starts_with(&format!(
                "carries a value shaped like {name}, which AD-18 excludes from every artifact this package produces; store a digest or \
                 an AD-8 opaque reference instead. The matched text is not quoted here, "
            )));
            assert!(!detail.contains(&text));
        }
        let two = set(contract(), "/safetyLimits/0", json!("ann@example.org"));
        let two = set(two, "/behaviors/0/requirementLinks/0/id", json!("bob@example.org"));
        assert_eq!(refused(two, "/revisionCount", json!(0)).1, "EvalContract.behaviors[0].requirementLinks[0].id");
    }

    #[test]
    fn every_text_of_a_contract_is_scanned() {
        fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
            match value {
                Value::String(_) => found.push(at.to_owned()),
                Value::Array(elements) => {
                    elements
                        .iter()
                        .enumerate()
                        .for_each(|(index, inner)| texts(inner, &format!("{at}/{index}"), found));
                }
                Value::Object(members) => {
                    members
                        .iter()
                        .for_each(|(key, inner)| texts(inner, &format!("{at}/{}", key.replace('/', "~1")), found));
                }
                _ => {}
            }
        }
        let mut scanned = 0;
        for base in [contract(), cli_contract(), mcp_contract()] {
            let mut found = Vec::new();
            texts(&base, "", &mut found);
            for pointer in found {
                let with = set(base.clone(), &pointer, json!("ann@example.org"));
                // What has a form of its own cannot hold an address.
                let Ok(contract) = crate::shape::from_value::<EvalContract>(&with) else { continue };
                let failure = excluded_content(&contract).unwrap_err();
                let path = pointer.split('/').skip(1).fold("EvalContract".to_owned(), |path, part| {
                    if part.parse::<usize>().is_ok() { format!("{path}[{part}]") } else { format!("{path}.{part}") }
                });
                assert_eq!(failure.artifact_path, path);
                scanned += 1;
            }
        }
        assert!(scanned > 60, "{scanned}");
    }

    #[test]
    fn keys_are_no_values_and_a_key_that_looks_like_a_secret_is_not_repeated() {
        let literal = "/interactionPlan/0/inputBinding/body/title/literal";
        let path = "EvalContract.interactionPlan[0].inputBinding.body.title.literal";
        compiles(contract(), literal, json!({ "ann@example.org": 1 }));
        for (value, below) in [
            (json!({ "a": 1, "ann@example.org": ["x", "bob@example.org"] }), "[key 1][1]"),
            (json!({ "two words": "bob@example.org" }), "[\"two words\"]"),
            (json!({ "a.b": { "": "bob@example.org" } }), "[\"a.b\"][\"\"]"),
            (json!("bob@example.org"), ""),
        ] {
            assert_eq!(refused(contract(), literal, value).1, format!("{path}{below}"));
        }
    }

    #[test]
    fn a_deep_value_is_scanned() {
        let deep = (0..900).fold(json!("ann@example.org"), |inner, _| json!([inner]));
        let contract = typed(&set(contract(), "/interactionPlan/0/inputBinding/body/title/literal", deep));
        assert!(excluded_content(&contract).unwrap_err().artifact_path.ends_with("[0][0]"));
    }

    proptest! {
        #[test]
        fn any_text_is_scanned(text in any::<String>(), around in "[-A-Za-z0-9@._ ]{0,40}") {
            let _ = category(&text);
            let _ = category(&format!("{around}{text}{around}"));
            prop_assert_eq!(category(&format!("{around} ann@example.org")).is_some(), true);
        }
    }

    #[test]
    fn a_failure_of_another_row_repeats_no_secret() {
        for (category, secret) in shaped() {
            // The pattern is no legal one, and its own row comes first.
            let pattern = json!(format!("^{}|b$", secret.replace('\n', " ")));
            let check = json!({
                "op": "regex",
                "operands": [{ "pointer": "/interactions/read-back/response-body/title" }],
                "pattern": pattern,
            });
            let (code, path, detail) = refused(contract(), "/oracles/0/check", check);
            assert_eq!(code, "excluded-content-in-declaration", "{detail}");
            assert!(
                detail.contains(category) && !detail.contains(&secret) && !path.contains(&secret),
                "{path}: {detail}"
            );
        }
    }
}
