import { compareMoments, compareReviews, createReview } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
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

describe('two sessions', () => {
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
