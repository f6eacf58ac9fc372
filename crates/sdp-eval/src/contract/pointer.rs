//! Pointers to evidence. Texts come in; the step, the channel and the tail that they address go out.

use serde_json::{Value, json};

use super::text::Slug;
use crate::shape::{Definitions, Issues, Place, Shape, deserialize, text, words};

words! {
    /// A channel that an operation takes input on, in the fixed order of channels.
    pub enum InputChannel {
        /// Parameters of an HTTP path.
        "path" => Path,
        /// Parameters of an HTTP query.
        "query" => Query,
        /// HTTP headers.
        "header" => Header,
        /// The HTTP body.
        "body" => Body,
        /// Positional arguments of a command.
        "argument" => Argument,
        /// Options of a command.
        "option" => Option,
        /// The environment of a command.
        "environment" => Environment,
        /// The standard input of a command.
        "stdin" => Stdin,
        /// The arguments of a tool call.
        "arguments" => Arguments,
    }
}

/// The channel of a step that evidence stands on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Channel {
    /// The body of a response, or the structured result of a tool.
    ResponseBody,
    /// The headers of a response.
    ResponseHeaders,
    /// The status of a response, or whether a tool told an error.
    ResponseStatus,
    /// The standard output of a command.
    Stdout,
    /// The standard error of a command.
    Stderr,
    /// The exit code of a command.
    ExitCode,
    /// What was sent.
    CallInputs(InputChannel),
    /// A file that a command writes.
    Artifact(Slug),
}

impl Channel {
    /// The channel as pointers spell it: `artifact` and `call-inputs` without what follows.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ResponseBody => "response-body",
            Self::ResponseHeaders => "response-headers",
            Self::ResponseStatus => "response-status",
            Self::Stdout => "stdout",
            Self::Stderr => "stderr",
            Self::ExitCode => "exit-code",
            Self::CallInputs(_) => "call-inputs",
            Self::Artifact(_) => "artifact",
        }
    }
}

/// What a pointer addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The step of the plan, or the leg of a witness.
    pub step: Slug,
    /// The channel.
    pub channel: Channel,
    /// The tokens below the channel, unescaped.
    pub tail: Vec<String>,
}

/// The tokens of an RFC 6901 pointer, unescaped; nothing where it is none.
pub(crate) fn tokens(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    pointer.strip_prefix('/')?.split('/').map(unescaped).collect()
}

/// A token with the escapes of RFC 6901.
pub(crate) fn escaped(token: &str) -> String {
    token.replace('~', "~0").replace('/', "~1")
}

/// A token without its escapes; nothing where a `~` stands alone.
fn unescaped(token: &str) -> Option<String> {
    if !token.contains('~') {
        return Some(token.to_owned());
    }
    let mut text = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '~' => match characters.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            other => other,
        });
    }
    Some(text)
}

/// Whether a token is an index into an array (RFC 6901).
pub(crate) fn is_index(token: &str) -> bool {
    token == "0" || (!token.starts_with('0') && !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What an interaction pointer addresses; nothing where the text is none.
fn target(text: &str) -> Option<Target> {
    let (step, rest) = text.strip_prefix("/interactions/")?.split_once('/')?;
    let step = Slug::new(step)?;
    let (word, after) = rest.find('/').and_then(|at| rest.split_at_checked(at)).unwrap_or((rest, ""));
    let (channel, tail) = match word {
        "response-body" => (Channel::ResponseBody, after),
        "response-headers" => (Channel::ResponseHeaders, after),
        "stdout" => (Channel::Stdout, after),
        "stderr" => (Channel::Stderr, after),
        "response-status" if after.is_empty() => (Channel::ResponseStatus, after),
        "exit-code" if after.is_empty() => (Channel::ExitCode, after),
        "call-inputs" | "artifact" => {
            let inner = after.strip_prefix('/')?;
            let (name, tail) = inner.find('/').and_then(|at| inner.split_at_checked(at)).unwrap_or((inner, ""));
            if word == "artifact" {
                (Channel::Artifact(Slug::new(name)?), tail)
            } else {
                (Channel::CallInputs(*InputChannel::ALL.iter().find(|channel| channel.as_str() == name)?), tail)
            }
        }
        _ => return None,
    };
    Some(Target { step, channel, tail: tokens(tail)? })
}

/// A pointer that is rooted in a step of the plan, or in a leg of a witness: `/interactions/{step}/{channel}` and a tail.
#[derive(Clone, Debug)]
pub struct InteractionPointer {
    text: String,
    target: Target,
}

impl InteractionPointer {
    /// The pointer, where the text is one.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Option<Self> {
        let text = text.into();
        let target = target(&text)?;
        Some(Self { text, target })
    }

    /// The pointer as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it addresses.
    #[must_use]
    pub const fn target(&self) -> &Target {
        &self.target
    }
}

impl PartialEq for InteractionPointer {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for InteractionPointer {}

impl std::fmt::Display for InteractionPointer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.text)
    }
}

