//! Changes that no file tells of by itself: folders that are other ones by the same names, links, and what lies above a root.
//! After each the watch says what a fresh run says.

use std::fs;
use std::path::Path;

use sdp_tests::{Repo, spec_text};

use super::Watch;

fn spec(name: &str, on: &str) -> String {
    spec_text(name, &format!("  dependsOn: spec:{on}"), "")
}

/// A root `root` with two Specs, and folders beside it.
fn repository() -> Repo {
    Repo::new()
        .file("root/sdp.toml", "")
        .file("root/specs/a.sdp.md", spec("a", "b"))
        .file("root/specs/d/b.sdp.md", spec("b", "a"))
        .file("beside/b.sdp.md", spec("other", "a"))
}

/// A watch in `root`, and after each change the same answer as from a fresh run. Each change has to give another one.
struct Session {
    repo: Repo,
    watch: Watch,
    last: String,
}

impl Session {
    fn start(repo: Repo, arguments: &[&str]) -> Session {
        let arguments = [&["check", "--watch"], arguments].concat();
        let mut watch = Watch::of(repo.command(&arguments).cwd(repo.path("root")).spawn());
        let last = watch.cycle().sum;
        Session { repo, watch, last }
    }

    #[track_caller]
    fn after(&mut self, what: &str, action: impl FnOnce(&Repo)) {
        action(&self.repo);
        let fresh = self.repo.command(["check"]).cwd(self.repo.path("root")).run().stdout;
        let fresh = fresh.trim_end();
        assert_ne!(self.last, fresh, "{what} gives another answer");
        // A change of several steps may come into several cycles.
        while !self.watch.cycle().sum.ends_with(fresh) {}
        fresh.clone_into(&mut self.last);
    }

    fn end(self) {
        assert_eq!(self.watch.signal("TERM"), Some(0));
    }
}

fn moved(repo: &Repo, from: &str, to: &str) {
    fs::rename(repo.path(from), repo.path(to)).unwrap();
}

#[sdp::verifies("spec:sdp.watch.same-answer")]
#[test]
fn a_folder_is_read_again_where_another_one_takes_its_name() {
    for more in [&[][..], &["--poll"]] {
        let mut session = Session::start(repository(), more);
        session.after("another folder by the same name", |repo| {
            moved(repo, "root/specs/d", "away");
            moved(repo, "beside", "root/specs/d");
        });
        session.after("the folder goes", |repo| moved(repo, "root/specs/d", "beside"));
        session.after("the first one comes back", |repo| moved(repo, "away", "root/specs/d"));
        session.after("another root by the same name", |repo| {
            sdp_tests::copy_folder(&repo.path("root"), &repo.path("copy"));
            repo.write("copy/specs/d/b.sdp.md", spec("b", "gone"));
            moved(repo, "root", "old");
            moved(repo, "copy", "root");
        });
        session.end();
    }
}

#[sdp::verifies("spec:sdp.watch.same-answer")]
#[test]
fn what_was_known_of_a_file_that_went_says_nothing_of_the_next_one() {
    let mut session = Session::start(repository(), &[]);
    let (good, bad) = (spec("b", "a"), spec("b", "gone"));
    // After an edit the content is known for sure.
    session.after("an edit", |repo| repo.write("root/specs/d/b.sdp.md", &bad));
    session.after("another edit", |repo| repo.write("root/specs/d/b.sdp.md", &good));
    session.after("the folder goes", |repo| moved(repo, "root/specs/d", "away"));
    session.after("another one comes", |repo| {
        repo.write("made/b.sdp.md", &bad);
        moved(repo, "made", "root/specs/d");
    });
    session.after("its file becomes what the first one was", |repo| repo.write("root/specs/d/b.sdp.md", &good));
    session.after("it is ignored", |repo| repo.write("root/.gitignore", "/specs/d/\n"));
    session.after("another content, and not ignored", |repo| {
        repo.write("root/specs/d/b.sdp.md", &bad);
        repo.write("root/.gitignore", "");
    });
    session.after("what it was", |repo| repo.write("root/specs/d/b.sdp.md", &good));
    session.end();
}

