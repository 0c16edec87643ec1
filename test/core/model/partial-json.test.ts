import { createPartialJsonReader, isJsonObject, type Json, type JsonObject } from 'brooklet/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../support/seeded.ts';
import { assertMeeting } from '../../support/subject.ts';

/** Reads a text in chunks; returns the value that was shown after each. */
function readPieces(pieces: readonly string[]): readonly (JsonObject | undefined)[] {
  const read = createPartialJsonReader();
  let text = '';
  return pieces.map((piece) => read((text += piece)));
}

const readWhole = (text: string): JsonObject | undefined => createPartialJsonReader()(text);

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'binary' }), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const input: fc.Arbitrary<JsonObject> = fc.dictionary(fc.string(), json, { maxKeys: 5 });

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Whether a shown value can become another: texts grow at their end, lists and objects gain elements. */
function growsInto(shown: Json | undefined, whole: Json | undefined): boolean {
  if (typeof shown === 'string') return typeof whole === 'string' && whole.startsWith(shown);
  if (isList(shown)) return isList(whole) && shown.every((item, index) => growsInto(item, whole[index]));
  if (isJsonObject(shown))
    return (
      isJsonObject(whole) &&
      Object.entries(shown).every(([key, value]) => Object.hasOwn(whole, key) && growsInto(value, whole[key]))
    );
  return Object.is(shown, whole);
}

describe('a partial JSON reader', () => {
  test('shows the received part of a string', () => {
    expect(readPieces(['{"path":"a.t', 'xt","content":"one', ' two"}'])).toEqual([
      { path: 'a.t' },
      { path: 'a.txt', content: 'one' },
      { path: 'a.txt', content: 'one two' },
    ]);
  });

  test('shows a field when its value starts, and a number when it is complete', () => {
    expect(readPieces(['{"li', 'nes"', ':', '12', '3', ',"at":', '[', '{"x', '":t', 'rue', '}'])).toEqual([
      {},
      {},
      {},
      {},
      {},
      { lines: 123 },
      { lines: 123, at: [] },
      { lines: 123, at: [{}] },
      { lines: 123, at: [{}] },
      { lines: 123, at: [{}] },
      { lines: 123, at: [{ x: true }] },
    ]);
  });

  test('returns at the end what JSON.parse returns, for every chunking and format', () => {
    assertMeeting(
      { 'several chunks': 60 },
      (met) =>
        fc.property(input, fc.array(fc.nat()), fc.constantFrom(0, 2), fc.boolean(), (value, cuts, indent, ascii) => {
          const written = JSON.stringify(value, undefined, indent);
          const text = ascii ? escapeAll(written) : written;
          const ends = [...cuts.map((cut) => cut % (text.length + 1)), text.length].toSorted(
            (one, other) => one - other,
          );
          const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
          if (pieces.length > 1) met('several chunks');
          expect(readPieces(pieces).at(-1)).toEqual(JSON.parse(text));
        }),
      seeded(),
    );
  });

  test('shows at each position a value that can become the whole, the same for every chunking', () => {
    assertMeeting(
      { 'a value before the last character': 80 },
      (met) =>
        fc.property(input, (value) => {
          const text = JSON.stringify(value);
          const shown = readPieces([...text].flatMap((char) => char.split('')));
          shown.forEach((now, index) => {
            if (now !== undefined && index + 1 < shown.length) met('a value before the last character');
            expect(now).toEqual(readWhole(text.slice(0, index + 1)));
            expect(growsInto(now, value)).toBe(true);
          });
        }),
      seeded(50),
    );
  });

  test('returns the same value for the same text, and keeps completed values', () => {
    const read = createPartialJsonReader();
    const first = read('{"done":{"a":1},"open":"x');
    expect(read('{"done":{"a":1},"open":"x')).toBe(first);
    const second = read('{"done":{"a":1},"open":"xy');
    expect(second).not.toBe(first);
    expect(second?.done).toBe(first?.done);
    expect(first).toEqual({ done: { a: 1 }, open: 'x' });
  });

  test('treats names from Object.prototype like others', () => {
    const shown = readWhole('{"__proto__":{"x":1},"constructor":"y');
    expect(Object.keys(shown ?? {})).toEqual(['__proto__', 'constructor']);
    expect(shown).not.toHaveProperty('x');
  });

  test.each(['', '   ', '[1,2', '"text', '12', '}', 'nonsense '])('shows nothing of %j', (text) => {
    expect(readWhole(text)).toBeUndefined();
  });

  test.each(['{"a":1,"b":nonsense ,"c":2}', '{"a":1}} ', '{"a":1} {"a":2}', `{"a":1,"b":${'9'.repeat(2_000)}`])(
    'stops at the valid prefix of %.40j',
    (text) => {
      expect(readWhole(text)).toEqual({ a: 1 });
    },
  );

  test('accepts any depth of nesting', () => {
    const depth = 100_000;
    const read = createPartialJsonReader();
    expect(() => read(`{"a":${'['.repeat(depth)}`)).not.toThrow();
    expect(Object.keys(read(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`) ?? {})).toEqual(['a']);
  });
});

/** Writes every character of every string as `\uXXXX`. */
function escapeAll(text: string): string {
  return text.replace(/"((?:[^"\\]|\\.)*)"/g, (quoted) => {
    const said = String(JSON.parse(quoted));
    return `"${said.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`;
  });
}

test.each([
  ['a number', '{5, "a": 1'],
  ['an object', '{{"a": 1'],
  ['a list', '{[1], "a": 1'],
])('%s in the place of a name shows nothing', (_what, text) => {
  expect(readWhole(text)).toEqual({});
});
