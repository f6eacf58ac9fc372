//! What is let stand, as the command line has it: `--baseline`, `--update-baseline` and `--today` come in, the acceptance of
//! each root goes out, or a refusal.

use std::env;
use std::ffi::OsString;
use std::path::Path;

use sdp_core::config::Config;
use sdp_core::date::Date;
use sdp_harness::Acceptance;
use sdp_harness::accept::{self, AcceptError, Request};

use crate::errors::Refusal;

/// The options of every command that judges findings.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What is let stand")]
pub(crate) struct AcceptArgs {
    /// The file of the findings that are accepted, relative to the current folder [default: the configuration's]
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<OsString>,
    /// Write the findings of this run into the baseline and accept them; rows of cases that do not run are kept
    #[arg(long)]
    pub(crate) update_baseline: bool,
    /// The day by which waivers expire, such as 2027-01-31 [default: that of SOURCE_DATE_EPOCH, else today in UTC]
    #[arg(long, value_name = "DAY")]
    pub(crate) today: Option<Date>,
}

impl AcceptArgs {
    /// The acceptance of each root, in the order of their configurations. A baseline that is given here becomes theirs.
    pub(crate) fn prepare(&self, configs: &mut [Config], cwd: &Path) -> Result<Vec<Acceptance>, Refusal> {
        if self.baseline.as_ref().is_some_and(|path| path.is_empty()) {
            return Err(Refusal::MissingValue { flag: "--baseline", wants: "a path" });
        }
        let request = Request {
            baseline: self.baseline.as_ref().map(|path| cwd.join(path)),
            update: self.update_baseline,
            today: self.today,
        };
        accept::prepare(configs, &request, |name| env::var_os(name)).map_err(Refusal::from)
    }
}

impl From<AcceptError> for Refusal {
    fn from(error: AcceptError) -> Self {
        Refusal::Baseline { message: format!("{error}."), hint: error.hint() }
    }
}
