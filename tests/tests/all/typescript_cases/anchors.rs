//! The cases that hold bindings in source code.

use super::{ANCHOR_CASES, Differs, DiffersInGraph, cases, differences};

const ENVELOPE: &str = "extract/non-static-envelope";

/// Files whose findings a later rule of the Protocol changes.
const LATER_RULE: &[Differs] = &[
    Differs {
        case: "typescript/anch",
        file: "003-missing.ts",
        found: &[(ENVELOPE, 2)],
        reason: "an anchor of code may satisfy nothing (newest sheet part 4)",
    },
    Differs {
        case: "typescript/anch",
        file: "018-foreign.ts",
        found: &[(ENVELOPE, 2)],
        reason: "the contract of code has four more fields, which the message lists (newest sheet part 4)",
    },
    Differs {
        case: "typescript/anch",
        file: "024-uses-notarr.ts",
        found: &[(ENVELOPE, 2)],
        reason: "the message names both builders that `uses` takes (newest sheet part 4)",
    },
];

/// Files in which a call that looks like an anchor is named, where the reference passes it over.
const NAMED: &[Differs] = &[
    Differs {
        case: "typescript/anch",
        file: "038-require.ts",
        found: &[("sdp/unresolved-anchor", 2)],
        reason: "a binding that somebody meant is not passed over in silence",
    },
    Differs {
        case: "typescript/anch",
        file: "045-relative.ts",
        found: &[("sdp/unresolved-anchor", 2)],
        reason: "a binding that somebody meant is not passed over in silence",
    },
];

/// Nodes and edges that a later rule changes.
const GRAPHS: &[DiffersInGraph] = &[];

#[test]
fn recorded_anchors_answer_as_the_reference_does() {
    let Some(cases) = cases() else { return };
    let own: Vec<_> = cases.iter().filter(|case| ANCHOR_CASES.contains(&case["name"].as_str().unwrap())).collect();
    assert_eq!(own.len(), ANCHOR_CASES.len());
    let failures = differences(&own, &[LATER_RULE, NAMED].concat(), GRAPHS);
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
