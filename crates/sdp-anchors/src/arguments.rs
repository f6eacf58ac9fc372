//! The arguments of an attribute: its tokens come in, the fields that they state go out, with a refusal for each argument that
//! states none. Only strings count, because what reads the source later expands no macro and knows no constant.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::grammar::{self, Attribute, Field, Refusal, Stated, Value};
use crate::literal;
use crate::place::Place;

/// What an attribute states.
pub(crate) struct Arguments {
    /// Its fields, in the order in which they are written; its Spec ids are one field, and the last.
    pub(crate) stated: Vec<Stated<Place>>,
    /// What is wrong with its other arguments.
    pub(crate) refusals: Vec<Refusal<Place>>,
}

/// Reads the arguments of an attribute.
pub(crate) fn read(attribute: Attribute, tokens: TokenStream) -> Arguments {
    let mut arguments = Arguments { stated: Vec::new(), refusals: Vec::new() };
    let mut targets = Vec::new();
    for argument in arguments.parted(tokens) {
        let argument = visible(argument);
        match &argument[..] {
            [name @ TokenTree::Ident(_), TokenTree::Punct(equals), value @ ..] if equals.as_char() == '=' => {
                targets.extend(arguments.take_named(attribute, name, value));
            }
            argument => targets.push(match attribute.targets() {
                Some(field) => arguments.string(field, argument),
                None => Value { text: None, place: Place::of(argument) },
            }),
        }
    }
    match attribute.targets() {
        // `models` without a target misses it; the others name no target, but for a component, which needs none.
        Some(field) => {
            if !targets.is_empty() || matches!(attribute, Attribute::Satisfies | Attribute::Verifies) {
                arguments.take_targets(field, targets);
            }
        }
        None => {
            for Value { place, .. } in targets {
                let message = format!("`{}` takes no Spec ids", attribute.as_str());
                let help = "write #[sdp::satisfies(\"spec:…\")] on what realizes a Spec, or references = \"spec:…\" on what is written against it";
                arguments.refuse(place, message, help);
            }
        }
    }
    arguments
}

impl Arguments {
    fn refuse(&mut self, place: Place, message: impl Into<String>, help: impl Into<String>) {
        self.refusals.push(Refusal { place, message: message.into(), help: help.into() });
    }

    /// What commas part. The last part may be followed by a comma; no other may be empty.
    fn parted(&mut self, tokens: TokenStream) -> Vec<Vec<TokenTree>> {
        let mut parts = Vec::new();
        let mut part = Vec::new();
        for token in tokens {
            if !matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
                part.push(token);
            } else if part.is_empty() {
                self.refuse(Place::of(&[token]), "nothing stands before this comma", "remove the comma");
            } else {
                parts.push(std::mem::take(&mut part));
            }
        }
        if !part.is_empty() {
            parts.push(part);
        }
        parts
    }

    /// Takes a named argument; gives a refused value of the targets where it names them.
    fn take_named(&mut self, attribute: Attribute, name: &TokenTree, value: &[TokenTree]) -> Option<Value<Place>> {
        let place = Place::of(std::slice::from_ref(name));
        let name = name.to_string();
        let known = Field::named(&name);
        let field = known.filter(|field| !(field.is_positional() && attribute.contract().contains(field)));
        let Some(field) = field else {
            self.refusals.push(grammar::unknown_name(attribute, &name, place));
            return known.filter(|_| known == attribute.targets()).map(|_| Value { text: None, place });
        };
        let value = visible(value.to_vec());
        let values = match &value[..] {
            [] => {
                self.not_reified(field, place, "it has no value", format!("write {name} = \"…\""));
                vec![Value { text: None, place }]
            }
            [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => {
                if field.takes_list() || field.is_positional() {
                    self.parted(list.stream()).into_iter().map(|value| self.string(field, &visible(value))).collect()
                } else {
                    let place = Place::of(&value);
                    let why = "one string must stand here, and this is a list";
                    self.not_reified(field, place, why, format!("write {name} = \"…\""));
                    vec![Value { text: None, place }]
                }
            }
            _ => vec![self.string(field, &value)],
        };
        self.stated.push(Stated { field, place, values });
        None
    }

    fn take_targets(&mut self, field: Field, mut targets: Vec<Value<Place>>) {
        if field == Field::Models {
            for Value { place, .. } in targets.drain(1..) {
                let message = "anchor field \"models\" names more than one target; exactly one is required";
                self.refuse(place, message, "let another oracle model the other Spec");
            }
        }
        self.stated.push(Stated { field, place: Place::of_attribute(), values: targets });
    }

    fn not_reified(&mut self, field: Field, place: Place, why: &str, help: impl Into<String>) {
        self.refuse(place, format!("anchor field \"{}\" did not reify: {why}", field.as_str()), help);
    }

    /// The string that some tokens are; refuses all else.
    fn string(&mut self, field: Field, tokens: &[TokenTree]) -> Value<Place> {
        let place = Place::of(tokens);
        let what = match tokens {
            [TokenTree::Literal(literal)] => match literal::string(&literal.to_string()) {
                Ok(text) => return Value { text: Some(text), place },
                Err(what) => what,
            },
            [TokenTree::Ident(_), TokenTree::Punct(mark), ..] if mark.as_char() == '!' => "a macro",
            [TokenTree::Group(list)] if list.delimiter() == Delimiter::Bracket => "a list",
            _ => "code",
        };
        let help = match what {
            "a list" => "write the strings one after another, without brackets",
            _ => "write the text itself in quotes: what reads the source expands no macro and knows no constant",
        };
        self.not_reified(field, place, &format!("a string must stand here, and this is {what}"), help);
        Value { text: None, place }
    }
}

/// The tokens without the invisible groups around them, which `macro_rules` leaves around what it passes on.
fn visible(mut tokens: Vec<TokenTree>) -> Vec<TokenTree> {
    while let [TokenTree::Group(group)] = &tokens[..]
        && group.delimiter() == Delimiter::None
    {
        tokens = group.stream().into_iter().collect();
    }
    tokens
}