#[sdp::verifies("spec:sdp.watch.same-answer")]
#[test]
fn a_root_that_was_none_meanwhile_is_read_anew() {
    let repo = repository();
    repo.write("sdp.toml", "");
    let mut session = Session::start(repo, &[]);
    session.after("no configuration in the root: the one above holds", |repo| {
        fs::remove_file(repo.path("root/sdp.toml")).unwrap();
    });
    session.after("a root again, in which something changed meanwhile", |repo| {
        repo.write("root/specs/d/b.sdp.md", spec("b", "gone"));
        repo.write("root/sdp.toml", "");
    });
    session.after("mended", |repo| repo.write("root/specs/d/b.sdp.md", spec("b", "a")));
    session.end();
}

#[test]
fn a_tag_that_comes_with_its_folder_counts() {
    let mut session = Session::start(repository(), &[]);
    session.after("a folder with a tag in no known language", |repo| {
        repo.write("notes/x.foo", "# @sdpAnchor impl:x\n");
        moved(repo, "notes", "root/notes");
    });
    session.after("the folder goes", |repo| moved(repo, "root/notes", "notes"));
    session.end();
}

#[cfg(unix)]
#[test]
fn a_file_with_several_names_is_read_under_each() {
    let repo = repository();
    repo.write("root/x.txt", spec("c", "a"));
    fs::hard_link(repo.path("root/x.txt"), repo.path("root/specs/c.sdp.md")).unwrap();
    let mut session = Session::start(repo, &[]);
    session.after("an edit by the name that no run reads", |repo| repo.write("root/x.txt", spec("c", "gone")));
    session.after("another one", |repo| repo.write("root/x.txt", spec("c", "b")));
    session.end();
}

