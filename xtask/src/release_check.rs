//! `cargo xtask release-check`: what must hold of the workspace itself before a release.

use std::error::Error;

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::catalog::Catalog;
use crate::contracts::Contracts;
use crate::delimiters::Delimiters;

/// Who may use whom among the workspace's own packages; dependencies point left only.
const LAYERS: &[(&str, &[&str])] = &[
    ("sdp-anchors", &[]),
    ("sdp-canon", &[]),
    ("sdp-recipes", &["sdp-anchors"]),
    ("sdp-eval", &["sdp-anchors", "sdp-canon"]),
    ("sdp-core", &["sdp-anchors", "sdp-canon", "sdp-recipes"]),
    ("sdp-harness", &["sdp-anchors", "sdp-canon", "sdp-core"]),
    ("cargo-sdp", &["sdp-anchors", "sdp-canon", "sdp-recipes", "sdp-core", "sdp-eval", "sdp-harness"]),
];

/// Check the direction of dependencies, what is published, and the generated pages
#[derive(clap::Args)]
pub(crate) struct ReleaseCheck {}

impl ReleaseCheck {
    /// Runs every check; the error lists all that failed.
    pub(crate) fn run(&self) -> Result<(), Box<dyn Error>> {
        let mut faults = layering_faults()?;
        for generated in [Catalog::checking().run(), Contracts::checking().run(), Delimiters::checking().run()] {
            if let Err(error) = generated {
                faults.push(error.to_string());
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n").into()) }
    }
}

fn layering_faults() -> Result<Vec<String>, Box<dyn Error>> {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let metadata = MetadataCommand::new().manifest_path(manifest).no_deps().exec()?;
    let members = metadata.workspace_packages();
    let mut faults = Vec::new();
    for package in &members {
        let name = package.name.as_str();
        let published = package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
        let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            if published {
                faults.push(format!("{name} is published but stands in no layer"));
            }
            continue;
        };
        for dependency in package.dependencies.iter().filter(|each| each.kind == DependencyKind::Normal) {
            let own = members.iter().any(|member| member.name.as_str() == dependency.name);
            if own && !allowed.contains(&dependency.name.as_str()) {
                faults.push(format!("{name} may not use {}", dependency.name));
            }
        }
        if package.description.as_deref().is_none_or(str::is_empty) || package.license.is_none() {
            faults.push(format!("{name} lacks a description or a license"));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workspace_keeps_its_layers() {
        assert_eq!(layering_faults().unwrap(), Vec::<String>::new());
    }
}
