//! A checksum against accidents: bytes come in, 64 bits go out. Any change within one group of eight bytes changes it, since each step is
//! one-to-one in the group and in what came before; other changes go unseen once in 2⁶⁴ times or so. It is no digest: whoever wants to can
//! make bytes with a given sum.

/// An odd number, so that multiplying by it loses nothing.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// How many groups are summed side by side.
const LANES: usize = 4;

/// The checksum of bytes.
pub(super) fn sum(bytes: &[u8]) -> u64 {
    let mut lanes: [u64; LANES] = [1, 2, 3, 4];
    let (rows, rest) = bytes.as_chunks::<{ 8 * LANES }>();
    for row in rows {
        let (groups, _) = row.as_chunks::<8>();
        for (lane, group) in lanes.iter_mut().zip(groups) {
            *lane = step(*lane, u64::from_le_bytes(*group));
        }
    }
    let (groups, rest) = rest.as_chunks::<8>();
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(rest) {
        *to = *from;
    }
    let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let tail = groups.iter().chain([&last]).map(|group| u64::from_le_bytes(*group));
    tail.chain([length]).chain(lanes).fold(0, step)
}

fn step(state: u64, group: u64) -> u64 {
    (state ^ group).wrapping_mul(FACTOR).rotate_left(29)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_changed_byte_changes_the_sum() {
        for length in [1, 7, 8, 31, 32, 33, 200] {
            let bytes: Vec<u8> = (0u8..).take(length).collect();
            for at in 0..length {
                for bit in 0..8 {
                    let mut other = bytes.clone();
                    other[at] ^= 1 << bit;
                    assert_ne!(sum(&other), sum(&bytes), "{length} {at} {bit}");
                }
            }
        }
    }

    #[test]
    fn zeros_at_the_end_count() {
        let sums: std::collections::BTreeSet<u64> = (0..100).map(|length| sum(&vec![0; length])).collect();
        assert_eq!(sums.len(), 100);
    }
}
