import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import durations from '../../scripts/test-durations.json' with { type: 'json' };
import { estimate, estimateRest, toDuration } from '../../scripts/progress.mjs';

describe('the estimate of a test run', () => {
  it('is the plan at first', () => {
    expect(estimateRest({ done: 0, total: 200, elapsed: 0 })).toBe(200);
  });

  it('follows the pace of the machine, the more of the run is done', () => {
    // Half of the plan took twice as long as planned: the rest nearly does, too.
    expect(estimateRest({ done: 100, total: 200, elapsed: 200 })).toBeCloseTo(183, 0);
    // A fast machine is believed when most is done.
    expect(estimateRest({ done: 180, total: 200, elapsed: 90 })).toBeCloseTo(11);
  });

  it('is nothing at the end', () => {
    expect(estimateRest({ done: 200, total: 200, elapsed: 400 })).toBe(0);
  });

  it('counts two files at a time', () => {
    expect(estimate('test/a.test.ts')).toBe(0.5);
    expect(estimate('test/e2e/a.test.ts')).toBe(0.5);
  });

  it('is shown in seconds, then in minutes', () => {
    expect([4, 61, 89, 91, 290].map(toDuration)).toEqual(['10 s', '70 s', '90 s', '2 min', '5 min']);
  });

  it('knows only files that exist', () => {
    expect(Object.keys(durations).filter((file) => !existsSync(file))).toEqual([]);
  });
});
