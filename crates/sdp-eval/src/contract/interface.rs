//! The surface that a probe may touch: interfaces, their operations, what they take and what they answer (evaluation sheet,
//! part 2.3). JSON comes in; typed declarations go out.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde_json::Value;

use super::names::Names;
use super::pointer::DescriptorPointer;
use super::text::{KeyName, PathTemplate, Slug, ToolName};
use super::witness::SensitivityWitness;
use crate::shape::{Count, Definitions, Issues, Place, Shape, object, tagged, words};

words! {
    /// A JSON type.
    pub enum TypeName {
        /// A string.
        "string" => String,
        /// A number.
        "number" => Number,
        /// A boolean.
        "boolean" => Boolean,
        /// An object.
        "object" => Object,
        /// An array.
        "array" => Array,
        /// Null.
        "null" => Null,
    }
}

impl TypeName {
    /// Whether a value of the type has no structure.
    #[must_use]
    pub const fn is_scalar(self) -> bool {
        !matches!(self, Self::Object | Self::Array)
    }

    /// The type of a value.
    #[must_use]
    pub const fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(_) => Self::Number,
            Value::String(_) => Self::String,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }
}

object! {
    /// The keys of an object and their types. A key without an entry among the types is not declared; null says that its type is
    /// not stated.
    pub struct KeyedShape {
        /// The keys that must be there.
        "requiredKeys" => required_keys: Names<KeyName>,
        /// The keys that may be there.
        "permittedKeys" => permitted_keys: Names<KeyName>,
        /// The types by key.
        "types" => types: BTreeMap<KeyName, Option<TypeName>>,
    }
}

impl KeyedShape {
    /// Whether a key is required or permitted.
    #[must_use]
    pub fn declares(&self, key: &str) -> bool {
        self.required_keys.has(key) || self.permitted_keys.has(key)
    }

    /// Whether it has no key at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.required_keys.is_empty() && self.permitted_keys.is_empty()
    }
}

tagged! {
    /// An interface that may be probed. Its name is never an address.
    pub enum PermittedInterface by "kind" {
        /// An HTTP service.
        "api" => Api(HttpOperations),
        /// A page in a browser; it parses and then fails compiling.
        "web" => Web(HttpOperations),
        /// A server of tools.
        "mcp" => Mcp(McpOperations),
        /// A command.
        "cli" => Cli(CliOperations),
    }
}

object! {
    /// An interface with HTTP operations.
    pub struct HttpOperations {
        /// Its name.
        "logicalId" => logical_id: Slug,
        /// Its operations.
        "operations" => operations: Vec<HttpOperation>,
    }
}

object! {
    /// An interface with tools.
    pub struct McpOperations {
        /// Its name.
        "logicalId" => logical_id: Slug,
        /// Its operations.
        "operations" => operations: Vec<McpOperation>,
    }
}

object! {
    /// An interface with commands.
    pub struct CliOperations {
        /// Its name.
        "logicalId" => logical_id: Slug,
        /// Its operations.
        "operations" => operations: Vec<CliOperation>,
    }
}

object! {
    /// An HTTP operation.
    @name "Operation" pub struct HttpOperation {
        /// Its name in the interface.
        "operationId" => operation_id: Slug,
        /// The method.
        "method" => method: Method,
        /// The path, with parameters as `{name}`.
        "pathTemplate" => path_template: PathTemplate,
        /// Whether it changes state.
        "stateChangeMarker" => state_change_marker: bool,
        /// What it takes.
        "requestShape" => request_shape: HttpShape,
        /// What its response body holds.
        "responseDescriptor" => response_descriptor: ResponseDescriptor,
        /// What differs from call to call.
        "volatilePointers" => volatile_pointers: Vec<DescriptorPointer>,
        /// That its answer depends on its input; null only for an operation without any key.
        "sensitivityWitness" => sensitivity_witness: Option<SensitivityWitness>,
    }
}

