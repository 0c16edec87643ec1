import type { JsonObject } from '../../core/json.ts';
import { toWord } from '../../core/model/read-json.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** ms. A longer delay is an overflow or a mistake of the service: it counts as an hour. */
const longest = 31 * day;

/** Where a service may state how long to wait. */
export interface DelaySources {
  /** Of the response: visible to a page only where CORS exposes them. */
  readonly headers?: { get(name: string): string | null } | undefined;
  /** Headers of a service behind the service, repeated in the body. */
  readonly repeated?: JsonObject;
  /** The body as text. */
  readonly body: string;
  /** Whether the reply is about a limit (429): only then do the headers that describe limits state a delay. */
  readonly isLimited?: boolean;
}

/**
 * Returns how long a service asks to wait, in ms. Sources, in order: `retry-after-ms`, `retry-after` (seconds or an HTTP date), for a reached
 * limit the reset of the limit (OpenAI and Groq: `x-ratelimit-reset-requests` and `-tokens`, a duration; Anthropic:
 * `anthropic-ratelimit-…-reset`, an RFC 3339 time; OpenRouter: `X-RateLimit-Reset`, ms since the epoch), and a hint in the body: "try again
 * in 1m2.5s", "in 2 days", `"retryDelay": "30s"`, `"retry_after": 5`.
 *
 * @param now ms since the epoch
 * @returns `undefined` for NaN, negative values and past times; an hour for more than 31 days
 */
export function retryAfter(
  { headers, repeated = {}, body, isLimited = false }: DelaySources,
  now: number,
): number | undefined {
  const lower = new Map(Object.entries(repeated).map(([name, value]) => [name.toLowerCase(), toWord(value)]));
  const header = (name: string): string => (headers?.get(name) || lower.get(name)) ?? '';
  const ms =
    positive(toNumber(header('retry-after-ms'))) ??
    stated(header('retry-after'), now) ??
    (isLimited ? resetOf(header, now) : undefined) ??
    hint(body, now);
  if (ms === undefined) return undefined;
  return ms > longest ? hour : Math.ceil(ms);
}

/** Returns a delay in words, rounded: `20 seconds`, `3 hours`, `2 days`. */
export function delayWords(ms: number): string {
  const [size, unit] = (
    [
      [day, 'day'],
      [hour, 'hour'],
      [minute, 'minute'],
    ] as const
  ).find(([size]) => ms >= 1.5 * size) ?? [second, 'second'];
  const count = Math.max(1, Math.round(ms / size));
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

function toNumber(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}

function positive(ms: number): number | undefined {
  return ms > 0 ? ms : undefined;
}

/** Reads the value of `retry-after`: seconds, a duration, or a date. */
function stated(text: string, now: number): number | undefined {
  const seconds = toNumber(text);
  if (!Number.isNaN(seconds)) return positive(seconds * second);
  return durationOrDate(text, now);
}

/** The limits of the headers that describe limits. */
const limits: readonly (readonly [reset: string, remaining: string])[] = [
  ['x-ratelimit-reset-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-reset-tokens', 'x-ratelimit-remaining-tokens'],
  ['anthropic-ratelimit-requests-reset', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-reset', 'anthropic-ratelimit-tokens-remaining'],
  ['anthropic-ratelimit-input-tokens-reset', 'anthropic-ratelimit-input-tokens-remaining'],
  ['anthropic-ratelimit-output-tokens-reset', 'anthropic-ratelimit-output-tokens-remaining'],
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
];

/** Returns the ms until the exhausted limits are reset. A limit with something left is not the reason of the refusal. */
function resetOf(header: (name: string) => string, now: number): number | undefined {
  const delays = limits.flatMap(([reset, remaining]) =>
    header(remaining) === '0' ? [moment(header(reset), now) ?? 0] : [],
  );
  return positive(Math.max(0, ...delays));
}

/** Reads a reset: a duration (`6m0s`), a date, seconds from now, or a time since the epoch in s or ms. */
function moment(text: string, now: number): number | undefined {
  const value = toNumber(text);
  if (Number.isNaN(value)) return durationOrDate(text, now);
  return positive(value > 1e11 ? value - now : value > 1e8 ? value * second - now : value * second);
}

function durationOrDate(text: string, now: number): number | undefined {
  return (/^\d{4}-/.test(text) ? undefined : duration(text)) ?? positive(Date.parse(text) - now);
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(ms|millis)/, 1],
  [/^(s|sec.*)$/, second],
  [/^(m|min.*)$/, minute],
  [/^(h|hrs?|hours?)$/, hour],
  [/^(d|days?)$/, day],
  [/^(w|weeks?)$/, 7 * day],
];

/**
 * Reads a duration of one or several units at the beginning of a text: `1m2.5s`, `2 days and 3 hours`. A number without a unit is seconds.
 * Returns `undefined` for anything else, and for a unit that is not known.
 */
function duration(text: string): number | undefined {
  const parts = /^\s*(?:\d+(?:\.\d+)?\s*[a-z]*(?:,|\s|and\b)*)+/i.exec(text.slice(0, 80))?.[0] ?? '';
  let ms = 0;
  for (const [, count, unit = ''] of parts.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/gi)) {
    if (unit.toLowerCase() === 'and') return undefined;
    const size = unit === '' ? second : units.find(([known]) => known.test(unit.toLowerCase()))?.[1];
    // After the duration the sentence continues.
    if (size === undefined) return ms > 0 ? ms : undefined;
    ms += Number(count) * size;
  }
  return positive(ms);
}

/** Finds the delay in the words or the fields of a body. */
function hint(body: string, now: number): number | undefined {
  const inMs = /retry_after_ms"?: ?"?([\d.]+)/i.exec(body)?.[1];
  if (inMs !== undefined) return positive(Number(inMs));
  const place =
    /(?:\b(?:again|retry) (?:in|after|at|on)|\bretrying in|\bregain access on|retry_?delay"?:|retry_?after"?:|\bresets? (?:in|at)) ?"?/i.exec(
      body,
    );
  if (place === null) return undefined;
  const rest = body.slice(place.index + place[0].length);
  const [, date, time = '00:00', zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:(?:T| | at )(\d\d:[\d:.]*\d)(Z|[+-]\d\d:?\d\d)?)?/.exec(rest) ?? [];
  if (date !== undefined) return positive(Date.parse(`${date}T${time}${zone}`) - now);
  return /^[\d.]+\.\d*\.\d/.test(rest) ? undefined : duration(rest);
}
