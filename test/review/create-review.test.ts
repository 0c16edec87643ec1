import { extractTextContent } from 'brooklet';
import { evolve, initialState, type SessionState } from 'brooklet/core';
import { createReview } from 'brooklet/review';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { body, toEvents } from '../storage/arbitrary-log.ts';
import { userMessage } from '../support/events.ts';
import { seeded } from '../support/seeded.ts';
import { streamedLog } from './recorded.ts';

const log = streamedLog(({ seq }) => ({ 4: 2000, 5: 2300, 6: 3000, 7: 3000 })[seq] ?? seq);

const textOf = (state: SessionState): string | undefined => {
  const last = state.messages.at(-1);
  return last && extractTextContent(last);
};

describe('a review', () => {
  test('returns the state after every event', () => {
    const review = createReview(log);
    for (const { seq } of log.toReversed()) {
      const upTo = log.filter((event) => event.seq <= seq);
      expect(review.stateAt(seq)).toEqual({ ...upTo.reduce(evolve, initialState('s')) });
    }
    expect(review.stateAt(0)).toEqual(initialState('s'));
    expect(review.stateAt(99)).toEqual(review.stateAt(7));
  });

  test('returns as much of a text as had streamed at a time', () => {
    const review = createReview(log);
    const shown = [1999, 2000, 2099, 2100, 2299, 2300, 9999].map((at) => textOf(review.stateAtTime(at)));
    expect(shown).toEqual(['Hello', 'a', 'a', 'abc', 'abc', 'abcdef', 'abcdef']);
    expect([review.from, review.to]).toEqual([1, 3000]);
  });

  test('never goes back in time where the clock did', () => {
    const [first, second, third, ...rest] = log;
    if (first === undefined || second === undefined || third === undefined) throw new Error('The log is too short.');
    const review = createReview([{ ...first, at: 5000 }, { ...second, at: 10 }, third, ...rest]);
    expect(review.stateAtTime(4999)).toEqual(initialState('s'));
    expect(review.stateAtTime(5000)).toEqual(review.stateAt(99));
  });

  test('seals a reasoning part only at its end', () => {
    const [started] = log;
    const bodies = [
      { type: 'run.started', runId: 'r' },
      { type: 'reply.started', messageId: 'm' },
      { type: 'reasoning.delta', text: 'abc', provider: { signature: 'x' }, cadence: [0, 1, 5, 2] },
    ];
    const review = createReview(toEvents(bodies, 's'));
    expect(started?.type).toBe('session.started');
    expect(review.stateAt(4).messages.at(-1)?.content).toEqual([
      { type: 'reasoning', text: 'abc', provider: { signature: 'x' }, startedAt: 998, durationMs: 5 },
    ]);
  });

  test.each([[[]], [[0]], [[0, 1]], [[0, -1, 0, 7]], [[0, 99]], [[0, 0.5, 0, 5.5]]])(
    'ignores an invalid cadence: %j',
    (cadence) => {
      const events = log.map((event) => (event.type === 'text.delta' ? { ...event, cadence } : event));
      expect(textOf(createReview(events).stateAt(99))).toBe('abcdef');
    },
  );

  test('of an empty log is empty', () => {
    const review = createReview([]);
    expect([review.from, review.to, review.stateAt(1)]).toEqual([0, 0, initialState('')]);
  });

  test('returns the reduced state where a refused request leaves no reply, after any number of messages', () => {
    const refusal = { type: 'LLM_SERVICE', code: 'CONTEXT_OVERFLOW', message: 'Too long.', retryable: false } as const;
    for (let before = 0; before < 20; before++) {
      const messages = Array.from({ length: before }, (_, index) => ({
        type: 'message.added' as const,
        message: userMessage(`m${index}`),
      }));
      const events = toEvents(
        [
          ...messages,
          { type: 'run.started', runId: 'r' },
          { type: 'reply.started', messageId: 'a' },
          { type: 'reply.refused', error: refusal },
          { type: 'run.ended', runId: 'r', outcome: 'failed' },
          { type: 'run.started', runId: 'r2', isCompaction: true },
        ],
        's',
      );
      const states = events.map(({ seq }) => createReview(events).stateAt(seq));
      expect(states).toEqual(events.map((_, index) => events.slice(0, index + 1).reduce(evolve, initialState('s'))));
    }
  });

  test('returns the reduced state at every seq, in any order, for any log', () => {
    fc.assert(
      fc.property(
        fc.array(body, { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat()),
        (bodies, times, jumps) => {
          // Longer than the stride between two cached states.
          const events = toEvents(Array.from({ length: times }, () => bodies).flat(), 's');
          const review = createReview(events);
          for (const jump of jumps) {
            const seq = jump % (events.length + 2);
            const expected = events.filter((event) => event.seq <= seq).reduce(evolve, initialState('s'));
            expect(review.stateAt(seq)).toEqual(expected);
          }
        },
      ),
      seeded(100),
    );
  });
});
