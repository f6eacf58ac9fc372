//! White space as ECMAScript has it, which is what a contract's texts are read by. A character comes in; whether it is blank goes out.

/// Whether a character is white space: U+FEFF is, and U+0085 is not, where Unicode has it the other way.
pub(crate) const fn is_blank(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}
