//! What an attribute may state.

use super::*;

fn refused(attribute: &str) -> Vec<String> {
    let told = told(&format!("#[sdp::{attribute}]\nfn a() {{}}"), &place());
    told.iter().map(|line| line.strip_prefix("a.rs:").unwrap_or(line).to_owned()).collect()
}

#[test]
fn every_field_is_read() {
    let text = "#[sdp::component(\"spec:a\", id = \"component:x\", label = \"A \\u{e9}\", references = \"spec:b\", uses = [\"impl:c\", r\"api:d\",], component = \"component:y\", role = \"store\", layer = \"domain\", context = \"sales\")] fn a() {}";
    let Read { anchors, findings, .. } = read("a.rs", text, &place());
    assert_eq!(findings, []);
    let anchor = &anchors[0];
    let targets: Vec<&str> = anchor.bindings.iter().map(|binding| binding.target.as_str()).collect();
    assert_eq!(targets, ["spec:a", "component:y", "impl:c", "api:d", "spec:b"]);
    assert_eq!((anchor.id.as_str(), anchor.label.as_deref()), ("component:x", Some("A é")));
    assert_eq!((anchor.role.as_deref(), anchor.layer.as_deref()), (Some("store"), Some("domain")));
    assert_eq!(anchor.context.as_deref(), Some("sales"));
}

