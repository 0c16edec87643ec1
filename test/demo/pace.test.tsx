import { afterEach, expect, it } from 'vitest';
import { paceKey, readPace } from '../../demo/src/offline/pace.ts';

afterEach(() => sessionStorage.clear());

it('is the speed of a real model, unless the tab says otherwise', () => {
  expect(readPace()).toBe(1);
  for (const [stored, pace] of [
    ['0', 0],
    ['0.5', 0.5],
    ['fast', 1],
    ['-1', 1],
  ] as const) {
    sessionStorage.setItem(paceKey, stored);
    expect(readPace()).toBe(pace);
  }
});
