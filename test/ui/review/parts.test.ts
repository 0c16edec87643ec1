import { createReview } from 'brooklet/review';
import { chineseReview } from 'brooklet/ui';
import { describe, expect, test } from 'vitest';
import { eventSummary } from '../../../src/ui/review/eventSummary.ts';
import { markersOf } from '../../../src/ui/review/markers.ts';
import { momentMarkdown } from '../../../src/ui/review/momentMarkdown.ts';
import { nameOfMoment } from '../../../src/ui/review/nameOfMoment.ts';
import { toReviewTexts } from '../../../src/ui/review/reviewTexts.ts';
import { scaleOf, ticksOf } from '../../../src/ui/review/scale.ts';
import { recordedReview, streamedLog } from '../../review/recorded.ts';

const english = toReviewTexts({});

/** Events at 0, 1 and 2 s, then a pause of an hour. */
const log = streamedLog(({ seq }) => (seq <= 4 ? (seq - 1) * 1_000 : 3_600_000 + seq * 100));

describe('the scale of the timeline', () => {
  test('by events gives each event the same width', () => {
    const review = createReview(log);
    const scale = scaleOf('events', review);
    expect([scale.size, scale.placeOf(0), scale.placeOf(log.length)]).toEqual([log.length, 0, 1]);
    scale.goTo(3);
    expect(review.getView().count).toBe(3);
    expect(scale.positionOf(review.getView())).toBe(3);
    scale.goTo(0);
    expect(review.getView().count).toBe(0);
  });

  test('by time draws a pause of an hour as long as five seconds', () => {
    const review = createReview(log);
    const scale = scaleOf('time', review);
    expect(scale.size).toBeLessThan(9_000);
    for (let count = 1; count <= log.length; count++) {
      review.goTo({ seq: log[count - 1]?.seq ?? 0 });
      const position = scale.positionOf(review.getView());
      expect(position / scale.size).toBeCloseTo(scale.placeOf(count), 3);
      scale.goTo(position);
      expect(review.getView().count).toBeGreaterThanOrEqual(count);
    }
    scale.goTo(scale.size);
    expect(review.getView().count).toBe(log.length);
  });

  test('has five ticks, from the start to the end, with the numbers that events have everywhere else', () => {
    const review = createReview(log);
    expect(ticksOf('events', review, String).map(({ label }) => label)).toEqual(['0', '1', '3', '5', '7']);
    const sparse = createReview(log.map((event) => ({ ...event, seq: event.seq * 10 })));
    expect(ticksOf('events', sparse, String).map(({ label }) => label)).toEqual(['0', '10', '30', '50', '70']);
    const times = ticksOf('time', review, String).map(({ label }) => Number(label));
    expect([times[0], times.at(-1)]).toEqual([0, (log.at(-1)?.at ?? 0) - review.from]);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(ticksOf('time', createReview([]), String)).toEqual([]);
  });
});

test('the marks are the decisions of people, compactions, errors and notes', async () => {
  const review = await recordedReview();
  const kinds = markersOf(review, [{ id: 'n', seq: 2, text: 'Here.', at: 1 }], english).map(({ kind }) => kind);
  expect(kinds).toEqual(['decision', 'compaction', 'error', 'error', 'note']);
});

test('each event has a summary of one line', async () => {
  const { events } = await recordedReview();
  const summaries = events.map((event) => eventSummary(event, english));
  expect(summaries).toContain('pay {"n":1}');
  expect(summaries).toContain('approved, by Ada, edited');
  expect(summaries.every((summary) => summary.length <= 160 && !summary.includes('\n'))).toBe(true);
});

test('a moment is named by its step, what happened there and when', async () => {
  const review = await recordedReview();
  const seqOf = (type: string): number => review.events.find((event) => event.type === type)?.seq ?? 0;
  expect(nameOfMoment(review, 0, english)).toBe('Start');
  expect(nameOfMoment(review, seqOf('message.added'), english)).toBe('Start, message, 0:00');
  expect(nameOfMoment(review, seqOf('call.requested'), english)).toMatch(/^Step 1, call Pay, \d+:\d\d$/);
  expect(nameOfMoment(review, seqOf('approval.decided'), english)).toMatch(/^Step 1, decision Pay, \d+:\d\d$/);
  expect(nameOfMoment(review, Infinity, english)).toMatch(/^End, run, \d+:\d\d$/);
  expect(nameOfMoment(review, seqOf('call.requested'), toReviewTexts(chineseReview))).toMatch(/^步骤 1，调用 pay，/);
});

describe('a moment that is copied as Markdown', () => {
  test('has its notes', async () => {
    const review = await recordedReview();
    review.goTo({ seq: 2 });
    const notes = [{ id: 'n', seq: 2, text: 'One\nTwo', at: 1, userName: 'Ada' }];
    expect(momentMarkdown({ view: review.getView(), step: undefined, notes }, english)).toContain(
      '> **Ada:** One\n> Two',
    );
  });

  test('has its turn, its step and its event, in the language of the review', async () => {
    const review = await recordedReview();
    review.goTo({ step: 1 });
    const view = review.getView();
    const moment = { view, step: review.stepAt(view.seq) };
    const text = momentMarkdown(moment, english);
    expect(text).toContain('**user:** Please pay the bill.');
    expect(text).toContain('- `pay` succeeded: `{"n":1}`');
    expect(text).toContain('Step 2:');
    expect(text).toContain('"type": "reply.started"');
    const chinese = momentMarkdown(moment, toReviewTexts(chineseReview));
    expect(chinese).toContain(`，事件 ${view.seq}`);
    expect(chinese).toContain('步骤 2：');
  });

  test('has a time that no calendar has as it is in the log', () => {
    const review = createReview(streamedLog(() => 1e300));
    expect(momentMarkdown({ view: review.getView(), step: undefined }, english)).toContain('1e+300');
  });
});
