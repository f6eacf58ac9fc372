use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::testing::{cli_contract, compiles, contract, mcp_contract, refused, set, typed};

/// Texts of each category, put together here so that no file looks as if it held one.
fn shaped() -> Vec<(&'static str, String)> {
    let long = "a1".repeat(18);
    vec![
        ("credentials", ["-----BEGIN ", "PRIVATE", " KEY-----"].concat()),
        ("credentials", ["key: -----BEGIN ", "OPENSSH PRIVATE", " KEY-----\nb3Bl"].concat()),
        ("credentials", ["-----BEGIN ", "PGP PRIVATE", " KEY BLOCK-----"].concat()),
        ("credentials", ["-----BEGIN X509 ", "PRIVATE", " KEY-----"].concat()),
        ("tokens", format!("Authorization: Bearer {long}")),
        ("tokens", "bearer\t abcdefgh.ijklm/=".to_owned()),
        ("tokens", ["see ey", "JhbGciOiJI.eyJzdWIiOiI.c2ln"].concat()),
        // At its shortest, and with a hyphen where one may stand.
        ("tokens", ["ey", "J12345678.abcd-fgh"].concat()),
        ("tokens", format!("sk-{}", "abcdefghijklmnopqrst")),
        // Sixteen in one word, or sixteen with a digit or a capital among them.
        ("tokens", format!("sk-{}", "abcdefghijklmnop")),
        ("tokens", format!("sk-{}", "abcdefgh-1234567")),
        ("tokens", format!("sk-{}", "abcdefgh-Abcdefg")),
        ("tokens", format!("use sk-proj-{long}")),
        ("tokens", format!("ghp_{long}")),
        ("tokens", format!("(ghs_{long})")),
        ("tokens", format!("github_pat_{long}_{long}")),
        ("tokens", format!("AKIA{}", "Z2".repeat(8))),
        ("email addresses", "write to ann.o+tag@mail.example.org.".to_owned()),
        ("email addresses", "\u{fc}@\u{fc}ber.de".to_owned()),
        ("account identifiers", ["DE", "89370400440532013000"].concat()),
        ("account identifiers", ["pay NO", "93 8601 1117 947."].concat()),
        ("account identifiers", ["NL", "91 ABNA 0417 1643 00 today"].concat()),
        // Eleven behind the first four, and ten digits in all.
        ("account identifiers", ["AB", "12 ABC1 1234 123"].concat()),
        // Thirty behind them, of which the last two make it digits enough.
        ("account identifiers", ["AB", "12 1ABC 2ABC 3ABC 4ABC 5ABC 6ABC 7ABC 12"].concat()),
        ("account identifiers", ["is 078", "-05-1120."].concat()),
        ("transaction content", ["card 4111 1111", " 1111 1111"].concat()),
        ("transaction content", ["4111-1111", "-1111 1111"].concat()),
    ]
}

#[test]
fn each_form_is_of_its_category() {
    for (name, text) in shaped() {
        assert_eq!(category(&text), Some(name), "{text}");
    }
}

#[test]
fn what_is_near_a_form_is_none() {
    let long = "a1".repeat(18);
    for text in [
        "",
        "-----BEGIN CERTIFICATE-----",
        "PRIVATE KEY",
        "The bearer authentication is on.",
        "Bearer",
        "forbearer abcdefghijklmnopqrstuvw",
        "eyJ0aXRsZSI6ImxhbXAifQ==",
        "bearerabcdefghijklmnopqrstuvw",
        "eyJhbGciOiJI.short",
        "eyJ1234567.abcdefgh",
        "task-abcdefghijklmnopqrstuvw1",
        "sk-is-a-prefix-of-keys",
        "sk-short1",
        "sk-abcdefgh-123456",
        "sk-abcdefghijklmno-p",
        &format!("xghp_{long}"),
        "ghp_short",
        "AKIAshort",
        "@/noteId",
        "name@host",
        "sdp@1.2.3",
        "a@.de",
        "a@b..de",
        "^[^@]+@[a-z]+\\.org$",
        "DE89",
        "de89370400440532013000",
        "DE89370400440532013000_",
        "AB12 NOTE THAT THIS CODE",
        // One digit too few, and groups that go on, are too long or too many.
        "AB12 ABCD 1234 123",
        "AB12 1234 1234 123x",
        "AB12 1234 1234 12345",
        "AB12 1ABC 2ABC 3ABC 4ABC 5ABC 6ABC 7ABC 123",
        "078-05-11201",
        "1078-05-1120",
        "4111 1111 1111",
        "41111 1111 1111 1111",
        "sha256:8f9dea3200000000000000000000000000000000000000000000000000000000",
        "00000000-1111-1111-1111-111111111111",
        "2027-01-31T00:00:00Z",
    ] {
        assert_eq!(category(text), None, "{text}");
    }
}

