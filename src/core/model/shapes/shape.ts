import { isJsonObject } from '../../json.ts';

/** The first error in a value. */
export interface Flaw {
  /** Path of the field, for example `message.content.2.text`. */
  readonly field: string;
  /** Continues a sentence that begins with the field: "is not a number". */
  readonly reason: string;
}

/**
 * Checks untrusted parsed JSON. Returns the first error, and removes unknown fields in place. The recursion is as deep as
 * the JSON, whose depth was limited before parsing (`limits.ts`).
 */
export type Shape = (value: unknown, field: string) => Flaw | undefined;

export const anything: Shape = (_value, _field) => undefined;

export function text(maxLength: number = Infinity): Shape {
  return (value, field) => {
    if (typeof value !== 'string') return { field, reason: 'is not a text' };
    return value.length > maxLength ? { field, reason: `is longer than ${maxLength} characters` } : undefined;
  };
}

/** A text that is not empty. */
export function filled(maxLength: number): Shape {
  const any = text(maxLength);
  return (value, field) => (value === '' ? { field, reason: 'is empty' } : any(value, field));
}

/** A whole number from `least` up. */
export function count(least: number = 0): Shape {
  return (value, field) =>
    Number.isSafeInteger(value) && Number(value) >= least
      ? undefined
      : { field, reason: `is not a whole number from ${least} on` };
}

/** A finite number from `least` up to `most`. */
export function range(least: number, most: number = Number.MAX_VALUE): Shape {
  const wanted =
    most < Number.MAX_VALUE ? `is not a number from ${least} to ${most}` : `is not a number from ${least} on`;
  return (value, field) =>
    typeof value === 'number' && value >= least && value <= most ? undefined : { field, reason: wanted };
}

/** ms since the epoch, within the range of `Date`. */
export const time: Shape = (value, field) =>
  typeof value === 'number' && value >= 0 && value <= 8.64e15 ? undefined : { field, reason: 'is not a time in ms' };

/** Any number; numbers in JSON are finite. */
export const amount: Shape = (value, field) =>
  typeof value === 'number' ? undefined : { field, reason: 'is not a number' };

export const flag: Shape = (value, field) =>
  typeof value === 'boolean' ? undefined : { field, reason: 'is neither true nor false' };

export const callable: Shape = (value, field) =>
  typeof value === 'function' ? undefined : { field, reason: 'is not a function' };

/** An object with this method, its own or inherited. */
export function withMethods(...names: readonly string[]): Shape {
  return (value, field) => {
    const missing = names.find((name) => typeof Reflect.get(Object(value), name) !== 'function');
    return missing === undefined ? undefined : { field, reason: `has no method ${missing}` };
  };
}

export const jsonObject: Shape = (value, field) =>
  isJsonObject(value) ? undefined : { field, reason: 'is not an object' };

export function oneOf(...values: readonly (string | number)[]): Shape {
  return (value, field) =>
    values.some((one) => one === value) ? undefined : { field, reason: `is not one of ${values.join(', ')}` };
}

/** A list with `least` to `most` items. */
export function listOf(shape: Shape, least: number = 0, most: number = Infinity): Shape {
  return (value, field) => {
    if (!Array.isArray(value)) return { field, reason: 'is not a list' };
    if (value.length < least || value.length > most)
      return { field, reason: `does not have ${least} to ${most} items` };
    for (let index = 0; index < value.length; index++) {
      const flaw = shape(value[index], `${field}.${index}`);
      if (flaw) return flaw;
    }
    return undefined;
  };
}

/** An optional field. */
export function maybe(shape: Shape): Shape {
  return (value, field) => (value === undefined ? undefined : shape(value, field));
}

/** An object with these fields; other fields are removed. */
export function object(fields: { readonly [field: string]: Shape }): Shape {
  const check = having(fields);
  return (value, field) => {
    if (isJsonObject(value))
      for (const key of Object.keys(value)) if (!Object.hasOwn(fields, key)) Reflect.deleteProperty(value, key);
    return check(value, field);
  };
}

/** An object with these fields; the object is not changed. */
export function having(fields: { readonly [field: string]: Shape }): Shape {
  return (value, field) => {
    if (!isJsonObject(value)) return { field, reason: 'is not an object' };
    for (const [key, shape] of Object.entries(fields)) {
      const path = field === '' ? key : `${field}.${key}`;
      const flaw = shape(Object.hasOwn(value, key) ? value[key] : undefined, path);
      if (flaw) return flaw.field === path && value[key] === undefined ? { field: path, reason: 'is missing' } : flaw;
    }
    return undefined;
  };
}

/** One of several objects, by their `type`. */
export function byType(shapes: { readonly [type: string]: Shape }): Shape {
  return (value, field) => {
    if (!isJsonObject(value)) return { field, reason: 'is not an object' };
    const { type } = value;
    const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
    return shape
      ? shape(value, field)
      : { field: field === '' ? 'type' : `${field}.type`, reason: 'is not known here' };
  };
}
