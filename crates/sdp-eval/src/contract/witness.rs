//! The witness that an answer depends on its input, and what a leg of one calls an operation with. JSON comes in; typed declarations
//! go out.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::expression::Expression;
use super::interface::Nothing;
use super::text::{Base64, KeyName, MediaType, Slug};
use crate::shape::{by_keys, object, tagged, words};

object! {
    /// Two calls that must be answered differently in a stated way.
    pub struct SensitivityWitness {
        /// Its name.
        "witnessId" => witness_id: Slug,
        /// The channel on which the two differ.
        "channel" => channel: WitnessChannel,
        /// The two calls.
        "legs" => legs: [WitnessLeg; 2],
        /// What holds between their answers.
        "relation" => relation: Expression,
    }
}

words! {
    /// A channel on which the legs of a witness may differ.
    pub enum WitnessChannel {
        /// Parameters of an HTTP path.
        "path" => Path,
        /// Parameters of an HTTP query.
        "query" => Query,
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

object! {
    /// One call of a witness.
    pub struct WitnessLeg {
        /// Its name, which shares the names of steps.
        "legId" => leg_id: Slug,
        /// What it is called with.
        "inputs" => inputs: WitnessInputs,
    }
}

by_keys! {
    /// What a leg is called with, by the channels of its kind.
    @name "WitnessInputs" pub enum WitnessInputs {
        /// An HTTP operation.
        Http(HttpInputs),
        /// A command.
        Cli(CliInputs),
        /// A tool.
        Mcp(McpInputs),
    }
}

object! {
    /// What an HTTP operation is called with.
    pub struct HttpInputs {
        /// Parameters of the path.
        "path" => path: Map<String, Value>,
        /// Parameters of the query.
        "query" => query: Map<String, Value>,
        /// Headers.
        "header" => header: BTreeMap<KeyName, String>,
        /// The body.
        "body" => body: LegBody,
    }
}

tagged! {
    /// The body of an HTTP call.
    pub enum LegBody by "kind" {
        /// A JSON value.
        "json" => Json(JsonPart),
        /// Bytes as they are.
        "raw" => Raw(LegRaw),
        /// No body.
        "absent" => Absent(Nothing),
    }
}

object! {
    /// A JSON value.
    pub struct JsonPart {
        /// The value.
        "value" => value: Value,
    }
}

object! {
    /// Bytes as they are.
    pub struct LegRaw {
        /// The bytes.
        "base64" => base64: Base64,
        /// Their media type.
        "contentType" => content_type: MediaType,
    }
}

object! {
    /// What a command is called with.
    pub struct CliInputs {
        /// Positional arguments.
        "argument" => argument: Map<String, Value>,
        /// Options.
        "option" => option: Map<String, Value>,
        /// The environment.
        "environment" => environment: BTreeMap<KeyName, String>,
        /// The standard input.
        "stdin" => stdin: LegStdin,
    }
}

tagged! {
    /// The standard input of a command.
    pub enum LegStdin by "kind" {
        /// A JSON value.
        "json" => Json(JsonPart),
        /// A text.
        "text" => Text(TextPart),
        /// Nothing.
        "absent" => Absent(Nothing),
    }
}

object! {
    /// A text.
    pub struct TextPart {
        /// The text.
        "value" => value: String,
    }
}

object! {
    /// What a tool is called with.
    pub struct McpInputs {
        /// The arguments.
        "arguments" => arguments: Map<String, Value>,
    }
}
