//! The plan: paths that a user names come in, the Markdown carriers to write go out, all of them or none, with what is to be
//! said. A carrier means here what it means to every other command: it is found, read and trusted by the same rules. A path
//! that the user names counts wherever it lies.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use hashbrown::HashMap;
use rayon::prelude::*;

use super::emit::{self, Unfaithful};
use crate::carrier::{self, CarrierForm, typescript};
use crate::discover::{self, Beside, CarrierFile, CarrierTexts, DiscoverOptions, Scan};
use crate::finding::{Finding, FindingId};
use crate::model::{Document, PackDocument, SpecDocument};
use crate::order::by_code_units;

/// What a source's name ends with, and what that of its target does.
const SOURCE: &str = ".sdp.ts";
const TARGET: &str = ".sdp.md";

/// What is to be imported.
#[derive(Clone, Copy, Debug)]
pub struct Request<'r> {
    /// The root of the run, absolute.
    pub root: &'r Path,
    /// The folder that relative paths start from, absolute.
    pub cwd: &'r Path,
    /// Carriers, and folders that hold some.
    pub paths: &'r [PathBuf],
    /// What walks leave out, and which modules are trusted: those of every command.
    pub options: &'r DiscoverOptions,
}

/// What an import would write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The documents, by the real paths of their sources; none where a finding is an error.
    pub documents: Vec<Planned>,
    /// What is to be said: about the paths that were named, then source by source. Files are root-relative with `/` where
    /// they lie below the root, as in every list of findings, and absolute elsewhere.
    pub findings: Vec<Finding>,
}

/// One document of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// The carrier that it is made from, named as findings name it.
    pub source: String,
    /// Where it goes, absolute; nothing stood there.
    pub target: PathBuf,
    /// The carrier's whole text.
    pub text: String,
}

/// Plans an import. Nothing is written.
#[must_use]
#[sdp::satisfies("spec:sdp.import")]
pub fn plan(request: &Request<'_>) -> Plan {
    let mut planning = Planning::of(request);
    for path in request.paths {
        planning.name(&request.cwd.join(path));
    }
    planning.scan(request.options);
    let Planning { real_root, sources, mut findings, .. } = planning.sorted();
    let converted: Vec<Result<Planned, Vec<Finding>>> = sources
        .par_iter()
        .map_init(CarrierTexts::default, |texts, source| convert(texts, source, request.options))
        .collect();
    let mut documents = Vec::with_capacity(converted.len());
    for converted in converted {
        match converted {
            Ok(planned) => documents.push(planned),
            Err(said) => findings.extend(said),
        }
    }
    let mut beside = Beside::of(&real_root, request.options);
    findings.extend(documents.iter().filter_map(|planned| unread(planned, &real_root, &mut beside)));
    if findings.iter().any(Finding::is_error) {
        documents.clear();
    }
    Plan { documents, findings }
}

/// A document that no walk would find where it finds its source: the Spec would be lost with the source.
fn unread(planned: &Planned, real_root: &Path, beside: &mut Beside<'_>) -> Option<Finding> {
    let target = planned.target.strip_prefix(real_root).ok().and_then(slashed)?;
    let why = beside.left_out(&target, &planned.source)?;
    let message = format!("the Markdown target would not be read: the path {why}");
    let help = "let the excludes and the `.gitignore` files spare this path, or keep the carrier in TypeScript";
    Some(Finding::error(FindingId::ImportRefusal, message).at(&target, None).with_help(help))
}

/// A carrier to convert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    /// Its path without links.
    pub(super) real: PathBuf,
    /// Its name in findings.
    pub(super) name: String,
}

/// A plan before its sources are read.
struct Planning<'r> {
    root: &'r Path,
    /// The root without links.
    real_root: PathBuf,
    /// Folders that were named: below the root by their root-relative path, and others.
    inside: Vec<String>,
    outside: Vec<PathBuf>,
    sources: Vec<Source>,
    findings: Vec<Finding>,
}

impl<'r> Planning<'r> {
    fn of(request: &Request<'r>) -> Self {
        let root = request.root;
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let (inside, outside, sources, findings) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Planning { root, real_root, inside, outside, sources, findings }
    }

