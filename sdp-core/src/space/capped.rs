//! A list with a bound: items come in, the first ones that fit go out. Whoever fills it counts what it lacks.

/// The first items that fit.
#[derive(Debug)]
pub(super) struct Capped<T> {
    pub(super) items: Vec<T>,
    room: usize,
    bytes: usize,
}

impl<T> Capped<T> {
    /// A list of at most so many items with so many bytes of text.
    pub(super) fn new(room: usize, bytes: usize) -> Self {
        Capped { items: Vec::new(), room, bytes }
    }

    /// Takes an item with so many bytes of text; whether it fits. Behind one that does not, none does.
    pub(super) fn push(&mut self, bytes: usize, item: impl FnOnce() -> T) -> bool {
        let fits = self.items.len() < self.room && bytes <= self.bytes;
        if fits {
            self.bytes -= bytes;
            self.items.push(item());
        } else {
            self.room = 0;
        }
        fits
    }
}
