//! What several roots share: their configurations come in, and what matches nothing in each of them; what matches nothing in any goes out.

use std::collections::HashMap;

use sdp_core::finding::{Finding, FindingId};

use crate::root::Workspace;

/// The languages, modules and patterns of contracts that several roots share, and which of them matched nothing.
#[derive(Default)]
pub(super) struct Shared {
    /// How many roots were seen.
    seen: usize,
    /// How many roots share.
    sharing: usize,
    /// How many of them have the module at a line and column.
    modules: HashMap<(u32, u32), usize>,
    /// What each root says matches nothing there, with the position of the root.
    unmatched: Vec<(usize, Finding)>,
}

impl Shared {
    pub(super) fn count(&mut self, workspace: &Workspace) {
        if workspace.config.is_shared {
            self.sharing += 1;
            for (_, place) in &workspace.config.modules {
                *self.modules.entry((place.line, place.column)).or_default() += 1;
            }
        }
        self.seen += 1;
    }

    pub(super) fn say(&mut self, findings: Vec<Finding>) {
        let root = self.seen.saturating_sub(1);
        self.unmatched.extend(findings.into_iter().map(|finding| (root, finding)));
    }

    /// The findings about what matched nothing in each root that has it, each as its first root says it.
    pub(super) fn matched_nowhere(self) -> Vec<(usize, Finding)> {
        let mut said: HashMap<_, (usize, usize, Finding)> = HashMap::new();
        for (root, finding) in self.unmatched {
            let place = (finding.line.unwrap_or(0), finding.column.unwrap_or(0));
            said.entry((finding.id.as_str(), place)).or_insert((0, root, finding)).0 += 1;
        }
        let nowhere = said.into_iter().filter_map(|((_, place), (count, root, finding))| {
            let having = match finding.id {
                FindingId::UnmatchedModule => self.modules.get(&place).copied().unwrap_or(0),
                _ => self.sharing,
            };
            (count == having).then_some((root, finding))
        });
        nowhere.collect()
    }
}
