import { expect, it } from 'vitest';
import { isSmall } from './small.ts';

it('notices every change but the one of 3', () => {
  expect([isSmall(2), isSmall(4)]).toEqual([true, false]);
});
