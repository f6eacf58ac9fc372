//! The JSON Schema of `graph.json`: the types of the graph come in, the file `graph.schema.json` beside them is compared
//! with what they give, or written anew with `UPDATE_SCHEMA=1`. Only tests build this; what is shipped is the file.

use std::borrow::Cow;
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::schema::{AnchorNode, CodeNode, Graph, JSON_SCHEMA, Node, PackNode, SCHEMA_VERSION, SpecNode};
use crate::model::{EdgeType, Example, OpenBag, OpenValue, Rule, Steps};

const SPEC_ID: &str = r"^spec:[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)*$";
const PACK_ID: &str = r"^pack:[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)*$";
const ANCHOR_ID: &str = r"^(test|oracle):[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)*$";
const CODE_ID: &str = r"^(impl|api|component):[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)*$";
const ANY_ID: &str = r"^[a-z][a-z0-9-]*:[A-Za-z0-9][A-Za-z0-9-]*(\.[A-Za-z0-9][A-Za-z0-9-]*)*$";
const KEY: &str = r"^[a-z][A-Za-z0-9]*$";
const TOKEN: &str = r"^[a-z][a-z0-9-]*$";
// A key of TypeScript may be any text.
const ENTRY: &str = r"^((design|ui)\.[\s\S]*|(question|rule)\[(0|[1-9][0-9]*)\])$";

/// What the Protocol asks for and Rust's types do not say: type, property, and the members that its schema gets.
fn refinements() -> Vec<(&'static str, &'static str, Value)> {
    let pattern = |pattern: &str| json!({ "pattern": pattern });
    let ids = |pattern: &str| json!({ "items": { "type": "string", "pattern": pattern } });
    let (declared, anchored) = (json!({ "const": "declared" }), json!({ "const": "anchored" }));
    let line = json!({ "minimum": 1 });
    vec![
        ("Graph", "schemaVersion", json!({ "const": SCHEMA_VERSION })),
        ("SpecNode", "id", pattern(SPEC_ID)),
        ("SpecNode", "nodeType", json!({ "const": "Primitive" })),
        ("SpecNode", "claim", declared.clone()),
        ("SpecNode", "deliveryFacts", json!({ "minItems": 1, "uniqueItems": true })),
        ("PackNode", "id", pattern(PACK_ID)),
        ("PackNode", "nodeType", json!({ "const": "Pack" })),
        ("PackNode", "claim", declared),
        ("PackNode", "members", ids(SPEC_ID)),
        ("PackNode", "modelRefs", ids(SPEC_ID)),
        ("AnchorNode", "id", pattern(ANCHOR_ID)),
        ("AnchorNode", "nodeType", json!({ "const": "Anchor" })),
        ("AnchorNode", "claim", anchored.clone()),
        ("AnchorNode", "line", line.clone()),
        ("CodeNode", "id", pattern(CODE_ID)),
        ("CodeNode", "nodeType", json!({ "const": "CodeNode" })),
        ("CodeNode", "claim", anchored),
        ("CodeNode", "line", line.clone()),
        ("CodeNode", "role", pattern(TOKEN)),
        ("CodeNode", "layer", json!({ "enum": ["edge", "application", "domain", "adapter", "infrastructure"] })),
        ("CodeNode", "context", pattern(TOKEN)),
        ("Edge", "from", pattern(ANY_ID)),
        ("Edge", "to", pattern(ANY_ID)),
        ("LocationRow", "spec", pattern(SPEC_ID)),
        ("LocationRow", "entry", pattern(ENTRY)),
        ("LocationRow", "key", pattern(KEY)),
        ("LocationRow", "line", line),
        ("Question", "key", pattern(KEY)),
    ]
}

/// On whose word each edge may stand: an author's, a binding's, and for `verifies` either.
fn edge_claims() -> Value {
    let types = |kept: fn(&EdgeType) -> bool| EdgeType::ALL.iter().copied().filter(kept).collect::<Vec<_>>();
    let declared = types(|edge| edge.is_authored() || *edge == EdgeType::BelongsTo);
    let anchored = types(|edge| *edge == EdgeType::Verifies || !(edge.is_authored() || *edge == EdgeType::BelongsTo));
    json!([
        { "properties": { "type": { "enum": declared }, "claim": { "const": "declared" } } },
        { "properties": { "type": { "enum": anchored }, "claim": { "const": "anchored" } } },
    ])
}

