import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts';

/** The text in the place of what was masked. */
export const masked = '[masked]';

/** A range of a text: `[start, end)`. */
export type Range = readonly [start: number, end: number];

/** Replaces what the caller's patterns match. */
export interface Patterns {
  /** Returns the ranges that match, in order; ranges that touch are joined. */
  readonly find: (text: string) => readonly Range[];
  readonly matches: (text: string) => boolean;
  readonly text: (text: string) => string;
  /** Returns JSON without matches in its texts, numbers and keys; `[masked]` or `{}` where a match spans several of them. */
  readonly json: (value: Json) => Json;
  /** As `json`, for an object. */
  readonly object: (value: JsonObject) => JsonObject;
}

export function createPatterns(patterns: readonly RegExp[]): Patterns {
  const own = patterns.map(({ source, flags }) => new RegExp(source, `${flags.replaceAll(/[gy]/g, '')}g`));

  function find(text: string): readonly Range[] {
    const found = own.flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ({ index, 0: { length } }): Range => [index, index + length]),
    );
    return joined(found.filter(([start, end]) => end > start));
  }

  const matches = (text: string): boolean => find(text).length > 0;
  const mask = (text: string): string => withoutRanges(text, find(text));

  function inner(value: Json): Json {
    if (typeof value === 'string') return mask(value);
    if (typeof value === 'number') return matches(String(value)) ? masked : value;
    if (Array.isArray(value)) return value.map((item: Json) => inner(item));
    return isJsonObject(value) ? fields(value) : value;
  }

  function fields(value: JsonObject): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [mask(key), item === undefined ? item : inner(item)] as const),
    );
  }

  /** Whether a match spans several values, such as a key and its value. */
  const spans = (value: Json): boolean => own.length > 0 && matches(JSON.stringify(value));

  return {
    find,
    matches,
    text: mask,
    json(value) {
      const result = inner(value);
      return spans(result) ? masked : result;
    },
    object(value) {
      const result = fields(value);
      return spans(result) ? {} : result;
    },
  };
}

/** Returns the text with `[masked]` in the place of each range. */
function withoutRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let kept = 0;
  for (const [start, end] of ranges) {
    result += text.slice(kept, start) + masked;
    kept = end;
  }
  return result + text.slice(kept);
}

function joined(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = result.at(-1);
    if (last && start <= last[1]) result[result.length - 1] = [last[0], Math.max(last[1], end)];
    else result.push([start, end]);
  }
  return result;
}