    /// Takes a path that the user named: a carrier, or a folder. A link to a folder is followed here, because it was named.
    fn name(&mut self, path: &Path) {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) => return self.refuse(path, &format!("the path cannot be read: {}", error.kind())),
        };
        if metadata.is_dir() || (metadata.is_symlink() && path.is_dir()) {
            return self.name_folder(path);
        }
        if !path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(SOURCE)) {
            let message = "the explicitly requested import file must end with .sdp.ts";
            let finding = Finding::error(FindingId::InvalidSourcePath, message);
            return self.findings.push(finding.at(self.shown(path), None));
        }
        if metadata.is_symlink() {
            let finding = Finding::error(FindingId::UnreadableCarrier, "a symbolic link is not read as a carrier")
                .with_help("name the file to which the link leads");
            return self.findings.push(finding.at(self.shown(path), None));
        }
        if !metadata.is_file() {
            return self.refuse(path, "a pipe, socket or device is not read as a carrier");
        }
        // Only the folders above may be links.
        let folder = path.parent().map(Path::canonicalize);
        match (folder, path.file_name()) {
            (Some(Ok(folder)), Some(name)) => self.source(folder.join(name)),
            (Some(Err(error)), _) => self.refuse(path, &format!("the path cannot be read: {}", error.kind())),
            _ => self.refuse(path, "the path cannot be read"),
        }
    }

    fn name_folder(&mut self, path: &Path) {
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) => return self.refuse(path, &format!("the folder cannot be read: {}", error.kind())),
        };
        let inside = real.strip_prefix(&self.real_root).ok().and_then(slashed);
        match inside {
            Some(inside) if !self.inside.contains(&inside) => self.inside.push(inside),
            None if !self.outside.contains(&real) => self.outside.push(real),
            Some(_) | None => {}
        }
    }

    fn source(&mut self, real: PathBuf) {
        if real.to_str().is_none() {
            self.findings.push(discover::path_not_utf8().at(self.shown(&real), None));
            return;
        }
        let name = self.shown(&real);
        self.sources.push(Source { real, name });
    }

    fn refuse(&mut self, path: &Path, message: &str) {
        self.findings.push(Finding::error(FindingId::UnreadableCarrier, message).at(self.shown(path), None));
    }

    /// A path as findings name it; with replacement characters where it is not UTF-8.
    fn shown(&self, path: &Path) -> String {
        let below = path.strip_prefix(&self.real_root).or_else(|_| path.strip_prefix(self.root)).ok();
        match below.and_then(segments) {
            Some(below) if below.is_empty() => ".".to_owned(),
            Some(below) => below.iter().map(|name| name.to_string_lossy()).collect::<Vec<_>>().join("/"),
            None => path.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/"),
        }
    }

    /// Finds the carriers in the folders that were named.
    fn scan(&mut self, options: &DiscoverOptions) {
        let inside = std::mem::take(&mut self.inside);
        let mut alone = std::mem::take(&mut self.outside);
        if !inside.is_empty() {
            let Scan { carriers, entered, findings } =
                discover::scan(&self.real_root, &inside, CarrierForm::TypeScript, options);
            self.findings.extend(findings);
            for folder in &inside {
                let real = discover::in_root(&self.real_root, folder);
                if !entered.contains(folder) {
                    // No walk of the root comes here; the user does.
                    alone.push(real);
                } else if !carriers.iter().any(|path| discover::lies_in(path, folder)) {
                    self.has_none(&real);
                }
            }
            let found = carriers.iter().map(|path| discover::in_root(&self.real_root, path));
            found.collect::<Vec<_>>().into_iter().for_each(|real| self.source(real));
        }
        // Excludes are paths below the root and mean nothing from here.
        let options = DiscoverOptions { exclude: Vec::new(), ..options.clone() };
        for folder in alone {
            let Scan { carriers, findings, .. } =
                discover::scan(&folder, &[String::new()], CarrierForm::TypeScript, &options);
            for mut finding in findings {
                finding.file = finding.file.map(|file| self.shown(&discover::in_root(&folder, &file)));
                self.findings.push(finding);
            }
            if carriers.is_empty() {
                self.has_none(&folder);
            }
            carriers.iter().for_each(|path| self.source(discover::in_root(&folder, path)));
        }
    }

    fn has_none(&mut self, folder: &Path) {
        let message = "the requested import path contains no .sdp.ts carrier";
        self.findings.push(Finding::warning(FindingId::NoSources, message).at(self.shown(folder), None));
    }

    /// The sources in their order, each once.
    fn sorted(mut self) -> Self {
        self.sources.sort_by(|left, right| by_code_units(&left.real.to_string_lossy(), &right.real.to_string_lossy()));
        self.sources.dedup();
        let mut seen: HashMap<(u64, u64), String> = HashMap::new();
        let Planning { sources, findings, .. } = &mut self;
        sources.retain(|source| {
            // One that cannot be asked for is refused when it is read.
            let Some(identity) = fs::symlink_metadata(&source.real).ok().and_then(|metadata| identity(&metadata))
            else {
                return true;
            };
            let Some(first) = seen.get(&identity) else {
                seen.insert(identity, source.name.clone());
                return true;
            };
            let message = format!("it is the file `{first}` under another name, and is converted under that one");
            findings.push(Finding::warning(FindingId::SkippedCarrier, message).at(source.name.clone(), None));
            false
        });
        self
    }
}

/// A relative path with `/`; none where it is not UTF-8 or climbs.
fn slashed(path: &Path) -> Option<String> {
    let names = segments(path)?.into_iter().map(OsStr::to_str);
    names.collect::<Option<Vec<_>>>().map(|names| names.join("/"))
}

