use super::*;
use std::error::Error as _;

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_file_holds_the_bytes_and_stands_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.json");
    write_atomic(&path, b"\0{}\n\xff").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"\0{}\n\xff");
    assert_eq!(names(folder.path()), ["graph.json"]);
}

#[test]
fn a_file_is_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.json");
    fs::write(&path, "a longer text than the new one").unwrap();
    write_atomic(&path, b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    write_atomic(&path, b"").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"");
    assert_eq!(names(folder.path()), ["graph.json"]);
}

#[test]
fn a_folder_at_the_path_is_refused_and_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out");
    fs::create_dir(&path).unwrap();
    let error = write_atomic(&path, b"x").unwrap_err();
    assert!(matches!(error, WriteError::Folder { .. }));
    assert_eq!(error.to_string(), format!("`{}` is a folder, not a file", path.display()));
    assert!(path.is_dir());
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn a_missing_folder_is_refused_until_the_parents_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a/b/c.json");
    let error = write_atomic(&path, b"x").unwrap_err();
    assert!(matches!(&error, WriteError::CreateTemporary { source, .. } if source.kind() == io::ErrorKind::NotFound));
    assert_eq!(error.to_string(), format!("cannot create a file beside `{}`", path.display()));
    assert!(error.source().is_some());
    assert_eq!(names(folder.path()), [""; 0]);

    create_parents(&path).unwrap();
    create_parents(&path).unwrap();
    write_atomic(&path, b"x").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"x");
}

#[test]
fn a_file_in_place_of_a_parent_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "x").unwrap();
    let error = create_parents(&file.join("a/b.json")).unwrap_err();
    assert!(matches!(error, WriteError::CreateFolder { .. }));
    assert!(write_atomic(&file.join("b.json"), b"y").is_err());
    assert_eq!(fs::read(&file).unwrap(), b"x");
}

#[test]
fn a_path_without_a_file_name_is_refused() {
    for path in ["", "/", "..", "a/.."] {
        let error = write_atomic(Path::new(path), b"x").unwrap_err();
        assert!(matches!(error, WriteError::NoFileName { .. }), "{path:?}: {error:?}");
        assert_eq!(error.to_string(), format!("`{path}` does not name a file"));
        assert!(matches!(create_parents(Path::new(path)), Err(WriteError::NoFileName { .. })), "{path:?}");
    }
}

#[test]
fn a_bare_name_belongs_to_the_current_folder() {
    assert_eq!(folder_of(Path::new("graph.json")).unwrap(), Path::new("."));
    assert_eq!(folder_of(Path::new("a/graph.json")).unwrap(), Path::new("a"));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_rename_that_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        // The system refuses to rename a file to a name that ends as a folder's does.
        let path = folder.path().join("graph.json/");
        let error = write_atomic(&path, b"x").unwrap_err();
        assert!(matches!(error, WriteError::Replace { .. }), "{error:?}");
        assert_eq!(error.to_string(), format!("cannot put the written file at `{}`", path.display()));
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn a_symbolic_link_is_neither_replaced_nor_followed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        fs::write(&target, "old").unwrap();
        for leads_to in [target.clone(), folder.path().join("nowhere"), folder.path().to_owned()] {
            let link = folder.path().join("link");
            symlink(&leads_to, &link).unwrap();
            let error = write_atomic(&link, b"new").unwrap_err();
            assert!(matches!(error, WriteError::Symlink { .. }), "{error:?}");
            assert_eq!(fs::read_link(&link).unwrap(), leads_to);
            fs::remove_file(&link).unwrap();
        }
        assert_eq!(fs::read(&target).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["target"]);
    }

    #[test]
    fn a_link_among_the_folders_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("real")).unwrap();
        symlink("real", folder.path().join("link")).unwrap();
        write_atomic(&folder.path().join("link/a"), b"x").unwrap();
        assert_eq!(names(&folder.path().join("real")), ["a"]);
    }

    #[test]
    fn a_socket_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert!(matches!(write_atomic(&path, b"x"), Err(WriteError::NotRegular { .. })));
        assert_eq!(names(folder.path()), ["socket"]);
    }

    #[test]
    fn a_replaced_file_hands_on_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("script");
        for kept in [0o755, 0o600, 0o444, 0o666] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
            write_atomic(&path, b"new").unwrap();
            assert_eq!(mode(&path), kept, "{kept:o}");
            assert_eq!(fs::read(&path).unwrap(), b"new");
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn set_user_id_is_not_handed_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o4755)).unwrap();
        write_atomic(&path, b"new").unwrap();
        assert_eq!(mode(&path), 0o755);
    }

    #[test]
    fn a_new_file_has_the_mode_of_any_new_file() {
        let folder = tempfile::tempdir().unwrap();
        let (ours, any) = (folder.path().join("ours"), folder.path().join("any"));
        write_atomic(&ours, b"x").unwrap();
        fs::write(&any, b"x").unwrap();
        assert_eq!(mode(&ours), mode(&any));
    }
}

