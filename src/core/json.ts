/** A value that survives `JSON.stringify` unchanged: the only kind of data in events and messages. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys may come from a model or another untrusted source: check them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** Returns the fields whose value is not `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
export function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Whether a parsed JSON value is an object (not an array, not null). */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses text; returns `undefined` for text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * Converts the result of a tool to JSON. `undefined` becomes `null`, and so do `NaN` and the infinities, as in `JSON.stringify`.
 *
 * @throws TypeError for values that JSON loses or cannot represent, at any depth: functions, symbols, BigInt, cycles, Maps, DOM nodes, …
 */
export function toJson(value: unknown): Json {
  if (value === undefined) return null;
  const text: string | undefined = JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === 'function' || typeof inner === 'symbol') throw unfit(typeof inner);
    if (typeof inner === 'object' && inner !== null && !isPlain(inner))
      throw unfit(inner.constructor?.name ?? 'foreign object');
    return inner;
  });
  if (text === undefined) throw unfit(typeof value);
  const copy: Json = JSON.parse(text);
  return copy;
}

function unfit(what: string): TypeError {
  return new TypeError(`A ${what} cannot be stored as JSON.`);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
