/** A value that survives `JSON.stringify` unchanged: the only kind of data in events and messages. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys may come from a model or another untrusted source: check them with `Object.hasOwn`. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A value of a type after its way through `toJson`: a `Date` is text, `undefined` is `null`, and all is read-only. */
export type Serialized<Value> = unknown extends Value
  ? Json
  : Value extends string | number | boolean | null
    ? Value
    : Value extends undefined | void
      ? null
      : Value extends { toJSON(): infer Converted }
        ? Serialized<Converted>
        : Value extends symbol | bigint | ((...args: never) => unknown)
          ? never
          : JsonObject extends Value
            ? JsonObject
            : readonly Json[] extends Value
              ? readonly Json[]
              : { readonly [Key in keyof Value]: SerializedField<Value[Key]> };

/** A field that is `undefined` is left out. */
type SerializedField<Value> = Value extends undefined ? undefined : Serialized<Value>;

/** Returns the fields whose value is not `undefined`. */
export function defined<Fields extends object>(
  fields: Fields,
): { readonly [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };
export function defined(fields: Readonly<Record<string, unknown>>): object {
  const present: Record<string, unknown> = {};
  for (const key in fields) if (fields[key] !== undefined) present[key] = fields[key];
  return present;
}

/**
 * Returns an object with the fields of both; those of `more` win. For fields that most bases do not have, in code that runs for each event: V8
 * before 12 gives each `{ ...base, field }` a hidden class of its own, which takes three times as long, and again at each later read.
 */
export function merge<Base extends object, More extends object>(base: Base, more: More): Base & More {
  return Object.assign({}, base, more);
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
 * Returns a copy of a value as JSON. `undefined` becomes `null`, and so do `NaN` and the infinities, as in `JSON.stringify`.
 *
 * @throws TypeError with the path of a value that JSON loses or cannot represent: functions, symbols, BigInt, cycles, Maps, DOM nodes, …
 */
export function toJson(value: unknown): Json {
  const path: string[] = [];
  const parents: object[] = [];

  function unfit(what: string): never {
    const place = path.length > 0 ? `${path.join('.')}: a` : 'A';
    throw new TypeError(`${place} ${what} cannot be stored as JSON.`);
  }

  function copyAt(key: string | number, inner: unknown): Json {
    path.push(String(key));
    const copied = copy(inner);
    path.pop();
    return copied;
  }

  function copyObject(inner: object): Json {
    if (parents.includes(inner)) return unfit('circular object');
    parents.push(inner);
    const copied = Array.isArray(inner)
      ? Array.from<unknown, Json>(inner, (item, index) => copyAt(index, item))
      : isPlain(inner)
        ? Object.fromEntries(
            Object.entries(inner)
              .filter(([, item]) => item !== undefined)
              .map(([key, item]) => [key, copyAt(key, item)]),
          )
        : unfit(inner.constructor?.name ?? 'foreign object');
    parents.pop();
    return copied;
  }

  function copy(inner: unknown): Json {
    if (inner === undefined || inner === null) return null;
    if (typeof inner === 'string' || typeof inner === 'boolean') return inner;
    // Without the sign of -0, which JSON does not have.
    if (typeof inner === 'number') return Number.isFinite(inner) ? inner + 0 : null;
    if (typeof inner !== 'object') return unfit(typeof inner);
    if (!('toJSON' in inner) || typeof inner.toJSON !== 'function') return copyObject(inner);
    const own: unknown = Reflect.apply(inner.toJSON, inner, ['']);
    if (own === undefined) return unfit('value that JSON omits');
    return typeof own === 'object' && own !== null ? copyObject(own) : copy(own);
  }

  return copy(value);
}

/** Whether a value is an array or an object literal, also of another window. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