#[test]
fn what_is_no_binding_is_refused_in_the_words_of_the_envelope() {
    let code = "(id · satisfies · label · component · uses · references · role · layer · context) — an anchor asserts a binding only, never system-truth content";
    let envelope = "1 — [error] extract/non-static-envelope — ";
    let cases: Vec<(&str, String)> = vec![
        ("verifies", format!("{envelope}anchor field \"verifies\" must name at least one target when present")),
        ("satisfies(label = \"x\")", format!("{envelope}anchor field \"satisfies\" must name at least one target when present")),
        ("models", format!("{envelope}anchor field \"models\" is missing — the binding cannot be constructed without it")),
        ("models(\"spec:a\", \"spec:b\")", format!("{envelope}anchor field \"models\" names more than one target; exactly one is required")),
        ("anchor(\"spec:a\")", format!("{envelope}`anchor` takes no Spec ids")),
        ("satisfies(satisfies = \"spec:a\")", format!("{envelope}\"satisfies\" is no named argument of `satisfies`")),
        ("satisfies(\"spec:a\", owner = \"x\")", format!("{envelope}anchor field \"owner\" is outside the binding contract {code}")),
        ("verifies(\"spec:a\", role = \"x\")", format!("{envelope}anchor field \"role\" is outside the binding contract (id · verifies · label) — an anchor asserts a binding only, never system-truth content")),
        ("satisfies(concat!(\"spec:\", \"a\"))", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is a macro")),
        ("satisfies(A)", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is code")),
        ("satisfies(b\"spec:a\")", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is a byte string")),
        ("satisfies(\"spec:a\"x)", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is a string with a suffix")),
        ("satisfies([\"spec:a\"])", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is a list")),
        ("satisfies(\"spec:a\", role = [\"x\"])", format!("{envelope}anchor field \"role\" did not reify: one string must stand here, and this is a list")),
        ("satisfies(\"spec:a\", role =)", format!("{envelope}anchor field \"role\" did not reify: it has no value")),
        ("satisfies(\"spec:a\" \"spec:b\")", format!("{envelope}anchor field \"satisfies\" did not reify: a string must stand here, and this is code")),
        ("satisfies(, \"spec:a\")", format!("{envelope}nothing stands before this comma")),
        ("satisfies = \"spec:a\"", format!("{envelope}`satisfies` takes its arguments in parentheses")),
        ("verifies(\"spec:a\", id = \"impl:a\")", "1 — [error] extract/invalid-id — anchor field \"id\" did not reify: id \"impl:a\" carries namespace \"impl\" where \"test\" is required".to_owned()),
        ("satisfies(\"spec:a\", id = \"test:a\")", "1 — [error] extract/invalid-id — anchor field \"id\" did not reify: id \"test:a\" carries namespace \"test\" where one of \"impl\" · \"api\" · \"component\" is required".to_owned()),
        ("satisfies(\"spec:a_b\")", "1 — [error] extract/invalid-id — anchor field \"satisfies\" did not reify: Invalid ID \"spec:a_b\": invalid path segment".to_owned()),
        ("anchor(layer = \"edge\")", format!("{envelope}anchor field \"layer\" belongs to a component: anchor only; \"impl:shop.orders.a\" declares no component")),
        ("anchor(uses = [])", "1 — [error] conformance/structural-anchors — anchor field \"uses\" must be non-empty when present".to_owned()),
    ];
    for (attribute, finding) in cases {
        assert_eq!(refused(attribute)[0], finding, "{attribute}");
    }
}

#[test]
fn a_refused_attribute_leaves_its_siblings() {
    let text = "#[sdp::satisfies(\"spec:a\")]\n#[sdp::satisfies(A)]\nfn a() {}\n#[sdp::anchor]\nfn b() {}";
    let told = told(text, &place());
    assert_eq!(told[..2], ["1 impl:shop.orders.a satisfies:1 spec:a", "4 impl:shop.orders.b"]);
    assert_eq!(told.len(), 3);
}

#[test]
fn a_misspelt_argument_is_told_the_near_one() {
    let Read { findings, .. } = read("a.rs", "#[sdp::anchor(refernces = \"spec:a\")] fn a() {}", &place());
    assert_eq!(findings[0].remedy(), "did you mean `references`?");
}

#[test]
fn every_target_that_is_too_much_is_told() {
    let too_many = |line: u32| {
        format!(
            "{line} — [error] extract/non-static-envelope — anchor field \"models\" names more than one target; exactly one is required"
        )
    };
    assert_eq!(refused("models(\"spec:a\",\n\"spec:b\",\n\"spec:c\")"), [too_many(2), too_many(3)]);
    let takes_none = |line: u32| format!("{line} — [error] extract/non-static-envelope — `anchor` takes no Spec ids");
    assert_eq!(refused("anchor(\"spec:a\",\nSPEC)"), [takes_none(1), takes_none(2)]);
}

#[test]
fn one_wrong_argument_hides_no_other() {
    let told = refused("satisfies(SPEC,\n\"b\", role = \"R\",\nlable = 1, uses = [A,\n\"impl:a_b\"], label =)");
    let expected = [
        "1 — [error] extract/non-static-envelope — anchor field \"satisfies\" did not reify: a string must stand here, and this is code",
        "3 — [error] extract/non-static-envelope — anchor field \"lable\" is outside the binding contract (id · satisfies · label · component · uses · references · role · layer · context) — an anchor asserts a binding only, never system-truth content",
        "3 — [error] extract/non-static-envelope — anchor field \"uses\" did not reify: a string must stand here, and this is code",
        "4 — [error] extract/non-static-envelope — anchor field \"label\" did not reify: it has no value",
        "2 — [error] extract/invalid-id — anchor field \"satisfies[1]\" did not reify: Invalid ID \"b\": missing namespace",
        "4 — [error] extract/invalid-id — anchor field \"uses[1]\" did not reify: Invalid ID \"impl:a_b\": invalid path segment",
        "2 — [error] extract/non-static-envelope — anchor field \"role\" reified to \"R\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
    ];
    assert_eq!(told, expected);
}

#[test]
fn one_wrong_argument_makes_no_other_wrong() {
    for attribute in [
        "satisfies(A, B, references = [A, B], uses = [A, B], component = 1, role = 1)",
        "component(id = A, layer = 1, context = 1, label = 1)",
        "satisfies(\"spec:a\", id = \"test:a\", layer = \"edge\", context = \"sales\")",
        "verifies(A)",
        "models(A)",
        "verifies(verifies = \"spec:a\")",
        "models(models = [\"spec:a\"])",
        "verifies(\"spec:a\", id = \"impl:a\")",
        "models(\"spec:a\", id = [])",
        "satisfies = \"spec:a\"",
        "anchor = \"spec:a\"",
    ] {
        let refusals = [
            "a string must stand here",
            "one string must stand here",
            "is no named argument",
            "carries namespace",
            "takes its arguments in parentheses",
        ];
        for told in refused(attribute) {
            assert!(refusals.iter().any(|refusal| told.contains(refusal)), "{attribute}: {told}");
        }
    }
    assert_eq!(refused("satisfies(A, B, references = [A, B], uses = [A, B], component = 1, role = 1)").len(), 8);
}

#[test]
fn what_stands_for_a_refused_id_is_never_told() {
    let text = "#[sdp::verifies(\"spec:a\", \"spec:a\", id = A)] fn a() {}";
    let Read { anchors, findings, .. } = read("a.rs", text, &place());
    assert_eq!(anchors, []);
    let subjects: Vec<_> = findings.iter().map(|finding| finding.subject.as_deref()).collect();
    assert_eq!(subjects, [None, None]);
}
