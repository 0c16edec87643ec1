import type { JsonObject } from 'brooklet';

/** Whether parsed JSON is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text is in JSON, or `undefined` where it is none. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A field of a JSON object as text: empty where there is none, or where it is neither text nor a number. */
export function textIn(value: unknown, field: string): string {
  const content = isJsonObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;
  return typeof content === 'string' || typeof content === 'number' ? String(content) : '';
}
