/** A value that survives `JSON.stringify` unchanged: the only kind of data that events and messages carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys may come from a model or a stranger: read them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** The fields that have a value, for objects that have no others. */
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

/** Parses text, or gives `undefined` where it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * Turns what a tool returned into JSON. Nothing is `null`, and so is `NaN`.
 *
 * @throws TypeError for what JSON would lose or cannot hold, at any depth: functions, symbols, BigInt, cycles, Maps, DOM nodes, …
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
