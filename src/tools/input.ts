import { isJsonObject, type JsonObject } from '../core/json.ts';

// The input of a tool has been checked against its schema before `execute`; these functions narrow its type.

/** @throws TypeError if the input was not checked against its schema */
export function textOf(input: JsonObject, key: string): string {
  const value = input[key];
  if (typeof value !== 'string') throw new TypeError(`${key} must be text.`);
  return value;
}

export function optionalTextOf(input: JsonObject, key: string): string | undefined {
  return input[key] === undefined ? undefined : textOf(input, key);
}

/** @throws TypeError if the input was not checked against its schema */
export function integerOf(input: JsonObject, key: string): number {
  const value = input[key];
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new TypeError(`${key} must be an integer.`);
  return value;
}

/** Returns a field of an output as text for a summary; `?` for a missing field. */
export function labelOf(output: unknown, key: string): string {
  const value = isJsonObject(output) ? output[key] : undefined;
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '?');
}
