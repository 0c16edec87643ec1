import type { Message, SessionEvent } from 'brooklet';
import { type EventBody, evolve, initialState, type SessionState } from 'brooklet/core';
import { createReview } from 'brooklet/review';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toEvents } from '../storage/arbitrary-log.ts';
import { seeded } from '../support/seeded.ts';

const turn = (index: number): readonly EventBody[] => [
  {
    type: 'message.added',
    message: { id: `u${index}`, role: 'user', content: [{ type: 'text', text: `${index}?` }], timestamp: 1 },
  },
  { type: 'run.started', runId: `r${index}` },
  { type: 'reply.started', messageId: `a${index}` },
  { type: 'text.delta', text: 'Yes, ' },
  { type: 'text.delta', text: 'it is.' },
  { type: 'reply.ended', finish: 'stop' },
  { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
];

const long = (turns: number): readonly SessionEvent[] =>
  toEvents(Array.from({ length: turns }, (_none, index) => turn(index)).flat(), 's');

/** Returns the events with a record of which were reduced. */
function watched(events: readonly SessionEvent[]) {
  const reduced: number[] = [];
  const proxies = events.map((event) =>
    Object.defineProperty({ ...event }, 'type', {
      enumerable: true,
      get() {
        reduced.push(event.seq);
        return event.type;
      },
    }),
  );
  const distinct = (): number => new Set(reduced.splice(0)).size;
  return { proxies, distinct };
}

/** Returns a message that reports each look at its content. */
function visited(message: Message, onVisit: () => void): Message {
  const { content } = message;
  return Object.defineProperty({ ...message }, 'content', {
    enumerable: true,
    get() {
      onVisit();
      return content;
    },
  });
}

describe('a review of 10,000 events', () => {
  test('reduces each event once when it opens, and at most 160 for any position', () => {
    const { proxies, distinct } = watched(long(1_430));
    expect(proxies.length).toBeGreaterThan(10_000);
    const review = createReview(proxies);
    expect(distinct()).toBeLessThanOrEqual(proxies.length);
    for (const seq of [10_000, 1, 5_119, 5_120, 5_121, 255, 9_999, 7_777]) {
      const state = review.stateAt(seq);
      expect(distinct()).toBeLessThanOrEqual(160);
      expect(state.seq).toBe(seq);
    }
  });

  test('reduces one event for one step forwards, however far the last cached state is', () => {
    const { proxies, distinct } = watched(long(1_430));
    const review = createReview(proxies);
    review.stateAt(5_300);
    distinct();
    review.stateAt(5_301);
    expect(distinct()).toBe(1);
  });

  test('looks at none of the finished messages for any position', () => {
    let visits = 0;
    const events = long(1_430).map((event) =>
      event.type === 'message.added' ? { ...event, message: visited(event.message, () => visits++) } : event,
    );
    const review = createReview(events);
    for (const seq of [9_983, 9_960, 9_900, 10_000]) {
      review.stateAt(1);
      visits = 0;
      expect(review.stateAt(seq).messages.length).toBeGreaterThan(2_500);
      expect(visits).toBeLessThan(1_000);
    }
  });

  test('keeps 64 states at most, so that memory grows with the log', () => {
    const { proxies, distinct } = watched(long(4_000));
    const review = createReview(proxies);
    review.stateAt(1);
    distinct();
    const stride = Math.ceil(proxies.length / 64);
    review.stateAt(stride * 2 - 1);
    expect(distinct()).toBeGreaterThan(stride - 10);
    review.stateAt(stride * 30 - 1);
    expect(distinct()).toBeLessThanOrEqual(stride);
  });
});

const pieces = fc.array(fc.tuple(fc.nat({ max: 30 }), fc.string({ maxLength: 3 })), { minLength: 1, maxLength: 5 });
const delta = fc.record({
  type: fc.constantFrom('text.delta', 'reasoning.delta'),
  pieces,
  pause: fc.nat({ max: 200 }),
});

/** The text of a state's last reply, and its parts. */
const contentOf = (state: SessionState): unknown => state.messages.at(-1)?.content;

test('a review shows at any time what had arrived by then, as if each piece were an event', () => {
  fc.assert(
    fc.property(fc.array(delta, { minLength: 1, maxLength: 8 }), fc.array(fc.nat({ max: 2_000 })), (deltas, times) => {
      const start = toEvents(
        [
          { type: 'run.started', runId: 'r' },
          { type: 'reply.started', messageId: 'm' },
        ],
        's',
      );
      let at = start.at(-1)?.at ?? 0;
      let seq = start.length;
      const whole: SessionEvent[] = [...start];
      const single: SessionEvent[] = [...start];
      for (const { type, pieces: parts, pause } of deltas) {
        at += pause;
        seq++;
        const begun = at + (parts[0]?.[0] ?? 0);
        const extra = type === 'reasoning.delta' ? { startedAt: begun } : {};
        for (const [ms, text] of parts) {
          at += ms;
          single.push({ type, text, seq, at, v: 2, ...extra });
        }
        const cadence = parts.flatMap(([ms, text]) => [ms, text.length]);
        const text = parts.map(([, piece]) => piece).join('');
        whole.push({ type, text, cadence, seq, at, v: 2, ...extra });
      }
      const review = createReview(whole);
      for (const time of times) {
        const moment = review.from + time;
        const expected = single.filter((event) => event.at <= moment).reduce(evolve, initialState('s'));
        expect(contentOf(review.stateAtTime(moment))).toEqual(contentOf(expected));
      }
    }),
    seeded(200),
  );
});
