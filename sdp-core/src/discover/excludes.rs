//! Excludes without effect: the excludes of a run and the folders that it did not enter come in, a warning for each
//! exclude that kept nothing away goes out.

use std::path::{Path, PathBuf};

use super::tree::{EXCLUDED, Pruned, lies_in};
use crate::finding::{Finding, FindingId};

/// The warnings, one for each exclude that matched nothing that would have been read otherwise. An exclude that names
/// an existing path counts as matched, whatever stands there: it is what the user meant.
pub(super) fn without_effect(root: &Path, exclude: &[String], pruned: &[Pruned]) -> Vec<Finding> {
    exclude.iter().filter_map(|prefix| judge(root, prefix, pruned)).collect()
}

fn judge(root: &Path, prefix: &str, pruned: &[Pruned]) -> Option<Finding> {
    let above = pruned.iter().find(|folder| folder.path != prefix && lies_in(prefix, &folder.path));
    let message = match above {
        Some(folder) if folder.why == EXCLUDED => {
            format!("the exclude `{prefix}` has no effect: `{}` {EXCLUDED}", folder.path)
        }
        Some(folder) if folder.path.is_empty() => return None,
        Some(folder) => format!("the exclude `{prefix}` has no effect: `{}` {}", folder.path, folder.why),
        // The walk compares text: such an exclude names something and keeps nothing away.
        None if prefix.split('/').any(|segment| segment == ".") => {
            format!("the exclude `{prefix}` matches nothing: write it without `.` segments")
        }
        None if in_root(root, prefix).symlink_metadata().is_ok() => return None,
        None => format!("the exclude `{prefix}` matched nothing"),
    };
    Some(Finding::warning(FindingId::UnmatchedExclude, message).about(prefix))
}

/// The absolute path of a root-relative one.
pub(crate) fn in_root(root: &Path, path: &str) -> PathBuf {
    let mut absolute = root.to_owned();
    absolute.extend(path.split('/'));
    absolute
}
