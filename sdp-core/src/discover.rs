//! stub until the real one lands
use std::path::Path;
use crate::carrier::CarrierForm;
use crate::finding::Finding;
/// o
#[derive(Debug, Default)]
pub struct DiscoverOptions {
    /// e
    pub exclude: Vec<String>,
}
/// c
#[derive(Debug)]
pub struct CarrierFile {
    /// p
    pub path: String,
    /// f
    pub form: CarrierForm,
}
/// d
#[derive(Debug)]
pub struct Discovery {
    /// c
    pub carriers: Vec<CarrierFile>,
    /// f
    pub findings: Vec<Finding>,
}
/// w
pub fn walk(_root: &Path, _o: &DiscoverOptions) -> Discovery { Discovery { carriers: vec![], findings: vec![] } }
/// r
pub fn read_text(root: &Path, file: &CarrierFile) -> Result<String, Finding> { Ok(std::fs::read_to_string(root.join(&file.path)).unwrap_or_default()) }
