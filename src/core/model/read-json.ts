import { isJsonObject, type Json, type JsonObject } from '../json.ts';

// What a stranger sent, read as what it should have been; anything else is the empty value.

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

/** A word or a number, as text: some send codes and indexes as either. */
export function toWord(value: unknown): string {
  return typeof value === 'number' ? String(value) : toText(value);
}

/** The first that is a count (of tokens, say): a finite number from 0 up. */
export function toCount(...values: readonly unknown[]): number | undefined {
  for (const value of values) if (typeof value === 'number' && value >= 0 && value < Infinity) return value;
  return undefined;
}

// `Array.isArray` does not narrow readonly arrays.
function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}
