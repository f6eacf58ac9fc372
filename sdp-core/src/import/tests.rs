//! Documents are emitted, read again and compared, whatever stands in them; plans are whole or say why not.

mod emit;
mod plan;