impl serde::Serialize for InteractionPointer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl Shape for InteractionPointer {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let Some(text) = value.as_str() else {
            issues.expected(Self::wants, value, place);
            return None;
        };
        let read = Self::new(text);
        if read.is_none() {
            issues.add_with(place, || format!("expected {}", Self::wants()));
        }
        read
    }

    fn schema(_: &mut Definitions) -> Value {
        json!({
            "type": "string",
            "pattern": r"^\/interactions\/[a-z0-9]+(?:-[a-z0-9]+)*\/(?:(?:response-body|response-headers|stdout|stderr)(?:\/(?:[^/~]|~[01])*)*|(?:response-status|exit-code)|call-inputs\/(?:path|query|header|body|argument|option|environment|stdin|arguments)(?:\/(?:[^/~]|~[01])*)*|artifact\/[a-z0-9]+(?:-[a-z0-9]+)*(?:\/(?:[^/~]|~[01])*)*)$",
            "description": "`/interactions/{step}/{channel}` and, where the channel has structure, an RFC 6901 tail. Whether the step exists and the evidence can be reached is judged by compiling.",
        })
    }

    fn wants() -> String {
        "a pointer `/interactions/STEP/CHANNEL`, such as `/interactions/read/response-body/note`, where CHANNEL is one of \
         response-body, response-headers, response-status, stdout, stderr, exit-code, call-inputs/NAME, artifact/NAME"
            .to_owned()
    }
}

deserialize!(InteractionPointer);

text! {
    /// A pointer into the element that a quantifier binds: `@/` and an RFC 6901 tail; `@/` alone is the element.
    pub struct BoundPointer;
    wants "a pointer such as `@/id`"; schema { "pattern": r"^@(?:\/(?:[^/~]|~[01])*)+$" };
    accepts |text| text.strip_prefix('@').is_some_and(|tail| !tail.is_empty() && tokens(tail).is_some())
}

impl BoundPointer {
    /// The tokens below the bound element, unescaped; none for the element itself.
    #[must_use]
    pub fn tail(&self) -> Vec<String> {
        match self.as_str().strip_prefix('@') {
            None | Some("/") => Vec::new(),
            Some(tail) => tokens(tail).unwrap_or_default(),
        }
    }
}

text! {
    /// An RFC 6901 pointer into what one operation's response descriptor describes; the empty text is the whole.
    pub struct DescriptorPointer;
    wants "a JSON pointer such as `/note/title`"; schema { "pattern": r"^(?:\/(?:[^/~]|~[01])*)*$" };
    accepts |text| tokens(text).is_some()
}

impl DescriptorPointer {
    /// Its tokens, unescaped.
    #[must_use]
    pub fn tokens(&self) -> Vec<String> {
        tokens(self.as_str()).unwrap_or_default()
    }
}

/// The pointer of an operand: into a step's evidence, or into the element that a quantifier binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandPointer {
    /// Into a step's evidence.
    Interaction(InteractionPointer),
    /// Into the bound element.
    Bound(BoundPointer),
}

impl OperandPointer {
    /// The pointer as it is written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Interaction(pointer) => pointer.as_str(),
            Self::Bound(pointer) => pointer.as_str(),
        }
    }
}

impl serde::Serialize for OperandPointer {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Shape for OperandPointer {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        if value.as_str().is_some_and(|text| text.starts_with('@')) {
            BoundPointer::read(value, place, issues).map(Self::Bound)
        } else {
            let read = value.as_str().and_then(InteractionPointer::new);
            match (&read, value) {
                (Some(_), _) => {}
                (None, Value::String(_)) => issues.add_with(place, || format!("expected {}", Self::wants())),
                (None, _) => issues.expected(Self::wants, value, place),
            }
            read.map(Self::Interaction)
        }
    }

    fn schema(definitions: &mut Definitions) -> Value {
        json!({ "anyOf": [definitions.of::<InteractionPointer>(), definitions.of::<BoundPointer>()] })
    }

    fn wants() -> String {
        format!("{}, or in a quantifier {}", InteractionPointer::wants(), BoundPointer::wants())
    }
}

deserialize!(OperandPointer);
