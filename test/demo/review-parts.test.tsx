import { fireEvent, render, screen } from '@testing-library/react';
import { createReview } from 'brooklet/review';
import { describe, expect, test } from 'vitest';
import { nameOfFile } from '../../demo/src/base/download.ts';
import { costOf } from '../../demo/src/review/costs.ts';
import { OpenFile } from '../../demo/src/review/OpenFile.tsx';
import { type OpenedFile, readFile } from '../../demo/src/review/readFile.ts';
import { toFile } from '../../demo/src/review/toFile.ts';
import { bodyOf, wireOf, wires } from '../../demo/src/review/wires.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';
import { recordedReview, streamedLog } from '../review/recorded.ts';

/** Events at 0, 1 and 2 s, then a pause of an hour. */
const log = streamedLog(({ seq }) => (seq <= 4 ? (seq - 1) * 1_000 : 3_600_000 + seq * 100));

test('the cost of tokens is known where the model has a list price', () => {
  const usage = { input: 1_000_000, output: 0 };
  expect(costOf(usage, 'gpt-5-mini-2025-08-07')).toBeCloseTo(0.25);
  expect(costOf(usage, 'unheard-of')).toBeUndefined();
  expect(costOf(usage, undefined)).toBeUndefined();
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
