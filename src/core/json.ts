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
 * Turns what a tool returned into JSON. Nothing is `null`.
 *
 * @throws TypeError for what JSON would lose or cannot hold: functions, symbols, BigInt, cycles, Maps, DOM nodes, …
 */
export function toJson(value: unknown): Json {
  if (value === undefined) return null;
  if (typeof value === 'object' && value !== null && !isPlain(value)) {
    throw new TypeError(`A ${value.constructor?.name ?? 'foreign object'} cannot be stored as JSON.`);
  }
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`A ${typeof value} cannot be stored as JSON.`);
  const copy: Json = JSON.parse(text);
  return copy;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype || 'toJSON' in value;
}