#[cfg(unix)]
#[test]
fn a_folder_may_be_closed_and_opened_again() {
    use std::os::unix::fs::PermissionsExt as _;

    let close = |repo: &Repo, path: &str, mode: u32| {
        fs::set_permissions(repo.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let probe = repository();
    close(&probe, "beside", 0);
    if fs::read_dir(probe.path("beside")).is_ok() {
        eprintln!("skipped: nothing is closed to this user");
        return;
    }
    close(&probe, "beside", 0o700);
    for more in [&[][..], &["--poll"]] {
        let mut session = Session::start(repository(), more);
        for path in ["root/specs/d", "root/specs", "root"] {
            session.after("closed", |repo| close(repo, path, 0o300));
            session.after("opened", |repo| close(repo, path, 0o700));
        }
        session.after("an edit", |repo| repo.write("root/specs/d/b.sdp.md", spec("b", "gone")));
        session.end();
    }
}

#[test]
fn an_exclude_that_names_nothing_any_more_is_said() {
    let repo = repository();
    repo.write("root/sdp.toml", "exclude = [\"drafts\"]\n");
    let mut session = Session::start(repo, &[]);
    session.after("what is excluded comes", |repo| fs::create_dir(repo.path("root/drafts")).unwrap());
    session.after("and goes", |repo| fs::remove_dir(repo.path("root/drafts")).unwrap());
    session.end();
}

#[test]
fn the_tag_of_a_cache_folder_comes_and_goes() {
    const TAG: &str =
        "Signature: 8a477f597d28d172789f06886806bc55\n# This file is a cache directory tag created by cargo.\n";
    let mut session = Session::start(repository().file("root/specs/d/CACHEDIR.TAG", TAG), &[]);
    session.after("no tag", |repo| fs::remove_file(repo.path("root/specs/d/CACHEDIR.TAG")).unwrap());
    session.after("a tag", |repo| repo.write("root/specs/d/CACHEDIR.TAG", TAG));
    session.after("another tag", |repo| repo.write("root/specs/d/CACHEDIR.TAG", "Signature: none\n"));
    session.end();
}

#[test]
fn what_decides_on_the_root_and_the_target_folder_is_watched_above_it() {
    let repo = repository();
    fs::remove_file(repo.path("root/sdp.toml")).unwrap();
    let mut session = Session::start(repo, &[]);
    session.after("a git top level", |repo| repo.write(".git/HEAD", "ref: refs/heads/main\n"));
    session.after("none", |repo| fs::remove_dir_all(repo.path(".git")).unwrap());
    session.after("a package", |repo| {
        repo.write("root/Cargo.toml", "[package]\nname = \"x\"\nversion = \"1.0.0\"\n");
        repo.write(".cargo/config.toml", "[build]\ntarget-dir = \"root/specs/d\"\n");
    });
    session.after("another target folder", |repo| fs::remove_dir_all(repo.path(".cargo")).unwrap());
    session.after("by the old name", |repo| {
        repo.write("root/.cargo/config", "[build]\ntarget-dir = \"specs/d\"\n");
    });
    session.end();
}

#[cfg(unix)]
fn link(repo: &Repo, target: &str, path: &str) {
    std::os::unix::fs::symlink(target, repo.path(path)).unwrap();
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_watched() {
    let repo = repository();
    fs::remove_file(repo.path("root/sdp.toml")).unwrap();
    repo.write("shared/sdp.toml", "");
    link(&repo, "../shared/sdp.toml", "root/sdp.toml");
    link(&repo, "../../source.rs", "root/specs/x.rs");
    link(&repo, "../../folder", "root/specs/folder");
    let mut session = Session::start(repo, &[]);
    session.after("a configuration", |repo| repo.write("shared/sdp.toml", "exclude = [\"specs/d\"]\n"));
    session.after("a save by rename", |repo| {
        repo.write("shared/new", "");
        moved(repo, "shared/new", "shared/sdp.toml");
    });
    session.after("a source that seems to bind", |repo| repo.write("source.rs", "// @sdpAnchor impl:x\n"));
    session.after("a source that does not", |repo| repo.write("source.rs", "\n"));
    session.after("a folder comes", |repo| fs::create_dir(repo.path("folder")).unwrap());
    session.after("a folder goes", |repo| fs::remove_dir(repo.path("folder")).unwrap());
    session.end();
}

/// Rules are looked for where no carrier is, and a package may be a link to where it is stored.
#[cfg(unix)]
#[test]
fn a_rule_behind_links_is_watched_wherever_it_lies() {
    let says = |text: &str| format!("return [{{ subject: 'spec:a', message: '{text}' }}];");
    let repo = repository().file("root/.store/pack/rules/x.js", "return [];");
    repo.write("root/sdp.toml", "[[rules]]\nname = \"x\"\nbody = \"node_modules/pack/rules/x.js\"\n");
    fs::create_dir(repo.path("root/node_modules")).unwrap();
    link(&repo, "../.store/pack", "root/node_modules/pack");
    let command = repo.command(["rules", "rule::", "--watch"]).cwd(repo.path("root"));
    let mut watch = Watch::of(command.spawn());
    let first = watch.cycle();
    assert!(first.sum.starts_with("1 passed"), "{first:?}");
    repo.write("root/.store/pack/rules/x.js", says("one"));
    assert!(watch.cycle().text.contains("error[rule::x]: one\n"));
    moved(&repo, "root/.store", "root/.away");
    assert!(watch.cycle().text.contains("mended: "));
    moved(&repo, "root/.away", "root/.store");
    while !watch.cycle().text.contains("error[rule::x]: one\n") {}
    assert_eq!(watch.signal("TERM"), Some(0));
}

/// A folder whose name is no text may hold carriers, which are said to be left out.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_is_watched() {
    use std::os::unix::ffi::OsStrExt as _;
    let repo = repository();
    let folder = repo.path("root/specs").join(Path::new(std::ffi::OsStr::from_bytes(b"x\xff")));
    fs::create_dir(&folder).unwrap();
    let mut session = Session::start(repo, &[]);
    session.after("a carrier in it", |_| fs::write(folder.join("c.sdp.md"), "").unwrap());
    session.after("no carrier", |_| fs::remove_file(folder.join("c.sdp.md")).unwrap());
    session.after("a folder in it", |_| {
        fs::create_dir(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/c.sdp.md"), "").unwrap();
    });
    session.end();
}
