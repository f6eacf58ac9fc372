//! The leaf that the other crates of cargo-sdp stand on: SHA-256 digests, a strict bounded JSON reader, canonical JSON, the
//! one order of texts and atomic writes. Bytes, texts and values come in; digests, values, texts and files go out. Nothing here may panic, recurse without a bound or leave
//! half a file behind, whatever the bytes are.

pub mod canonical;
pub mod digest;
pub mod json;
pub mod order;
pub mod write;

pub use digest::{Digest, DigestError, Hasher};
pub use write::{WriteError, create_parents, write_all_atomic, write_all_new, write_atomic};
