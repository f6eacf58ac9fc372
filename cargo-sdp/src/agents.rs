//! What agents are given to read: one page that teaches the graph, embedded, so that the binary alone can hand it out.

/// The skill file. `docs/agents/SKILL.md` is the same text.
#[sdp::satisfies("spec:sdp.agent-surface", component = "component:sdp.command-line")]
pub(crate) const SKILL: &str = include_str!("agents/SKILL.md");