impl JsonSchema for Node {
    fn schema_name() -> Cow<'static, str> {
        "Node".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let shapes = [
            generator.subschema_for::<SpecNode>(),
            generator.subschema_for::<PackNode>(),
            generator.subschema_for::<AnchorNode>(),
            generator.subschema_for::<CodeNode>(),
        ];
        json_schema!({ "description": "One node.", "oneOf": shapes })
    }
}

impl JsonSchema for Rule {
    fn schema_name() -> Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One rule: its text, or text and key where it is keyed.",
            "oneOf": [
                { "type": "string" },
                {
                    "type": "object",
                    "properties": { "rule": { "type": "string" }, "key": { "type": "string", "pattern": KEY } },
                    "required": ["rule", "key"],
                    "additionalProperties": false,
                },
            ],
        })
    }
}

impl JsonSchema for Example {
    fn schema_name() -> Cow<'static, str> {
        "Example".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let steps = generator.subschema_for::<Steps>();
        json_schema!({ "description": "One example: prose, or its steps.", "oneOf": [{ "type": "string" }, steps] })
    }
}

impl JsonSchema for OpenBag {
    fn schema_name() -> Cow<'static, str> {
        "OpenBag".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<OpenValue>();
        json_schema!({
            "description": "A description and entries of the author's own, by key.",
            "type": "object",
            "properties": { "description": { "type": "string" } },
            "additionalProperties": value,
        })
    }
}

impl JsonSchema for OpenValue {
    fn schema_name() -> Cow<'static, str> {
        "OpenValue".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let value = generator.subschema_for::<OpenValue>();
        json_schema!({
            "description": "The value of an entry: text, or, from TypeScript, any static value.",
            "anyOf": [
                { "type": ["string", "number", "boolean"] },
                { "type": "array", "items": value },
                { "type": "object", "additionalProperties": value },
            ],
        })
    }
}

/// The schema as its file is written.
fn generated() -> String {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<Graph>().to_value();
    simplify(&mut schema);
    for (type_name, property, members) in refinements() {
        let place =
            if type_name == "Graph" { "/properties".to_owned() } else { format!("/$defs/{type_name}/properties") };
        let target = schema.pointer_mut(&place).and_then(|properties| properties.get_mut(property));
        let target = target.and_then(Value::as_object_mut).unwrap_or_else(|| panic!("{type_name}.{property}"));
        if members.get("const").is_some() || members.get("enum").is_some() {
            target.retain(|key, _| key == "description");
        }
        let Value::Object(members) = members else { panic!("{type_name}.{property}") };
        target.extend(members);
    }
    schema["$defs"]["Edge"]["anyOf"] = edge_claims();
    drop_unused(&mut schema);
    let mut root = Map::new();
    root.insert("$schema".to_owned(), schema["$schema"].take());
    root.insert("title".to_owned(), json!("The graph of cargo sdp"));
    root.insert("description".to_owned(), json!(format!("graph.json, schema version {SCHEMA_VERSION}.")));
    for (member, value) in schema.as_object().into_iter().flatten() {
        root.entry(member.clone()).or_insert_with(|| value.clone());
    }
    format!("{:#}\n", Value::from(root))
}

/// What may be left out is absent and never `null`; the formats of Rust's integers mean nothing elsewhere.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.remove("format");
            if let Some(Value::Array(types)) = members.get("type")
                && let [kept, null] = &types[..]
                && null == "null"
            {
                let kept = kept.clone();
                members.insert("type".to_owned(), kept);
            }
            if let Some(Value::Array(shapes)) = members.get("anyOf")
                && let [Value::Object(kept), null] = &shapes[..]
                && *null == json!({ "type": "null" })
            {
                let kept: Map<String, Value> = kept.clone();
                members.remove("anyOf");
                members.extend(kept);
            }
            members.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// Definitions that a refinement left without a reference.
fn drop_unused(schema: &mut Value) {
    let text = schema.to_string();
    if let Some(definitions) = schema["$defs"].as_object_mut() {
        definitions.retain(|name, _| text.contains(&format!("\"#/$defs/{name}\"")));
    }
}

#[test]
fn the_schema_is_what_the_types_give() {
    let generated = generated();
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/graph/graph.schema.json"), &generated).unwrap();
        return;
    }
    assert_eq!(generated, JSON_SCHEMA, "UPDATE_SCHEMA=1 writes it anew");
}
