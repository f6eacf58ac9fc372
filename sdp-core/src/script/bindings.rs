//! The realm of one body: a fresh Context with `console`, and the five bindings. What comes in is the home of the Runtime,
//! what goes out are the values that the body's function is called with. Nothing of the home but frozen objects gets in.

use std::rc::{Rc, Weak};

use rquickjs::function::Opt;
use rquickjs::{Array, Ctx, Exception, Function, Object, String as JsString, Type, Value};
use serde::Serialize;

use super::answer::ConsoleStream;
use super::console::Printer;
use super::home::{Home, Rows};
use super::inspect::{self, Intrinsics};
use super::limits::Meter;
use super::wrapper::Source;
use sdp_recipes::Recipe;

const PRELUDE: &str = include_str!("prelude.js");
const FIXED_CLOCK: &str = include_str!("fixed_clock.js");

/// What a body hears that reaches the console or a recipe without their names in its text.
const UNNAMED: &str = "console and recipes must be named in the body";

/// How many bytes of text the elements of one array argument may hold: several hundred thousand paths.
const ARGUMENT_BYTES: usize = 64 * 1024 * 1024;

/// What those of the reader's methods take that refuse something; anything else is a TypeError. A further argument is left alone, so that
/// `ids.map(g.byId)` works.
const TAKES: [(&str, &str); 6] = [
    ("findByConcept", "one string"),
    ("byFile", "one string"),
    ("blastRadius", "one array of strings"),
    ("specContext", "one string"),
    ("packContext", "one string"),
    ("exampleSpace", "one string, then { pairs: boolean }"),
];

/// 2000-01-01T00:00:00Z, in milliseconds.
const FIXED_INSTANT: f64 = 946_684_800_000.0;

/// What a realm is made of.
#[derive(Clone, Copy)]
pub(super) struct Furniture<'r> {
    pub(super) home: &'r Rc<Home>,
    pub(super) printer: &'r Rc<Printer>,
    pub(super) meter: &'r Rc<Meter>,
    pub(super) catalog: &'static [Recipe],
    pub(super) deterministic: bool,
    /// What the body may use, in bytes.
    pub(super) memory: u64,
    /// Whether a value may be rendered as text; that furniture costs more than all the rest.
    pub(super) renders: bool,
}

/// What the engine keeps of one realm. It goes before the realm does.
pub(super) struct Realm<'js> {
    pub(super) g: Value<'js>,
    pub(super) recipes: Value<'js>,
    pub(super) text_of: Function<'js>,
    pub(super) intrinsics: Option<Rc<Intrinsics<'js>>>,
    json: Function<'js>,
    well_formed: Function<'js>,
    release: Function<'js>,
    shared: Rc<Shared<'js>>,
}

/// What native functions reach at run time. They hold it weakly: a native function's captures are invisible to the collector.
struct Shared<'js> {
    intrinsics: Option<Rc<Intrinsics<'js>>>,
    text_of: Function<'js>,
}

type Slot<'js> = Rc<std::cell::RefCell<Weak<Shared<'js>>>>;

