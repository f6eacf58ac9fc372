//! The shapes that heads state under `@gives`: their text comes in, and what an answer must hold goes out. A head that is
//! wrong about its answer is told by every corpus.

use serde_json::Value;

/// What stands for a key of its own in an object that has one for each family, rung and so on.
const KEYS: [&str; 5] = ["family", "rung", "type", "pair", "validatorId"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Anything: a word, a count, or what the head does not open up.
    Any,
    /// A list whose items have one of the shapes.
    List(Vec<Shape>),
    /// An object with these members and no other.
    Record(Vec<Member>),
    /// An object whose keys are values.
    Map(Box<Shape>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) name: String,
    is_optional: bool,
    pub(super) shape: Shape,
}

/// The alternatives of an answer, as a head states them.
#[track_caller]
pub(super) fn alternatives(gives: &str) -> Vec<Shape> {
    let mut text = gives;
    let shapes = read_alternatives(&mut text);
    assert_eq!(text, "", "{gives}");
    shapes
}

fn read_alternatives(text: &mut &str) -> Vec<Shape> {
    let mut shapes = vec![read(text)];
    while take(text, " or ") || take(text, ", or with severity ") {
        shapes.push(read(text));
    }
    shapes
}

fn read(text: &mut &str) -> Shape {
    if take(text, "[") {
        let items = read_alternatives(text);
        assert!(take(text, "]"), "{text}");
        return Shape::List(items);
    }
    if !take(text, "{ ") {
        word(text);
        while take(text, " | ") {
            word(text);
        }
        return Shape::Any;
    }
    let mut members = Vec::new();
    let mut map = None;
    loop {
        let name = word(text).to_owned();
        let is_optional = take(text, "?");
        let shape = take(text, ": ").then(|| read(text));
        if members.is_empty() && KEYS.contains(&name.as_str()) && shape.is_some() {
            map.clone_from(&shape);
        }
        members.push(Member { name, is_optional, shape: shape.unwrap_or(Shape::Any) });
        if take(text, " }") {
            return map.map_or(Shape::Record(members), |shape| Shape::Map(Box::new(shape)));
        }
        assert!(take(text, ", "), "{text}");
    }
}

fn word<'t>(text: &mut &'t str) -> &'t str {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    assert!(!word.is_empty(), "{text}");
    *text = rest;
    word
}

fn take(text: &mut &str, start: &str) -> bool {
    match text.strip_prefix(start) {
        Some(rest) => {
            *text = rest;
            true
        }
        None => false,
    }
}

impl Shape {
    /// Whether a value has the shape; else where it has not.
    pub(super) fn holds(&self, value: &Value, at: &str) -> Result<(), String> {
        match (self, value) {
            (Shape::Any, _) => Ok(()),
            // What was not found is null, whatever shape it has when it is there.
            (_, Value::Null) if at != "$" => Ok(()),
            (Shape::List(shapes), Value::Array(items)) => {
                items.iter().enumerate().try_for_each(|(index, item)| one_of(shapes, item, &format!("{at}[{index}]")))
            }
            (Shape::Map(shape), Value::Object(members)) => {
                members.iter().try_for_each(|(key, item)| shape.holds(item, &format!("{at}.{key}")))
            }
            (Shape::Record(expected), Value::Object(members)) => {
                if let Some(key) = members.keys().find(|key| expected.iter().all(|member| member.name != **key)) {
                    return Err(format!("{at}.{key} is not stated"));
                }
                expected.iter().try_for_each(|member| match members.get(&member.name) {
                    Some(value) => member.shape.holds(value, &format!("{at}.{}", member.name)),
                    None if member.is_optional => Ok(()),
                    None => Err(format!("{at}.{} is missing", member.name)),
                })
            }
            _ => Err(format!("{at} is {value}")),
        }
    }

    /// Whether all that another shape asks for is here too, under the same names.
    pub(super) fn covers(&self, other: &Shape) -> bool {
        match (self, other) {
            (_, Shape::Any) | (Shape::Any, _) => true,
            (Shape::List(own), Shape::List(others)) => {
                others.iter().all(|other| own.iter().any(|shape| shape.covers(other)))
            }
            (Shape::Map(own), Shape::Map(other)) => own.covers(other),
            (Shape::Record(own), Shape::Record(others)) => others
                .iter()
                .all(|other| own.iter().any(|member| member.name == other.name && member.shape.covers(&other.shape))),
            _ => false,
        }
    }

    /// The paths of all lists in it.
    pub(super) fn lists(&self, at: &str, into: &mut Vec<String>) {
        match self {
            Shape::Any => {}
            Shape::List(shapes) => {
                into.push(at.to_owned());
                shapes.iter().for_each(|shape| shape.lists(&format!("{at}[]"), into));
            }
            Shape::Map(shape) => shape.lists(&format!("{at}.*"), into),
            Shape::Record(members) => {
                members.iter().for_each(|member| member.shape.lists(&format!("{at}.{}", member.name), into));
            }
        }
    }

