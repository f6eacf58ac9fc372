//! What `eval` says on stderr, in the four shapes of the evaluation sheet, with a hint below where one helps. What went wrong comes
//! in; lines and an exit code go out.

use sdp_core::harmless;
use sdp_eval::compile::{Gap, Gaps};
use sdp_eval::fault::{RuntimeCode, RuntimeFault, StructuralFailure};
use sdp_eval::seal::SealFault;

use crate::errors::Exit;
use crate::output::Output;

/// How much of one gap is shown, in characters: names may be as long as a contract.
const MOST_OF_GAP: usize = 1_000;

/// Tells the gaps of a contract that compiled, unless only answers are wanted.
pub(super) fn tell(gaps: &Gaps, output: &mut Output) {
    for Gap { path, detail } in &gaps.told {
        output.note(&harmless::cut(&format!("sdp eval: warning: {path}: {detail}"), MOST_OF_GAP));
    }
    if gaps.more > 0 {
        output.note(&format!("sdp eval: warning: and {} more", gaps.more));
    }
}

/// What went wrong.
#[derive(Debug)]
pub(crate) enum Said {
    /// The arguments make no sense.
    Usage(String),
    /// The contract could not be trusted.
    Structural(StructuralFailure),
    /// Something could not be read or written.
    Runtime(RuntimeFault),
}

impl From<StructuralFailure> for Said {
    fn from(failure: StructuralFailure) -> Self {
        Self::Structural(failure)
    }
}

impl From<RuntimeFault> for Said {
    fn from(fault: RuntimeFault) -> Self {
        Self::Runtime(fault)
    }
}

impl From<SealFault> for Said {
    fn from(fault: SealFault) -> Self {
        match fault {
            SealFault::Structural(failure) => Self::Structural(failure),
            SealFault::Runtime(fault) => Self::Runtime(fault),
        }
    }
}

impl Said {
    /// The exit code.
    pub(crate) const fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::EvalUsage,
            Self::Structural(_) => Exit::StructuralFailure,
            Self::Runtime(_) => Exit::RuntimeFault,
        }
    }

    /// Prints it. No text of a contract or of a path can pass for a line of this program's own.
    pub(crate) fn print(&self, output: &mut Output) {
        let mut line = |text: &str| output.err_line(&harmless::one_line(text));
        match self {
            Self::Usage(message) => {
                line(&format!("sdp eval: usage: {message}"));
                line("hint: `cargo sdp eval --help` shows the commands, and `cargo sdp eval compile --help` the flags");
            }
            Self::Structural(failure) => {
                let StructuralFailure { code, artifact_path, detail } = failure;
                line(&format!("sdp eval: {code}: {artifact_path}: {detail}"));
                line(&format!("hint: {}", failure.remedy()));
            }
            Self::Runtime(fault) => {
                line(&format!("sdp eval: {}: {}: {}", fault.code, fault.artifact_path, fault.detail));
                // An issue is one line, whatever its keys hold.
                for issue in fault.issues.to_string().lines() {
                    line(&format!("  {issue}"));
                }
                if fault.code != RuntimeCode::SchemaParseFailure {
                    if let Some(remedy) = fault.code.remedy() {
                        line(&format!("hint: {remedy}"));
                    }
                } else if !fault.issues.is_empty() {
                    line(
                        "hint: `cargo sdp eval schemas eval-contract` prints the shape, and `cargo sdp new contract` writes a contract to start from; every field is required, null or empty where it has nothing to say",
                    );
                }
            }
        }
    }
}