impl<'js> Realm<'js> {
    /// Furnishes a fresh Context. With `shows_graph`, `g.graph` is an ordinary property; else it is built when it is read.
    pub(super) fn furnish(ctx: &Ctx<'js>, furniture: Furniture<'_>, shows_graph: bool) -> rquickjs::Result<Self> {
        let Furniture { home, deterministic, renders, .. } = furniture;
        if deterministic {
            ctx.eval::<Function<'js>, _>(FIXED_CLOCK)?.call::<_, ()>((FIXED_INSTANT,))?;
        }
        let slot: Slot<'js> = Rc::default();
        let host = Object::new(ctx.clone())?;
        let (objects, arrays) = home.prototypes(ctx)?;
        host.set("objects", objects)?;
        host.set("arrays", arrays)?;
        host.set("deterministic", deterministic)?;
        host.set("natives", natives(ctx, furniture)?)?;
        host.set("engine", engine(ctx, furniture, &slot)?)?;
        if shows_graph {
            host.set("graph", home.graph(ctx)?)?;
        }
        let mut options = rquickjs::context::EvalOptions::default();
        options.filename = Some("sdp".to_owned());
        let prelude: Function<'js> = ctx.eval_with_options(PRELUDE, options)?;
        let kept: Object<'js> = prelude.call((host,))?;
        let intrinsics = if renders { Some(Rc::new(Intrinsics::new(ctx)?)) } else { None };
        kept.get::<_, Function<'js>>("hide")?.call::<_, ()>(())?;
        let text_of: Function<'js> = kept.get("textOf")?;
        let well_formed: Function<'js> = kept.get("wellFormed")?;
        let shared = Rc::new(Shared { intrinsics: intrinsics.clone(), text_of: text_of.clone() });
        *slot.borrow_mut() = Rc::downgrade(&shared);
        Ok(Realm {
            g: kept.get("g")?,
            recipes: kept.get("recipes")?,
            json: kept.get("json")?,
            release: kept.get("release")?,
            text_of,
            well_formed,
            intrinsics,
            shared,
        })
    }

    /// `JSON.stringify(value, undefined, 2)`; a string, or `undefined`.
    pub(super) fn json(&self, value: Value<'js>) -> rquickjs::Result<Option<String>> {
        match self.json.call::<_, Value<'js>>((value,))?.as_string() {
            Some(text) => self.text(text).map(Some),
            None => Ok(None),
        }
    }

    /// A string's text; half of a surrogate pair reads as U+FFFD.
    pub(super) fn text(&self, text: &JsString<'js>) -> rquickjs::Result<String> {
        text_of_string(&self.well_formed, text)
    }

    /// Takes the home out of this realm again; whether it is as clean as before.
    pub(super) fn release(self) -> bool {
        let clean = self.release.call::<_, bool>(()).unwrap_or(false);
        drop(self.shared);
        clean
    }
}

fn text_of_string<'js>(well_formed: &Function<'js>, text: &JsString<'js>) -> rquickjs::Result<String> {
    match text.to_string() {
        Ok(text) => Ok(text),
        Err(_) => well_formed.call((text.clone(),)),
    }
}

/// How one question about a text is answered.
type Ask<'js> = dyn Fn(&Home, &Ctx<'js>, &str) -> rquickjs::Result<Value<'js>> + 'js;

