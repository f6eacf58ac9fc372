use super::*;

/// An anchor on line 1, its fields on the lines behind: `"id impl:a; satisfies spec:a, spec:b"`.
fn raw(fields: &str) -> RawAnchor {
    let field = |(index, text): (usize, &str)| {
        let (name, values) = text.split_once(' ').unwrap_or((text, ""));
        let line = u32::try_from(index).unwrap() + 1;
        let values = values.split(", ").filter(|value| !value.is_empty());
        RawField {
            field: *Field::ALL.iter().find(|field| field.as_str() == name).unwrap(),
            line,
            values: values.map(|value| (value.to_owned(), line)).collect(),
        }
    };
    RawAnchor { line: 1, fields: fields.split("; ").enumerate().map(field).collect(), ..RawAnchor::default() }
}

fn refused(fields: &str) -> Vec<String> {
    let findings = read("src/a.rs", raw(fields)).unwrap_err();
    findings.iter().map(Finding::line_form).collect()
}

#[test]
fn an_id_without_a_value_is_missing() {
    assert_eq!(
        refused("satisfies spec:a; id"),
        [
            "src/a.rs:2 — [error] extract/non-static-envelope — anchor field \"id\" is missing — the binding cannot be constructed without it"
        ]
    );
}

#[test]
fn targets_become_bindings_in_the_protocols_order_at_their_lines() {
    let anchor = read(
        "src/a.rs",
        raw("references spec:d; uses impl:b, component:c; component component:m; satisfies spec:a, spec:b; id impl:a; label A name; role worker"),
    )
    .unwrap();
    let bindings: Vec<String> = anchor
        .bindings
        .iter()
        .map(|Binding { edge_type, target, line }| format!("{line} {edge_type} {target}"))
        .collect();
    assert_eq!(
        bindings,
        [
            "4 satisfies spec:a",
            "4 satisfies spec:b",
            "3 memberOf component:m",
            "2 uses impl:b",
            "2 uses component:c",
            "1 references spec:d"
        ]
    );
    assert_eq!((anchor.id.as_str(), anchor.line), ("impl:a", 1));
    assert_eq!((anchor.label.as_deref(), anchor.role.as_deref()), (Some("A name"), Some("worker")));
    let component = read("src/a.rs", raw("id component:a; layer domain; context sales")).unwrap();
    assert_eq!((component.layer.as_deref(), component.context.as_deref()), (Some("domain"), Some("sales")));
    assert_eq!(read("src/a.rs", raw("id test:a; verifies spec:a")).unwrap().bindings[0].edge_type, EdgeType::Verifies);
    assert_eq!(read("src/a.rs", raw("id oracle:a; models spec:a")).unwrap().bindings[0].edge_type, EdgeType::Models);
    assert_eq!(read("src/a.rs", raw("id api:a")).unwrap().bindings, []);
}

