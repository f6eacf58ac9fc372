// Makes a Context answer the same everywhere and always: the clock stands, local time is UTC, random numbers are a fixed sequence.
(function (instant) {
  "use strict";

  const { construct, ownKeys } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const apply = Reflect.apply;
  const RealDate = Date;
  const { UTC, parse: realParse, prototype } = RealDate;
  const isNaN = Number.isNaN;
  const { floor, imul } = Math;
  const put = (holder, name, value) =>
    defineProperty(holder, name, { __proto__: null, value, writable: true, enumerable: false, configurable: true });

  // A text without a zone means local time, which is UTC here; with one, a second zone makes it unreadable.
  const parse = (text) => {
    const direct = realParse(text);
    if (isNaN(direct)) return direct;
    const zoned = realParse(`${text}Z`);
    return isNaN(zoned) ? direct : zoned;
  };
  const { getTime, getUTCFullYear, toUTCString, toISOString } = prototype;
  const FixedDate = {
    Date: function (...parts) {
      if (new.target === undefined) return `${new FixedDate()}`;
      let time = instant;
      if (parts.length === 1) {
        const [value] = parts;
        time = typeof value === "string" ? parse(value) : value;
      } else if (parts.length > 1) {
        time = apply(UTC, undefined, parts);
      }
      return construct(RealDate, [time], new.target === FixedDate ? RealDate : new.target);
    },
  }.Date;
  defineProperty(FixedDate, "prototype", { __proto__: null, value: prototype, writable: false });
  defineProperty(FixedDate, "length", { __proto__: null, value: 7 });
  put(FixedDate, "now", { now() { return instant; } }.now);
  put(FixedDate, "parse", { parse(text) { return parse(`${text}`); } }.parse);
  put(FixedDate, "UTC", UTC);
  put(prototype, "constructor", FixedDate);
  put(globalThis, "Date", FixedDate);

  // Local time is UTC.
  for (const name of ownKeys(prototype)) {
    if (typeof name !== "string") continue;
    const local = name.replace(/^(get|set)UTC/, "$1");
    if (local !== name) {
      const method = prototype[name];
      put(prototype, local, { [local](...values) { return apply(method, this, values); } }[local]);
    }
  }
  put(prototype, "getYear", { getYear() { return apply(getUTCFullYear, this, []) - 1900; } }.getYear);
  delete prototype.setYear;
  const text = (date) => {
    const iso = apply(toISOString, date, []);
    const [weekday, day, month, year, time] = apply(toUTCString, date, []).replace(",", "").split(" ");
    return { iso, date: `${weekday} ${month} ${day} ${year}`, time: `${time} GMT+0000 (Coordinated Universal Time)` };
  };
  const say = (name, words) =>
    put(prototype, name, {
      [name]() { return isNaN(apply(getTime, this, [])) ? "Invalid Date" : words(text(this)); },
    }[name]);
  say("toString", ({ date, time }) => `${date} ${time}`);
  say("toDateString", ({ date }) => date);
  say("toTimeString", ({ time }) => time);
  say("toLocaleString", ({ iso }) => iso);
  say("toLocaleDateString", ({ iso }) => iso.split("T")[0]);
  say("toLocaleTimeString", ({ iso }) => iso.split("T")[1]);
  put(prototype, "getTimezoneOffset", {
    getTimezoneOffset() { return isNaN(apply(getTime, this, [])) ? NaN : 0; },
  }.getTimezoneOffset);

  // mulberry32
  let state = 0x5d9f;
  put(Math, "random", {
    random() {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    },
  }.random);
})
