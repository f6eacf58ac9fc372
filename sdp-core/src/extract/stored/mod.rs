//! An extraction as bytes: an extraction before the overrides of a run comes in, its bytes go out, and come back as the same extraction.
//! The form is this build's own and nobody else's: whoever keeps the bytes keeps what build wrote them, too.
//!
//! Any bytes are read without harm: they give an extraction or an error. What is held for them grows with what they hold, and only the
//! values of open bags nest, as deep as a carrier may nest them.

mod form;
mod shapes;
#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use thiserror::Error;

use self::form::{Input, Stored};
use super::{Extraction, Places};
use crate::contract::Contract;
use crate::derive::Spot;
use crate::finding::Finding;
use crate::graph::{Edge, Graph, LocationRow, Node, SCHEMA_VERSION};
use crate::severity::Severities;

/// Bytes that are no stored extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the bytes are no stored extraction of this build")]
pub struct NotStored;

impl Extraction {
    /// The extraction as bytes, for [`Extraction::from_bytes`]. None for one under the overrides of a run: they are not kept.
    #[must_use]
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        if self.severities != Severities::default() {
            return None;
        }
        let counts = [self.carrier_count, self.spec_count, self.pack_count, self.anchor_count];
        let mut bytes = Vec::new();
        for count in counts {
            u64::try_from(count).ok()?.store(&mut bytes);
        }
        self.has_holes.store(&mut bytes);
        self.findings.store(&mut bytes);
        form::store_all(&self.contracts, &mut bytes);
        // The largest parts open with their lengths, so that they can be read side by side.
        form::part(&self.graph.nodes, &mut bytes);
        form::part(&self.graph.edges, &mut bytes);
        form::part(&self.graph.locations, &mut bytes);
        form::part(&self.places.spots, &mut bytes);
        Some(bytes)
    }

    /// The extraction of a root that some bytes hold.
    ///
    /// # Errors
    /// Bytes that [`Extraction::to_bytes`] of this build did not give.
    pub fn from_bytes(root: &Path, bytes: &[u8]) -> Result<Extraction, NotStored> {
        let mut input = Input::new(bytes);
        let mut count = || usize::try_from(u64::load(&mut input)?).map_err(|_| NotStored);
        let (carrier_count, spec_count, pack_count, anchor_count) = (count()?, count()?, count()?, count()?);
        let has_holes = bool::load(&mut input)?;
        let findings = Vec::<Finding>::load(&mut input)?;
        let contracts = Vec::<Contract>::load(&mut input)?.into();
        let (nodes, edges, locations, spots) = (input.part()?, input.part()?, input.part()?, input.part()?);
        input.end()?;
        let (nodes, (edges, rest)) = rayon::join(
            || nodes.whole::<Vec<Node>>(),
            || (edges.whole::<Vec<Edge>>(), (locations.whole::<Vec<LocationRow>>(), spots.whole::<Vec<Spot>>())),
        );
        let (nodes, edges, locations, spots) = (nodes?, edges?, rest.0?, rest.1?);
        if spots.len() != nodes.len() {
            return Err(NotStored);
        }
        Ok(Extraction {
            graph: Arc::new(Graph { schema_version: SCHEMA_VERSION, nodes, edges, locations }),
            findings,
            contracts,
            carrier_count,
            spec_count,
            pack_count,
            anchor_count,
            root: root.to_owned(),
            sought_in: Mutex::new(None),
            places: Places { by_id: OnceLock::new(), spots },
            has_holes,
            severities: Severities::default(),
            judged: None,
            index: OnceLock::new(),
        })
    }
}

/// Findings as bytes: equal findings give equal bytes, and others give others.
#[must_use]
pub fn findings_to_bytes(findings: &[Finding]) -> Vec<u8> {
    let mut bytes = Vec::new();
    form::store_all(findings, &mut bytes);
    bytes
}