#[test]
fn the_first_value_is_told_and_never_repeated() {
    for (name, text) in shaped() {
        let (code, path, detail) = refused(contract(), "/behaviors/0/description", json!(text));
        assert_eq!(
            (code.as_str(), path.as_str()),
            ("excluded-content-in-declaration", "EvalContract.behaviors[0].description")
        );
        assert!(detail.starts_with(&format!(
            "carries a value shaped like {name}, which AD-18 excludes from every artifact this package produces; store a digest or \
             an AD-8 opaque reference instead. The matched text is not quoted here, "
        )));
        assert!(!detail.contains(&text));
    }
    let two = set(contract(), "/safetyLimits/0", json!("ann@example.org"));
    let two = set(two, "/behaviors/0/requirementLinks/0/id", json!("bob@example.org"));
    assert_eq!(refused(two, "/revisionCount", json!(0)).1, "EvalContract.behaviors[0].requirementLinks[0].id");
}

#[test]
fn every_text_of_a_contract_is_scanned() {
    fn texts(value: &Value, at: &str, found: &mut Vec<String>) {
        match value {
            Value::String(_) => found.push(at.to_owned()),
            Value::Array(elements) => {
                elements.iter().enumerate().for_each(|(index, inner)| texts(inner, &format!("{at}/{index}"), found));
            }
            Value::Object(members) => {
                members
                    .iter()
                    .for_each(|(key, inner)| texts(inner, &format!("{at}/{}", key.replace('/', "~1")), found));
            }
            _ => {}
        }
    }
    let mut scanned = 0;
    for base in [contract(), cli_contract(), mcp_contract()] {
        let mut found = Vec::new();
        texts(&base, "", &mut found);
        for pointer in found {
            let with = set(base.clone(), &pointer, json!("ann@example.org"));
            // What has a form of its own cannot hold an address.
            let Ok(contract) = crate::shape::from_value::<EvalContract>(&with) else { continue };
            let failure = excluded_content(&contract).unwrap_err();
            let path = pointer.split('/').skip(1).fold("EvalContract".to_owned(), |path, part| {
                if part.parse::<usize>().is_ok() { format!("{path}[{part}]") } else { format!("{path}.{part}") }
            });
            assert_eq!(failure.artifact_path, path);
            scanned += 1;
        }
    }
    assert!(scanned > 60, "{scanned}");
}

#[test]
fn keys_are_no_values_and_a_key_that_looks_like_a_secret_is_not_repeated() {
    let literal = "/interactionPlan/0/inputBinding/body/title/literal";
    let path = "EvalContract.interactionPlan[0].inputBinding.body.title.literal";
    compiles(contract(), literal, json!({ "ann@example.org": 1 }));
    for (value, below) in [
        (json!({ "a": 1, "ann@example.org": ["x", "bob@example.org"] }), "[key 1][1]"),
        (json!({ "two words": "bob@example.org" }), "[\"two words\"]"),
        (json!({ "a.b": { "": "bob@example.org" } }), "[\"a.b\"][\"\"]"),
        (json!("bob@example.org"), ""),
    ] {
        assert_eq!(refused(contract(), literal, value).1, format!("{path}{below}"));
    }
}

#[test]
fn a_deep_value_is_scanned() {
    let deep = (0..900).fold(json!("ann@example.org"), |inner, _| json!([inner]));
    let contract = typed(&set(contract(), "/interactionPlan/0/inputBinding/body/title/literal", deep));
    assert!(excluded_content(&contract).unwrap_err().artifact_path.ends_with("[0][0]"));
}

proptest! {
    #[test]
    fn any_text_is_scanned(text in any::<String>(), around in "[-A-Za-z0-9@._ ]{0,40}") {
        let _ = category(&text);
        let _ = category(&format!("{around}{text}{around}"));
        prop_assert_eq!(category(&format!("{around} ann@example.org")).is_some(), true);
    }
}

#[test]
fn a_key_with_white_space_that_looks_like_a_secret_is_not_repeated_in_a_path() {
    for space in ["\n", "\r", "\t", "\u{c}"] {
        let key = format!("Bearer{space}abcdefghij1234567890");
        let (_, path, detail) =
            refused(contract(), &format!("/interactionPlan/0/inputBinding/body/{key}"), json!({ "literal": 1 }));
        assert!(!path.contains("abcdef") && !detail.contains("abcdef"), "{path}: {detail}");
    }
}

#[test]
fn a_failure_of_another_row_repeats_no_secret() {
    for (category, secret) in shaped() {
        // The pattern is no legal one, and its own row comes first.
        let pattern = json!(format!("^{}|b$", secret.replace('\n', " ")));
        let check = json!({
            "op": "regex",
            "operands": [{ "pointer": "/interactions/read-back/response-body/title" }],
            "pattern": pattern,
        });
        let (code, path, detail) = refused(contract(), "/oracles/0/check", check);
        assert_eq!(code, "excluded-content-in-declaration", "{detail}");
        assert!(detail.contains(category) && !detail.contains(&secret) && !path.contains(&secret), "{path}: {detail}");
    }
}
