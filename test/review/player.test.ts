import { extractTextContent } from 'brooklet';
import { createReview, type Review } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
import { createManualPorts } from '../support/ports.ts';
import { recordedReview, streamedLog } from './recorded.ts';

const times: Readonly<Record<number, number>> = { 4: 2_000, 5: 2_300, 6: 3_000, 7: 60_000 };
const log = streamedLog(({ seq }) => times[seq] ?? 1_990 + seq);

const shown = (review: Review): string => {
  const last = review.getView().state.messages.at(-1);
  return last ? extractTextContent(last) : '';
};

describe('the position of a review', () => {
  test('begins at the end, and moves by event, message, run, step and time', async () => {
    const review = await recordedReview();
    expect(review.getView().seq).toBe(review.events.at(-1)?.seq);
    expect(review.goTo({ step: 1 })).toBe(true);
    expect(review.getView().event?.type).toBe('reply.started');
    expect(review.getView().seq).toBe(review.steps[1]?.seq);
    expect(review.goTo({ runId: review.runs[3]?.runId ?? '' })).toBe(true);
    expect(review.getView().event?.type).toBe('run.started');
    expect(review.goTo({ messageId: review.steps[2]?.messageId ?? '' })).toBe(true);
    expect(review.getView().seq).toBe(review.steps[2]?.seq);
    expect(review.goTo({ seq: 1 })).toBe(true);
    expect(review.getView().event?.type).toBe('session.started');
    expect(review.goTo({ at: review.to })).toBe(true);
    expect(review.getView().count).toBe(review.events.length);
    expect([review.goTo({ step: 99 }), review.goTo({ messageId: 'none' }), review.goTo({ runId: 'none' })]).toEqual([
      false,
      false,
      false,
    ]);
    expect(review.getView().count).toBe(review.events.length);
  });

  test('moves to the next event of a kind, and to the next step', async () => {
    const review = await recordedReview();
    review.goTo({ seq: 0 });
    expect(review.getView()).toMatchObject({ count: 0, seq: 0, event: undefined });
    review.move(1);
    expect(review.getView().count).toBe(1);
    review.move(1, ['decision']);
    expect(review.getView().event?.type).toBe('approval.requested');
    review.move(1, ['decision']);
    expect(review.getView().event?.type).toBe('approval.decided');
    review.move(1, ['decision']);
    expect(review.getView().event?.type).toBe('approval.decided');
    expect(review.getView().event).toMatchObject({ decidedBy: 'policy' });
    const last = review.getView().seq;
    review.move(1, ['decision']);
    expect(review.getView().seq).toBe(last);
    review.move(-1, ['decision']);
    expect(review.getView().event).toMatchObject({ decidedBy: 'user' });
    review.moveStep(1);
    expect(review.stepAt(review.getView().seq)?.index).toBe(1);
    review.moveStep(-1);
    expect(review.getView().seq).toBe(review.steps[0]?.seq);
    review.moveStep(-1);
    expect(review.getView().seq).toBe(review.steps[0]?.seq);
    expect(review.stepAt(0)).toBeUndefined();
  });

  test('moves back before the first event, and not beyond the last', () => {
    const review = createReview(log);
    review.move(1);
    expect(review.getView().count).toBe(log.length);
    for (let index = 0; index <= log.length + 1; index++) review.move(-1);
    expect(review.getView().count).toBe(0);
  });
});

describe('a review plays', () => {
  test('at the original pace, as a text streamed, with pauses cut short', () => {
    const ports = createManualPorts();
    const review = createReview(log, { ports });
    review.goTo({ seq: 4 });
    review.play();
    expect([shown(review), review.getView().isPlaying]).toEqual(['a', true]);
    ports.pass(99);
    expect(shown(review)).toBe('a');
    ports.pass(1);
    expect(shown(review)).toBe('abc');
    ports.pass(200);
    expect(shown(review)).toBe('abcdef');
    ports.pass(700 + 1_999);
    expect(review.getView().isPlaying).toBe(true);
    ports.pass(1);
    expect([review.getView().seq, review.getView().isPlaying]).toEqual([7, false]);
    expect(ports.awaited()).toBe(0);
  });

  test('faster, showing together what is closer than a frame', () => {
    const ports = createManualPorts();
    const review = createReview(log, { ports });
    const views: number[] = [];
    review.goTo({ at: review.from });
    review.play({ speed: 20, longestPause: 100 });
    review.view$.subscribe(({ at }) => views.push(at));
    ports.pass(500);
    expect(review.getView()).toMatchObject({ seq: 7, isPlaying: false });
    expect(views.length).toBeLessThan(8);
    expect(views.at(-1)).toBe(60_000);
  });

  test('from the start when it is at the end, until it is paused', () => {
    const ports = createManualPorts();
    const review = createReview(log, { ports });
    review.play();
    expect(review.getView()).toMatchObject({ at: review.from, isPlaying: true });
    review.pause();
    expect(review.getView().isPlaying).toBe(false);
    expect(ports.awaited()).toBe(0);
    review.pause();
  });

  test('on from a position that the user chooses meanwhile', () => {
    const ports = createManualPorts();
    const review = createReview(log, { ports });
    review.play();
    review.goTo({ at: 2_100 });
    expect([shown(review), review.getView().isPlaying, ports.awaited()]).toEqual(['abc', true, 1]);
    ports.pass(200);
    expect(shown(review)).toBe('abcdef');
  });

  test('no further after a subscriber paused it', () => {
    const ports = createManualPorts();
    const review = createReview(log, { ports });
    review.view$.subscribe(({ seq }) => seq === 5 && review.pause());
    review.goTo({ seq: 3 });
    review.play();
    ports.pass(100_000);
    expect(review.getView()).toMatchObject({ seq: 5, isPlaying: false });
  });

  test('nothing of an empty log', () => {
    const ports = createManualPorts();
    const review = createReview([], { ports });
    review.play();
    expect(review.getView().isPlaying).toBe(false);
    expect(ports.awaited()).toBe(0);
  });
});

describe('a review that continues another', () => {
  test('keeps the position, and stays at the end', () => {
    const first = createReview(log.slice(0, 5));
    const second = createReview(log.slice(0, 6), { continues: first });
    expect(second.getView().count).toBe(6);
    second.goTo({ seq: 2 });
    expect(createReview(log, { continues: second }).getView().seq).toBe(2);
  });

  test('plays on, and the one before stops', () => {
    const ports = createManualPorts();
    const first = createReview(log.slice(0, 5), { ports });
    first.goTo({ seq: 3 });
    first.play({ speed: 2 });
    const second = createReview(log, { continues: first, ports });
    expect([first.getView().isPlaying, second.getView().isPlaying, ports.awaited()]).toEqual([false, true, 1]);
    ports.pass(16);
    expect(shown(second)).toBe('a');
  });
});