#[test]
fn what_the_envelope_does_not_hold_is_refused_with_its_reason() {
    let contract = "— an anchor asserts a binding only, never system-truth content";
    let cases: &[(&str, &[&str])] = &[
        (
            "satisfies spec:a",
            &[
                "1 — [error] extract/non-static-envelope — anchor field \"id\" is missing — the binding cannot be constructed without it",
            ],
        ),
        (
            "id test:a",
            &[
                "1 — [error] extract/non-static-envelope — anchor field \"verifies\" is missing — the binding cannot be constructed without it",
            ],
        ),
        (
            "id oracle:a",
            &[
                "1 — [error] extract/non-static-envelope — anchor field \"models\" is missing — the binding cannot be constructed without it",
            ],
        ),
        (
            "id impl:a_b",
            &[
                "1 — [error] extract/invalid-id — anchor field \"id\" did not reify: Invalid ID \"impl:a_b\": invalid path segment",
            ],
        ),
        (
            "id spec:a",
            &[
                "1 — [error] extract/invalid-id — anchor field \"id\" did not reify: id \"spec:a\" carries namespace \"spec\" where one of \"impl\" · \"api\" · \"component\" · \"test\" · \"oracle\" is required",
            ],
        ),
        (
            "id impl:a; satisfies impl:b",
            &[
                "2 — [error] extract/invalid-id — anchor field \"satisfies\" did not reify: id \"impl:b\" carries namespace \"impl\" where \"spec\" is required",
            ],
        ),
        (
            "id impl:a; uses impl:b, spec:c",
            &[
                "2 — [error] extract/invalid-id — anchor field \"uses[1]\" did not reify: id \"spec:c\" carries namespace \"spec\" where one of \"impl\" · \"api\" · \"component\" is required",
            ],
        ),
        (
            "id impl:a; satisfies spec:a#rule.x",
            &[
                "2 — [error] extract/invalid-id — anchor field \"satisfies\" did not reify: Invalid ID \"spec:a#rule.x\": an entry address is not a Spec id",
            ],
        ),
        (
            "id impl:a; verifies spec:a",
            &[&format!(
                "2 — [error] extract/non-static-envelope — anchor field \"verifies\" is outside the binding contract (id · satisfies · label · component · uses · references · role · layer · context) {contract}"
            )],
        ),
        (
            "id test:a; verifies spec:a; role x",
            &[&format!(
                "3 — [error] extract/non-static-envelope — anchor field \"role\" is outside the binding contract (id · verifies · label) {contract}"
            )],
        ),
        (
            "id oracle:a; models spec:a; uses impl:b",
            &[&format!(
                "3 — [error] extract/non-static-envelope — anchor field \"uses\" is outside the binding contract (id · models · label) {contract}"
            )],
        ),
        (
            "id impl:a; layer domain; context b",
            &[
                "2 — [error] extract/non-static-envelope — anchor field \"layer\" belongs to a component: anchor only; \"impl:a\" declares no component",
                "3 — [error] extract/non-static-envelope — anchor field \"context\" belongs to a component: anchor only; \"impl:a\" declares no component",
            ],
        ),
        (
            "id impl:a; satisfies",
            &[
                "2 — [error] extract/non-static-envelope — anchor field \"satisfies\" must name at least one target when present",
            ],
        ),
        (
            "id impl:a; uses; references",
            &[
                "2 — [error] conformance/structural-anchors — anchor field \"uses\" must be non-empty when present",
                "3 — [error] conformance/structural-anchors — anchor field \"references\" must be non-empty when present",
            ],
        ),
        (
            "id impl:a; satisfies spec:a, spec:a",
            &[
                "2 — [error] extract/non-static-envelope — anchor target \"spec:a\" is authored more than once in \"satisfies\" (ambiguity is loud, L2); one edge per target, so the anchor is not extracted",
            ],
        ),
        (
            "id impl:a; uses impl:b, impl:b; references spec:c, spec:c",
            &[
                "2 — [error] conformance/structural-anchors — Structural uses target \"impl:b\" is authored more than once; targets must be unique.",
                "3 — [error] conformance/structural-anchors — References target \"spec:c\" is authored more than once; targets must be unique.",
            ],
        ),
        (
            "id impl:a; satisfies spec:a; references spec:a",
            &[
                "3 — [error] conformance/structural-anchors — Spec \"spec:a\" is named in both \"satisfies\" and \"references\"; a realized target is not also a design reference.",
            ],
        ),
        (
            "id impl:a; id impl:b",
            &[
                "2 — [error] extract/non-static-envelope — property \"id\" is authored more than once in this carrier (ambiguity is loud, L2); evaluation would keep the last value silently, so the carrier is not extracted",
            ],
        ),
        (
            "id component:a; role A b; context c_d; layer domian",
            &[
                "2 — [error] extract/non-static-envelope — anchor field \"role\" reified to \"A b\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
                "3 — [error] extract/non-static-envelope — anchor field \"context\" reified to \"c_d\", which is not one token of the form ^[a-z][a-z0-9-]*$ — role and context are vocabulary, never prose",
                "4 — [error] extract/non-static-envelope — anchor field \"layer\" reified to \"domian\", which is not one of edge · application · domain · adapter · infrastructure — the layer set is closed",
            ],
        ),
    ];
    for (fields, expected) in cases {
        let expected: Vec<String> = expected.iter().map(|line| format!("src/a.rs:{line}")).collect();
        assert_eq!(refused(fields), expected, "{fields}");
    }
}

#[test]
fn a_wrong_layer_is_told_the_near_one() {
    let findings = read("src/a.rs", raw("id component:a; layer domian")).unwrap_err();
    assert_eq!(findings[0].remedy(), "did you mean `domain`?");
}

#[test]
fn a_target_that_is_missing_is_asked_for_with_an_example() {
    for (stated, help) in [
        ("id test:a", "name the Specs that the test verifies, such as `spec:orders.refund`"),
        ("id oracle:a", "name the Spec that the oracle models, such as `spec:orders.refund`"),
        ("id impl:a; satisfies", "name a Spec, such as `spec:orders.refund`"),
        ("id test:a; verifies", "name a Spec, such as `spec:orders.refund`"),
        ("id impl:a; uses", "name a target of `uses`, or remove it"),
    ] {
        let findings = read("src/a.rs", raw(stated)).unwrap_err();
        assert_eq!(
            findings.iter().map(|finding| finding.help.as_deref()).collect::<Vec<_>>(),
            [Some(help)],
            "{stated}"
        );
    }
}
