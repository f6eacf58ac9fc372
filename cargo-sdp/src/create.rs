//! New files below a folder: relative paths and bytes come in, the files go out, each whole, or a typed fault and nothing that was not
//! there before. Nothing is overwritten, and no link leads out of the folder.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use sdp_canon::{WriteError, write_all_new};

/// Why a file cannot be made, or was not.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The folder, or one above the file, cannot be looked at, or is no folder.
    Unresolved(io::Error),
    /// A folder above the file is a link that leads out, or nowhere: then with what the system says.
    Escapes(Option<io::Error>),
    /// Something stands at the path; the path is absolute.
    Exists(PathBuf),
    /// A folder above the file cannot be made.
    Folder(PathBuf, io::Error),
    /// The files cannot be written.
    Write(WriteError),
}

/// Where a new file goes: the absolute path, when it can be made. The disk is looked at and not changed. `path` holds names and `.`
/// only.
pub(crate) fn target(base: &Path, path: &Path) -> Result<PathBuf, Fault> {
    let real_base = base.canonicalize().map_err(Fault::Unresolved)?;
    let target = normal(base, path);
    let above = target.parent().and_then(|folder| folder.strip_prefix(base).ok()).unwrap_or(Path::new(""));
    let mut here = base.to_owned();
    for part in above.components() {
        here.push(part);
        let metadata = match fs::symlink_metadata(&here) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(target),
            Err(error) => return Err(Fault::Unresolved(error)),
        };
        let is_folder = if metadata.is_symlink() {
            let real = here.canonicalize().map_err(|error| Fault::Escapes(Some(error)))?;
            if !real.starts_with(&real_base) {
                return Err(Fault::Escapes(None));
            }
            real.is_dir()
        } else {
            metadata.is_dir()
        };
        if !is_folder {
            return Err(Fault::Unresolved(io::ErrorKind::NotADirectory.into()));
        }
    }
    match fs::symlink_metadata(&target) {
        Ok(_) => Err(Fault::Exists(target)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(target),
        Err(error) => Err(Fault::Unresolved(error)),
    }
}

/// Makes the files at their targets, all of them or none, with the folders above them. Whether they lie below `base` is seen once more
/// when the folders are there, and after the files were put: somebody may have set a link meanwhile.
pub(crate) fn write(base: &Path, files: &[(&Path, &[u8])]) -> Result<(), Fault> {
    let real_base = base.canonicalize().map_err(Fault::Unresolved)?;
    let mut made = Vec::new();
    let done = put(base, &real_base, files, &mut made);
    if done.is_err() {
        // A folder that somebody has filled meanwhile stays.
        made.iter().rev().for_each(|folder| drop(fs::remove_dir(folder)));
    }
    done
}

/// Removes files of a batch that was written, and the folders above them that are empty then.
pub(crate) fn take_back(base: &Path, files: &[PathBuf]) {
    for file in files {
        drop(fs::remove_file(file));
        let above = file.ancestors().skip(1).take_while(|folder| folder.starts_with(base) && *folder != base);
        // The first one that is not empty ends it.
        let _ = above.map(fs::remove_dir).take_while(Result::is_ok).count();
    }
}

fn put(base: &Path, real_base: &Path, files: &[(&Path, &[u8])], made: &mut Vec<PathBuf>) -> Result<(), Fault> {
    for (file, _) in files {
        make_folders(base, file, made)?;
        inside(real_base, file)?;
    }
    write_all_new(files).map_err(|error| match error {
        WriteError::Exists { path } => Fault::Exists(path),
        error => Fault::Write(error),
    })?;
    let escaped = files.iter().find_map(|(file, _)| inside(real_base, file).err());
    match escaped {
        None => Ok(()),
        Some(fault) => {
            files.iter().for_each(|(file, _)| drop(fs::remove_file(file)));
            Err(fault)
        }
    }
}

/// Makes the folders between `base` and a file that are missing, from the outermost on.
fn make_folders(base: &Path, file: &Path, made: &mut Vec<PathBuf>) -> Result<(), Fault> {
    let above = file.parent().and_then(|folder| folder.strip_prefix(base).ok()).unwrap_or(Path::new(""));
    let mut here = base.to_owned();
    for part in above.components() {
        here.push(part);
        match fs::create_dir(&here) {
            Ok(()) => made.push(here.clone()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Fault::Folder(here, error)),
        }
    }
    Ok(())
}

fn inside(real_base: &Path, file: &Path) -> Result<(), Fault> {
    let real = file.parent().unwrap_or(file).canonicalize().map_err(|error| Fault::Escapes(Some(error)))?;
    if real.starts_with(real_base) { Ok(()) } else { Err(Fault::Escapes(None)) }
}

/// A path below a folder, without `.`.
fn normal(base: &Path, path: &Path) -> PathBuf {
    let mut target = base.to_owned();
    target.extend(path.components().filter(|part| matches!(part, Component::Normal(_))));
    target
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_that_fails_leaves_no_folder() {
        let folder = tempfile::TempDir::new().unwrap();
        let base = folder.path();
        fs::write(base.join("there"), "").unwrap();
        let files = [base.join("a/b/new"), base.join("there")];
        let batch: Vec<(&Path, &[u8])> = files.iter().map(|file| (file.as_path(), &b"x"[..])).collect();
        assert!(matches!(write(base, &batch), Err(Fault::Exists(path)) if path == base.join("there")));
        assert_eq!(fs::read_dir(base).unwrap().count(), 1);
        write(base, &batch[..1]).unwrap();
        assert_eq!(fs::read(base.join("a/b/new")).unwrap(), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_was_set_between_plan_and_write_gets_no_file() {
        let (folder, outside) = (tempfile::TempDir::new().unwrap(), tempfile::TempDir::new().unwrap());
        let base = folder.path();
        let file = target(base, Path::new("./specs/./a.sdp.md")).unwrap();
        assert_eq!(file, base.join("specs/a.sdp.md"));
        std::os::unix::fs::symlink(outside.path(), base.join("specs")).unwrap();
        assert!(matches!(write(base, &[(&file, b"x")]), Err(Fault::Escapes(None))));
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
        assert!(matches!(target(base, Path::new("specs/a.sdp.md")), Err(Fault::Escapes(None))));
        // A link that stays inside is fine.
        fs::create_dir(base.join("real")).unwrap();
        std::os::unix::fs::symlink("real", base.join("near")).unwrap();
        assert!(target(base, Path::new("near/a")).is_ok());
        std::os::unix::fs::symlink("gone", base.join("nowhere")).unwrap();
        assert!(matches!(target(base, Path::new("nowhere/a")), Err(Fault::Escapes(Some(_)))));
        assert!(matches!(target(base, Path::new("nowhere")), Err(Fault::Exists(_))));
    }
}
