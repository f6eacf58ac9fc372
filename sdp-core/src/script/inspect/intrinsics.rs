//! The functions of a fresh Context that the renderer works with. A Context comes in before any body has run in it; what goes
//! out asks values the same questions whatever a body does to the prototypes and globals afterwards.

use rquickjs::{Ctx, Function, Object, String as JsString, Value};

use super::{Failure, options::Options};

/// Declares the table of the embedded script: one field for each function that it gives.
macro_rules! intrinsics {
    ($($field:ident: $name:literal,)+) => {
        /// Captured functions. Belongs to the Context that it was made in; values of another Context of the same Runtime may be
        /// rendered with it.
        pub(crate) struct Intrinsics<'js> {
            $(pub(super) $field: Function<'js>,)+
        }

        impl<'js> Intrinsics<'js> {
            fn from_table(table: &Object<'js>) -> rquickjs::Result<Self> {
                Ok(Self { $($field: table.get($name)?,)+ })
            }
        }
    };
}

intrinsics! {
    head: "head",
    collection: "collection",
    iterator_kind: "iteratorKind",
    brand: "brand",
    unbox: "unbox",
    keys: "keys",
    symbol_keys: "symbolKeys",
    property: "property",
    properties: "properties",
    elements: "elements",
    sparse: "sparse",
    typed_elements: "typedElements",
    all_numbers: "allNumbers",
    set_members: "setMembers",
    map_members: "mapMembers",
    drain: "drain",
    bytes: "bytes",
    date_text: "dateText",
    reg_exp_text: "regExpText",
    function_source: "functionSource",
    prototype_properties: "prototypeProperties",
    function_name: "functionName",
    class_names: "classNames",
    is_error: "isError",
    error_facts: "errorFacts",
    is_arguments: "isArguments",
    plain_name: "plainName",
    call_custom: "callCustom",
    has_built_in_to_string: "hasBuiltInToString",
    json: "json",
    symbol_text: "symbolText",
    text: "text",
    number: "number",
    integer: "integer",
    decimal: "decimal",
    cut: "cut",
    overflow: "overflow",
}

impl<'js> Intrinsics<'js> {
    /// Captures what the renderer needs. Call it on a fresh Context: what a body has already replaced is captured as replaced.
    ///
    /// # Errors
    ///
    /// The engine is out of memory, or the Context lacks one of the standard objects.
    pub(crate) fn new(ctx: &Ctx<'js>) -> rquickjs::Result<Self> {
        let setup: Function<'js> = ctx.eval(include_str!("intrinsics.js"))?;
        let native = Function::new(ctx.clone(), inspect_natively)?;
        Self::from_table(&setup.call((native,))?)
    }
}

/// The body's own `inspect(value, options)`. It holds no value of the engine, so that nothing hides from its collector.
fn inspect_natively<'js>(
    ctx: Ctx<'js>,
    table: Object<'js>,
    value: Value<'js>,
    settings: Object<'js>,
) -> rquickjs::Result<JsString<'js>> {
    let intrinsics = Intrinsics::from_table(&table)?;
    let options = Options::from_settings(&settings)?;
    // The Runtime's interrupt handler keeps the deadline here: every step of the capture calls into the engine.
    match super::render_with(&ctx, &intrinsics, &options, &value, &|| false) {
        Ok(text) => JsString::from_str(ctx, &text),
        Err(Failure::Engine(error)) => Err(error),
        Err(refusal) => Err(rquickjs::Exception::throw_range(&ctx, &refusal.to_string())),
    }
}
