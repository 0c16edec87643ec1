import { expect, test } from 'vitest';
import { toCount, toList, toObject, toText, toWord } from '../../../src/core/model/read-json.ts';

test('a value of the expected type is returned as it is', () => {
  const [object, list] = [{ n: 1 }, [1]];
  expect(toObject(object)).toBe(object);
  expect(toList(list)).toBe(list);
  expect([toText('text'), toWord('word'), toWord(7)]).toEqual(['text', 'word', '7']);
});

test('a value of any other type is read as the empty value', () => {
  expect([null, [1], 'text', undefined].map(toObject)).toEqual([{}, {}, {}, {}]);
  expect([null, { n: 1 }, 'text', undefined].map(toList)).toEqual([[], [], [], []]);
  expect([null, [1], 7, undefined].map(toText)).toEqual(['', '', '', '']);
  expect([null, [1], true, undefined].map(toWord)).toEqual(['', '', '', '']);
});

test('the first count is returned: a finite number from 0 up', () => {
  expect(toCount(undefined, '3', -1, Infinity, Number.NaN, 2, 5)).toBe(2);
  expect(toCount(0)).toBe(0);
  expect(toCount(null, '3')).toBeUndefined();
});
