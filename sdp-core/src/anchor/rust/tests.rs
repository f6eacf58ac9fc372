use super::*;

mod arguments;
mod hostile;
mod places;
mod prefilter;
mod real;
mod resolution;
mod symbols;

/// The library of the package `shop`, which knows the crate as `sdp`; the file is the module `orders`.
fn place() -> FilePlace {
    FilePlace {
        package: Some("shop".to_owned()),
        target: None,
        modules: vec!["orders".to_owned()],
        crate_names: vec!["sdp".to_owned()],
    }
}

/// What a file gives: each anchor as `line id type:line target…`, then each finding in its line form.
fn told(text: &str, place: &FilePlace) -> Vec<String> {
    let Read { anchors, findings, .. } = read("a.rs", text, place);
    let anchors = anchors.into_iter().map(|anchor| {
        let mut told = format!("{} {}", anchor.line, anchor.id);
        for binding in anchor.bindings {
            told.push_str(&format!(" {}:{} {}", binding.edge_type, binding.line, binding.target));
        }
        if let Some(symbol) = anchor.symbol {
            told.push_str(&format!(" {:?} {}", symbol.covers, symbol.name));
        }
        told
    });
    anchors.chain(findings.iter().map(Finding::line_form)).collect()
}

/// The ids of the anchors of a file in which nothing is wrong.
fn ids(text: &str) -> Vec<String> {
    let Read { anchors, findings, .. } = read("a.rs", text, &place());
    assert_eq!(findings, [], "{text}");
    anchors.into_iter().map(|anchor| anchor.id).collect()
}

/// The ids of the findings of a file that holds no anchor.
fn findings(text: &str) -> Vec<&'static str> {
    let Read { anchors, findings, .. } = read("a.rs", text, &place());
    assert_eq!(anchors, [], "{text}");
    findings.iter().map(|finding| finding.id.as_str()).collect()
}
