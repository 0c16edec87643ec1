import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toList, toObject, toText } from '../core/model/read-json.ts';

/** The result of a patch, or why the whole patch does not apply. */
export type Patched =
  | { readonly value: Json; readonly problem?: undefined }
  | { readonly problem: string; readonly value?: undefined };

/** Limits the work of the patches of one stream: entries of objects and lists that may still be copied or compared. */
export interface PatchBudget {
  left: number;
}

/** Longest path of an operation, in keys. */
const maxKeys = 256;
/** Operations of one patch, and entries that it may copy: milliseconds of work. */
const maxOperations = 20_000;
const maxEntries = 250_000;

/** The work on one patch: what it has copied is changed in place from then on. */
interface Draft {
  readonly budget: PatchBudget;
  /** Objects and lists that are reachable from the draft alone, and once. */
  copies: WeakSet<object>;
}

class PatchError extends Error {}

function fail(reason: string): never {
  throw new PatchError(reason);
}

/**
 * Applies a JSON Patch (RFC 6902) to a value. Pure: what an operation does not change keeps its identity. Invariant: all operations apply, or
 * none. A patch may be untrusted: keys such as `__proto__` are plain keys, and the work is bounded.
 */
export function applyPatch(value: Json, patch: Json | undefined, budget: PatchBudget = { left: 1_000_000 }): Patched {
  if (!Array.isArray(patch)) return { problem: 'the patch is not a list of operations' };
  if (patch.length > maxOperations) return { problem: `the patch has more than ${maxOperations} operations` };
  const given = Math.min(budget.left, maxEntries);
  const draft: Draft = { budget: { left: given }, copies: new WeakSet() };
  try {
    return {
      value: toList(patch).reduce((current: Json, step) => applyOperation(current, toObject(step), draft), value),
    };
  } catch (thrown) {
    if (thrown instanceof PatchError) return { problem: thrown.message };
    // The value is nested more deeply than the stack.
    if (thrown instanceof RangeError) return { problem: 'a value is nested too deeply' };
    throw thrown;
  } finally {
    budget.left -= given - Math.max(draft.budget.left, 0);
  }
}

function applyOperation(root: Json, operation: JsonObject, draft: Draft): Json {
  const { budget } = draft;
  const keys = toKeys(operation.path, 'path');
  const op = toText(operation.op);
  switch (op) {
    case 'add':
      return put(root, keys, valueOf(operation), 'add', draft);
    case 'replace':
      return put(root, keys, valueOf(operation), 'replace', draft);
    case 'remove':
      return remove(root, keys, draft);
    case 'copy': {
      const copied = valueAt(root, toKeys(operation.from, 'from'));
      // A copy of a copy of a copy doubles the text of the state each time.
      measure(copied, budget);
      // The value is in two places now: a change in one of them needs a copy.
      draft.copies = new WeakSet();
      return put(root, keys, copied, 'add', draft);
    }
    case 'move': {
      const from = toKeys(operation.from, 'from');
      const moved = valueAt(root, from);
      if (keys.length > from.length && from.every((key, index) => key === keys[index]))
        fail('a value cannot move into itself');
      return put(remove(root, from, draft), keys, moved, 'add', draft);
    }
    case 'test':
      return isSame(valueAt(root, keys), valueOf(operation), budget) ? root : fail(`${toPath(keys)} has another value`);
  }
  return fail(`there is no operation ${JSON.stringify(op.slice(0, 20))}`);
}

function valueOf({ value }: JsonObject): Json {
  return value === undefined ? fail('an operation has no value') : value;
}

/** Reads a JSON Pointer (RFC 6901). */
function toKeys(pointer: Json | undefined, name: string): readonly string[] {
  if (pointer === '') return [];
  if (typeof pointer !== 'string' || !pointer.startsWith('/')) return fail(`an operation has no ${name}`);
  const keys = pointer.slice(1).split('/', maxKeys + 1);
  if (keys.length > maxKeys) fail(`a ${name} has more than ${maxKeys} keys`);
  return keys.map((key) =>
    /~(?![01])/.test(key) ? fail(`a ${name} is not a JSON Pointer`) : key.replaceAll('~1', '/').replaceAll('~0', '~'),
  );
}

function toPath(keys: readonly string[]): string {
  return keys.length === 0 ? 'the state' : `/${keys.join('/').slice(0, 100)}`;
}

/** Returns the position of a key in a list. `end` is the largest one. */
function toIndex(key: string, end: number): number {
  const index = /^(?:0|[1-9]\d*)$/.test(key) ? Number(key) : -1;
  return index >= 0 && index <= end ? index : fail(`a list has no position ${JSON.stringify(key.slice(0, 20))}`);
}

