//! Calls that look like anchors and are none: a file comes in, a warning goes out for each top-level constant that calls a
//! function with the name of a builder, which no import from a trusted module brings in, and gives it the id of an anchor. The
//! Protocol lets such a call pass in silence; the binding that somebody meant would be lost with it.

use hashbrown::HashMap;
use oxc_ast::ast::{CallExpression, Expression, ImportDeclarationSpecifier, Statement};

use super::MAX_FINDINGS;
use super::constant::constants;
use crate::anchor::Read;
use crate::finding::{Finding, FindingId};
use crate::harmless::shown;
use crate::model::parse_slot_id;
use crate::typescript::{Builder, Builders, File, Key, arguments_object, key_of, string_of, unwrapped};

/// How many characters of a module a message shows.
const MAX_SHOWN: usize = 60;

/// Warns of each such call.
pub(super) fn read(path: &str, file: &File<'_>, builders: &Builders<'_>, read: &mut Read) {
    let imported = imported(file);
    for call in constants(file) {
        let Expression::Identifier(callee) = &call.callee else { continue };
        if builders.of(&call.callee).is_some() || !names_an_anchor(call) {
            continue;
        }
        let local = callee.name.as_str();
        let (name, module) = imported.get(local).map_or((local, None), |(name, module)| (*name, Some(*module)));
        if !is_of_anchors(name) || read.findings.len() > MAX_FINDINGS {
            continue;
        }
        let (message, help) = match module {
            Some(module) => {
                let module = shown(module, MAX_SHOWN);
                (
                    format!("\"{name}(…)\" comes from \"{module}\", which is not trusted, so this call binds nothing"),
                    format!(
                        "import it from `@libar-dev/software-delivery-protocol/anchors`, or name the module in `typescript.trusted`: `{module}`, or the path of its file below the root"
                    ),
                )
            }
            None => (
                format!("\"{name}(…)\" is brought in by no import, so this call binds nothing"),
                format!("write `import {{ {name} }} from \"@libar-dev/software-delivery-protocol/anchors\"`"),
            ),
        };
        let finding = Finding::warning(FindingId::UnresolvedAnchor, message).at(path, file.line_of(call));
        read.findings.push(finding.with_help(help));
    }
}

/// The named imports of a file: by local name what is imported, and from where.
fn imported<'a>(file: &File<'a>) -> HashMap<&'a str, (&'a str, &'a str)> {
    let mut imported = HashMap::new();
    for statement in &file.program.body {
        let Statement::ImportDeclaration(import) = statement else { continue };
        for specifier in import.specifiers.iter().flatten() {
            if let ImportDeclarationSpecifier::ImportSpecifier(named) = specifier {
                let name = named.imported.name().as_str();
                imported.insert(named.local.name.as_str(), (name, import.source.value.as_str()));
            }
        }
    }
    imported
}

fn is_of_anchors(name: &str) -> bool {
    matches!(Builder::of(name), Some(Builder::CodeAnchor | Builder::SpecTest | Builder::SpecOracle))
}

/// Whether the only argument states an `id` that an anchor may have, as a string or in a call around one.
fn names_an_anchor(call: &CallExpression<'_>) -> bool {
    let Some(object) = arguments_object(call) else { return false };
    object.properties.iter().any(|entry| {
        let Key::Plain("id", value) = key_of(entry) else { return false };
        let id = match unwrapped(value) {
            Expression::CallExpression(around) => match around.arguments.as_slice() {
                [argument] => argument.as_expression().and_then(|argument| string_of(argument).ok()),
                _ => None,
            },
            value => string_of(value).ok(),
        };
        let namespace = id.as_deref().and_then(|id| parse_slot_id(id).ok());
        namespace.is_some_and(|namespace| matches!(namespace, "impl" | "api" | "component" | "test" | "oracle"))
    })
}
