//! Orders and refunds of a small shop. Amounts are whole cents.

pub mod order;
pub mod refund;