/// The reader's methods: every name that `g` has beside `graph`, in its order.
fn natives<'js>(ctx: &Ctx<'js>, Furniture { home, memory, .. }: Furniture<'_>) -> rquickjs::Result<Object<'js>> {
    let table = Object::new(ctx.clone())?;
    let rows = |rows: Rows| {
        let home = Rc::downgrade(home);
        move |ctx: Ctx<'js>| list(&ctx, alive(&ctx, &home)?.rows(&ctx, rows)?)
    };
    for (name, which) in [("specs", Rows::Specs), ("packs", Rows::Packs), ("findings", Rows::Findings)] {
        add(&table, name, Function::new(ctx.clone(), rows(which))?)?;
    }

    let answer = |name: &'static str, ask: Box<Ask<'js>>| {
        let home = Rc::downgrade(home);
        move |ctx: Ctx<'js>, argument: Opt<Value<'js>>| {
            let text = argument.0.as_ref().and_then(Value::as_string).ok_or_else(|| misused(&ctx, name))?;
            let home = alive(&ctx, &home)?;
            ask(&home, &ctx, &looked_up(text))
        }
    };
    let ask = answer("findByConcept", Box::new(|home, ctx, text| fresh(ctx, &home.reader().find_by_concept(text))));
    add(&table, "findByConcept", Function::new(ctx.clone(), ask)?)?;
    let ask = answer("byFile", Box::new(|home, ctx, path| fresh(ctx, &home.reader().by_file(path))));
    add(&table, "byFile", Function::new(ctx.clone(), ask)?)?;
    let weak = Rc::downgrade(home);
    let blast_radius = move |ctx: Ctx<'js>, files: Opt<Value<'js>>| {
        let files = strings(&ctx, "blastRadius", files)?;
        fresh(&ctx, &alive(&ctx, &weak)?.reader().blast_radius(&files))
    };
    add(&table, "blastRadius", Function::new(ctx.clone(), blast_radius)?)?;
    let ask = answer(
        "specContext",
        Box::new(move |home, ctx, id| {
            require_room(ctx, home.reader().spec_context_bytes(id), memory)?;
            match home.reader().spec_context(id) {
                Some(context) => fresh(ctx, &context),
                None => Ok(Value::new_undefined(ctx.clone())),
            }
        }),
    );
    add(&table, "specContext", Function::new(ctx.clone(), ask)?)?;
    let ask = answer(
        "packContext",
        Box::new(move |home, ctx, id| {
            require_room(ctx, home.reader().pack_context_bytes(id), memory)?;
            match home.reader().pack_context(id) {
                Some(context) => fresh(ctx, &context),
                None => Ok(Value::new_undefined(ctx.clone())),
            }
        }),
    );
    add(&table, "packContext", Function::new(ctx.clone(), ask)?)?;

    let weak = Rc::downgrade(home);
    let example_space = move |ctx: Ctx<'js>, id: Opt<Value<'js>>, wish: Opt<Value<'js>>| {
        let (true, Some(wants_pairs)) = (id.0.as_ref().is_some_and(Value::is_string), wants_pairs(wish)?) else {
            return Err(misused(&ctx, "exampleSpace"));
        };
        let home = alive(&ctx, &weak)?;
        match string(id).and_then(|id| home.reader().example_space(&id, wants_pairs)) {
            Some(space) => fresh(&ctx, &space),
            None => Ok(Value::new_undefined(ctx)),
        }
    };
    add(&table, "exampleSpace", Function::new(ctx.clone(), example_space)?)?;

    let weak = Rc::downgrade(home);
    let by_id = move |ctx: Ctx<'js>, id: Opt<Value<'js>>| {
        let home = alive(&ctx, &weak)?;
        match string(id).and_then(|id| home.reader().index().position(&id)) {
            Some(at) => home.node(&ctx, at),
            None => Ok(Value::new_undefined(ctx)),
        }
    };
    add(&table, "byId", Function::new(ctx.clone(), by_id)?)?;
    let edges = |outward: bool| {
        let home = Rc::downgrade(home);
        move |ctx: Ctx<'js>, id: Opt<Value<'js>>, edge_type: Opt<Value<'js>>| {
            let home = alive(&ctx, &home)?;
            let wants_type = edge_type.0.as_ref().is_some_and(|value| !value.is_undefined());
            let edge_type = string(edge_type);
            let positions = match string(id) {
                Some(_) if wants_type && edge_type.is_none() => Vec::new(),
                Some(id) if outward => home.reader().out_edges(&id, edge_type.as_deref()),
                Some(id) => home.reader().in_edges(&id, edge_type.as_deref()),
                None => Vec::new(),
            };
            let edges = positions.into_iter().map(|at| home.edge(&ctx, at)).collect::<rquickjs::Result<Vec<_>>>()?;
            list(&ctx, edges)
        }
    };
    add(&table, "out", Function::new(ctx.clone(), edges(true))?)?;
    add(&table, "in", Function::new(ctx.clone(), edges(false))?)?;
    Ok(table)
}

/// Refuses an answer that would not fit, as the engine refuses an allocation: the answer is built outside of its memory.
fn require_room(ctx: &Ctx<'_>, bytes: u64, memory: u64) -> rquickjs::Result<()> {
    if bytes > memory { Err(Exception::throw_internal(ctx, inspect::OUT_OF_MEMORY)) } else { Ok(()) }
}

