import type { Message } from 'brooklet';
import { initialState, type SessionState, type ZoneTokens } from 'brooklet/core';
import { describe, expect, test } from 'vitest';
import { calibrationOf } from '../../../src/core/context/calibrate.ts';

function replied(estimated: number, reported: number, model = 'm'): Message {
  const context: ZoneTokens = { immutable: estimated, compressed: 0, incremental: 0, scratch: 0 };
  return {
    id: `${estimated}`,
    role: 'assistant',
    content: [],
    timestamp: 0,
    model,
    context,
    usage: { input: reported, output: 1 },
  };
}

const after = (...messages: readonly Message[]): SessionState => ({ ...initialState('s'), messages });

describe('calibration', () => {
  test('is 1 until usage was reported', () => {
    expect(calibrationOf(initialState('s'))).toBe(1);
    expect(
      calibrationOf(after({ id: 'a', role: 'assistant', content: [], timestamp: 0, usage: { input: 900, output: 1 } })),
    ).toBe(1);
  });

  test('converges to the token count of the provider', () => {
    let messages: readonly Message[] = [replied(1_000, 700)];
    for (let n = 0; n < 8; n++) messages = [...messages, replied(1_000 + n, Math.round((1_000 + n) * 1.3))];
    expect(calibrationOf(after(...messages))).toBeCloseTo(1.3, 2);
  });

  test('includes tokens read from and written to a cache, if the provider reports them separately', () => {
    const cached = { ...replied(1_000, 10), usage: { input: 10, output: 1, cacheRead: 900, cacheWritten: 290 } };
    expect(calibrationOf(after(cached))).toBeCloseTo(1.2, 9);
  });

  test('is clamped: a provider that reports nonsense has a bounded effect', () => {
    expect(calibrationOf(after(replied(1_000, 1_000_000)))).toBe(2.5);
    expect(calibrationOf(after(replied(1_000, 3)))).toBe(0.6);
  });

  test('applies to the model that answered last', () => {
    expect(calibrationOf(after(replied(1_000, 2_000, 'old'), replied(1_000, 1_100, 'new')))).toBeCloseTo(1.1);
  });

  test('weights large requests more, and ignores tiny ones', () => {
    expect(calibrationOf(after(replied(20, 60)))).toBe(1);
    expect(calibrationOf(after(replied(10_000, 11_000), replied(300, 600)))).toBeCloseTo(1.126, 2);
  });
});
