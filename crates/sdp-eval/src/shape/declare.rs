//! The declarations that artifacts are written in. One declaration gives the type, its reader, its schema and its JSON.
//!
//! In each a JSON key or word stands before `=>`, and Rust's name with its type behind it. The doc lines become the descriptions
//! of the schema. `@name "X"` before `pub` gives the type a place of its own in the schema, as `#/$defs/X`; a type that holds
//! itself needs one.

/// An object: a struct whose fields are all required and beside which no other key may stand.
///
/// ```text
/// object! {
///     /// A level of a scale.
///     pub struct ScaleLevel {
///         /// Its ordinal.
///         "level" => level: Level,
///         /// What can be observed; null where nothing can.
///         "anchor" => anchor: Option<String>,
///     }
/// }
/// ```
///
/// reads `{ "level": 1, "anchor": null }`; without `anchor` it is an issue at `/anchor`, and so is any other key.
macro_rules! object {
    ($(#[doc = $doc:literal])* $(@name $name:literal)? pub struct $type:ident {
        $($(#[doc = $field_doc:literal])* $key:literal => $field:ident: $of:ty,)*
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub struct $type {
            $($(#[doc = $field_doc])* #[serde(rename = $key)] pub $field: $of,)*
        }

        impl $crate::shape::Members for $type {
            const KEYS: &'static [&'static str] = &[$($key),*];

            #[allow(clippy::allow_attributes, unused_variables, reason = "an object without members reads none")]
            fn read_members(
                members: &serde_json::Map<String, serde_json::Value>,
                tag: Option<&'static str>,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                let fine = $crate::shape::refuse_others(members, Self::KEYS, tag, place, issues);
                $(let $field = $crate::shape::member::<$of>(members, $key, place, issues);)*
                if fine { Some(Self { $($field: $field?,)* }) } else { None }
            }

            #[allow(clippy::allow_attributes, unused_variables, reason = "an object without members describes none")]
            fn properties(definitions: &mut $crate::shape::Definitions) -> Vec<(&'static str, serde_json::Value)> {
                vec![$(($key, $crate::shape::described(definitions.of::<$of>(), &[$($field_doc),*])),)*]
            }
        }

        impl $crate::shape::Shape for $type {
            $(const NAME: Option<&'static str> = Some($name);)?

            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                let members = $crate::shape::object_of::<Self>(value, place, issues)?;
                <Self as $crate::shape::Members>::read_members(members, None, place, issues)
            }

            fn schema(definitions: &mut $crate::shape::Definitions) -> serde_json::Value {
                let properties = <Self as $crate::shape::Members>::properties(definitions);
                $crate::shape::described($crate::shape::object_schema(properties), &[$($doc),*])
            }

            fn wants() -> String {
                $crate::shape::fields(<Self as $crate::shape::Members>::KEYS)
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// A union of objects that one key tells apart by its word. The types of the variants come from `object!` and don't declare
/// that key.
///
/// ```text
/// tagged! {
///     /// The channel that a descriptor describes.
///     pub enum CommandChannel by "kind" {
///         /// A stream.
///         "stream" => Stream(StreamChannel),
///         /// A file.
///         "artifact" => Artifact(ArtifactChannel),
///     }
/// }
/// ```
///
/// reads `{ "kind": "stream", "channel": "stdout" }`, where `channel` is the field of `StreamChannel`.
macro_rules! tagged {
    ($(#[doc = $doc:literal])* $(@name $name:literal)? pub enum $type:ident by $tag:literal {
        $($(#[doc = $variant_doc:literal])* $word:literal => $variant:ident($of:ty),)+
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        #[serde(tag = $tag)]
        pub enum $type { $($(#[doc = $variant_doc])* #[serde(rename = $word)] $variant($of),)+ }

        impl $type {
            /// The word that tells it apart.
            #[must_use]
            pub const fn word(&self) -> &'static str {
                match self { $(Self::$variant(_) => $word,)+ }
            }
        }

        impl $crate::shape::Shape for $type {
            $(const NAME: Option<&'static str> = Some($name);)?

            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                let (word, members) = $crate::shape::tag_of::<Self>(value, $tag, &[$($word),+], place, issues)?;
                match word {
                    $($word => <$of as $crate::shape::Members>::read_members(members, Some($tag), place, issues)
                        .map(Self::$variant),)+
                    _ => None,
                }
            }

            fn schema(definitions: &mut $crate::shape::Definitions) -> serde_json::Value {
                let alternatives = vec![$({
                    let properties = <$of as $crate::shape::Members>::properties(definitions);
                    $crate::shape::described(
                        $crate::shape::tagged_schema($tag, $word, properties),
                        &[$($variant_doc),*],
                    )
                },)+];
                $crate::shape::described(serde_json::json!({ "oneOf": alternatives }), &[$($doc),*])
            }

            fn wants() -> String {
                format!("an object whose `{}` is one of {}", $tag, [$($word),+].join(", "))
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// A union of objects with one key each, which tells them apart.
///
/// ```text
/// keyed! {
///     /// What an operator looks at.
///     pub enum Operand {
///         /// Evidence.
///         "pointer" => Pointer(OperandPointer),
///         /// This value.
///         "literal" => Literal(Value),
///     }
/// }
/// ```
///
/// reads `{ "literal": 7 }` and refuses `{ "literal": 7, "pointer": "@/" }`.
macro_rules! keyed {
    ($(#[doc = $doc:literal])* $(@name $name:literal)? pub enum $type:ident {
        $($(#[doc = $variant_doc:literal])* $key:literal => $variant:ident($of:ty),)+
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, serde::Serialize)]
        pub enum $type { $($(#[doc = $variant_doc])* #[serde(rename = $key)] $variant($of),)+ }

        impl $crate::shape::Shape for $type {
            $(const NAME: Option<&'static str> = Some($name);)?

            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                let Some(members) = value.as_object() else {
                    issues.expected(Self::wants, value, place);
                    return None;
                };
                let mut only = members.iter();
                match (only.next(), only.next()) {
                    $((Some((key, value)), None) if key == $key => {
                        <$of as $crate::shape::Shape>::read(value, &place.key($key), issues).map(Self::$variant)
                    })+
                    _ => {
                        issues.add_with(place, || format!("must have exactly one field, of {}", [$($key),+].join(", ")));
                        None
                    }
                }
            }

            fn schema(definitions: &mut $crate::shape::Definitions) -> serde_json::Value {
                let alternatives = vec![$($crate::shape::described(
                    $crate::shape::object_schema(vec![($key, definitions.of::<$of>())]),
                    &[$($variant_doc),*],
                ),)+];
                $crate::shape::described(serde_json::json!({ "anyOf": alternatives }), &[$($doc),*])
            }

            fn wants() -> String {
                format!("an object with one field, of {}", [$($key),+].join(", "))
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// A union of objects that are told apart by the keys they have. No key stands in two of them. The types of the variants come
/// from `object!`.
///
/// ```text
/// by_keys! {
///     /// What a step binds.
///     pub enum InputBinding {
///         /// A tool call.
///         Mcp(McpBinding),
///     }
/// }
/// ```
///
/// reads `{ "arguments": null }` as `Mcp`, since `arguments` is a field of `McpBinding`.
macro_rules! by_keys {
    ($(#[doc = $doc:literal])* $(@name $name:literal)? pub enum $type:ident {
        $($(#[doc = $variant_doc:literal])* $variant:ident($of:ty),)+
    }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $type { $($(#[doc = $variant_doc])* $variant($of),)+ }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$variant(of) => of.serialize(serializer),)+ }
            }
        }

        impl $crate::shape::Shape for $type {
            $(const NAME: Option<&'static str> = Some($name);)?

            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                use $crate::shape::Members;
                let members = $crate::shape::object_of::<Self>(value, place, issues)?;
                $(if <$of as Members>::KEYS.iter().any(|key| members.contains_key(*key)) {
                    return <$of as Members>::read_members(members, None, place, issues).map(Self::$variant);
                })+
                issues.add_with(place, || format!("must be {}", Self::wants()));
                None
            }

            fn schema(definitions: &mut $crate::shape::Definitions) -> serde_json::Value {
                let alternatives = vec![$($crate::shape::described(definitions.of::<$of>(), &[$($variant_doc),*]),)+];
                $crate::shape::described(serde_json::json!({ "anyOf": alternatives }), &[$($doc),*])
            }

            fn wants() -> String {
                [$($crate::shape::fields(<$of as $crate::shape::Members>::KEYS)),+].join("; or ")
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// A closed list of words.
///
/// ```text
/// words! {
///     /// A direction of order.
///     pub enum Order {
///         /// No element is less than the one before it.
///         "ascending" => Ascending,
///     }
/// }
/// ```
///
/// reads `"ascending"`; `Order::Ascending.as_str()` gives it back.
macro_rules! words {
    ($(#[doc = $doc:literal])* pub enum $type:ident { $($(#[doc = $word_doc:literal])* $word:literal => $variant:ident,)+ }) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        pub enum $type { $($(#[doc = $word_doc])* #[serde(rename = $word)] $variant,)+ }

        impl $type {
            /// Every word, in the published order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The word as it is written.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl $crate::shape::Shape for $type {
            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                match value.as_str() {
                    $(Some($word) => Some(Self::$variant),)+
                    _ => {
                        issues.add_with(place, || format!("must be {}", Self::wants()));
                        None
                    }
                }
            }

            fn schema(_: &mut $crate::shape::Definitions) -> serde_json::Value {
                $crate::shape::described(serde_json::json!({ "type": "string", "enum": [$($word),+] }), &[$($doc),*])
            }

            fn wants() -> String {
                format!("one of {}", [$($word),+].join(", "))
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// A text of one form. `schema` has the keywords that the schema says, `accepts` is what the reader does; a test in
/// [`crate::contract`]'s `text` holds the two together.
///
/// ```text
/// text! {
///     /// The name of a key.
///     pub struct KeyName;
///     wants "a key that is not empty"; schema { "minLength": 1 }; accepts |text| !text.is_empty()
/// }
/// ```
///
/// reads `"k"`, and of `""` it says `expected a key that is not empty`.
macro_rules! text {
    ($(#[doc = $doc:literal])* pub struct $type:ident;
        wants $wants:literal; schema { $($keyword:literal: $value:expr),+ }; accepts $accepts:expr) => {
        $(#[doc = $doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
        #[serde(transparent)]
        pub struct $type(String);

        impl $type {
            /// The text, where it has the form.
            #[must_use]
            pub fn new(text: impl Into<String>) -> Option<Self> {
                let text = text.into();
                let accepts: fn(&str) -> bool = $accepts;
                accepts(&text).then_some(Self(text))
            }

            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::borrow::Borrow<str> for $type {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl $crate::shape::Shape for $type {
            fn read(
                value: &serde_json::Value,
                place: &$crate::shape::Place<'_>,
                issues: &mut $crate::shape::Issues,
            ) -> Option<Self> {
                let Some(text) = value.as_str() else {
                    issues.expected(Self::wants, value, place);
                    return None;
                };
                let read = Self::new(text);
                if read.is_none() {
                    issues.add(place, concat!("expected ", $wants));
                }
                read
            }

            fn schema(_: &mut $crate::shape::Definitions) -> serde_json::Value {
                let schema = serde_json::json!({ "type": "string", $($keyword: $value),+ });
                $crate::shape::described(schema, &[$($doc),*])
            }

            fn wants() -> String {
                $wants.to_owned()
            }
        }

        $crate::shape::deserialize!($type);
    };
}

/// Reads a type through its shape, so that there is one reader.
macro_rules! deserialize {
    ($type:ty) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = <serde_json::Value as serde::Deserialize>::deserialize(deserializer)?;
                $crate::shape::from_value(&value).map_err(|issues| serde::de::Error::custom(issues))
            }
        }
    };
}

pub(crate) use {by_keys, deserialize, keyed, object, tagged, text, words};
