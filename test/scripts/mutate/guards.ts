import { expect, it } from 'vitest';
import { half } from './guarded.ts';

it('halves', () => {
  expect(half(4)).toBeGreaterThan(0);
  expect(() => half(-1)).toThrow(RangeError);
});
