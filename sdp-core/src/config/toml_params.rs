//! Parameters of a rule: a TOML table comes in, the JSON that the body sees goes out. What JSON cannot hold is refused.

use std::ops::Range;

use serde_json::{Map, Value as Json};
use toml_edit::{Item, TableLike, Value};

/// How deep parameters may nest.
const MAX_DEPTH: usize = 32;

/// What cannot be had as JSON: where it stands, and why.
pub(super) struct Unfit {
    pub(super) span: Option<Range<usize>>,
    pub(super) why: &'static str,
}

/// The table as a JSON object, in authored order.
///
/// Refuses dates and times, numbers that are not finite, and nesting deeper than 32 levels.
pub(super) fn object(table: &dyn TableLike) -> Result<Map<String, Json>, Unfit> {
    members(table, MAX_DEPTH)
}

fn members(table: &dyn TableLike, depth: usize) -> Result<Map<String, Json>, Unfit> {
    let mut object = Map::new();
    for (key, member) in table.iter() {
        // A table that dotted keys imply has no span of its own.
        let span = member.span().or_else(|| table.key(key).and_then(toml_edit::Key::span));
        let value = item(member, depth).map_err(|unfit| Unfit { span: unfit.span.or(span), why: unfit.why })?;
        object.insert(key.to_owned(), value);
    }
    Ok(object)
}

fn item(item: &Item, depth: usize) -> Result<Json, Unfit> {
    match item {
        Item::Value(inner) => value(inner, depth),
        Item::Table(table) => members(table, deeper(depth)?).map(Json::Object),
        Item::ArrayOfTables(tables) => {
            let depth = deeper(depth)?;
            let elements = tables.iter().map(|table| members(table, deeper(depth)?).map(Json::Object));
            elements.collect::<Result<Vec<_>, _>>().map(Json::Array)
        }
        Item::None => Ok(Json::Null),
    }
}

fn value(toml: &Value, depth: usize) -> Result<Json, Unfit> {
    let unfit = |why| Unfit { span: toml.span(), why };
    match toml {
        Value::String(text) => Ok(Json::String(text.value().clone())),
        Value::Integer(number) => Ok(Json::from(*number.value())),
        Value::Float(number) => serde_json::Number::from_f64(*number.value())
            .map(Json::Number)
            .ok_or_else(|| unfit("a parameter must be a finite number")),
        Value::Boolean(flag) => Ok(Json::Bool(*flag.value())),
        Value::Datetime(_) => Err(unfit("a date or time cannot be a parameter: write it as a string")),
        Value::Array(elements) => {
            let depth = deeper(depth)?;
            elements.iter().map(|element| value(element, depth)).collect::<Result<Vec<_>, _>>().map(Json::Array)
        }
        Value::InlineTable(table) => members(table, deeper(depth)?).map(Json::Object),
    }
}

fn deeper(depth: usize) -> Result<usize, Unfit> {
    depth.checked_sub(1).ok_or(Unfit { span: None, why: "parameters nest deeper than 32 levels" })
}
