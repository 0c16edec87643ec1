import type { Json } from 'brooklet';
import { expect, it } from 'vitest';
import { formatClock, formatDuration } from '../../src/ui/base/duration.ts';
import { readProgress } from '../../src/ui/call/progress.ts';

it.each<readonly [Json, object]>([
  [0.5, { ratio: 0.5, text: '50 %' }],
  ['Reading…', { text: 'Reading…' }],
  [
    { done: 3, total: 4 },
    { ratio: 0.75, text: '75 %' },
  ],
  [
    { done: 3, total: 4, message: 'third of four' },
    { ratio: 0.75, text: 'third of four' },
  ],
  [
    { done: 9, total: 4 },
    { ratio: 1, text: '100 %' },
  ],
  [{ done: 1, total: 0 }, { text: '{"done":1,"total":0}' }],
  [{ text: 'Soon' }, { text: 'Soon' }],
  [7, { text: '7' }],
  [null, { text: 'null' }],
])('reads the progress of a tool from %j', (progress, expected) => {
  expect(readProgress(progress)).toEqual(expected);
});

it('formats durations in few characters', () => {
  expect([120, 4_200, 180_000].map(formatDuration)).toEqual(['120 ms', '4.2 s', '3 min']);
  expect([0, 5_000, 245_000, 3_600_000, -1].map(formatClock)).toEqual(['0:00', '0:05', '4:05', '1:00:00', '0:00']);
});
