import { describe, expect, test } from 'vitest';
import { maxAnnotations } from '../../../../src/core/model/annotation.ts';
import { annotationList, parseAnnotations } from '../../../../src/core/model/shapes/annotation-shape.ts';
import { part } from '../../../../src/core/model/shapes/part-shape.ts';
import { toolChoice } from '../../../../src/core/model/shapes/settings-shape.ts';
import {
  amount,
  byType,
  count,
  filled,
  having,
  listOf,
  maybe,
  object,
  oneOf,
  range,
  type Shape,
  text,
  time,
} from '../../../../src/core/model/shapes/shape.ts';

const flawOf = (shape: Shape, value: unknown): string | undefined => {
  const flaw = shape(value, 'it');
  return flaw && `${flaw.field} ${flaw.reason}`;
};

// Each shape is made within its test: what makes it is tested, too.
describe('a shape', () => {
  test.each<[string, () => Shape, readonly unknown[], readonly (readonly [unknown, string])[]]>([
    [
      'text',
      () => text(3),
      ['', 'abc'],
      [
        [7, 'it is not a text'],
        ['abcd', 'it is longer than 3 characters'],
      ],
    ],
    [
      'filled',
      () => filled(3),
      ['a', 'abc'],
      [
        ['', 'it is empty'],
        ['abcd', 'it is longer than 3 characters'],
        [undefined, 'it is not a text'],
      ],
    ],
    [
      'count',
      () => count(1),
      [1, 2, Number.MAX_SAFE_INTEGER],
      [
        [0, 'it is not a whole number from 1 on'],
        [1.5, 'it is not a whole number from 1 on'],
        ['1', 'it is not a whole number from 1 on'],
      ],
    ],
    [
      'range',
      () => range(0, 2),
      [0, 1.5, 2],
      [
        [-0.1, 'it is not a number from 0 to 2'],
        [2.1, 'it is not a number from 0 to 2'],
        ['1', 'it is not a number from 0 to 2'],
      ],
    ],
    [
      'range without an end',
      () => range(1),
      [1, 1e300, Number.MAX_VALUE],
      [
        [0, 'it is not a number from 1 on'],
        [Infinity, 'it is not a number from 1 on'],
      ],
    ],
    [
      'time',
      () => time,
      [0, 8.64e15],
      [
        [-1, 'it is not a time in ms'],
        [8.65e15, 'it is not a time in ms'],
        ['0', 'it is not a time in ms'],
      ],
    ],
    ['amount', () => amount, [0, -1.5], [['1', 'it is not a number']]],
    ['oneOf', () => oneOf('a', 2), ['a', 2], [['b', 'it is not one of a, 2']]],
    [
      'listOf',
      () => listOf(text(1)),
      [[], ['a', 'b']],
      [
        ['a', 'it is not a list'],
        [['a', 7], 'it.1 is not a text'],
      ],
    ],
    [
      'maybe',
      () => maybe(text(1)),
      [undefined, 'a'],
      [
        [null, 'it is not a text'],
        ['ab', 'it is longer than 1 characters'],
      ],
    ],
    [
      'having',
      () => having({ a: text(1), b: maybe(having({ c: text(1) })) }),
      [{ a: 'x' }, { a: 'x', more: 1 }, { a: 'x', b: { c: 'y' } }],
      [
        ['x', 'it is not an object'],
        [{}, 'it.a is missing'],
        [{ a: 7 }, 'it.a is not a text'],
        // The field that is missing is the inner one.
        [{ a: 'x', b: {} }, 'it.b.c is missing'],
        // What an object inherits is no field.
        [Object.create({ a: 'x' }), 'it.a is not a text'],
      ],
    ],
    [
      'byType',
      () => byType({ one: object({ type: text(), a: text(1) }) }),
      [{ type: 'one', a: 'x' }],
      [
        ['one', 'it is not an object'],
        [{ a: 'x' }, 'it.type is not known here'],
        [{ type: 'two' }, 'it.type is not known here'],
        [{ type: 'toString' }, 'it.type is not known here'],
        [{ type: ['one'], a: 'x' }, 'it.type is not known here'],
        [{ type: 'one', a: 7 }, 'it.a is not a text'],
      ],
    ],
    [
      'toolChoice',
      () => toolChoice,
      ['auto', 'none', 'required', { name: 'pay' }],
      [
        ['all', 'it is not one of auto, none, required'],
        [{}, 'it.name is missing'],
        [{ name: 7 }, 'it.name is not a text'],
      ],
    ],
  ])('%s takes what fits, and says why something does not', (_name, make, fitting, wrong) => {
    for (const value of fitting) expect([value, flawOf(make(), value)]).toEqual([value, undefined]);
    for (const [value, reason] of wrong) expect([value, flawOf(make(), value)]).toEqual([value, reason]);
  });

  test('names a field of the outermost object without a dot', () => {
    expect(having({ a: text() })({}, '')).toEqual({ field: 'a', reason: 'is missing' });
    expect(byType({})({}, '')).toEqual({ field: 'type', reason: 'is not known here' });
  });

  test('of an object removes unknown fields, also inherited names', () => {
    const value: object = JSON.parse('{"a":"x","b":1,"toString":2,"__proto__":3}');
    expect(object({ a: text(1) })(value, '')).toBeUndefined();
    expect(Reflect.ownKeys(value)).toEqual(['a']);
  });
});

describe('a list of annotations', () => {
  const one = { id: 'a', seq: 1, text: 'Why?', at: 5 };
  const many = (length: number): unknown[] => Array.from({ length }, () => ({ ...one }));

  test('has a greatest length, and each annotation is checked', () => {
    expect(flawOf(annotationList, many(maxAnnotations))).toBeUndefined();
    expect(flawOf(annotationList, many(maxAnnotations + 1))).toBe(`it has more than ${maxAnnotations} annotations`);
    expect(flawOf(annotationList, 'none')).toBe('it is not a list');
    expect(flawOf(annotationList, [one, { ...one, text: '' }])).toBe('it.1.text is empty');
  });

  test('of a store is read without those that are damaged, as a copy', () => {
    const stored = [one, { ...one, at: -1 }, { ...one, more: 1 }];
    const found = parseAnnotations(stored);
    expect(found).toEqual([one, one]);
    expect(stored[2]).toHaveProperty('more');
    expect(parseAnnotations(undefined)).toEqual([]);
    expect(parseAnnotations({ length: 1 })).toEqual([]);
  });
});

test('the bytes of a part are base64, alone or in an address of data', () => {
  const image = (data: unknown) => ({ type: 'image', mediaType: 'image/png', data });
  expect(flawOf(part, image('AAAA'))).toBeUndefined();
  expect(flawOf(part, image('data:image/png;base64,AAAA'))).toBeUndefined();
  // Only the beginning makes it an address.
  expect(flawOf(part, image('AAdata:image/png,AAAA'))).toBeUndefined();
  expect(flawOf(part, image('data:image/png,AAAA'))).toBe('it.data is a data: URL without base64: pass it as `url`');
  expect(flawOf(part, image(['data:image/png,AAAA']))).toBe('it.data is not a text');
});
