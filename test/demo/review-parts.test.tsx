import { fireEvent, render, screen } from '@testing-library/react';
import { createReview } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
import { nameOfFile } from '../../demo/src/review/download.ts';
import { eventSummary } from '../../demo/src/review/eventSummary.ts';
import { costsOf } from '../../demo/src/review/costs.ts';
import { markersOf } from '../../demo/src/review/markers.ts';
import { momentMarkdown } from '../../demo/src/review/momentMarkdown.ts';
import { OpenFile } from '../../demo/src/review/OpenFile.tsx';
import { type OpenedFile, readFile } from '../../demo/src/review/readFile.ts';
import { scaleOf, ticksOf } from '../../demo/src/review/scale.ts';
import { toFile } from '../../demo/src/review/toFile.ts';
import { bodyOf, wireOf, wires } from '../../demo/src/review/wires.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';
import { recordedReview, streamedLog } from '../review/recorded.ts';

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

  test('has five ticks, from the start to the end', () => {
    const review = createReview(log);
    expect(ticksOf('events', review, String).map(({ label }) => label)).toEqual(['0', '1', '3', '5', '7']);
    const times = ticksOf('time', review, String).map(({ label }) => Number(label));
    expect([times[0], times.at(-1)]).toEqual([0, (log.at(-1)?.at ?? 0) - review.from]);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(ticksOf('time', createReview([]), String)).toEqual([]);
  });
});

test('the marks are the decisions of people, compactions, errors and notes', async () => {
  const review = await recordedReview();
  const kinds = markersOf(review, [{ id: 'n', seq: 2, text: 'Here.', at: 1 }], reviewEn).map(({ kind }) => kind);
  expect(kinds).toEqual(['decision', 'compaction', 'error', 'error', 'note']);
});

test('each event has a summary of one line', async () => {
  const { events } = await recordedReview();
  const summaries = events.map((event) => eventSummary(event, reviewEn));
  expect(summaries).toContain('pay {"n":1}');
  expect(summaries).toContain('approved, by Ada, edited');
  expect(summaries.every((summary) => summary.length <= 160 && !summary.includes('\n'))).toBe(true);
});

test('the cost of a session is known where the model has a list price', () => {
  const usage = { input: 1_000_000, output: 0 };
  const point = { seq: 1, at: 1, usage, total: usage };
  expect(costsOf([{ ...point, model: 'gpt-5-mini-2025-08-07' }]).total).toBeCloseTo(0.25);
  expect(costsOf([{ ...point, model: 'unheard-of' }]).total).toBeUndefined();
});

describe('the bytes of a request', () => {
  test('are made for each wire, and nothing is sent', async () => {
    const { steps } = await recordedReview();
    const request = steps[1]?.request ?? expect.unreachable();
    for (const { name } of wires) {
      const body: unknown = JSON.parse(await bodyOf(request, name, 'some-model'));
      expect(body).toMatchObject({ model: 'some-model' });
      expect(JSON.stringify(body)).toContain('Please pay the bill.');
    }
  });

  test('are first those of the wire that the model most likely uses', () => {
    expect(['gpt-5', 'o3', 'claude-x', 'models/gemini-3', 'llama', undefined].map(wireOf)).toEqual([
      'responses',
      'responses',
      'messages',
      'gemini',
      'chat',
      'chat',
    ]);
  });
});

describe('a file', () => {
  test('keeps the notes, and opens again', async () => {
    const review = await recordedReview();
    const note = { id: 'n', seq: 2, text: 'Here.', at: 1 };
    const opened = await readFile(new Blob([toFile(review, [note])]), reviewEn.open);
    expect(opened.annotations).toEqual([note]);
    expect(opened.events).toEqual(review.events);
    expect(opened.problem).toBeUndefined();
  });

  test.each([
    ['is cut', (text: string) => text.slice(0, -40), /Line \d+: the line is not JSON/u],
    [
      'has an event of a newer version',
      (text: string) => text.replace(/("seq":9,.*?)"v":2/u, '$1"v":99'),
      /Line \d+: v .*newer version of Brooklet/u,
    ],
    ['is forged', (text: string) => text.replace('"approved"', '"obeyed"'), /Line \d+: verdict is not one of/u],
  ])('that %s opens as far as it goes, and says at which line and why', async (_what, change, problem) => {
    const review = await recordedReview();
    const opened = await readFile(new Blob([change(toFile(review, []))]), reviewEn.open);
    expect(opened.problem).toMatch(problem);
    expect(opened.events.length).toBeGreaterThan(5);
    expect(opened.events.length).toBeLessThan(review.events.length);
  });

  test('of a bug report is its session, and its problems name the lines of the report', async () => {
    const review = await recordedReview();
    const report = `{"format":"brooklet-report","version":1,"description":"Ünïcode 山"}\n${toFile(review, [])}`;
    expect((await readFile(new Blob([report]), reviewEn.open)).events).toEqual(review.events);
    const damaged = await readFile(
      new Blob([report.replace(/\n\{"type":"run\.started".*/u, '\n{"type":"ru')]),
      reviewEn.open,
    );
    const line = report.slice(0, report.indexOf('{"type":"run.started"')).split('\n').length;
    expect(damaged.problem).toContain(`Line ${line}:`);
  });

  test('with several sessions asks which one to open', async () => {
    const [one, other] = [toFile(await recordedReview(), []), toFile(createReview(log), [])];
    const opened: OpenedFile[] = [];
    const { container } = render(<OpenFile onOpen={(file) => opened.push(file)} />);
    const input = container.querySelector<HTMLInputElement>('input[type=file]') ?? expect.unreachable();
    fireEvent.change(input, { target: { files: { item: () => new File([one + other + '{"cut'], 'all.jsonl') } } });
    fireEvent.click(await screen.findByRole('button', { name: 'Hello' }));
    expect(opened.map(({ events }) => events.length)).toEqual([log.length]);
    expect(opened[0]?.problem).toContain('is not JSON');
  });

  test('is named after the session', () => {
    expect([nameOfFile('Pay: the bill?', 'jsonl'), nameOfFile('山/../水', 'html'), nameOfFile('', 'jsonl')]).toEqual([
      'Pay-the-bill.jsonl',
      '山-水.html',
      'session.jsonl',
    ]);
  });
});

test('a moment that is copied as Markdown has its notes', async () => {
  const review = await recordedReview();
  review.goTo({ seq: 2 });
  const notes = [{ id: 'n', seq: 2, text: 'One\nTwo', at: 1, userName: 'Ada' }];
  expect(momentMarkdown({ view: review.getView(), step: undefined, notes }, reviewEn)).toContain(
    '> **Ada:** One\n> Two',
  );
});
