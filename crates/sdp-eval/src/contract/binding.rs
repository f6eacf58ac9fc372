//! What a step binds in its input channels (evaluation sheet, part 2.4). JSON comes in; the bindings by channel, in the fixed
//! order of channels, go out.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::pointer::{InputChannel, InteractionPointer};
use super::text::{Base64, KeyName, MediaType, Slug};
use crate::shape::{Definitions, Issues, Place, Shape, by_keys, deserialize, keyed, object, words};

keyed! {
    /// What a key is bound to.
    pub enum BindingValue {
        /// This value.
        "literal" => Literal(Value),
        /// Any value of a class.
        "matcher" => Matcher(Matcher),
        /// What an earlier step answered.
        "captured" => Captured(InteractionPointer),
        /// The account of a declared principal.
        "principal" => Principal(Slug),
    }
}

words! {
    /// A class of values.
    pub enum Matcher {
        /// Every value.
        "any" => Any,
        /// Every value of another type than the declared one.
        "type-violating" => TypeViolating,
    }
}

/// What a channel binds: at least one key. A channel that binds nothing is null.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct Bindings(BTreeMap<KeyName, BindingValue>);

impl Bindings {
    /// The bound keys, in the order of UTF-16 code units.
    #[must_use]
    pub fn sorted(&self) -> Vec<(&KeyName, &BindingValue)> {
        let mut bound: Vec<_> = self.0.iter().collect();
        bound.sort_by(|left, right| sdp_canon::order::by_code_units(left.0.as_str(), right.0.as_str()));
        bound
    }

    /// What a key is bound to.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&BindingValue> {
        self.0.get(key)
    }
}

impl Shape for Bindings {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if value.as_object().is_some_and(serde_json::Map::is_empty) {
            issues.add(place, "binds nothing; write null for a channel without bindings");
            return None;
        }
        BTreeMap::read(value, place, issues).map(Self)
    }

    fn schema(definitions: &mut Definitions) -> Value {
        let mut schema = <BTreeMap<KeyName, BindingValue> as Shape>::schema(definitions);
        if let Value::Object(members) = &mut schema {
            members.insert("minProperties".to_owned(), json!(1));
        }
        schema
    }

    fn wants() -> String {
        <BTreeMap<KeyName, BindingValue> as Shape>::wants()
    }
}

deserialize!(Bindings);

words! {
    /// The word of a raw body.
    pub enum RawWord {
        /// Bytes as they are.
        "raw" => Raw,
    }
}

object! {
    /// A body as bytes, which are compared as one value.
    pub struct RawBody {
        /// The word that tells it from bindings.
        "kind" => kind: RawWord,
        /// The bytes.
        "base64" => base64: Base64,
        /// Their media type.
        "contentType" => content_type: MediaType,
    }
}

/// What an HTTP body binds: keys, or raw bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyBinding {
    /// Keys of a JSON body.
    Keys(Bindings),
    /// Bytes as they are.
    Raw(RawBody),
}

impl serde::Serialize for BodyBinding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Keys(bindings) => bindings.serialize(serializer),
            Self::Raw(raw) => raw.serialize(serializer),
        }
    }
}

impl Shape for BodyBinding {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        // A key `kind` that is bound has an object, so a text there can only be the word of raw bytes.
        if value.get("kind").is_some_and(Value::is_string) {
            RawBody::read(value, place, issues).map(Self::Raw)
        } else {
            Bindings::read(value, place, issues).map(Self::Keys)
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [definitions.of::<Bindings>(), definitions.of::<RawBody>()] })
    }

    fn wants() -> String {
        Bindings::wants()
    }
}

deserialize!(BodyBinding);

object! {
    /// What a step of an HTTP interface binds.
    pub struct HttpBinding {
        /// Parameters of the path.
        "path" => path: Option<Bindings>,
        /// Parameters of the query.
        "query" => query: Option<Bindings>,
        /// Headers.
        "header" => header: Option<Bindings>,
        /// The body.
        "body" => body: Option<BodyBinding>,
    }
}

object! {
    /// What a step of a command binds.
    pub struct CliBinding {
        /// Positional arguments.
        "argument" => argument: Option<Bindings>,
        /// Options.
        "option" => option: Option<Bindings>,
        /// The environment.
        "environment" => environment: Option<Bindings>,
        /// The standard input.
        "stdin" => stdin: Option<Bindings>,
    }
}

object! {
    /// What a step of a tool binds.
    pub struct McpBinding {
        /// The arguments of the call.
        "arguments" => arguments: Option<Bindings>,
    }
}

by_keys! {
    /// What a step binds, by the channels of its kind.
    pub enum InputBinding {
        /// An HTTP operation.
        Http(HttpBinding),
        /// A command.
        Cli(CliBinding),
        /// A tool call.
        Mcp(McpBinding),
    }
}

impl InputBinding {
    /// The channels that bind keys, in the fixed order of channels. A raw body binds none.
    #[must_use]
    pub fn channels(&self) -> Vec<(InputChannel, &Bindings)> {
        let slots: Vec<(InputChannel, Option<&Bindings>)> = match self {
            Self::Http(http) => vec![
                (InputChannel::Path, http.path.as_ref()),
                (InputChannel::Query, http.query.as_ref()),
                (InputChannel::Header, http.header.as_ref()),
                (
                    InputChannel::Body,
                    match &http.body {
                        Some(BodyBinding::Keys(bindings)) => Some(bindings),
                        Some(BodyBinding::Raw(_)) | None => None,
                    },
                ),
            ],
            Self::Cli(cli) => vec![
                (InputChannel::Argument, cli.argument.as_ref()),
                (InputChannel::Option, cli.option.as_ref()),
                (InputChannel::Environment, cli.environment.as_ref()),
                (InputChannel::Stdin, cli.stdin.as_ref()),
            ],
            Self::Mcp(mcp) => vec![(InputChannel::Arguments, mcp.arguments.as_ref())],
        };
        slots.into_iter().filter_map(|(channel, bindings)| Some((channel, bindings?))).collect()
    }

    /// The raw body that it binds.
    #[must_use]
    pub const fn raw_body(&self) -> Option<&RawBody> {
        match self {
            Self::Http(HttpBinding { body: Some(BodyBinding::Raw(raw)), .. }) => Some(raw),
            _ => None,
        }
    }

    /// Every captured value, in the fixed order of channels and then of keys.
    #[must_use]
    pub fn captures(&self) -> Vec<(InputChannel, &KeyName, &InteractionPointer)> {
        let mut captures = Vec::new();
        for (channel, bindings) in self.channels() {
            for (key, value) in bindings.sorted() {
                if let BindingValue::Captured(pointer) = value {
                    captures.push((channel, key, pointer));
                }
            }
        }
        captures
    }
}
