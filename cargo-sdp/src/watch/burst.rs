//! Bursts: the times of changes come in, the time goes out at which they are looked at together. It keeps no clock of its own.

use std::time::{Duration, Instant};

/// How long it has to be quiet.
const QUIET: Duration = Duration::from_millis(50);

/// How long a burst may last where it is never quiet.
const LONGEST: Duration = Duration::from_millis(500);

/// Changes that come close together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Burst {
    /// The first and the last change, where there is one.
    span: Option<(Instant, Instant)>,
}

impl Burst {
    /// Takes up a change.
    pub(super) fn add(&mut self, now: Instant) {
        let first = self.span.map_or(now, |(first, _)| first);
        self.span = Some((first, now));
    }

    /// When the changes are looked at; none where there is no change.
    pub(super) fn due(&self) -> Option<Instant> {
        self.span.map(|(first, last)| (last + QUIET).min(first + LONGEST))
    }

    /// Begins anew.
    pub(super) fn clear(&mut self) {
        self.span = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The due time after changes at so many milliseconds.
    fn due(changes: &[u64]) -> Option<u64> {
        let start = Instant::now();
        let mut burst = Burst::default();
        for change in changes {
            burst.add(start + Duration::from_millis(*change));
        }
        burst.due().map(|due| u64::try_from((due - start).as_millis()).unwrap())
    }

    #[test]
    fn a_burst_ends_when_it_was_quiet() {
        assert_eq!(due(&[]), None);
        assert_eq!(due(&[10]), Some(60));
        assert_eq!(due(&[10, 59]), Some(109));
        assert_eq!(due(&[10, 10, 30, 70]), Some(120));
    }

    #[test]
    fn a_burst_that_is_never_quiet_ends_too() {
        let changes: Vec<u64> = (0..100).map(|step| 10 + step * 20).collect();
        assert_eq!(due(&changes), Some(510));
        assert_eq!(due(&[10, 480]), Some(510));
    }

    #[test]
    fn what_was_looked_at_is_over() {
        let mut burst = Burst::default();
        burst.add(Instant::now());
        burst.clear();
        assert_eq!(burst.due(), None);
    }
}
