//! Every requirement link of an evaluation contract that is of scheme `sdp` names a Spec, or an entry of one. The contracts of the root come in
//! with the graph; an error for each link that does not resolve goes out, at the line of its `id`. A link to a Spec of any rung is well, as
//! a mention is.

use std::collections::BTreeSet;

use hashbrown::HashMap;

use super::meant::meant;
use super::prose_mentions::{Entries, entries_of, entry_help};
use crate::contract::{Contract, ContractLink};
use crate::finding::{Finding, FindingId};
use crate::graph::{Graph, Index, Node};
use crate::harmless::{one_line, shown};
use crate::model::parse_id;

/// How much text the findings of one contract hold before the rest is only counted, in bytes.
const MAX_TEXT: usize = 1 << 20;

/// How many characters of an id a finding shows that no Spec can have.
const MAX_SHOWN: usize = 80;

#[sdp::satisfies("spec:sdp.eval.requirement-links", component = "component:sdp.checks")]
pub(super) fn check(graph: &Graph, index: &Index, contracts: &[Contract], findings: &mut Vec<Finding>) {
    let mut entries: HashMap<&str, Entries<'_>> = HashMap::new();
    let mut missing = Vec::new();
    for contract in contracts {
        let (mut bytes, mut left_out) = (0, 0);
        for link in &contract.links {
            let Some((finding, is_missing)) = judged(graph, index, contract, link, &mut entries) else { continue };
            if bytes > MAX_TEXT {
                left_out += 1;
                continue;
            }
            bytes += finding.message.len() + link.id.len() + link.behavior.len() + contract.file.len();
            if is_missing { &mut missing } else { &mut *findings }.push(finding);
        }
        if left_out > 0 {
            let message =
                format!("The contract has {left_out} more findings about links, which are said when these are mended.");
            let finding = Finding::left_out(FindingId::ContractLink, message);
            findings.push(finding.about(&contract.file).at(&contract.file, None));
        }
    }
    let wanted: BTreeSet<&str> = missing.iter().filter_map(missing_target).collect();
    let meant = meant(graph.nodes.iter().filter_map(Node::as_spec).map(|spec| spec.id.as_str()), wanted);
    let meant: Vec<Option<&str>> = missing.iter().map(|finding| meant.get(missing_target(finding)?).copied()).collect();
    findings.extend(missing.into_iter().zip(meant).map(|(mut finding, meant)| {
        if let Some(id) = meant {
            finding.message.push_str(&format!(" Did you mean \"{id}\"?"));
        }
        finding
    }));
}

/// The faults of contracts, each of which keeps links from being judged.
pub(super) fn unreadable(_: &Graph, _: &Index, contracts: &[Contract], findings: &mut Vec<Finding>) {
    findings.extend(contracts.iter().flat_map(|contract| &contract.faults).cloned());
}

/// The Spec that a link misses: its id without the address.
fn missing_target(finding: &Finding) -> Option<&str> {
    finding.related.as_deref()?.split('#').next()
}

