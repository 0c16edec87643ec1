import type { SessionEvent } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { compareMoments, compareReviews, createReview } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
import { toEvents } from '../storage/arbitrary-log.ts';
import { record, recordedReview } from './recorded.ts';

describe('two moments', () => {
  test('differ by messages, calls and tokens', async () => {
    const review = await recordedReview();
    const [first, second] = review.steps;
    const changes = compareMoments(review.stateAt(first?.seq ?? 0), review.stateAt(second?.seq ?? 0));
    expect(changes.messages.added.map(({ id }) => id)).toEqual([second?.messageId]);
    expect(changes.messages.changed.map(({ after }) => after.id)).toEqual([first?.messageId]);
    expect(changes.calls.added).toMatchObject([{ name: 'pay', status: 'succeeded' }]);
    expect(changes.tokens).toEqual({ input: 100, output: 10 });
    const none = compareMoments(review.stateAt(9), review.stateAt(9));
    expect([none.messages, none.calls]).toEqual([
      { added: [], removed: [], changed: [] },
      { added: [], removed: [], changed: [] },
    ]);
  });
});

/** Returns the log, and counts how often the content of one of its messages is serialized. */
function counted(log: readonly SessionEvent[]) {
  let serialized = 0;
  const events = log.map((event) => {
    if (event.type !== 'message.added') return event;
    const content = event.message.content.map((part) => ({
      ...part,
      toJSON() {
        serialized++;
        return part;
      },
    }));
    return { ...event, message: { ...event.message, content } };
  });
  return { events, getSerialized: () => serialized };
}

describe('two sessions', () => {
  test('are compared without serializing a message for each step that sends it', () => {
    const turns = 40;
    const bodies = Array.from({ length: turns }, (_none, index): readonly EventBody[] => [
      {
        type: 'message.added',
        message: { id: `u${index}`, role: 'user', content: [{ type: 'text', text: `${index}?` }], timestamp: 1 },
      },
      { type: 'run.started', runId: `r${index}` },
      { type: 'reply.started', messageId: `a${index}`, request: { model: 'm' } },
      { type: 'text.delta', text: 'Yes.' },
      { type: 'reply.ended', finish: 'stop' },
      { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
    ]);
    const log = toEvents(bodies.flat(), 's');
    const { events, getSerialized } = counted(log);
    const { firstDifference } = compareReviews(createReview(events), createReview(counted(log).events));
    expect(firstDifference).toBeUndefined();
    expect(getSerialized()).toBeLessThanOrEqual(turns * 2);
  });

  test('are the same when the same happened, with other ids and at another time', async () => {
    const { steps, firstDifference } = compareReviews(await recordedReview(), await recordedReview());
    expect(steps.map(({ isSame }) => isSame)).toEqual([true, true, true, true, true]);
    expect(firstDifference).toBeUndefined();
  });

  test('differ from the first step whose request or answer differs, and where one is shorter', async () => {
    const { stored } = await record();
    const other = stored.events.map((event) =>
      event.type === 'text.delta' && event.text.startsWith('Paid') ? { ...event, text: 'Not paid.' } : event,
    );
    const before = createReview(stored.events);
    expect(compareReviews(before, createReview(other)).firstDifference).toBe(2);
    const end = stored.events.findIndex(({ seq }) => seq === before.steps[4]?.seq);
    const shorter = compareReviews(before, createReview(stored.events.slice(0, end)));
    expect(shorter.firstDifference).toBe(4);
    expect(shorter.steps[4]).toMatchObject({ isSame: false, before: { index: 4 } });
    expect(shorter.steps[4]?.after).toBeUndefined();
  });
});