    /// Calls back with the path of each value, keys that are values told as `*`.
    pub(super) fn walk(&self, value: &Value, at: &str, seen: &mut impl FnMut(&str, &Value)) {
        seen(at, value);
        match value {
            Value::Array(items) => {
                for item in items {
                    let shape = match self {
                        Shape::List(shapes) => shapes.iter().find(|shape| shape.holds(item, at).is_ok()),
                        _ => None,
                    };
                    shape.unwrap_or(&Shape::Any).walk(item, &format!("{at}[]"), seen);
                }
            }
            Value::Object(members) => {
                for (key, item) in members {
                    match self {
                        Shape::Map(shape) => shape.walk(item, &format!("{at}.*"), seen),
                        Shape::Record(members) => {
                            let member = members.iter().find(|member| member.name == *key);
                            let shape = member.map_or(&Shape::Any, |member| &member.shape);
                            shape.walk(item, &format!("{at}.{key}"), seen);
                        }
                        _ => Shape::Any.walk(item, &format!("{at}.{key}"), seen),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Whether a value has one of the shapes; else what the nearest one, which is the first, misses.
pub(super) fn one_of(shapes: &[Shape], value: &Value, at: &str) -> Result<(), String> {
    let mut first = None;
    for shape in shapes {
        match shape.holds(value, at) {
            Ok(()) => return Ok(()),
            Err(fault) => first = first.or(Some(fault)),
        }
    }
    Err(first.unwrap_or_default())
}

/// What the Protocol's catalog says of its answers; a recipe may give more.
const OF_THE_PROTOCOL: [(u32, &str); 32] = [
    (
        1,
        "{ total, byFamily: { family: [{ id, kind, altitude, hasVerifier }] }, excludedReadyExamples, excludedReadyDecisions, excludedWithoutVerifier }",
    ),
    (2, "{ total, alarms: [{ id, statedReadiness, floorReached, firstUnmetClause, implementationBindings }] }"),
    (
        3,
        "{ id, title, kind, altitude, statedReadiness, floorReached, unmetFloorClauses, sections, relationsOut, relationsIn, implementations, verifiers, verifierBindingMeans, findings } or { id, found }",
    ),
    (
        4,
        "{ changedFiles, impactedSpecs: [{ id, reasons: [{ file, via, edgeType, claim }] }], atRiskSpecs, atRiskOther, coverageUnknownFiles, unlinkedUnits: [{ id, file }] }",
    ),
    (
        5,
        "{ id, title, memberCount, byStatedReadiness, unresolvedMembers, implementedCount, verifierGaps: [{ id, statedReadiness, priority }], findings } or { packs }",
    ),
    (6, "{ term, total, matches: [{ id, nodeType, title, matchedIn }] }"),
    (7, "[{ id, statedReadiness, floorReached, firstUnmetClause, firstUnmetDescription }]"),
    (8, "{ errors, warnings, byValidator, signals: [{ validatorId, family, subjectId, message }] }"),
    (
        9,
        "{ id, found, statedReadiness, floorReached, nextRung, currentFloorFailures, firstUnmetClause, nextRungFailures, nextRungFirstUnmetClause, promotionRequiresHumanStatement }",
    ),
    (10, "{ total, withDeclaredOnly, rows: [{ id, declared, enabled }] }"),
    (11, "{ total, byFamily: { family: [{ id, statedReadiness, floorReached, nextUnmetClause }] } }"),
    (12, "{ components: [{ id, members, memberCount }] }"),
    (13, "{ components: [{ id, fanOut, fanIn, usesOut, usedBy }] }"),
    (14, "{ found, id, members, usesOut, usedBy, satisfiedSpecs }"),
    (
        15,
        "{ components: { count, ids }, memberOfEdges: { count, ids }, usesEdges: { count, ids }, danglingStructuralFindings: { count, ids } }",
    ),
    (
        16,
        "{ designReview: { packs, memberSpecs }, census: { specs, anchors }, mermaid: { diagramSubjects }, gherkin: { specs } }",
    ),
    (
        17,
        "{ components: [{ id, declared, members: [{ id, label, file, line }], fanOut, fanIn, usesOut, usedBy, satisfiedSpecs, realizations, shapingDecisions: [{ id, subjects }] }], subjects: [{ id, resolved, title, specKind, outcome, design, relations }], usesEdges, unresolvedUses }",
    ),
    (
        18,
        "{ total, ranking: [{ id, fanIn }], decisions: [{ id, title, fanIn, fanInByType, dependsOn, dependedOnBy, refines, refinedBy, supersedes, supersededBy, decidedSubjectsByFamily }] }",
    ),
    (
        19,
        "{ id, found, refinementNeighborhood: { parents, children }, dependencies: { dependsOn: [{ id, statedReadiness }], dependedOnBy }, shapingDecisions, implementations, components: [{ id, label, file, line, directlySatisfies, implementations }], verifiers, entryPoints: [{ role, id, file, line }], entryPointsLimit }",
    ),
    (
        20,
        "{ totals: { questions, blocking, nonBlocking, specs, specsWithBlocking, malformed }, specs: [{ id, statedReadiness, totals: { blocking }, questions: [{ blocking, question, key }] }], malformed: [{ id, section, entry, reason }] }",
    ),
    (
        21,
        "{ id, found, statedReadiness, floorReached, totals: { relations, byType, byStatedReadiness, byFloorReached }, footing: [{ type, id, claim, resolved, statedReadiness, floorReached }] }",
    ),
    (
        22,
        "{ totals: { occurrences, pairs, backed, unbacked, reverseOnly, unresolved }, unresolved: [{ from, to, reason, totals: { occurrences }, at: [{ section, entry }] }], unbacked, reverseOnly }",
    ),
    (
        23,
        "{ term, tokens, totals: { matches, specs, shown }, matches: [{ id, section, entry, address, line, matchedIn, text }] }",
    ),
    (24, "{ totals: { entries, specs }, rows: [{ spec, key, declaration }] }"),
    (
        25,
        "{ totals: { addresses, resolved, malformed, spec, entry }, rows: [{ address, resolves, id, section, key, value, file, line, reason }] }",
    ),
    (26, "{ totals: { sets, selfDependent, specsInCycles }, cycles: [{ members, cycle }] }"),
    (
        27,
        "{ found, id, totals: { members, withReferences, withImplementations, withVerifier, withBuildsOn, unbound }, rows: [{ id, resolved, referencedBy: [{ id, file }], implementedBy, hasVerifier, buildsOn: [{ id, via, implementedBy }] }] }",
    ),
    (
        28,
        "{ totals: { codeUnits, withRole, withLayer, withContext, references, referencingUnits, referencedSpecs }, roles, layers, contexts: [{ value, units }] }",
    ),
    (
        29,
        "{ found, id, title, totals: { members, unresolved, heldBelowNextRung, waitingForAuthor, entries, declarations, openQuestions, blockingQuestions, withImplementations, withReferences, restsOn, restedOnBy }, members: [{ id, resolved, title, specKind, statedReadiness, floorReached, statedNextRung, statedNextRungFailures, design: { entries, declarations, openQuestions, blockingQuestions }, questions: [{ key, blocking, address, line, question }], decisions: [{ id, statedReadiness, resolved }], implementedBy: [{ id, file, line, role, component: { id, layer, context } }], referencedBy, verifiers, examples }], boundary: { restsOn, restedOnBy: [{ id, title, statedReadiness, implemented, via }] } }",
    ),
    (
        30,
        "{ changed: [{ id, resolved }], totals: { specs, dependents, units }, rows: [{ id, distance, path: [{ from, type, to }], statedReadiness, implementedBy, referencedBy, enabledVerifiers, packs }] }",
    ),
    (
        31,
        "{ totals: { decisions, byRung, superseded, shapingNothing }, rows: [{ id, title, statedReadiness, supersedes, supersededBy, shapes, questions: [{ key, blocking, address }], packs }] }",
    ),
    (
        32,
        "{ totals: { usesEdges, resolvedToComponents, crossings, contextCrossings, layerCrossings, byContextPair, byLayerPair }, rows: [{ from, to, fromComponent: { id, layer, context }, toComponent, differs }] }",
    ),
];

#[test]
fn the_answers_hold_all_that_the_protocol_s_catalog_names() {
    for (number, protocol) in OF_THE_PROTOCOL {
        let gives = sdp_recipes::recipe(number).unwrap().head().gives[0];
        let own = alternatives(gives);
        for shape in alternatives(protocol) {
            assert!(own.iter().any(|alternative| alternative.covers(&shape)), "recipe {number}\n{gives}\n{protocol}");
        }
    }
}

#[test]
fn a_shape_is_read_and_held() {
    let shapes = alternatives(
        "{ total, byFamily: { family: [{ id, at? }] }, rows: [[{ a, b: x | y }]] } or { id, found: false }",
    );
    let good = serde_json::json!({ "total": 1, "byFamily": { "a": [{ "id": 1 }] }, "rows": [[{ "a": 1, "b": "x" }]] });
    assert_eq!(one_of(&shapes, &good, "$"), Ok(()));
    assert_eq!(one_of(&shapes, &serde_json::json!({ "id": 1, "found": false }), "$"), Ok(()));
    for (at, value) in [("/total", None), ("/byFamily/a", Some("x")), ("/rows/0/0/c", Some("x")), ("/rows", Some("x"))]
    {
        let mut bad = good.clone();
        let (parent, key) = at.rsplit_once('/').unwrap();
        let parent = bad.pointer_mut(parent).unwrap().as_object_mut().unwrap();
        match value {
            Some(value) => parent.insert(key.to_owned(), value.into()),
            None => parent.remove(key),
        };
        assert!(one_of(&shapes, &bad, "$").is_err(), "{bad}");
    }
    let mut lists = Vec::new();
    shapes[0].lists("$", &mut lists);
    assert_eq!(lists, ["$.byFamily.*", "$.rows", "$.rows[]"]);
}
