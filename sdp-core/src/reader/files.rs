//! From files into the graph: paths come in, what stands there and what a change of it reaches goes out, each with its
//! reason. It reads no file, and says of a path that the graph does not know only that it is unknown.

use hashbrown::{HashMap, HashSet};

use super::{
    AtRisk, BlastRadius, FileAnswer, FileNode, Impact, ImpactReason, Reader, RiskReason, ThroughBinding, UnlinkedUnit,
    positions,
};
use crate::graph::{Edge, Node};
use crate::order::by_code_units;

impl Reader {
    /// What stands in a file, and the Specs authored there or bound from there. A leading `./` is dropped.
    #[must_use]
    pub fn by_file(&self, path: &str) -> FileAnswer {
        let path = root_relative(path);
        let mut specs: Vec<&str> = Vec::new();
        for node in self.nodes_in(path) {
            match node {
                Node::Spec(spec) => specs.push(&spec.id),
                Node::Pack(_) => {}
                Node::Anchor(_) | Node::Code(_) => specs.extend(self.bound(node.id()).map(|edge| edge.to.as_str())),
            }
        }
        specs.sort_by(|left, right| by_code_units(left, right));
        specs.dedup();
        let nodes = self
            .nodes_in(path)
            .map(|node| FileNode { id: node.id().to_owned(), node_type: node.node_type(), line: node.line() })
            .collect();
        FileAnswer { path: path.to_owned(), nodes, specs: specs.into_iter().map(str::to_owned).collect() }
    }

    /// What a change of files reaches: the Specs and Packs authored there, the Specs bound from there, and their neighbours
    /// one edge away. A leading `./` of a path is dropped.
    #[must_use]
    #[sdp::satisfies("spec:sdp.reader.blast-radius", component = "component:sdp.reader")]
    pub fn blast_radius(&self, files: &[impl AsRef<str>]) -> BlastRadius {
        let mut changed: Vec<&str> = files.iter().map(|file| root_relative(file.as_ref())).collect();
        changed.sort_by(|left, right| by_code_units(left, right));
        changed.dedup();

        let mut specs = Impacts::default();
        let mut packs = Impacts::default();
        let mut unknown = Vec::new();
        let mut unlinked = Vec::new();
        for file in &changed {
            let mut known = false;
            for node in self.nodes_in(file) {
                known = true;
                match node {
                    Node::Spec(spec) => specs.add(&spec.id, file, None),
                    Node::Pack(pack) => packs.add(&pack.id, file, None),
                    Node::Anchor(_) | Node::Code(_) => {
                        let mut bound = self.bound(node.id()).peekable();
                        if bound.peek().is_none() && node.as_code().is_some() {
                            unlinked.push(UnlinkedUnit { file: (*file).to_owned(), id: node.id().to_owned() });
                        }
                        for edge in bound {
                            specs.add(&edge.to, file, Some(edge));
                        }
                    }
                }
            }
            if !known {
                unknown.push((*file).to_owned());
            }
        }
        BlastRadius {
            at_risk: self.at_risk(&specs, &packs, &changed.iter().copied().collect()),
            impacted_specs: specs.sorted(),
            impacted_packs: packs.sorted(),
            coverage_unknown: unknown,
            unlinked,
            changed_files: changed.into_iter().map(str::to_owned).collect(),
        }
    }

    fn at_risk(&self, specs: &Impacts<'_>, packs: &Impacts<'_>, changed: &HashSet<&str>) -> Vec<AtRisk> {
        let impacted: HashSet<&str> = specs.reasons.keys().chain(packs.reasons.keys()).copied().collect();
        let mut reasons: HashMap<&str, Vec<&Edge>> = HashMap::new();
        for id in &impacted {
            let outward = self.index.edges_from(&self.graph, id).map(|edge| (edge.to.as_str(), edge));
            let inward = self.index.edges_to(&self.graph, id).map(|edge| (edge.from.as_str(), edge));
            for (other, edge) in outward.chain(inward).filter(|(other, _)| !impacted.contains(other)) {
                reasons.entry(other).or_default().push(edge);
            }
        }
        let mut at_risk: Vec<AtRisk> = reasons
            .into_iter()
            .filter_map(|(id, mut edges)| {
                let node = self.index.node(&self.graph, id).filter(|node| !changed.contains(node.file()))?;
                edges.sort_by(|left, right| left.order(right));
                Some(AtRisk {
                    id: id.to_owned(),
                    node_type: node.node_type(),
                    title: node.title().map(str::to_owned),
                    reasons: edges.into_iter().map(risk).collect(),
                })
            })
            .collect();
        at_risk.sort_by(|left, right| by_code_units(&left.id, &right.id));
        at_risk
    }

    /// The nodes of a file, by id.
    fn nodes_in<'r>(&'r self, path: &str) -> impl Iterator<Item = &'r Node> {
        let nodes_in = self.nodes_in.get_or_init(|| positions(self.graph.nodes.iter().map(|node| [Some(node.file())])));
        let here = nodes_in.get(path).map_or(&[][..], Vec::as_slice);
        here.iter().filter_map(|at| self.graph.nodes.get(*at as usize))
    }
}

/// A path as the graph writes it.
fn root_relative(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

fn risk(edge: &Edge) -> RiskReason {
    RiskReason { from: edge.from.clone(), edge_type: edge.edge_type, to: edge.to.clone(), claim: edge.claim }
}

/// What a change reaches: by id the changed file, and the binding in it where there is one.
#[derive(Default)]
struct Impacts<'r> {
    reasons: HashMap<&'r str, Vec<(&'r str, Option<&'r Edge>)>>,
}

impl<'r> Impacts<'r> {
    fn add(&mut self, id: &'r str, file: &'r str, through: Option<&'r Edge>) {
        self.reasons.entry(id).or_default().push((file, through));
    }

    fn sorted(self) -> Vec<Impact> {
        let mut impacts: Vec<Impact> = self.reasons.into_iter().map(|(id, reasons)| impact(id, reasons)).collect();
        impacts.sort_by(|left, right| by_code_units(&left.id, &right.id));
        impacts
    }
}

fn impact<'r>(id: &str, mut reasons: Vec<(&'r str, Option<&'r Edge>)>) -> Impact {
    fn binding(through: Option<&Edge>) -> &str {
        through.map_or("", |edge| &edge.from)
    }
    reasons.sort_by(|(left_file, left), (right_file, right)| {
        by_code_units(left_file, right_file)
            .then_with(|| by_code_units(binding(*left), binding(*right)))
            .then_with(|| left.map(|edge| edge.edge_type.as_str()).cmp(&right.map(|edge| edge.edge_type.as_str())))
    });
    let reasons = reasons
        .into_iter()
        .map(|(file, through)| ImpactReason {
            file: file.to_owned(),
            through_binding: through.map(|edge| ThroughBinding {
                id: edge.from.clone(),
                edge_type: edge.edge_type,
                claim: edge.claim,
            }),
        })
        .collect();
    Impact { id: id.to_owned(), reasons }
}
