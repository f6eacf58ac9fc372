//! SHA-256 digests and their one written form. Bytes come in, a [`Digest`] goes out; its text is 64 lower-case hexadecimal
//! digits and is read back just as strictly. A digest never has two spellings, so that texts can be compared as they are.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

/// How many bytes a digest has.
const BYTES: usize = 32;

/// A SHA-256 digest: 32 bytes. Digests are ordered as their texts are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; BYTES]);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: impl AsRef<[u8]>) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(bytes);
        hasher.finish()
    }

    /// The digest that has these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; BYTES]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes of the digest.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; BYTES] {
        &self.0
    }
}

impl fmt::Display for Digest {
    /// 64 lower-case hexadecimal digits; width and alignment are honoured, and a precision shortens the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hex = String::with_capacity(2 * BYTES);
        for byte in self.0 {
            for half in [byte >> 4, byte & 0xf] {
                hex.extend(char::from_digit(u32::from(half), 16));
            }
        }
        f.pad(&hex)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

/// The text is not a digest: it has another length, or something else than the digits `0-9` and `a-f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a SHA-256 digest is written as 64 lower-case hexadecimal digits")]
pub struct DigestError;

impl FromStr for Digest {
    type Err = DigestError;

    /// Refuses upper case, prefixes such as `sha256:`, white space and any other length than 64.
    fn from_str(text: &str) -> Result<Self, DigestError> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if pairs.len() != BYTES || !rest.is_empty() {
            return Err(DigestError);
        }
        let mut bytes = [0; BYTES];
        for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
            *byte = nibble(*high)? << 4 | nibble(*low)?;
        }
        Ok(Self(bytes))
    }
}

/// The value of one lower-case hexadecimal digit; refuses every other byte.
fn nibble(digit: u8) -> Result<u8, DigestError> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        _ => Err(DigestError),
    }
}

/// Makes one [`Digest`] of bytes that come in pieces. How the bytes were cut does not show in the digest.
#[derive(Clone, Debug, Default)]
pub struct Hasher(Sha256);

impl Hasher {
    /// A hasher that has seen no bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: impl AsRef<[u8]>) {
        self.0.update(bytes);
    }

    /// The digest of all bytes taken so far.
    #[must_use]
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const OF_NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const OF_ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn known_digests_have_their_known_texts() {
        assert_eq!(Digest::of("").to_string(), OF_NOTHING);
        assert_eq!(Digest::of("abc").to_string(), OF_ABC);
        assert_eq!(format!("{:?}", Digest::of("abc")), format!("Digest({OF_ABC})"));
        assert_eq!(format!("{:.12}", Digest::of("abc")), "ba7816bf8f01");
    }

    #[test]
    fn a_written_digest_is_read_back() {
        let digest: Digest = OF_ABC.parse().unwrap();
        assert_eq!(digest, Digest::of(b"abc"));
        assert_eq!(digest.as_bytes()[..4], [0xba, 0x78, 0x16, 0xbf]);
    }

    #[test]
    fn any_other_spelling_is_refused() {
        let others = [
            String::new(),
            OF_ABC.to_uppercase(),
            OF_ABC.replace("ba78", "BA78"),
            format!("sha256:{OF_ABC}"),
            format!(" {OF_ABC}"),
            format!("{OF_ABC}\n"),
            format!("{OF_ABC}00"),
            OF_ABC[..63].to_owned(),
            OF_ABC[..62].to_owned(),
            OF_ABC.replace('f', "g"),
            OF_ABC.replace("ba", "+1"),
            OF_ABC.replace("ba", "é"),
        ];
        for other in others {
            assert_eq!(other.parse::<Digest>(), Err(DigestError), "{other:?}");
        }
    }

    proptest! {
        #[test]
        fn how_the_bytes_are_cut_does_not_show(pieces: Vec<Vec<u8>>) {
            let mut hasher = Hasher::new();
            for piece in &pieces {
                hasher.update(piece);
            }
            prop_assert_eq!(hasher.finish(), Digest::of(pieces.concat()));
        }

        #[test]
        fn order_and_text_agree(a: [u8; 32], b: [u8; 32]) {
            let (a, b) = (Digest(a), Digest(b));
            prop_assert_eq!(a.cmp(&b), a.to_string().cmp(&b.to_string()));
            prop_assert_eq!(a.to_string().parse(), Ok(a));
        }

        #[test]
        fn any_text_is_answered(text: String) {
            prop_assert_eq!(text.parse::<Digest>().map_or(text.clone(), |digest| digest.to_string()), text);
        }
    }
}