/// The names of a relative path; none where it climbs.
fn segments(path: &Path) -> Option<Vec<&OsStr>> {
    let names = path.components().map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    names.collect()
}

/// What a file is one and the same by, where the system tells.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino())).filter(|(_, inode)| *inode != 0)
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<(u64, u64)> {
    None
}

fn convert(texts: &mut CarrierTexts, source: &Source, options: &DiscoverOptions) -> Result<Planned, Vec<Finding>> {
    let read = read(texts, source, options).map_err(|finding| vec![finding])?;
    planned(read, source)
}

/// The document of what a carrier gave, or why there is none.
pub(super) fn planned(read: carrier::Read, source: &Source) -> Result<Planned, Vec<Finding>> {
    let Source { real, name } = source;
    if !read.findings.is_empty() {
        let mut findings = read.findings;
        findings.push(Finding::error(FindingId::ImportRefusal, "the TypeScript carrier was refused").at(name, None));
        return Err(findings);
    }
    let spec = only_spec(&read.documents, name)?;
    let target_name = format!("{}{TARGET}", name.strip_suffix(SOURCE).unwrap_or(name));
    let text = emit::markdown(&target_name, spec).map_err(|unfaithful| vec![unsupported(&unfaithful, spec, name)])?;
    let file = real.to_string_lossy();
    let target = PathBuf::from(format!("{}{TARGET}", file.strip_suffix(SOURCE).unwrap_or(&file)));
    match fs::symlink_metadata(&target) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Planned { source: name.clone(), target, text }),
        Ok(_) => {
            let message = "the Markdown target already exists and will not be overwritten";
            Err(vec![Finding::error(FindingId::TargetExists, message).at(target_name, None)])
        }
        Err(error) => {
            let message = format!("the Markdown target cannot be looked at: {}", error.kind());
            Err(vec![Finding::error(FindingId::UnreadableCarrier, message).at(target_name, None)])
        }
    }
}

#[expect(clippy::result_large_err, reason = "made once for a carrier that cannot be read, and moved into a list")]
fn read(texts: &mut CarrierTexts, source: &Source, options: &DiscoverOptions) -> Result<carrier::Read, Finding> {
    let Source { real, name } = source;
    let folder = real.parent().unwrap_or(Path::new(""));
    let own_name = real.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let file = CarrierFile { path: own_name, form: CarrierForm::TypeScript };
    match texts.read(folder, &file) {
        Ok(text) => Ok(typescript::read(name, &text, &options.modules)),
        Err(mut finding) => {
            finding.file = Some(name.clone());
            Err(finding)
        }
    }
}

/// The one Spec of a carrier that holds nothing else.
fn only_spec<'d>(documents: &'d [Document], name: &str) -> Result<&'d SpecDocument, Vec<Finding>> {
    let (mut specs, mut packs): (Vec<&SpecDocument>, Vec<&PackDocument>) = (Vec::new(), Vec::new());
    for document in documents {
        match document {
            Document::Spec(spec) => specs.push(spec),
            Document::Pack(pack) => packs.push(pack),
            Document::Anchor(_) => {}
        }
    }
    let mut findings = Vec::new();
    if let Some(pack) = packs.first() {
        let message = "`sdp import` converts Spec carriers; Pack manifests are out of scope — the TypeScript manifest stays a lawful per-ID option";
        findings.push(Finding::error(FindingId::PackUnsupported, message).about(&pack.id).at(name, pack.line));
    }
    if let Some(second) = specs.get(1) {
        let message = "the TypeScript carrier reifies more than one Spec";
        let finding = Finding::error(FindingId::UnsupportedConstruct, message)
            .with_help("give each Spec a file of its own: a Markdown carrier holds one")
            .about(&second.id);
        findings.push(finding.at(name, second.line));
    }
    match specs.first() {
        Some(spec) if findings.is_empty() => return Ok(spec),
        None if findings.is_empty() => {
            let message = "the TypeScript carrier contains no Specs or Packs";
            findings.push(Finding::error(FindingId::EmptyImport, message).at(name, None));
        }
        _ => {}
    }
    Err(findings)
}

fn unsupported(unfaithful: &Unfaithful, spec: &SpecDocument, name: &str) -> Finding {
    let Unfaithful { path, reason, .. } = unfaithful;
    let message =
        format!("the TypeScript carrier cannot emit faithful Markdown: first divergent path: {path} ({reason})");
    let finding = Finding::error(FindingId::UnsupportedConstruct, message).at(name, spec.line).about(&spec.id);
    match unfaithful.field() {
        Some(field) => finding
            .with_help(format!("change `{field}` so that Markdown can hold it, or keep the carrier in TypeScript"))
            .in_field(field),
        None => finding,
    }
}
