//! A number as JavaScript writes it. An `f64` comes in, the text of `Number.prototype.toString` goes out, with `-0` kept as `-0`.

/// The shortest decimal that reads back as the same number, in JavaScript's notation.
pub(crate) fn number(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    if value == 0.0 {
        return format!("{sign}0");
    }
    // Rust's exponent form gives the same shortest digits: `d.ddde±x`.
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let point = exponent.saturating_add(1);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    if (count..=21).contains(&point) {
        return format!("{sign}{digits}{}", zeros(point - count));
    }
    if (1..=21).contains(&point) {
        let (whole, rest) =
            digits.split_at_checked(usize::try_from(point).unwrap_or_default()).unwrap_or((&digits, ""));
        return format!("{sign}{whole}.{rest}");
    }
    if (-5..=0).contains(&point) {
        return format!("{sign}0.{}{digits}", zeros(-point));
    }
    let direction = if exponent < 0 { '-' } else { '+' };
    let size = exponent.unsigned_abs();
    match digits.split_at_checked(1) {
        Some((first, rest)) if !rest.is_empty() => format!("{sign}{first}.{rest}e{direction}{size}"),
        _ => format!("{sign}{digits}e{direction}{size}"),
    }
}
