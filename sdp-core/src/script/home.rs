//! What the bodies of one Runtime share: the graph, the report and the rows of the reader as frozen JavaScript objects,
//! built when first asked for. They live in a Context of their own, the home, whose `Object.prototype` and `Array.prototype` are
//! emptied and hung below those of the body that runs. So a body sees ordinary objects of its own realm, finds no other
//! realm's function, and leaves nothing behind: all that it can reach of the home is frozen.

use std::cell::RefCell;
use std::sync::Arc;

use rquickjs::object::Property;
use rquickjs::{Array, Context, Ctx, Function, Object, Persistent, Runtime, String as JsString, Value};
use serde::Serialize;

use crate::reader::Reader;

type Kept = Persistent<Value<'static>>;

/// The shared objects of one Runtime.
pub(super) struct Home {
    reader: Arc<Reader>,
    objects: Persistent<Object<'static>>,
    arrays: Persistent<Object<'static>>,
    freeze: Persistent<Function<'static>>,
    seal: Persistent<Function<'static>>,
    empty: Kept,
    shelves: RefCell<Shelves>,
    #[expect(
        dead_code,
        reason = "it goes last, because it may hold the last handle of the Runtime that all others need"
    )]
    context: Context,
}

#[derive(Default)]
struct Shelves {
    nodes: Vec<Option<Kept>>,
    edges: Vec<Option<Kept>>,
    rows: [Option<Vec<Kept>>; 3],
    graph: Option<Kept>,
    report: Option<Kept>,
    grown: bool,
}

/// The row lists of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// `specs()`.
    Specs = 0,
    /// `packs()`.
    Packs = 1,
    /// `findings()`.
    Findings = 2,
}

/// What of the home a body's text can name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Needs {
    pub(super) graph: bool,
    pub(super) report: bool,
    pub(super) specs: bool,
    pub(super) packs: bool,
    pub(super) findings: bool,
    /// What the checks say, which `findings`, `report` and the contexts repeat.
    pub(super) judged: bool,
    /// The renderer, for console output or a recipe's refusal.
    pub(super) text: bool,
}

impl Needs {
    /// What a text can name; in doubt all. A name can hide behind an escape, `arguments`, `eval` or a called recipe.
    pub(super) fn of(body: &str) -> Self {
        let names = |word: &str| body.contains(word);
        let hidden = ["\\u", "arguments", "eval", "recipes"].into_iter().any(names);
        Needs {
            graph: hidden || names("graph"),
            report: hidden || names("report"),
            specs: names("specs"),
            packs: names("packs"),
            findings: hidden || names("findings"),
            judged: hidden || ["report", "findings", "Context"].into_iter().any(names),
            text: hidden || ["console", "globalThis", "Function", "constructor"].into_iter().any(names),
        }
    }
}

const PREPARE: &str = r#"(function () {
  "use strict";
  const { freeze, preventExtensions, prototype: objects } = Object;
  const { ownKeys, deleteProperty } = Reflect;
  const arrays = Array.prototype;
  const kept = { freeze, seal: preventExtensions, objects, arrays, empty: freeze([]), __proto__: null };
  for (const shared of [arrays, objects]) {
    const keys = ownKeys(shared);
    for (let i = 0; i < keys.length; i += 1) deleteProperty(shared, keys[i]);
  }
  // No native function may lead to this realm's globals.
  deleteProperty(Function.prototype, "constructor");
  freeze(Function.prototype);
  return kept;
})()"#;

impl Home {
    /// An empty home in a Runtime.
    pub(super) fn new(runtime: &Runtime, reader: Arc<Reader>) -> rquickjs::Result<Self> {
        let context = Context::full(runtime)?;
        let (objects, arrays, freeze, seal, empty) = context.with(|ctx| {
            // The library keeps one prototype for all native functions of a Runtime, that of the first Context that makes one.
            Function::new(ctx.clone(), || {})?;
            let kept: Object<'_> = ctx.eval(PREPARE)?;
            let objects: Object<'_> = kept.get("objects")?;
            let arrays: Object<'_> = kept.get("arrays")?;
            let freeze: Function<'_> = kept.get("freeze")?;
            let seal: Function<'_> = kept.get("seal")?;
            let empty: Value<'_> = kept.get("empty")?;
            rquickjs::Result::Ok((
                Persistent::save(&ctx, objects),
                Persistent::save(&ctx, arrays),
                Persistent::save(&ctx, freeze),
                Persistent::save(&ctx, seal),
                Persistent::save(&ctx, empty),
            ))
        })?;
        let graph = reader.graph();
        let shelves = Shelves {
            nodes: vec![None; graph.nodes.len()],
            edges: vec![None; graph.edges.len()],
            ..Shelves::default()
        };
        Ok(Home { reader, objects, arrays, freeze, seal, empty, shelves: RefCell::new(shelves), context })
    }