/// What only the prelude calls.
fn engine<'js>(ctx: &Ctx<'js>, furniture: Furniture<'_>, slot: &Slot<'js>) -> rquickjs::Result<Object<'js>> {
    let Furniture { home, printer, meter, catalog, .. } = furniture;
    let table = Object::new(ctx.clone())?;

    let (printer, shared, clock) = (Rc::clone(printer), Rc::clone(slot), Rc::clone(meter));
    let print = move |ctx: Ctx<'js>, to_err: bool, indent: String, values: Vec<Value<'js>>| {
        let shared = shared.borrow().upgrade();
        let (true, Some(shared)) = (printer.is_open(), shared) else { return Ok(()) };
        let Some(intrinsics) = &shared.intrinsics else { return Err(Exception::throw_internal(&ctx, UNNAMED)) };
        let text =
            inspect::render_log(&ctx, intrinsics, &values, &|| clock.expired()).map_err(|error| thrown(&ctx, error))?;
        let text = if indent.is_empty() {
            text
        } else {
            text.split('\n').map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
        };
        printer.print(if to_err { ConsoleStream::Err } else { ConsoleStream::Out }, text);
        rquickjs::Result::Ok(())
    };
    add(&table, "print", Function::new(ctx.clone(), print)?)?;

    let (shared, clock) = (Rc::clone(slot), Rc::clone(meter));
    let describe = move |ctx: Ctx<'js>, value: Value<'js>| {
        let Some(shared) = shared.borrow().upgrade() else { return Ok(String::new()) };
        let Some(intrinsics) = &shared.intrinsics else { return Err(Exception::throw_internal(&ctx, UNNAMED)) };
        let text =
            inspect::render(&ctx, intrinsics, &value, &|| clock.expired()).map_err(|error| thrown(&ctx, error))?;
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        rquickjs::Result::Ok(match line.char_indices().nth(100) {
            Some((end, _)) => format!("{}…", line.get(..end).unwrap_or("")),
            None => line,
        })
    };
    add(&table, "describe", Function::new(ctx.clone(), describe)?)?;

    let weak = Rc::downgrade(home);
    add(&table, "materialise", Function::new(ctx.clone(), move |ctx: Ctx<'js>| alive(&ctx, &weak)?.graph(&ctx))?)?;
    let weak = Rc::downgrade(home);
    add(&table, "reported", Function::new(ctx.clone(), move |ctx: Ctx<'js>| alive(&ctx, &weak)?.report(&ctx))?)?;

    let (shared, meter) = (Rc::clone(slot), Rc::clone(meter));
    let recipe = move |ctx: Ctx<'js>, number: f64| {
        let undefined = Value::new_undefined(ctx.clone());
        let Some(shared) = shared.borrow().upgrade() else { return Ok(undefined) };
        let known = catalog.iter().find(|recipe| f64::from(recipe.number) == number);
        let Some(recipe) = known else { return Ok(undefined) };
        let file = format!("recipe-{}", recipe.number);
        match Source::new(recipe.body).compile(&ctx, &file, &shared.text_of, &meter) {
            Ok(function) => Ok(function.into_value()),
            Err(refusal) => {
                let message = format!("recipe {} does not compile: {refusal:?}", recipe.number);
                Err(Exception::throw_internal(&ctx, &message))
            }
        }
    };
    add(&table, "recipe", Function::new(ctx.clone(), recipe)?)?;
    Ok(table)
}

fn add<'js>(table: &Object<'js>, name: &str, function: Function<'js>) -> rquickjs::Result<()> {
    function.set_name(name)?;
    table.set(name, function)
}

fn alive(ctx: &Ctx<'_>, home: &Weak<Home>) -> rquickjs::Result<Rc<Home>> {
    home.upgrade().ok_or_else(|| Exception::throw_internal(ctx, "the graph is gone"))
}

/// What the graph is asked for; half of a surrogate pair is in no id, path or text of it.
fn looked_up(text: &JsString<'_>) -> String {
    text.to_string().unwrap_or_else(|_| '\u{fffd}'.to_string())
}

/// The refusal of a method's arguments.
fn misused(ctx: &Ctx<'_>, name: &str) -> rquickjs::Error {
    let takes = TAKES.iter().find(|(method, _)| *method == name).map_or("other arguments", |(_, takes)| *takes);
    Exception::throw_type(ctx, &format!("{name} takes {takes}"))
}

/// The elements of an array of strings; anything else is refused. So is what would take more than [`ARGUMENT_BYTES`]: an
/// element may be an accessor, which makes a new text at each turn.
fn strings<'js>(ctx: &Ctx<'js>, name: &str, argument: Opt<Value<'js>>) -> rquickjs::Result<Vec<String>> {
    let refusal = || misused(ctx, name);
    let array = argument.0.as_ref().and_then(Value::as_array).ok_or_else(refusal)?;
    // The library's own `len` aborts on a length beyond 31 bits.
    let length: f64 = array.as_object().get("length")?;
    let mut texts = Vec::new();
    let mut room = ARGUMENT_BYTES;
    for at in (0u32..).take_while(|at| f64::from(*at) < length) {
        let element: Value<'js> = array.get(at as usize)?;
        let text = looked_up(element.as_string().ok_or_else(refusal)?);
        room = room.checked_sub(size_of::<String>() + text.len()).ok_or_else(|| {
            Exception::throw_range(ctx, &format!("{name} takes at most {} MiB of text", ARGUMENT_BYTES >> 20))
        })?;
        texts.push(text);
    }
    Ok(texts)
}

