//! What `init` adds where cargo is: the manifest of the root comes in; the configuration and the test target go into the plan, or the
//! reason why they are left out.

use std::path::{Path, PathBuf};

use sdp_core::config::Config;
use sdp_core::harmless;
use sdp_core::suggest::first_nearest;
use sdp_harness::paths::{self, shown};

use super::harness::{self, Source};
use super::manifest::{self, Additions, CannotAdd, Manifest, TARGET_FILE, Target};
use super::plan::{Plan, Step, faulty};
use super::{InitArgs, members, refused};
use crate::create::{self, Fault};
use crate::errors::Refusal;

const TEST: &str = include_str!("test.rs.txt");
const OWN_FILE: &str = include_str!("configuration.toml");

/// The manifest of a folder, where there is one.
pub(super) fn read(folder: &Path) -> Result<Option<Manifest>, Refusal> {
    Manifest::read(folder).map_err(|why| {
        refused(
            format!("{why}."),
            "`cargo sdp init` adds to a manifest that cargo reads; mend it first. Nothing was written",
        )
    })
}

/// The configuration and the test target.
pub(super) fn add(
    args: &InitArgs,
    config: &Config,
    manifest: Option<&Manifest>,
    cwd: &Path,
    plan: &mut Plan,
) -> Result<(), Refusal> {
    let is_configured = config.source.is_some();
    let Some(manifest) = manifest else {
        match &config.source {
            Some(source) => plan.steps.push(Step::Kept { path: source.clone(), why: None }),
            None => plan.new_file("sdp.toml", OWN_FILE)?,
        }
        if args.package.is_some() || args.harness.is_some() {
            let folder = shown(&config.root);
            return Err(refused(
                format!("{folder} holds no package and no workspace, so that there is no test target."),
                "leave out --package and --harness, or name the folder of a package",
            ));
        }
        return Ok(());
    };
    let owner = if manifest.is_workspace() { "workspace" } else { "package" };
    let mut own = Additions { configuration: (!is_configured).then_some(owner), ..Additions::default() };
    let home = test_home(args, config, manifest, plan)?;
    let mut file = None;
    if let Some(home) = &home {
        let manifest = home.manifest.as_ref().unwrap_or(manifest);
        let (additions, has_file) = test_target(args, &home.folder, manifest, cwd, plan)?;
        if home.manifest.is_none() {
            own.target = additions.target;
            own.dependency = additions.dependency;
        } else {
            push_edit(manifest, &additions, plan)?;
        }
        file = has_file.then_some(&home.folder);
    }
    if !push_edit(manifest, &own, plan)? {
        let source = config.source.clone().unwrap_or_else(|| manifest.path.clone());
        plan.steps.push(Step::Kept { path: source, why: None });
    }
    // The root's manifest is said first.
    plan.steps.rotate_right(1);
    if let Some(folder) = file {
        plan.new_below(&folder.clone(), TARGET_FILE, TEST)?;
    }
    Ok(())
}

/// Adds a change of a manifest to the plan, where there is one.
fn push_edit(manifest: &Manifest, additions: &Additions, plan: &mut Plan) -> Result<bool, Refusal> {
    match manifest.with(additions) {
        Ok(None) => Ok(false),
        Ok(Some(edit)) => {
            plan.steps.push(Step::Edit(edit));
            Ok(true)
        }
        Err(CannotAdd { by_hand }) => Err(refused(
            format!("{} is written so that nothing can be added to it without changing it.", shown(&manifest.path)),
            format!("add by hand, then run it again; nothing was written:\n{by_hand}"),
        )),
    }
}

/// The package that gets the test target.
struct TestHome {
    folder: PathBuf,
    /// Its manifest, where that is another one than the root's.
    manifest: Option<Manifest>,
}

