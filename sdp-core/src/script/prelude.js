// Makes one fresh Context into the realm of one body: takes the natives in `host`, gives `g`, `recipes` and what the engine
// itself calls afterwards. It runs before the body, so everything that it captures is pristine; nothing that it keeps is
// reachable from a body.
(function (host) {
  "use strict";

  const { apply, ownKeys, setPrototypeOf, isExtensible } = Reflect;
  const { defineProperty, freeze, getOwnPropertyDescriptor } = Object;
  const { isInteger } = Number;
  const { isArray, prototype: ArrayPrototype } = Array;
  const { stringify } = JSON;
  const ObjectPrototype = Object.prototype;
  const FunctionPrototype = Function.prototype;
  const functionText = FunctionPrototype.toString;
  const wellFormed = String.prototype.toWellFormed;
  const BodyError = Error;
  const now = Date.now;
  const { objects, arrays, natives, engine } = host;
  const { print, recipe, describe, materialise, reported } = engine;

  // Native functions come with the prototype of the Context that made the first one.
  for (const table of [natives, engine]) {
    for (const name of ownKeys(table)) setPrototypeOf(table[name], FunctionPrototype);
  }

  // The shared objects stand below this body's own prototypes, and what stands between is never shown.
  setPrototypeOf(objects, ObjectPrototype);
  setPrototypeOf(arrays, ArrayPrototype);
  const shown = (prototype) =>
    prototype === objects ? ObjectPrototype : prototype === arrays ? ArrayPrototype : prototype;
  const put = (holder, name, value) =>
    defineProperty(holder, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });
  const objectPrototypeOf = Object.getPrototypeOf;
  const reflectPrototypeOf = Reflect.getPrototypeOf;
  const { get: dunderGet, set: dunderSet } = getOwnPropertyDescriptor(ObjectPrototype, "__proto__");
  put(Object, "getPrototypeOf", { getPrototypeOf(value) { return shown(objectPrototypeOf(value)); } }.getPrototypeOf);
  put(Reflect, "getPrototypeOf", { getPrototypeOf(target) { return shown(reflectPrototypeOf(target)); } }.getPrototypeOf);
  defineProperty(ObjectPrototype, "__proto__", {
    __proto__: null,
    get: getOwnPropertyDescriptor({ get __proto__() { return shown(apply(dunderGet, this, [])); } }, "__proto__").get,
    set: dunderSet,
    enumerable: false,
    configurable: true,
  });

  // g
  const g = {};
  const member = (name, value) => defineProperty(g, name, { __proto__: null, value, enumerable: true });
  if (host.graph === undefined) {
    const get = { get graph() { return materialise(); } };
    defineProperty(g, "graph", {
      __proto__: null,
      get: getOwnPropertyDescriptor(get, "graph").get,
      enumerable: true,
    });
  } else {
    member("graph", host.graph);
  }
  for (const name of ownKeys(natives)) member(name, freeze(natives[name]));
  freeze(g);

  // recipes
  const isPlain = (value) => {
    if (typeof value !== "object" || value === null || isArray(value)) return false;
    const prototype = shown(objectPrototypeOf(value));
    return prototype === null || prototype === ObjectPrototype;
  };
  async function recipes(number, parameters) {
    if (typeof number !== "number" || !isInteger(number)) {
      throw new BodyError(`recipes: ${describe(number)} is not a recipe number`);
    }
    const body = recipe(number);
    if (body === undefined) throw new BodyError(`recipes: the catalog holds no recipe ${number}`);
    if (parameters !== undefined && !isPlain(parameters)) {
      throw new BodyError(`recipes: recipe ${number} takes one parameters object`);
    }
    const params = parameters === undefined ? {} : parameters;
    return body(g, materialise(), reported(), params, recipes);
  }
  freeze(recipes);

  // console
  let indent = "";
  const counts = { __proto__: null };
  const timers = { __proto__: null };
  const out = (...values) => print(false, indent, values);
  const err = (...values) => print(true, indent, values);
  const label = (value) => (value === undefined ? "default" : `${value}`);
  const elapsed = (name, values) => {
    if (timers[name] === undefined) err(`Warning: No such label '${name}' for console.time()`);
    else out(`${name}: ${now() - timers[name]}ms`, ...values);
  };
  const group = (...values) => {
    if (values.length > 0) out(...values);
    if (indent.length < 100) indent += "  ";
  };
  const methods = {
    log: out, info: out, debug: out, dirxml: out,
    error: err, warn: err,
    trace(...values) { err("Trace:", ...values); },
    table(value) { out(value); },
    dir(value) { out(value); },
    assert(condition, ...values) {
      if (condition) return;
      if (typeof values[0] === "string") err(`Assertion failed: ${values[0]}`, ...values.slice(1));
      else err("Assertion failed", ...values);
    },
    group, groupCollapsed: group,
    groupEnd() { indent = indent.slice(2); },
    count(value) {
      const name = label(value);
      counts[name] = (counts[name] ?? 0) + 1;
      out(`${name}: ${counts[name]}`);
    },
    countReset(value) { counts[label(value)] = 0; },
    time(value) { timers[label(value)] = now(); },
    timeLog(value, ...values) { elapsed(label(value), values); },
    timeEnd(value) {
      elapsed(label(value), []);
      timers[label(value)] = undefined;
    },
    clear() {},
  };
  const console = {};
  for (const name of ownKeys(methods)) {
    put(console, name, { [name](...values) { return apply(methods[name], undefined, values); } }[name]);
    defineProperty(console, name, { __proto__: null, enumerable: true });
  }
  put(globalThis, "console", console);

  return {
    __proto__: null,
    g,
    recipes,
    textOf: (value) => apply(functionText, value, []),
    wellFormed: (text) => apply(wellFormed, text, []),
    json: (value) => stringify(value, undefined, 2),
    // These show when the collector ran, which no answer may depend on.
    hide: () => {
      delete globalThis.WeakRef;
      delete globalThis.FinalizationRegistry;
      if (host.deterministic) delete globalThis.performance;
    },
    release: () => {
      const clean =
        isExtensible(objects) && isExtensible(arrays) &&
        ownKeys(objects).length === 0 && ownKeys(arrays).length === 1 &&
        arrays.length === 0 && getOwnPropertyDescriptor(arrays, "length").writable;
      return setPrototypeOf(objects, null) && setPrototypeOf(arrays, objects) && clean;
    },
  };
})
