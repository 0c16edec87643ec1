import type { JsonObject } from '../core/json.ts';
import { toObject } from '../core/model/read-json.ts';

/**
 * Returns a time of another program in ms since the epoch; `undefined` for no time. A number is in s, ms, µs or ns by its size: the same
 * moment differs by a factor of 1,000. A text is a number, or a date as ISO 8601 or as the browser reads it.
 */
export function toTime(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const text = value.trim();
    const time = /^\d+(\.\d+)?$/.test(text) ? toTime(Number(text)) : Date.parse(text);
    return time !== undefined && time >= 0 ? time : undefined;
  }
  if (typeof value !== 'number' || !(value > 0) || value === Infinity) return undefined;
  // 1e11 s is the year 5138, 1e11 ms is 1973.
  if (value < 1e11) return Math.round(value * 1_000);
  if (value < 1e14) return Math.round(value);
  return Math.round(value < 1e17 ? value / 1e3 : value / 1e6);
}

/** Returns the first time that an item states, under the names that programs use. */
export function timeOf(item: JsonObject): number | undefined {
  return (
    toTime(item.timestamp) ??
    toTime(item.created_at) ??
    toTime(item.createdAt) ??
    toTime(item.create_time) ??
    toTime(item.createTime) ??
    toTime(item.date) ??
    toTime(toObject(item.metadata).createdAt)
  );
}
