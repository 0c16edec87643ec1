import { isJsonObject, type Json, type JsonObject } from '../json.ts';

// Readers of untrusted JSON: each returns a value of the expected type, or the empty value for any other.

const noObject: JsonObject = {};
const noList: readonly Json[] = [];

export function toObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : noObject;
}

export function toList(value: Json | undefined): readonly Json[] {
  return isList(value) ? value : noList;
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Returns a string or a number as text: some providers send codes and indexes as either. */
export function toWord(value: unknown): string {
  return typeof value === 'number' ? String(value) : toText(value);
}

/** Returns a scalar as text: some services send a piece of text that looks like JSON (a digit, `true`) as JSON. */
export function toPiece(value: unknown): string {
  return typeof value === 'boolean' ? String(value) : toWord(value);
}

/** Returns the first value that is a count (of tokens, for example): a finite number from 0 up. */
export function toCount(...values: readonly unknown[]): number | undefined {
  for (const value of values) if (typeof value === 'number' && value >= 0 && value < Infinity) return value;
  return undefined;
}

// `Array.isArray` does not narrow readonly arrays.
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
