import { expect, it } from 'vitest';
import { isSmall } from './small.ts';

let isSpoiled = false;

it('fails for ever once a mutant was on', () => {
  isSpoiled ||= !isSmall(2) || isSmall(4);
  expect(isSpoiled).toBe(false);
});