words! {
    /// An HTTP method.
    pub enum Method {
        /// GET.
        "GET" => Get,
        /// HEAD.
        "HEAD" => Head,
        /// POST.
        "POST" => Post,
        /// PUT.
        "PUT" => Put,
        /// PATCH.
        "PATCH" => Patch,
        /// DELETE.
        "DELETE" => Delete,
        /// OPTIONS.
        "OPTIONS" => Options,
    }
}

object! {
    /// What an HTTP operation takes. A header is named with its type and never with a credential.
    pub struct HttpShape {
        /// Parameters of the path.
        "path" => path: KeyedShape,
        /// Parameters of the query.
        "query" => query: KeyedShape,
        /// Headers.
        "header" => header: KeyedShape,
        /// The body.
        "body" => body: KeyedShape,
    }
}

object! {
    /// A command.
    pub struct CliOperation {
        /// Its name in the interface.
        "operationId" => operation_id: Slug,
        /// What is called.
        "invocation" => invocation: Invocation,
        /// Whether it changes state.
        "stateChangeMarker" => state_change_marker: bool,
        /// What it takes.
        "requestShape" => request_shape: CliShape,
        /// What the described channel holds.
        "responseDescriptor" => response_descriptor: ResponseDescriptor,
        /// Which channel the descriptor describes.
        "descriptorChannel" => descriptor_channel: CommandChannel,
        /// The files that it writes.
        "artifacts" => artifacts: Names<Slug>,
        /// What differs from call to call.
        "volatilePointers" => volatile_pointers: Vec<DescriptorPointer>,
        /// That its answer depends on its input; null only for an operation without any key.
        "sensitivityWitness" => sensitivity_witness: Option<SensitivityWitness>,
    }
}

object! {
    /// What is called: a program by its logical name, and its subcommands.
    pub struct Invocation {
        /// The logical name, never a path.
        "executable" => executable: Slug,
        /// The subcommands.
        "subcommandPath" => subcommand_path: Vec<Slug>,
    }
}

object! {
    /// What a command takes.
    pub struct CliShape {
        /// Positional arguments.
        "argument" => argument: KeyedShape,
        /// Options.
        "option" => option: KeyedShape,
        /// The environment.
        "environment" => environment: KeyedShape,
        /// The standard input.
        "stdin" => stdin: KeyedShape,
    }
}

tagged! {
    /// The channel that a command's descriptor describes.
    pub enum CommandChannel by "kind" {
        /// A stream.
        "stream" => Stream(StreamChannel),
        /// A file that it writes.
        "artifact" => Artifact(ArtifactChannel),
    }
}

object! {
    /// A stream of a command.
    pub struct StreamChannel {
        /// Which one.
        "channel" => channel: Stream,
    }
}

words! {
    /// A stream of a command.
    pub enum Stream {
        /// The standard output.
        "stdout" => Stdout,
        /// The standard error.
        "stderr" => Stderr,
    }
}

object! {
    /// A file of a command.
    pub struct ArtifactChannel {
        /// Which one.
        "artifactId" => artifact_id: Slug,
    }
}

object! {
    /// A tool.
    pub struct McpOperation {
        /// Its name in the interface.
        "operationId" => operation_id: Slug,
        /// Its name as the server spells it.
        "toolName" => tool_name: ToolName,
        /// Whether it changes state.
        "stateChangeMarker" => state_change_marker: bool,
        /// What it takes.
        "requestShape" => request_shape: McpShape,
        /// What its structured result holds.
        "responseDescriptor" => response_descriptor: ResponseDescriptor,
        /// Which channel the descriptor describes.
        "descriptorChannel" => descriptor_channel: ResultChannel,
        /// What differs from call to call.
        "volatilePointers" => volatile_pointers: Vec<DescriptorPointer>,
        /// That its answer depends on its input; null only for an operation without any key.
        "sensitivityWitness" => sensitivity_witness: Option<SensitivityWitness>,
    }
}

object! {
    /// What a tool takes.
    pub struct McpShape {
        /// The arguments of the call.
        "arguments" => arguments: KeyedShape,
    }
}

