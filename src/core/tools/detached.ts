/**
 * Returns a copy of the lists and plain objects of a value, so that a function of the page that changes what it is given changes no other
 * value. Everything else in it stays the same: a schema may have made a `Date`, or an object of a class.
 */
export function detached<T>(value: T): T;
export function detached(value: unknown): unknown {
  const copies = new Map<object, object>();

  function copy(inner: unknown): unknown {
    if (typeof inner !== 'object' || inner === null) return inner;
    const known = copies.get(inner);
    if (known) return known;
    if (Array.isArray(inner)) {
      const list: unknown[] = [];
      copies.set(inner, list);
      for (const item of inner) list.push(copy(item));
      return list;
    }
    const prototype: unknown = Object.getPrototypeOf(inner);
    if (prototype !== null && prototype !== Object.prototype) return inner;
    const fields: Record<string, unknown> = {};
    copies.set(inner, fields);
    for (const [key, item] of Object.entries(inner)) define(fields, key, copy(item));
    return fields;
  }

  return copy(value);
}

/** Sets a field whose name a model may have written: `__proto__`, for example. */
function define(fields: object, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, writable: true, enumerable: true, configurable: true });
}
