//! The form of the bytes: plain values come in, their bytes go out, and the other way round. Numbers are written in groups of seven bits, the
//! lowest first; texts and lists open with their lengths; a choice opens with its position.

use super::NotStored;

/// A value with a stored form.
pub(super) trait Stored: Sized {
    /// Adds the value to bytes.
    fn store(&self, bytes: &mut Vec<u8>);

    /// Takes a value off an input.
    fn load(input: &mut Input<'_>) -> Result<Self, NotStored>;
}

/// Bytes that are read from their beginning.
#[derive(Clone, Copy)]
pub(super) struct Input<'b> {
    rest: &'b [u8],
}

impl<'b> Input<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Input { rest: bytes }
    }

    fn byte(&mut self) -> Result<u8, NotStored> {
        let (first, rest) = self.rest.split_first().ok_or(NotStored)?;
        self.rest = rest;
        Ok(*first)
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'b [u8], NotStored> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(NotStored)?;
        self.rest = rest;
        Ok(taken)
    }

    /// How many elements follow, or bytes: each takes one byte at least.
    fn length(&mut self) -> Result<usize, NotStored> {
        let length = usize::try_from(u64::load(self)?).map_err(|_| NotStored)?;
        if length > self.rest.len() { Err(NotStored) } else { Ok(length) }
    }

    /// A list, element by element.
    pub(super) fn list<T>(
        &mut self,
        mut load: impl FnMut(&mut Self) -> Result<T, NotStored>,
    ) -> Result<Vec<T>, NotStored> {
        let length = self.length()?;
        // No more room at once than the bytes that are left take themselves.
        let room = self.rest.len() / size_of::<T>().max(1);
        let mut values = Vec::with_capacity(length.min(room));
        for _ in 0..length {
            values.push(load(self)?);
        }
        Ok(values)
    }

    /// A part with a length of its own.
    pub(super) fn part(&mut self) -> Result<Input<'b>, NotStored> {
        let length = self.length()?;
        self.take(length).map(Input::new)
    }

    /// The one value that this input holds.
    pub(super) fn whole<T: Stored>(mut self) -> Result<T, NotStored> {
        let value = T::load(&mut self)?;
        self.end()?;
        Ok(value)
    }

    /// Nothing may be left.
    pub(super) fn end(&self) -> Result<(), NotStored> {
        if self.rest.is_empty() { Ok(()) } else { Err(NotStored) }
    }

    /// The position in a choice of so many.
    pub(super) fn choice(&mut self, of: u8) -> Result<u8, NotStored> {
        self.byte().and_then(|chosen| if chosen < of { Ok(chosen) } else { Err(NotStored) })
    }
}

/// Adds a value that opens with its length.
pub(super) fn part(value: &impl Stored, bytes: &mut Vec<u8>) {
    let mut own = Vec::new();
    value.store(&mut own);
    store_length(own.len(), bytes);
    bytes.append(&mut own);
}

/// Adds the elements of a list and their number.
pub(super) fn store_all<T: Stored>(values: &[T], bytes: &mut Vec<u8>) {
    store_length(values.len(), bytes);
    for value in values {
        value.store(bytes);
    }
}

pub(super) fn store_length(length: usize, bytes: &mut Vec<u8>) {
    u64::try_from(length).unwrap_or(u64::MAX).store(bytes);
}

pub(super) fn store_text(text: &str, bytes: &mut Vec<u8>) {
    store_length(text.len(), bytes);
    bytes.extend_from_slice(text.as_bytes());
}

fn low_byte(number: u64) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}

impl Stored for u64 {
    fn store(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(low_byte(rest) | 0x80);
            rest >>= 7;
        }
        bytes.push(low_byte(rest));
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        let mut value = 0;
        for group in 0..10 {
            let byte = input.byte()?;
            let bits = u64::from(byte & 0x7F);
            if group == 9 && bits > 1 {
                return Err(NotStored);
            }
            value |= bits << (7 * group);
            if byte < 0x80 {
                // One number has one form.
                return if byte == 0 && group > 0 { Err(NotStored) } else { Ok(value) };
            }
        }
        Err(NotStored)
    }
}

impl Stored for u32 {
    fn store(&self, bytes: &mut Vec<u8>) {
        u64::from(*self).store(bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        u32::try_from(u64::load(input)?).map_err(|_| NotStored)
    }
}

impl Stored for bool {
    fn store(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        Ok(input.choice(2)? == 1)
    }
}

impl Stored for String {
    fn store(&self, bytes: &mut Vec<u8>) {
        store_text(self, bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        let length = input.length()?;
        std::str::from_utf8(input.take(length)?).map(str::to_owned).map_err(|_| NotStored)
    }
}

impl<T: Stored> Stored for Option<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.is_some().store(bytes);
        if let Some(value) = self {
            value.store(bytes);
        }
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        if bool::load(input)? { T::load(input).map(Some) } else { Ok(None) }
    }
}

impl<T: Stored> Stored for Vec<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        store_all(self, bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        input.list(T::load)
    }
}

impl<T: Stored> Stored for Box<T> {
    fn store(&self, bytes: &mut Vec<u8>) {
        T::store(self, bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        T::load(input).map(Box::new)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.0.store(bytes);
        self.1.store(bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        Ok((A::load(input)?, B::load(input)?))
    }
}

impl<A: Stored, B: Stored, C: Stored> Stored for (A, B, C) {
    fn store(&self, bytes: &mut Vec<u8>) {
        self.0.store(bytes);
        self.1.store(bytes);
        self.2.store(bytes);
    }

    fn load(input: &mut Input<'_>) -> Result<Self, NotStored> {
        Ok((A::load(input)?, B::load(input)?, C::load(input)?))
    }
}