function child(parent: Json, key: string): Json {
  if (Array.isArray(parent)) return toList(parent)[toIndex(key, parent.length - 1)] ?? null;
  const value = isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  return value === undefined ? fail(`there is no ${JSON.stringify(key.slice(0, 100))}`) : value;
}

function valueAt(root: Json, keys: readonly string[]): Json {
  return keys.reduce(child, root);
}

/** Returns a value with another value at the end of a path. */
function put(root: Json, keys: readonly string[], value: Json, how: 'add' | 'replace', draft: Draft): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (rest.length > 0) return withChild(root, key, put(child(root, key), rest, value, how, draft), draft);
  if (how === 'replace') child(root, key);
  else if (Array.isArray(root)) {
    const index = key === '-' ? root.length : toIndex(key, root.length);
    const list = listToChange(toList(root), draft);
    list.splice(index, 0, value);
    return list;
  }
  return withChild(root, key, value, draft);
}

function remove(root: Json, keys: readonly string[], draft: Draft): Json {
  const [key, ...rest] = keys;
  if (key === undefined) return null;
  const old = child(root, key);
  if (rest.length > 0) return withChild(root, key, remove(old, rest, draft), draft);
  if (Array.isArray(root)) {
    const list = listToChange(toList(root), draft);
    list.splice(toIndex(key, root.length - 1), 1);
    return list;
  }
  const object = objectToChange(toObject(root), draft);
  Reflect.deleteProperty(object, key);
  return object;
}

function withChild(parent: Json, key: string, value: Json, draft: Draft): Json {
  if (Array.isArray(parent)) {
    const index = toIndex(key, parent.length - 1);
    const list = listToChange(toList(parent), draft);
    list[index] = value;
    return list;
  }
  if (!isJsonObject(parent)) return fail(`there is no object or list for ${JSON.stringify(key.slice(0, 100))}`);
  const object = objectToChange(parent, draft);
  // An own property: an assignment would set the prototype.
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
  return object;
}

/** Returns the list that the draft may change: a copy, the first time. A change moves the entries behind it, which costs little. */
function listToChange(list: readonly Json[], { budget, copies }: Draft): Json[] {
  spend(budget, copies.has(list) ? Math.ceil(list.length / 100) : list.length);
  const own = copies.has(list) ? mutable(list) : [...list];
  copies.add(own);
  return own;
}

function objectToChange(object: JsonObject, { budget, copies }: Draft): { [key: string]: Json | undefined } {
  if (copies.has(object)) {
    spend(budget, 0);
    // Invariant: one of the copies of the draft, which are not read-only.
    return object;
  }
  // A spread keeps an own `__proto__`.
  const own = { ...object };
  spend(budget, Object.keys(own).length);
  copies.add(own);
  return own;
}

/** A list that the draft has made. */
function mutable(list: readonly Json[]): Json[] {
  // Invariant: `list` is one of the copies of the draft, which are not read-only.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return list as Json[];
}

function spend(budget: PatchBudget, entries: number): void {
  budget.left -= entries + 1;
  if (budget.left < 0) fail('the patches are too large');
}

function measure(value: Json, budget: PatchBudget): void {
  spend(budget, 0);
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) if (inner !== undefined) measure(inner, budget);
}

/** Whether two values are equal as JSON, whatever the order of keys. */
function isSame(one: Json | undefined, other: Json | undefined, budget: PatchBudget): boolean {
  spend(budget, 0);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    const others = toList(other);
    return one.length === other.length && toList(one).every((item, index) => isSame(item, others[index], budget));
  }
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key], budget))
  );
}

/** Returns a patch that changes one object to another, by its top-level keys; empty for equal objects. */
export function toPatch(before: JsonObject, after: JsonObject): readonly JsonObject[] {
  const path = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const has = (object: JsonObject, key: string): boolean => Object.hasOwn(object, key) && object[key] !== undefined;
  const removed = Object.keys(before).filter((key) => has(before, key) && !has(after, key));
  const set = Object.entries(after).filter(
    ([key, value]) =>
      value !== undefined && !(has(before, key) && isSame(before[key], value, { left: Number.MAX_SAFE_INTEGER })),
  );
  return [
    ...removed.map((key) => ({ op: 'remove', path: path(key) })),
    ...set.map(([key, value]) => ({ op: has(before, key) ? 'replace' : 'add', path: path(key), value })),
  ];
}
