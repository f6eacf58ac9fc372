// What the renderer asks of a value, written against the functions of a fresh Context, so that a body which rewrites
// `Array.prototype` or `Reflect` changes nothing here. Every list that leaves this file is an array literal or has no
// prototype. The one argument is the native half of `inspect`; the answer is the table that Rust keeps.
(function (nativeInspect) {
  'use strict';

  const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
  const setPrototypeOf = Object.setPrototypeOf;
  const objectKeys = Object.keys;
  const ownKeys = Reflect.ownKeys;
  const getNames = Object.getOwnPropertyNames;
  const getSymbols = Object.getOwnPropertySymbols;
  const create = Object.create;
  const ObjectProto = Object.prototype;
  const FunctionProto = Function.prototype;
  const hasOwnProperty = ObjectProto.hasOwnProperty;
  const isEnumerable = ObjectProto.propertyIsEnumerable;
  const ordinaryHasInstance = FunctionProto[Symbol.hasInstance];
  const functionToString = FunctionProto.toString;
  const errorStack = getOwnPropertyDescriptor(Error.prototype, 'stack')?.get;
  const errorToString = Error.prototype.toString;
  const { toStringTag, iterator, toPrimitive } = Symbol;
  const isArray = Array.isArray;
  const isView = ArrayBuffer.isView;
  const BaseObject = Object;
  const BaseError = Error;
  const BaseString = String;
  const BaseNumber = Number;
  const BaseRegExp = RegExp;
  const BaseRangeError = RangeError;
  const BaseWeakRef = WeakRef;
  const Bytes = Uint8Array;
  const parseInteger = parseInt;
  const parseDecimal = parseFloat;
  const stringify = JSON.stringify;
  const mathMin = Math.min;
  const mathMax = Math.max;
  const custom = Symbol.for('nodejs.util.inspect.custom');

  const getter = (proto, key) => getOwnPropertyDescriptor(proto, key).get;
  const mapSize = getter(Map.prototype, 'size');
  const setSize = getter(Set.prototype, 'size');
  const mapEntries = Map.prototype.entries;
  const setValues = Set.prototype.values;
  const MapIteratorProto = getPrototypeOf(new Map().entries());
  const SetIteratorProto = getPrototypeOf(new Set().values());
  const mapNext = MapIteratorProto.next;
  const setNext = SetIteratorProto.next;
  const TypedProto = getPrototypeOf(Bytes.prototype);
  const typedTag = getter(TypedProto, toStringTag);
  const typedLength = getter(TypedProto, 'length');
  const bufferLength = getter(ArrayBuffer.prototype, 'byteLength');
  const sharedLength = typeof SharedArrayBuffer === 'function' ? getter(SharedArrayBuffer.prototype, 'byteLength') : undefined;
  const weakMapHas = WeakMap.prototype.has;
  const weakSetHas = WeakSet.prototype.has;
  const weakDeref = BaseWeakRef.prototype.deref;
  const dateTime = Date.prototype.getTime;
  const dateToISOString = Date.prototype.toISOString;
  const dateToString = Date.prototype.toString;
  const regExpGlobal = getter(RegExp.prototype, 'global');
  const regExpToString = RegExp.prototype.toString;
  const symbolToString = Symbol.prototype.toString;
  const symbolDescription = getter(Symbol.prototype, 'description');
  const stringSlice = String.prototype.slice;
  const stringIndexOf = String.prototype.indexOf;
  const boxes = [
    ['Number', Number.prototype.valueOf],
    ['String', String.prototype.valueOf],
    ['Boolean', Boolean.prototype.valueOf],
    ['BigInt', BigInt.prototype.valueOf],
    ['Symbol', Symbol.prototype.valueOf],
  ];
  const boxCount = boxes.length;
  setPrototypeOf(boxes, null);

  const plain = function () {};
  const builtIns = create(null);
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^[A-Z][a-zA-Z0-9]+$/.test(name)) builtIns[name] = true;
  }

  const has = Object.hasOwn;
  const bare = () => setPrototypeOf([], null);
  const passes = (method, value, args) => {
    try {
      apply(method, value, args);
      return true;
    } catch {
      return false;
    }
  };
  const call = (method, value) => {
    try {
      return apply(method, value, []);
    } catch {
      return undefined;
    }
  };
  const inChain = (proto, value) => {
    for (let at = getPrototypeOf(value); at !== null; at = getPrototypeOf(at)) {
      if (at === proto) return true;
    }
    return false;
  };

  // The name of the nearest constructor; null without any prototype; undefined when a prototype exists and none is named.
  function constructorName(value) {
    let at = value;
    let first;
    while (at !== null) {
      if (at !== value) {
        if (at === ObjectProto) return 'Object';
        if (at === FunctionProto) return 'Function';
      }
      const found = getOwnPropertyDescriptor(at, 'constructor');
      if (found !== undefined && has(found, 'value')) {
        const candidate = found.value;
        if (typeof candidate === 'function' && candidate.name !== '') {
          let instance = false;
          try {
            instance = value instanceof candidate;
          } catch {}
          if (instance) return BaseString(candidate.name);
        }
      }
      at = getPrototypeOf(at);
      if (first === undefined) first = at;
    }
    return first === null ? null : undefined;
  }

  // [name, tag, whether it can be iterated, its own inspection]; the last alone when there is one.
  function head(value, showHidden, customized) {
    if (customized) {
      const method = value[custom];
      if (typeof method === 'function' && method !== inspect && !isPrototype(value)) return ['', '', false, method];
    }
    const name = constructorName(value);
    let tag = value[toStringTag];
    if (typeof tag !== 'string' || (tag !== '' && (showHidden ? has(value, toStringTag) : apply(isEnumerable, value, [toStringTag])))) {
      tag = '';
    }
    return [name, tag, iterator in value, undefined];
  }

  // Asking a value for its kind makes the engine throw for most kinds. Without frames, and without a body's own hook for
  // them, a throw is cheap and runs nothing.
  const limit = getOwnPropertyDescriptor(Error, 'stackTraceLimit');
  const prepare = getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const quiet = limit?.set !== undefined && prepare?.set !== undefined;
  function quietly(ask, value) {
    if (!quiet) return ask(value);
    const frames = apply(limit.get, BaseError, []);
    const hook = apply(prepare.get, BaseError, []);
    apply(limit.set, BaseError, [0]);
    apply(prepare.set, BaseError, [undefined]);
    try {
      return ask(value);
    } finally {
      apply(limit.set, BaseError, [frames]);
      apply(prepare.set, BaseError, [hook]);
    }
  }

  function askCollection(value) {
    const sets = call(setSize, value);
    if (sets !== undefined) return ['Set', sets];
    const maps = call(mapSize, value);
    if (maps !== undefined) return ['Map', maps];
    const typed = apply(typedTag, value, []);
    if (typed !== undefined) return [typed, apply(typedLength, value, []), true];
    return undefined;
  }

  function iteratorKind(value) {
    if (inChain(MapIteratorProto, value)) return 'Map';
    if (inChain(SetIteratorProto, value)) return 'Set';
    return undefined;
  }

  const collection = (value) => quietly(askCollection, value);
  const brand = (value) => quietly(askBrand, value);

  function askBrand(value) {
    if (apply(typedTag, value, []) !== undefined) return undefined;
    const time = call(dateTime, value);
    if (time !== undefined) return 'Date';
    if (call(regExpGlobal, value) !== undefined) return 'RegExp';
    if (call(bufferLength, value) !== undefined) return 'ArrayBuffer';
    if (sharedLength !== undefined && call(sharedLength, value) !== undefined) return 'SharedArrayBuffer';
    if (isView(value)) return 'DataView';
    if (passes(weakSetHas, value, [plain])) return 'WeakSet';
    if (passes(weakMapHas, value, [plain])) return 'WeakMap';
    for (let i = 0; i < boxCount; i++) {
      if (passes(boxes[i][1], value, [])) return boxes[i][0];
    }
    return undefined;
  }

  function unbox(kind, value) {
    for (let i = 0; i < boxCount; i++) {
      if (boxes[i][0] === kind) return apply(boxes[i][1], value, []);
    }
    return undefined;
  }

  // Each property is three cells: key, what it is, value. 0 value, 1 getter and setter, 2 getter, 3 setter, plus 4 when hidden.
  function describe(found) {
    let kind = 0;
    if (!has(found, 'value')) {
      if (found.get !== undefined) kind = found.set !== undefined ? 1 : 2;
      else if (found.set !== undefined) kind = 3;
    }
    return kind;
  }

  function properties(value, keys, from, to) {
    const out = bare();
    let n = 0;
    for (let i = from; i < to; i++) {
      const key = keys[i];
      const found = getOwnPropertyDescriptor(value, key);
      if (found === undefined) continue;
      const kind = describe(found);
      out[n] = key;
      out[n + 1] = found.enumerable ? kind : kind + 4;
      out[n + 2] = kind === 0 ? found.value : undefined;
      n += 3;
    }
    return out;
  }

  // The keys that are shown, strings before symbols; with what they hold when there are no more than `limit`.
  function keys(value, showHidden, limit) {
    const names = showHidden ? getNames(value) : objectKeys(value);
    const symbols = getSymbols(value);
    const count = symbols.length;
    if (count !== 0) {
      setPrototypeOf(names, null);
      let n = names.length;
      for (let i = 0; i < count; i++) {
        if (showHidden || apply(isEnumerable, value, [symbols[i]])) names[n++] = symbols[i];
      }
    }
    const total = names.length;
    return total <= limit ? [properties(value, names, 0, total), true] : [names, false];
  }

  function symbolKeys(value, showHidden) {
    const symbols = getSymbols(value);
    const count = symbols.length;
    const out = bare();
    let n = 0;
    for (let i = 0; i < count; i++) {
      if (showHidden || apply(isEnumerable, value, [symbols[i]])) out[n++] = symbols[i];
    }
    return out;
  }

  // One property that is shown whether it is the value's own or not: what it is, value.
  function property(value, key) {
    const found = getOwnPropertyDescriptor(value, key);
    if (found === undefined) return [0, value[key]];
    const kind = describe(found);
    return [found.enumerable ? kind : kind + 4, kind === 0 ? found.value : undefined];
  }

  // Data and accessors of up to three layers of prototypes that the program itself defined, as `properties` gives them.
  function prototypeProperties(value) {
    const out = bare();
    let n = 0;
    const first = getPrototypeOf(value);
    if (first === null) return out;
    let at = namedFrom(value, first);
    if (at === undefined) return out;
    const shown = bare();
    let known = 0;
    for (let depth = 0; depth < 3; depth++) {
      if (depth !== 0 || at === value) {
        at = getPrototypeOf(at);
        if (at === null) return out;
        const owner = getOwnPropertyDescriptor(at, 'constructor');
        if (owner !== undefined && typeof owner.value === 'function' && builtIns[owner.value.name] === true) return out;
      }
      const layer = ownKeys(at);
      const before = known;
      for (let i = 0; i < layer.length; i++) {
        const key = layer[i];
        let above = false;
        for (let k = 0; k < before && !above; k++) above = shown[k] === key;
        shown[known++] = key;
        if (key === 'constructor' || above || has(value, key)) continue;
        const found = getOwnPropertyDescriptor(at, key);
        const kind = describe(found);
        if (kind === 0 && typeof found.value === 'function') continue;
        out[n] = key;
        out[n + 1] = found.enumerable ? kind : kind + 4;
        out[n + 2] = kind === 0 ? found.value : undefined;
        n += 3;
      }
    }
    return out;
  }

  // Where the walk for prototype properties begins: undefined when the object's own constructor is one of the language.
  function namedFrom(value, first) {
    for (let at = value; at !== null; at = getPrototypeOf(at)) {
      const known = at !== value && (at === ObjectProto || at === FunctionProto);
      if (known) return at === first ? undefined : first;
      const found = getOwnPropertyDescriptor(at, 'constructor');
      if (found === undefined || !has(found, 'value') || typeof found.value !== 'function' || found.value.name === '') continue;
      let instance = false;
      try {
        instance = value instanceof found.value;
      } catch {}
      if (!instance) continue;
      if (at === value) return value;
      return at === first && builtIns[found.value.name] === true ? undefined : first;
    }
    return undefined;
  }

  // Elements from..to up to the first hole, two cells each: what it is, value.
  function elements(value, from, to) {
    const out = bare();
    let n = 0;
    for (let i = from; i < to; i++) {
      const found = getOwnPropertyDescriptor(value, i);
      if (found === undefined) break;
      const kind = describe(found);
      out[n] = kind;
      out[n + 1] = kind === 0 ? found.value : undefined;
      n += 2;
    }
    return out;
  }

  const isIndex = (key) => {
    if (key === '0') return true;
    const length = key.length;
    if (length === 0 || key[0] === '0') return false;
    for (let i = 0; i < length; i++) {
      if (key[i] < '0' || key[i] > '9') return false;
    }
    return true;
  };

  // Goes on after the first hole: as `elements`, and 8 with a count for a run of holes, 9 with a count for what is left out.
  function sparse(value, produced, limit) {
    const keys = objectKeys(value);
    const out = bare();
    let n = 0;
    let index = produced;
    let i = produced;
    for (; i < keys.length && produced < limit; i++) {
      const key = keys[i];
      const number = +key;
      if (number > 4294967294) break;
      if (`${index}` !== key) {
        if (!isIndex(key)) break;
        out[n] = 8;
        out[n + 1] = number - index;
        n += 2;
        produced++;
        index = number;
        if (produced === limit) break;
      }
      const found = getOwnPropertyDescriptor(value, key);
      const kind = describe(found);
      out[n] = kind;
      out[n + 1] = kind === 0 ? found.value : undefined;
      n += 2;
      produced++;
      index++;
    }
    const remaining = value.length - index;
    if (remaining > 0) {
      out[n] = produced !== limit ? 8 : 9;
      out[n + 1] = remaining;
    }
    return out;
  }

  function typedElements(value, count) {
    const out = bare();
    for (let i = 0; i < count; i++) out[i] = value[i];
    return out;
  }

  function allNumbers(value, count) {
    for (let i = 0; i < count; i++) {
      const type = typeof value[i];
      if (type !== 'number' && type !== 'bigint') return false;
    }
    return true;
  }

  function setMembers(value, limit, anonymous) {
    const out = bare();
    let n = 0;
    if (anonymous || value[iterator] === setValues) {
      const walk = apply(setValues, value, []);
      while (n < limit) {
        const step = apply(setNext, walk, []);
        if (step.done) break;
        out[n++] = step.value;
      }
    } else {
      for (const member of value) {
        if (n >= limit) break;
        out[n++] = member;
      }
    }
    return out;
  }

  function mapMembers(value, limit, anonymous) {
    const out = bare();
    let n = 0;
    limit *= 2;
    if (anonymous || value[iterator] === mapEntries) {
      const walk = apply(mapEntries, value, []);
      while (n < limit) {
        const step = apply(mapNext, walk, []);
        if (step.done) break;
        out[n] = step.value[0];
        out[n + 1] = step.value[1];
        n += 2;
      }
    } else {
      for (const pair of value) {
        if (n >= limit) break;
        out[n] = pair[0];
        out[n + 1] = pair[1];
        n += 2;
      }
    }
    return out;
  }

  // Runs an iterator of a Map or Set to its end. Whether it gives entries is seen from the first answer: a pair that
  // nobody else holds was made for us, and dies with our last reference to it.
  function drain(value, kind) {
    const next = kind === 'Map' ? mapNext : setNext;
    const out = bare();
    let n = 0;
    let pairs = false;
    let step;
    try {
      step = apply(next, value, []);
    } catch {
      return undefined;
    }
    if (step.done) return [false, out];
    let first = step.value;
    step = undefined;
    if (isArray(first) && first.length === 2 && has(first, '0') && has(first, '1')) {
      const a = first[0];
      const b = first[1];
      const watch = new BaseWeakRef(first);
      first = undefined;
      const held = apply(weakDeref, watch, []);
      if (held === undefined) {
        pairs = true;
        out[0] = a;
        out[1] = b;
        n = 2;
      } else {
        out[n++] = held;
      }
    } else {
      out[n++] = first;
    }
    for (;;) {
      step = apply(next, value, []);
      if (step.done) break;
      if (pairs) {
        out[n] = step.value[0];
        out[n + 1] = step.value[1];
        n += 2;
      } else {
        out[n++] = step.value;
      }
    }
    return [pairs, out];
  }

  function bytes(value, limit) {
    let view;
    try {
      view = new Bytes(value);
    } catch {
      return undefined;
    }
    const length = apply(typedLength, view, []);
    return [length, typedElements(view, mathMin(mathMax(0, limit), length))];
  }

  const dateText = (value) => {
    const time = apply(dateTime, value, []);
    return time !== time ? apply(dateToString, value, []) : apply(dateToISOString, value, []);
  };

  const regExpText = (value, anonymous) => apply(regExpToString, anonymous ? new BaseRegExp(value) : value, []);

  // What tells a function's kind: the source of what may be a class, else the head of the source.
  function functionSource(value) {
    const source = apply(functionToString, value, []);
    const isClass = apply(stringSlice, source, [0, 5]) === 'class' && source[source.length - 1] === '}';
    return isClass ? source : apply(stringSlice, source, [0, 2000]);
  }

  const functionName = (value) => {
    const name = value.name;
    return name === '' ? undefined : `${name}`;
  };

  function classNames(value, anonymous) {
    const name = (has(value, 'name') && value.name) || '(anonymous)';
    let parent;
    if (!anonymous) {
      const above = getPrototypeOf(value).name;
      if (above) parent = `${above}`;
    }
    return [`${name}`, parent];
  }

  const isError = (value, native) => native || apply(ordinaryHasInstance, BaseError, [value]);

  // QuickJS keeps the frames alone in `stack`; V8 puts name and message before them.
  function stackText(error) {
    const stack = getPrototypeOf(error) === null && !has(error, 'stack') ? call(errorStack, error) : error.stack;
    if (!stack) return apply(errorToString, error, []);
    let text = BaseString(stack);
    if (apply(stringSlice, text, [0, 7]) === '    at ') {
      if (text[text.length - 1] === '\n') text = apply(stringSlice, text, [0, -1]);
      text = `${apply(errorToString, error, [])}\n${text}`;
    }
    return text;
  }

  function errorFacts(error) {
    const name = error.name != null ? BaseString(error.name) : 'Error';
    const stack = stackText(error);
    const shown = (key) => has(error, key) && apply(stringIndexOf, stack, [`${error[key]}`]) !== -1;
    let cause;
    try {
      cause = error.cause;
    } catch {}
    const message = error.message;
    return [
      name,
      stack,
      typeof message === 'string' ? message : undefined,
      shown('name'),
      shown('message'),
      shown('stack'),
      'cause' in error,
      isArray(error.errors),
      cause != null && typeof cause === 'object' ? cause : undefined,
    ];
  }

  const isArguments = (value) => {
    if (!has(value, 'length') || !has(value, iterator) || !has(value, 'callee')) return false;
    if (value[toStringTag] !== undefined) return true;
    return apply(ObjectProto.toString, value, []) === '[object Arguments]';
  };

  // What the engine calls an object of no special kind.
  function plainName(value) {
    if (isArguments(value)) return 'Arguments';
    const tag = getOwnPropertyDescriptor(value, toStringTag);
    return tag !== undefined && has(tag, 'value') && typeof tag.value === 'string' && tag.value !== '' ? tag.value : 'Object';
  }

  const isPrototype = (value) => {
    const owner = value.constructor;
    return !!(owner && owner.prototype === value);
  };

  function inspect(value, options) {
    const settings = {
      __proto__: null,
      showHidden: false,
      depth: 2,
      colors: false,
      customInspect: true,
      showProxy: false,
      maxArrayLength: 100,
      maxStringLength: 10000,
      breakLength: 80,
      compact: 3,
    };
    if (arguments.length > 1) {
      if (arguments.length > 2 && arguments[2] !== undefined) settings.depth = arguments[2];
      if (typeof options === 'boolean') {
        settings.showHidden = options;
      } else if (options) {
        const keys = objectKeys(options);
        for (let i = 0; i < keys.length; i++) {
          if (has(settings, keys[i])) settings[keys[i]] = options[keys[i]];
        }
      }
    }
    return nativeInspect(table, value, settings);
  }
  inspect.custom = custom;

  function callCustom(method, context, depth, settings, proxied) {
    const options = {
      stylize: (text) => `${text}`,
      showHidden: settings.showHidden,
      depth: settings.depth,
      colors: false,
      customInspect: settings.customInspect,
      showProxy: settings.showProxy,
      maxArrayLength: settings.maxArrayLength,
      maxStringLength: settings.maxStringLength,
      breakLength: settings.breakLength,
      compact: settings.compact,
      sorted: false,
      getters: false,
      numericSeparator: false,
    };
    if (proxied || !apply(ordinaryHasInstance, BaseObject, [context])) {
      setPrototypeOf(options, null);
      setPrototypeOf(options.stylize, null);
    }
    return apply(method, context, [depth, options, inspect]);
  }

  // Whether `String(value)` would only say what the language says of every object of the kind.
  function hasBuiltInToString(value) {
    let ownText = has;
    let ownPrimitive = has;
    if (typeof value.toString !== 'function') {
      if (typeof value[toPrimitive] !== 'function') return true;
      if (has(value, toPrimitive)) return false;
      ownText = () => false;
    } else if (has(value, 'toString')) {
      return false;
    } else if (typeof value[toPrimitive] !== 'function') {
      ownPrimitive = () => false;
    } else if (has(value, toPrimitive)) {
      return false;
    }
    let at = value;
    do {
      at = getPrototypeOf(at);
    } while (!ownText(at, 'toString') && !ownPrimitive(at, toPrimitive));
    const found = getOwnPropertyDescriptor(at, 'constructor');
    return found !== undefined && typeof found.value === 'function' && builtIns[found.value.name] === true;
  }

  const circularMessage = (() => {
    try {
      const ring = {};
      ring.ring = ring;
      stringify(ring);
    } catch (error) {
      return error.message;
    }
    return undefined;
  })();

  function json(value) {
    try {
      return `${stringify(value)}`;
    } catch (error) {
      if (error !== null && typeof error === 'object' && error.name === 'TypeError' && error.message === circularMessage) return '[Circular]';
      throw error;
    }
  }

  const table = {
    __proto__: null,
    head,
    collection,
    iteratorKind,
    brand,
    unbox,
    keys,
    symbolKeys,
    property,
    properties,
    elements,
    sparse,
    typedElements,
    allNumbers,
    setMembers,
    mapMembers,
    drain,
    bytes,
    dateText,
    regExpText,
    functionSource,
    prototypeProperties,
    functionName,
    classNames,
    isError,
    errorFacts,
    isArguments,
    plainName,
    callCustom,
    hasBuiltInToString,
    json,
    symbolText: (value) => apply(symbolToString, value, []),
    text: (value) => BaseString(value),
    number: (value) => BaseNumber(value),
    integer: (value) => parseInteger(value),
    decimal: (value) => parseDecimal(value),
    cut: (value, limit) => (value.length <= limit ? undefined : [apply(stringSlice, value, [0, limit]), value.length - limit]),
    overflow: () => new BaseRangeError('Maximum call stack size exceeded'),
  };
  return table;
})
