/** A value that survives `JSON.stringify` unchanged: the only kind of data that events and messages carry. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys may come from a model or a stranger: read them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
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
    if (typeof inner === 'function' || typeof inner === 'symbol')
      throw new TypeError(`A ${typeof inner} cannot be stored as JSON.`);
    if (typeof inner === 'object' && inner !== null && !isPlain(inner)) {
      throw new TypeError(`A ${inner.constructor?.name ?? 'foreign object'} cannot be stored as JSON.`);
    }
    return inner;
  });
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be stored as JSON.`);
  const copy: Json = JSON.parse(text);
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}
