//! Operations of every kind under one roof. Interfaces come in; what their operations declare, whatever their kind, goes out.

use super::interface::{
    CliOperation, CommandChannel, HttpOperation, KeyedShape, McpOperation, PermittedInterface, ResponseDescriptor,
    Stream,
};
use super::pointer::{Channel, DescriptorPointer, InputChannel};
use super::text::Slug;
use super::witness::SensitivityWitness;

/// An operation of any kind, borrowed from its interface.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'c> {
    /// Of an HTTP interface (`api` or `web`).
    Http(&'c HttpOperation),
    /// A command.
    Cli(&'c CliOperation),
    /// A tool.
    Mcp(&'c McpOperation),
}

impl PermittedInterface {
    /// Its name.
    #[must_use]
    pub const fn logical_id(&self) -> &Slug {
        match self {
            Self::Api(of) | Self::Web(of) => &of.logical_id,
            Self::Mcp(of) => &of.logical_id,
            Self::Cli(of) => &of.logical_id,
        }
    }

    /// Its operations, in the author's order.
    pub fn operations(&self) -> impl Iterator<Item = Operation<'_>> {
        let (http, mcp, cli): (&[HttpOperation], &[McpOperation], &[CliOperation]) = match self {
            Self::Api(of) | Self::Web(of) => (&of.operations, &[], &[]),
            Self::Mcp(of) => (&[], &of.operations, &[]),
            Self::Cli(of) => (&[], &[], &of.operations),
        };
        http.iter().map(Operation::Http).chain(mcp.iter().map(Operation::Mcp)).chain(cli.iter().map(Operation::Cli))
    }
}

impl<'c> Operation<'c> {
    /// Its name in the interface.
    #[must_use]
    pub const fn operation_id(self) -> &'c Slug {
        match self {
            Self::Http(of) => &of.operation_id,
            Self::Cli(of) => &of.operation_id,
            Self::Mcp(of) => &of.operation_id,
        }
    }

    /// Whether it changes state.
    #[must_use]
    pub const fn changes_state(self) -> bool {
        match self {
            Self::Http(of) => of.state_change_marker,
            Self::Cli(of) => of.state_change_marker,
            Self::Mcp(of) => of.state_change_marker,
        }
    }

    /// What the described channel holds.
    #[must_use]
    pub const fn descriptor(self) -> &'c ResponseDescriptor {
        match self {
            Self::Http(of) => &of.response_descriptor,
            Self::Cli(of) => &of.response_descriptor,
            Self::Mcp(of) => &of.response_descriptor,
        }
    }

    /// Whether the descriptor describes a channel.
    #[must_use]
    pub fn describes(self, channel: &Channel) -> bool {
        match (self, channel) {
            (Self::Http(_) | Self::Mcp(_), Channel::ResponseBody) => true,
            (Self::Cli(of), channel) => match (&of.descriptor_channel, channel) {
                (CommandChannel::Stream(of), Channel::Stdout) => of.channel == Stream::Stdout,
                (CommandChannel::Stream(of), Channel::Stderr) => of.channel == Stream::Stderr,
                (CommandChannel::Artifact(of), Channel::Artifact(artifact)) => of.artifact_id == *artifact,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether it declares that it writes a file.
    #[must_use]
    pub fn writes(self, artifact: &str) -> bool {
        matches!(self, Self::Cli(of) if of.artifacts.has(artifact))
    }

    /// What differs from call to call.
    #[must_use]
    pub fn volatile_pointers(self) -> &'c [DescriptorPointer] {
        match self {
            Self::Http(of) => &of.volatile_pointers,
            Self::Cli(of) => &of.volatile_pointers,
            Self::Mcp(of) => &of.volatile_pointers,
        }
    }

    /// Its witness.
    #[must_use]
    pub const fn witness(self) -> Option<&'c SensitivityWitness> {
        match self {
            Self::Http(of) => of.sensitivity_witness.as_ref(),
            Self::Cli(of) => of.sensitivity_witness.as_ref(),
            Self::Mcp(of) => of.sensitivity_witness.as_ref(),
        }
    }

    /// The channels that it takes input on, in the fixed order, with what each takes.
    #[must_use]
    pub fn request_shapes(self) -> Vec<(InputChannel, &'c KeyedShape)> {
        match self {
            Self::Http(of) => vec![
                (InputChannel::Path, &of.request_shape.path),
                (InputChannel::Query, &of.request_shape.query),
                (InputChannel::Header, &of.request_shape.header),
                (InputChannel::Body, &of.request_shape.body),
            ],
            Self::Cli(of) => vec![
                (InputChannel::Argument, &of.request_shape.argument),
                (InputChannel::Option, &of.request_shape.option),
                (InputChannel::Environment, &of.request_shape.environment),
                (InputChannel::Stdin, &of.request_shape.stdin),
            ],
            Self::Mcp(of) => vec![(InputChannel::Arguments, &of.request_shape.arguments)],
        }
    }

    /// What it takes on a channel; nothing where it takes no input there.
    #[must_use]
    pub fn request_shape(self, channel: InputChannel) -> Option<&'c KeyedShape> {
        self.request_shapes().into_iter().find_map(|(of, shape)| (of == channel).then_some(shape))
    }
}