    /// The reader that it shows.
    pub(super) fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Builds what a body needs, outside its limits.
    pub(super) fn prepare(&self, ctx: &Ctx<'_>, needs: Needs) -> rquickjs::Result<()> {
        if needs.judged {
            let _made = self.reader.report();
        }
        if needs.graph {
            self.graph(ctx)?;
        }
        if needs.report {
            self.report(ctx)?;
        }
        for (wanted, rows) in [(needs.specs, Rows::Specs), (needs.packs, Rows::Packs), (needs.findings, Rows::Findings)]
        {
            if wanted {
                self.fill(ctx, rows)?;
            }
        }
        Ok(())
    }

    /// Forgets what was built.
    pub(super) fn clear(&self) {
        self.shelves.replace(Shelves::default());
    }

    /// Whether something was built since the last call.
    pub(super) fn take_grown(&self) -> bool {
        std::mem::take(&mut self.shelves.borrow_mut().grown)
    }

    /// The two prototypes that stand between the shared objects and a body's own.
    pub(super) fn prototypes<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<(Object<'js>, Object<'js>)> {
        Ok((self.objects.clone().restore(ctx)?, self.arrays.clone().restore(ctx)?))
    }

    /// Takes the home off whatever realm it hangs below.
    pub(super) fn detach(&self, ctx: &Ctx<'_>) -> rquickjs::Result<()> {
        const DETACH: &str = "(...shared) => { for (const one of shared) Object.setPrototypeOf(one, null) }";
        let detach: Function<'_> = ctx.eval(DETACH)?;
        detach.call(self.prototypes(ctx)?)
    }

    /// `graph`.
    pub(super) fn graph<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Value<'js>> {
        if let Some(kept) = &self.shelves.borrow().graph {
            return kept.clone().restore(ctx);
        }
        let graph = self.reader.graph();
        let builder = self.builder(ctx)?;
        let nodes = (0..graph.nodes.len()).map(|at| self.node(ctx, at)).collect::<rquickjs::Result<Vec<_>>>()?;
        let edges = (0..graph.edges.len()).map(|at| self.edge(ctx, at)).collect::<rquickjs::Result<Vec<_>>>()?;
        let locations = graph.locations.iter().map(|row| builder.frozen(row)).collect::<rquickjs::Result<Vec<_>>>()?;
        let value = builder.object([
            ("schemaVersion", builder.text(graph.schema_version)?),
            ("nodes", builder.list(nodes)?),
            ("edges", builder.list(edges)?),
            ("locations", builder.list(locations)?),
        ])?;
        self.shelves.borrow_mut().graph = Some(Persistent::save(ctx, value.clone()));
        Ok(value)
    }

    /// `report`.
    pub(super) fn report<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Value<'js>> {
        if let Some(kept) = &self.shelves.borrow().report {
            return kept.clone().restore(ctx);
        }
        let findings = self.rows(ctx, Rows::Findings)?;
        let builder = self.builder(ctx)?;
        let value = builder.object([("validatorId", builder.text("graph")?), ("findings", builder.list(findings)?)])?;
        self.shelves.borrow_mut().report = Some(Persistent::save(ctx, value.clone()));
        Ok(value)
    }

    /// The elements of one of the reader's lists.
    pub(super) fn rows<'js>(&self, ctx: &Ctx<'js>, rows: Rows) -> rquickjs::Result<Vec<Value<'js>>> {
        self.fill(ctx, rows)?;
        match self.shelves.borrow().rows.get(rows as usize) {
            Some(Some(kept)) => kept.iter().map(|row| row.clone().restore(ctx)).collect(),
            _ => Ok(Vec::new()),
        }
    }

    fn fill(&self, ctx: &Ctx<'_>, rows: Rows) -> rquickjs::Result<()> {
        if self.shelves.borrow().rows.get(rows as usize).is_some_and(Option::is_some) {
            return Ok(());
        }
        let builder = self.builder(ctx)?;
        let kept = match rows {
            Rows::Specs => builder.keep(ctx, self.reader.specs()),
            Rows::Packs => builder.keep(ctx, self.reader.packs()),
            Rows::Findings => builder.keep(ctx, self.reader.findings()),
        }?;
        let mut shelves = self.shelves.borrow_mut();
        shelves.grown = true;
        if let Some(shelf) = shelves.rows.get_mut(rows as usize) {
            *shelf = Some(kept);
        }
        Ok(())
    }

    /// The node at a position of `graph.nodes`.
    pub(super) fn node<'js>(&self, ctx: &Ctx<'js>, at: usize) -> rquickjs::Result<Value<'js>> {
        let node = self.reader.graph().nodes.get(at);
        self.element(ctx, |shelves| &mut shelves.nodes, at, node)
    }

    /// The edge at a position of `graph.edges`.
    pub(super) fn edge<'js>(&self, ctx: &Ctx<'js>, at: usize) -> rquickjs::Result<Value<'js>> {
        let edge = self.reader.graph().edges.get(at);
        self.element(ctx, |shelves| &mut shelves.edges, at, edge)
    }

    fn element<'js>(
        &self,
        ctx: &Ctx<'js>,
        shelf: fn(&mut Shelves) -> &mut Vec<Option<Kept>>,
        at: usize,
        element: Option<&impl Serialize>,
    ) -> rquickjs::Result<Value<'js>> {
        if let Some(Some(kept)) = shelf(&mut self.shelves.borrow_mut()).get(at) {
            return kept.clone().restore(ctx);
        }
        let value = self.builder(ctx)?.frozen(&element)?;
        let mut shelves = self.shelves.borrow_mut();
        shelves.grown = true;
        if let Some(place) = shelf(&mut shelves).get_mut(at) {
            *place = Some(Persistent::save(ctx, value.clone()));
        }
        Ok(value)
    }

    fn builder<'js>(&self, ctx: &Ctx<'js>) -> rquickjs::Result<Builder<'js>> {
        let seal = self.seal.clone().restore(ctx)?;
        Ok(Builder {
            home: seal.ctx().clone(),
            seal,
            freeze: self.freeze.clone().restore(ctx)?,
            empty: self.empty.clone().restore(ctx)?,
        })
    }
}