/// Finds the package for the test target: the root's, the one that was named, or the only one.
fn test_home(
    args: &InitArgs,
    config: &Config,
    manifest: &Manifest,
    plan: &mut Plan,
) -> Result<Option<TestHome>, Refusal> {
    const WHAT: &str = "the test target";
    if args.no_test {
        plan.left_out(WHAT, "--no-test");
        return Ok(None);
    }
    let wanted = args.package.as_deref();
    if manifest.is_package() && (wanted.is_none() || wanted == manifest.package_name()) {
        return Ok(Some(TestHome { folder: config.root.clone(), manifest: None }));
    }
    let packages = if manifest.is_workspace() { members::packages(&config.root, manifest) } else { Default::default() };
    let names = || {
        let shown: Vec<&str> = packages.keys().map(String::as_str).take(20).collect();
        let more = packages.len().saturating_sub(shown.len());
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        harmless::one_line(&format!("{}{more}", shown.join(", "))).into_owned()
    };
    let folder = match wanted {
        Some(name) => packages.get(name).ok_or_else(|| {
            let known = packages.keys().map(String::as_str).chain(manifest.package_name());
            let hint = match first_nearest(name, known, 2) {
                Some(nearest) => format!("did you mean `--package {}`?", harmless::one_line(nearest)),
                None if !manifest.is_workspace() => "there is one package only: leave out --package".to_owned(),
                None if packages.is_empty() => "the workspace has no members yet".to_owned(),
                None => format!("its packages are {}", names()),
            };
            let shown = if name.is_empty() { "\"\"".into() } else { harmless::one_line(name) };
            let message = if manifest.is_workspace() {
                format!("no member of the workspace is the package {shown}.")
            } else {
                format!("the package of {} is not {shown}.", paths::shown(&manifest.path))
            };
            refused(message, hint)
        })?,
        None => match packages.values().next() {
            Some(folder) if packages.len() == 1 => folder,
            Some(_) => {
                plan.left_out(
                    WHAT,
                    format!(
                        "the workspace has several packages, choose one: `cargo sdp init --package NAME` ({})",
                        names()
                    ),
                );
                return Ok(None);
            }
            None => {
                plan.left_out(WHAT, "the workspace has no package yet; run `cargo sdp init` again when it has");
                return Ok(None);
            }
        },
    };
    // A member may be a link; its manifest is not ours to write where that leads out.
    let below = folder.strip_prefix(&config.root).unwrap_or(folder).join("Cargo.toml");
    if let Err(fault @ Fault::Escapes(_)) = create::target(&config.root, &below) {
        return Err(faulty(folder, fault));
    }
    Ok(Some(TestHome { folder: folder.clone(), manifest: read(folder)? }))
}

/// What a package needs for the test target, and whether its file is written.
fn test_target(
    args: &InitArgs,
    folder: &Path,
    manifest: &Manifest,
    cwd: &Path,
    plan: &mut Plan,
) -> Result<(Additions, bool), Refusal> {
    let mut additions = Additions { target: true, dependency: Some(harness::by_hand()), ..Additions::default() };
    let has_file = matches!(manifest.target(), Target::Ours(_));
    let by_hand = |additions: &Additions| {
        let (path, lines) = (paths::from(cwd, &manifest.path), manifest::by_hand(additions));
        let file = if has_file { String::new() } else { format!("\nand write {TARGET_FILE}:\n{TEST}") };
        format!("to run the rules in `cargo test`, add by hand to {path}:\n{lines}{file}")
    };
    let other = |what: String| {
        refused(
            format!("{what} is another test than the one that runs the rules."),
            format!(
                "`--no-test` leaves the test target out; nothing was written. To have one of another name:\n{}",
                manifest::by_hand(&additions)
            ),
        )
    };
    let file = folder.join(TARGET_FILE);
    let target = manifest.target();
    match &target {
        Target::Other => return Err(other(format!("the target `{}` of {}", manifest::TARGET, shown(&manifest.path)))),
        Target::Absent | Target::WithoutFile if file.symlink_metadata().is_ok() && !manifest::calls_ours(&file) => {
            return Err(other(shown(&file)));
        }
        _ => {}
    }
    additions.target = target == Target::Absent;
    if additions.target && !manifest.finds_other_tests() {
        plan.left_out(
            "the test target",
            "in the edition 2015 a declared target hides the other tests; state `autotests = true` under [package] first",
        );
        return Ok((Additions::default(), false));
    }
    if manifest.depends_on_harness() {
        additions.dependency = None;
    } else {
        let source = match &args.harness {
            Some(text) => Some(Source::named(text, cwd).ok_or_else(|| {
                refused(
                    format!("--harness {} is no clone of the project and no address.", harmless::one_line(text)),
                    "for example `--harness ../cargo-sdp`, or `--harness https://…`",
                )
            })?),
            None => Source::found(folder),
        };
        let Some(source) = source else {
            plan.left_out(
                "the test target",
                "its harness is on no registry yet, and no clone of the project was found; name one with --harness",
            );
            plan.notes.push(by_hand(&additions));
            return Ok((Additions::default(), false));
        };
        if let Source::Clone(clone) = &source {
            plan.notes.push(format!(
                "the test target uses the clone {}: on other machines it must lie in the same place, or `git = \"…\"` stands in {} instead of `path`",
                paths::from(cwd, clone),
                paths::from(cwd, &manifest.path),
            ));
        }
        additions.dependency = Some(source.dependency(folder));
    }
    Ok((additions, !matches!(target, Target::Ours(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        assert!(sdp_core::config::parse_toml(OWN_FILE.as_bytes().to_vec()).is_ok());
        assert!(TEST.contains(manifest::TARGET_CALL));
    }
}