/// A batch in a folder, by name.
fn batch<'b>(paths: &'b [PathBuf], bytes: &'b [u8]) -> Vec<(&'b Path, &'b [u8])> {
    paths.iter().map(|path| (path.as_path(), bytes)).collect()
}

#[test]
fn new_files_are_put_all_together() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["b", "a", "-c d"].map(|name| folder.path().join(name));
    write_all_new(&batch(&paths, b"x")).unwrap();
    assert_eq!(names(folder.path()), ["-c d", "a", "b"]);
    assert!(paths.iter().all(|path| fs::read(path).unwrap() == b"x"));
    write_all_new(&[]).unwrap();
}

#[test]
fn nothing_that_stands_at_a_path_is_replaced_and_nothing_else_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b"].map(|name| folder.path().join(name));
    fs::write(&paths[1], "theirs").unwrap();
    let error = write_all_new(&batch(&paths, b"ours")).unwrap_err();
    assert!(matches!(&error, WriteError::Exists { path } if *path == paths[1]));
    assert_eq!(error.to_string(), format!("`{}` already exists and is not overwritten", paths[1].display()));
    assert_eq!((names(folder.path()), fs::read(&paths[1]).unwrap()), (vec!["b".to_owned()], b"theirs".to_vec()));
    fs::remove_file(&paths[1]).unwrap();
    fs::create_dir(&paths[1]).unwrap();
    assert!(matches!(write_all_new(&batch(&paths, b"ours")).unwrap_err(), WriteError::Exists { .. }));
    assert_eq!(names(folder.path()), ["b"]);
}

#[test]
fn what_appears_meanwhile_is_kept_and_the_batch_is_taken_back() {
    // The second file has the path of the first: it appears after both were looked at.
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a", "b", "a"].map(|name| folder.path().join(name));
    let error = write_all_new(&batch(&paths, b"ours")).unwrap_err();
    assert!(matches!(&error, WriteError::Exists { path } if *path == paths[0]), "{error:?}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_link_is_neither_followed_nor_replaced_by_a_new_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    std::os::unix::fs::symlink(folder.path().join("nowhere"), &path).unwrap();
    assert!(matches!(write_all_new(&[(&path, b"ours")]).unwrap_err(), WriteError::Exists { .. }));
    assert_eq!(names(folder.path()), ["a"]);
}

#[cfg(unix)]
#[test]
fn what_somebody_replaced_is_not_taken_back_and_what_stays_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let [ours, theirs] = ["ours", "theirs"].map(|name| folder.path().join(name));
    fs::write(&ours, "x").unwrap();
    fs::write(&theirs, "x").unwrap();
    let cause = || WriteError::Exists { path: folder.path().join("z") };
    let put = [(ours.as_path(), identity(&ours)), (theirs.as_path(), Some((0, 0)))];
    assert!(matches!(taken_back(&put, cause()), WriteError::Exists { .. }));
    assert_eq!(names(folder.path()), ["theirs"]);
    // A folder cannot be removed as a file.
    fs::create_dir(&ours).unwrap();
    let error = taken_back(&[(ours.as_path(), identity(&ours))], cause());
    assert!(matches!(&error, WriteError::NotTakenBack { left, .. } if *left == [ours.clone()]));
    assert!(error.to_string().ends_with(&format!("overwritten, and `{}` could not be removed again", ours.display())));
}

#[test]
fn new_files_need_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let paths = [folder.path().join("a"), folder.path().join("none/b")];
    assert!(matches!(write_all_new(&batch(&paths, b"x")).unwrap_err(), WriteError::CreateTemporary { .. }));
    assert_eq!(names(folder.path()), [""; 0]);
}