tagged! {
    /// The channel that a tool's descriptor describes.
    pub enum ResultChannel by "kind" {
        /// The structured result.
        "structured-result" => StructuredResult(Nothing),
    }
}

object! {
    /// Nothing beside the word.
    pub struct Nothing {}
}

object! {
    /// What the described channel of an operation holds.
    pub struct ResponseDescriptor {
        /// The keys that must be there.
        "requiredKeys" => required_keys: Names<KeyName>,
        /// The keys that may be there.
        "permittedKeys" => permitted_keys: Names<KeyName>,
        /// The types by key.
        "types" => types: BTreeMap<KeyName, Option<TypeName>>,
        /// Where success is told; null where nowhere.
        "successIndicator" => success_indicator: Option<DescriptorPointer>,
        /// What other places tell; null is undeclared.
        "channelRoles" => channel_roles: Option<BTreeMap<DescriptorPointer, ChannelRole>>,
        /// Where collections stand; null is undeclared.
        "collectionLocations" => collection_locations: Option<CollectionLocations>,
    }
}

words! {
    /// What a place of a response tells.
    pub enum ChannelRole {
        /// Success.
        "success-indicator" => SuccessIndicator,
        /// What went wrong.
        "diagnostic" => Diagnostic,
        /// The answer.
        "payload" => Payload,
        /// A collection.
        "collection" => Collection,
    }
}

object! {
    /// Where a collection stands.
    pub struct CollectionLocation {
        /// Its place.
        "pointer" => pointer: DescriptorPointer,
        /// How many elements are expected.
        "expectedCardinality" => expected_cardinality: Cardinality,
        /// The set that it is reconciled with.
        "referenceSet" => reference_set: Option<Slug>,
    }
}

/// Where collections stand, in the author's order.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(transparent)]
pub struct CollectionLocations {
    listed: Vec<CollectionLocation>,
    #[serde(skip)]
    root: Option<usize>,
}

impl CollectionLocations {
    /// The first location that is the whole of what is described.
    #[must_use]
    pub fn root(&self) -> Option<&CollectionLocation> {
        self.listed.get(self.root?)
    }
}

impl Deref for CollectionLocations {
    type Target = [CollectionLocation];

    fn deref(&self) -> &[CollectionLocation] {
        &self.listed
    }
}

impl<'l> IntoIterator for &'l CollectionLocations {
    type Item = &'l CollectionLocation;
    type IntoIter = std::slice::Iter<'l, CollectionLocation>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.iter()
    }
}

impl Shape for CollectionLocations {
    fn read(value: &Value, place: &Place<'_>, issues: &mut Issues) -> Option<Self> {
        let listed: Vec<CollectionLocation> = Shape::read(value, place, issues)?;
        let root = listed.iter().position(|location| location.pointer.as_str().is_empty());
        Some(Self { listed, root })
    }

    fn schema(definitions: &mut Definitions) -> Value {
        <Vec<CollectionLocation> as Shape>::schema(definitions)
    }

    fn wants() -> String {
        <Vec<CollectionLocation> as Shape>::wants()
    }
}

tagged! {
    /// How many elements are expected.
    pub enum Cardinality by "mode" {
        /// So many.
        "exact" => Exact(Counted),
        /// At most so many.
        "at-most" => AtMost(AtMost),
        /// At most so many on a page.
        "page-bounded" => PageBounded(AtMost),
    }
}

object! {
    /// A number.
    pub struct Counted {
        /// The number.
        "count" => count: Count,
    }
}

object! {
    /// A bound.
    pub struct AtMost {
        /// The bound.
        "max" => max: Count,
    }
}

impl Cardinality {
    /// The number, or the bound.
    #[must_use]
    pub const fn bound(&self) -> i64 {
        match self {
            Self::Exact(exact) => exact.count.get(),
            Self::AtMost(bound) | Self::PageBounded(bound) => bound.max.get(),
        }
    }
}

impl ResponseDescriptor {
    /// Whether a key is required or permitted.
    #[must_use]
    pub fn declares(&self, key: &str) -> bool {
        self.required_keys.has(key) || self.permitted_keys.has(key)
    }
}
