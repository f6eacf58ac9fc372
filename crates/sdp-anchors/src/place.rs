//! Places in the source of whoever uses an attribute, and the errors that stand there.

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::grammar::Refusal;

/// From one token to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    first: Span,
    last: Span,
}

impl Place {
    /// The attribute itself.
    pub(crate) fn of_attribute() -> Self {
        let span = Span::call_site();
        Place { first: span, last: span }
    }

    /// All of some tokens; of none, the attribute.
    pub(crate) fn of(tokens: &[TokenTree]) -> Self {
        match tokens {
            [first, .., last] => Place { first: first.span(), last: last.span() },
            [one] => Place { first: one.span(), last: one.span() },
            [] => Place::of_attribute(),
        }
    }
}

/// `::core::compile_error! { "…" }`, which the compiler shows at the place that its tokens come from.
pub(crate) fn compile_error(refusal: &Refusal<Place>) -> TokenStream {
    let Place { first, last } = refusal.place;
    let path = [
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new("core", first).into(),
        Punct::new(':', Spacing::Joint).into(),
        Punct::new(':', Spacing::Alone).into(),
        Ident::new("compile_error", first).into(),
        Punct::new('!', Spacing::Alone).into(),
    ];
    let message: TokenTree = Literal::string(&format!("{}\nhelp: {}", refusal.message, refusal.help)).into();
    let message: TokenTree = Group::new(Delimiter::Brace, at(message, last).into()).into();
    let path = path.into_iter().map(|token| at(token, first));
    path.chain([at(message, last)]).collect()
}

fn at(mut token: TokenTree, span: Span) -> TokenTree {
    token.set_span(span);
    token
}
