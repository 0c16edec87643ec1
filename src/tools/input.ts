import { isJsonObject, type JsonObject } from '../core/json.ts';

// A tool's input has been checked against its schema when it gets here; these say so to TypeScript.

/** @throws TypeError where the schema has not been asked */
export function textOf(input: JsonObject, key: string): string {
  const value = input[key];
  if (typeof value !== 'string') throw new TypeError(`${key} must be text.`);
  return value;
}

export function optionalTextOf(input: JsonObject, key: string): string | undefined {
  return input[key] === undefined ? undefined : textOf(input, key);
}

/** @throws TypeError where the schema has not been asked */
export function integerOf(input: JsonObject, key: string): number {
  const value = input[key];
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError(`${key} must be an integer.`);
  return value;
}

/** A field of an output, for a summary. */
export function labelOf(output: unknown, key: string): string {
  const value = isJsonObject(output) ? output[key] : undefined;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '?');
}