/// Whether `{ pairs }` asks for pairs; none where it is something else, or holds another key.
fn wants_pairs(wish: Opt<Value<'_>>) -> rquickjs::Result<Option<bool>> {
    let Some(wish) = wish.0.filter(|wish| !wish.is_undefined()) else { return Ok(Some(false)) };
    let Some(wish) = wish.as_object().filter(|wish| is_plain(wish)) else { return Ok(None) };
    for key in wish.keys::<String>() {
        if key? != "pairs" {
            return Ok(None);
        }
    }
    let pairs: Value<'_> = wish.get("pairs")?;
    Ok(if pairs.is_undefined() { Some(false) } else { pairs.as_bool() })
}

/// Whether an object is made by a literal, or has no prototype. A proxy is not: asking it for one runs code of the body.
fn is_plain(object: &Object<'_>) -> bool {
    let is_bare = |object: &Object<'_>| object.type_of() == Type::Object;
    is_bare(object)
        && object.get_prototype().is_none_or(|prototype| is_bare(&prototype) && prototype.get_prototype().is_none())
}

fn string(value: Opt<Value<'_>>) -> Option<String> {
    value.0?.as_string()?.to_string().ok()
}

fn thrown(ctx: &Ctx<'_>, error: inspect::RenderError) -> rquickjs::Error {
    match error.to_string() {
        message if message == inspect::OUT_OF_MEMORY => Exception::throw_internal(ctx, &message),
        message => Exception::throw_message(ctx, &message),
    }
}

fn list<'js>(ctx: &Ctx<'js>, values: Vec<Value<'js>>) -> rquickjs::Result<Value<'js>> {
    let array = Array::new(ctx.clone())?;
    for (at, value) in values.into_iter().enumerate() {
        array.set(at, value)?;
    }
    Ok(array.into_value())
}

/// A plain object of the body's own.
fn fresh<'js>(ctx: &Ctx<'js>, answer: &impl Serialize) -> rquickjs::Result<Value<'js>> {
    let text = serde_json::to_string(answer).map_err(|_| rquickjs::Error::Unknown)?;
    ctx.json_parse(text)
}
