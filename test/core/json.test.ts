import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, merge, parseJson, toJson } from '../../src/core/json.ts';
import { seeded } from '../support/seeded.ts';

describe('parseJson', () => {
  test.each<[string, unknown]>([
    ['{"a":[1,null]}', { a: [1, null] }],
    ['null', null],
    [' "x" ', 'x'],
    ['', undefined],
    ['{"a":', undefined],
    ['undefined', undefined],
    ['NaN', undefined],
  ])('parses %j to %j', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });
});

describe('isJsonObject', () => {
  test.each<[unknown, boolean]>([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['{}', false],
    [undefined, false],
    [() => 1, false],
  ])('of %j is %s', (value, expected) => {
    expect(isJsonObject(value)).toBe(expected);
  });
});

describe('merge', () => {
  test('has the fields of both, and those of the second win', () => {
    const base = { id: 'a', steps: 1 };
    const merged = merge(base, { steps: 2, outcome: 'completed' });
    expect(merged).toStrictEqual({ id: 'a', steps: 2, outcome: 'completed' });
    expect(Object.keys(merged)).toEqual(['id', 'steps', 'outcome']);
    expect(base).toStrictEqual({ id: 'a', steps: 1 });
  });

  test('gives objects with the same fields one hidden class', () => {
    const ended = Array.from({ length: 100 }, (_, steps) => merge({ id: 'a', steps }, { outcome: 'completed' }));
    setFlagsFromString('--allow-natives-syntax');
    try {
      const haveSameMap: (one: object, other: object | undefined) => boolean = runInThisContext(
        '(one, other) => %HaveSameMap(one, other)',
      );
      expect(ended.every((run) => haveSameMap(run, ended[99]))).toBe(true);
    } finally {
      setFlagsFromString('--no-allow-natives-syntax');
    }
  });
});

describe('toJson', () => {
  test('copies JSON unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = toJson(value);
        expect(copy).toEqual(JSON.parse(JSON.stringify(value)));
        if (typeof value === 'object' && value !== null) expect(copy).not.toBe(value);
      }),
      seeded(500),
    );
  });

  test.each<[unknown, unknown]>([
    [undefined, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new URL('https://example.com/'), 'https://example.com/'],
    [[undefined], [null]],
    [{ a: undefined }, {}],
    [Object.assign(Object.create(null), { a: { b: 1 } }), { a: { b: 1 } }],
    [{ toJSON: () => ({ a: 1 }) }, { a: 1 }],
  ])('converts %o to %j', (value, json) => {
    expect(toJson(value)).toEqual(json);
  });

  test.each<[string, unknown]>([
    ['function', () => 1],
    ['symbol', Symbol('s')],
    ['bigint', 1n],
    ['Map', new Map()],
    ['Set', new Set()],
    ['Uint8Array', new Uint8Array(2)],
    ['Headers', new Headers()],
    ['Error', new Error('x')],
    ['Promise', Promise.resolve(1)],
    ['RegExp', /x/],
  ])('rejects a %s at any depth, by name', (name, value) => {
    expect(() => toJson(value)).toThrow(name);
    expect(() => toJson({ a: [{ b: value }] })).toThrow(name);
    expect(() => toJson({ toJSON: () => ({ a: value }) })).toThrow(TypeError);
  });

  test('rejects a value that JSON.stringify omits', () => {
    expect(() => toJson({ toJSON: () => undefined })).toThrow(TypeError);
  });

  test('rejects a cycle', () => {
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    expect(() => toJson(cycle)).toThrow(/circular/);
  });

  test('keeps the key __proto__ as an ordinary key', () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":1}}');
    expect(JSON.stringify(toJson(value))).toBe('{"__proto__":{"polluted":1}}');
    expect({}).not.toHaveProperty('polluted');
  });
});