/// Makes frozen values of the home realm.
struct Builder<'js> {
    home: Ctx<'js>,
    seal: Function<'js>,
    freeze: Function<'js>,
    empty: Value<'js>,
}

impl<'js> Builder<'js> {
    fn keep(&self, ctx: &Ctx<'js>, rows: &[impl Serialize]) -> rquickjs::Result<Vec<Kept>> {
        rows.iter().map(|row| Ok(Persistent::save(ctx, self.frozen(row)?))).collect()
    }

    fn frozen(&self, value: &impl Serialize) -> rquickjs::Result<Value<'js>> {
        // The types that come here hold string keys only, so this never fails.
        let json = serde_json::to_value(value).map_err(|_| rquickjs::Error::Unknown)?;
        self.value(&json)
    }

    fn value(&self, json: &serde_json::Value) -> rquickjs::Result<Value<'js>> {
        let ctx = self.home.clone();
        Ok(match json {
            serde_json::Value::Null => Value::new_null(ctx),
            serde_json::Value::Bool(value) => Value::new_bool(ctx, *value),
            serde_json::Value::Number(value) => Value::new_number(ctx, value.as_f64().unwrap_or(f64::NAN)),
            serde_json::Value::String(text) => self.text(text)?,
            serde_json::Value::Array(items) => {
                self.list(items.iter().map(|item| self.value(item)).collect::<rquickjs::Result<_>>()?)?
            }
            serde_json::Value::Object(fields) => {
                let object = Object::new(ctx)?;
                for (key, value) in fields {
                    object.prop(key.as_str(), Property::from(self.value(value)?).enumerable())?;
                }
                self.seal.call::<_, Value<'js>>((object,))?
            }
        })
    }

    fn text(&self, text: &str) -> rquickjs::Result<Value<'js>> {
        Ok(JsString::from_str(self.home.clone(), text)?.into_value())
    }

    /// A property that is born read-only shares its object's shape with all objects of the same keys; freezing it later would not.
    fn object<const N: usize>(&self, fields: [(&str, Value<'js>); N]) -> rquickjs::Result<Value<'js>> {
        let object = Object::new(self.home.clone())?;
        for (key, value) in fields {
            object.prop(key, Property::from(value).enumerable())?;
        }
        self.seal.call((object,))
    }

    fn list(&self, items: Vec<Value<'js>>) -> rquickjs::Result<Value<'js>> {
        if items.is_empty() {
            return Ok(self.empty.clone());
        }
        let array = Array::new(self.home.clone())?;
        for (at, item) in items.into_iter().enumerate() {
            array.set(at, item)?;
        }
        self.freeze.call((array,))
    }
}
