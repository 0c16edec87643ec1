import type { JsonObject } from 'brooklet';
import { isJsonObject } from 'brooklet/core';

/** Parses a JSON object; returns `undefined` for any other text. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns a string or a number in a JSON object as text; empty if the field is missing or has another type. */
export function textIn(value: unknown, field: string): string {
  const content = isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof content === 'string' || typeof content === 'number' ? String(content) : '';
}
