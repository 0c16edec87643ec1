import type { SessionEvent } from 'brooklet';
import { createReview } from 'brooklet/review';
import { expect, test } from 'vitest';
import { createTimings } from '../../src/devtools/drawer/timings.ts';
import { record } from '../review/recorded.ts';
import { toEvents } from '../storage/arbitrary-log.ts';

/** A step: a request, `pieces` of its answer, and the end. */
const step = (name: string, pieces: number): readonly object[] => [
  { type: 'reply.started', messageId: name, request: { model: 'm' } },
  ...Array.from({ length: pieces }, () => ({ type: 'text.delta', text: 'word ' })),
  { type: 'reply.ended', finish: 'stop' },
];

/** A run of steps, an event every 100 ms. */
const logOf = (...bodies: readonly object[]): readonly SessionEvent[] =>
  toEvents([{ type: 'run.started', runId: 'r' }, ...bodies], 's').map((event, index) => ({
    ...event,
    at: index * 100,
  }));

test('a step has the time to the first piece, and to the end', () => {
  const events = logOf(...step('a', 3), ...step('b', 0), ...step('c', 1));
  const timesOf = createTimings()(events);
  expect(createReview(events).steps.map(timesOf)).toEqual([
    { first: 100, whole: 400 },
    { whole: 100 },
    { first: 100, whole: 200 },
  ]);
});

test('a text that was joined from pieces began with the first of them', () => {
  const events = logOf(...step('a', 1)).map((event) =>
    event.type === 'text.delta' ? { ...event, at: 900, cadence: [0, 2, 300, 3] } : event,
  );
  const [times] = createReview(events).steps.map(createTimings()(events));
  expect(times?.first).toBe(400);
});

test('each event of a log that grows is looked at once, and again after a run was rewritten', () => {
  let looked = 0;
  const events = logOf(...step('a', 40), ...step('b', 40)).map((event) =>
    Object.defineProperty({ ...event }, 'type', {
      get() {
        if (event.type === 'reply.ended') looked++;
        return event.type;
      },
    }),
  );
  const timings = createTimings();
  for (let count = 1; count <= events.length; count++) timings(events.slice(0, count));
  expect(looked).toBe(2);
  const joined = events.filter((_event, index) => index < 4 || index > 40);
  timings(joined);
  expect(looked).toBe(4);
});

test('the times in a log that grew are those of the whole log, for every recorded session', async () => {
  const { events } = (await record()).stored;
  const timings = createTimings();
  let timesOf = timings([]);
  for (let count = 1; count <= events.length; count++) timesOf = timings(events.slice(0, count));
  const { steps } = createReview(events);
  expect(steps.map(timesOf)).toEqual(steps.map(createTimings()(events)));
});