/// What is wrong with a link, and whether its target is missing, so that another one may be meant.
fn judged<'g>(
    graph: &'g Graph,
    index: &Index,
    contract: &Contract,
    link: &ContractLink,
    entries: &mut HashMap<&'g str, Entries<'g>>,
) -> Option<(Finding, bool)> {
    let ContractLink { behavior, id, line } = link;
    let error = |named: &str, message: String| {
        Finding::error(FindingId::ContractLink, message)
            .about(&contract.file)
            .naming(named)
            .in_field(behavior)
            .at(&contract.file, *line)
    };
    let reason = match parse_id(id) {
        Ok(parsed) if parsed.namespace == "spec" => Ok(parsed),
        Ok(_) => Err("its namespace is not \"spec\""),
        Err(refusal) => Err(refusal.reason),
    };
    let parsed = match reason {
        Ok(parsed) => parsed,
        Err(reason) => {
            let shown = one_line(&shown(id, MAX_SHOWN)).into_owned();
            let message =
                format!("Requirement link \"{shown}\" of {behavior} is not a Spec id or entry address: {reason}");
            let help = "write the id of a Spec, such as `spec:shop.refund`, or the address of an entry, such as `spec:shop.refund#rule.limit`; \
                        a link that leads elsewhere has another scheme than `sdp`";
            return Some((error(&shown, message).with_help(help), false));
        }
    };
    let target = id.split('#').next().unwrap_or(id);
    let Some(spec) = index.spec(graph, target) else {
        let message = format!("Requirement link of {behavior} points to missing target \"{id}\".");
        return Some((error(id, message), true));
    };
    let (section, key) = parsed.entry?;
    if entries.entry(&spec.id).or_insert_with(|| entries_of(spec)).contains(&(section, key)) {
        return None;
    }
    let message =
        format!("Requirement link of {behavior} points to missing entry \"{section}.{key}\" of \"{target}\".");
    Some((error(id, message).with_help(entry_help(section, &spec.file)), false))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract;
    use crate::testing::{bind, graph, spec};

    const BODY: &str = "## Intent\n- outcome: o\n\n### Open questions\n- [blocking #why] why?\n\n## Rule\n- [#limit] it holds\n\n## Design\n- description: d\n- own: v";

    fn said(ids: &[&str]) -> Vec<String> {
        let mut graph = graph(&[
            spec("spec:shop.refund rule idea", "", BODY),
            spec("spec:shop.orders rule idea", "", BODY),
            "---\nid: pack:p\nspecs:\n  - spec:shop.refund\n---\n# P\n".to_owned(),
        ]);
        bind(&mut graph, "impl:shop", "spec:shop.refund");
        let links: Vec<_> = ids.iter().map(|id| serde_json::json!({ "scheme": "sdp", "id": id })).collect();
        let text = serde_json::json!({ "behaviors": [{ "id": "B-1", "requirementLinks": links }] }).to_string();
        let mut findings = Vec::new();
        check(&graph, &Index::new(&graph), &[contract::read("c.json", &text)], &mut findings);
        for finding in &findings {
            assert_eq!(
                (finding.subject.as_deref(), finding.path.as_deref(), finding.line),
                (Some("c.json"), Some("behaviors[id=B-1]"), Some(1))
            );
        }
        findings.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn a_spec_or_an_own_entry_of_it_is_well() {
        let ids = [
            "spec:shop.refund",
            "spec:shop.refund#rule.limit",
            "spec:shop.orders#question.why",
            "spec:shop.orders#design.own",
        ];
        assert_eq!(said(&ids), Vec::<String>::new());
    }

    #[test]
    fn what_does_not_resolve_is_said() {
        let opening = "Requirement link of behaviors[id=B-1] points to missing";
        assert_eq!(
            said(&["spec:shop.refnd"]),
            [format!("{opening} target \"spec:shop.refnd\". Did you mean \"spec:shop.refund\"?")]
        );
        assert_eq!(
            said(&["spec:shop.refnd#rule.limit"]),
            [format!("{opening} target \"spec:shop.refnd#rule.limit\". Did you mean \"spec:shop.refund\"?")]
        );
        assert_eq!(said(&["spec:other"]), [format!("{opening} target \"spec:other\".")]);
        for entry in ["rule.why", "design.description", "ui.own"] {
            let id = format!("spec:shop.refund#{entry}");
            assert_eq!(said(&[&id]), [format!("{opening} entry \"{entry}\" of \"spec:shop.refund\".")]);
        }
        for (id, reason) in [
            ("", "missing namespace"),
            ("shop.refund", "missing namespace"),
            ("spec:shop refund", "whitespace is not allowed"),
            (
                "spec:shop.refund#limit",
                "entry address must be <section>.<key> with section design, ui, question, or rule",
            ),
            ("pack:p", "its namespace is not \"spec\""),
            ("impl:shop", "its namespace is not \"spec\""),
        ] {
            let expected =
                format!("Requirement link \"{id}\" of behaviors[id=B-1] is not a Spec id or entry address: {reason}");
            assert_eq!(said(&[id]), [expected]);
        }
    }

    #[test]
    fn more_text_than_a_mebibyte_is_counted() {
        let ids: Vec<String> = (0..30_000).map(|at| format!("spec:gone-{at}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let graph = graph(&[]);
        let links: Vec<_> = ids.iter().map(|id| serde_json::json!({ "scheme": "sdp", "id": id })).collect();
        let text = serde_json::json!({ "behaviors": [{ "id": "B-1", "requirementLinks": links }] }).to_string();
        let contract = contract::read("c.json", &text);
        let mut findings = Vec::new();
        check(&graph, &Index::new(&graph), &[contract], &mut findings);
        let left_out: Vec<&Finding> = findings.iter().filter(|one| one.id == FindingId::FindingsLeftOut).collect();
        assert_eq!(left_out.len(), 1);
        let rest = 30_000 - (findings.len() - 1);
        assert!(left_out[0].message.starts_with(&format!("The contract has {rest} more findings")), "{left_out:?}");
        assert!(left_out[0].is_of(FindingId::ContractLink) && findings.len() > 5_000);
    }
}
