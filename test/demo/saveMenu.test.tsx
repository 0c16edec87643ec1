import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createReview, type Review } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import { toTest } from 'brooklet/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { toReport, circumstancesOf } from '../../demo/src/review/bugReport.ts';
import { SaveMenu } from '../../demo/src/review/SaveMenu.tsx';
import manifest from '../../package.json' with { type: 'json' };
import { record } from '../review/recorded.ts';

afterEach(() => vi.restoreAllMocks());

const notes = [{ id: 'n', seq: 2, text: 'Here.', at: 1 }];

async function show(): Promise<Review> {
  const review = createReview((await record()).stored.events);
  render(<SaveMenu review={review} state={review.getView().state} notes={notes} source={[]} />);
  return review;
}

test('“Copy as test” copies the test of the session', async () => {
  const user = userEvent.setup();
  const review = await show();
  await user.click(screen.getByText('Save'));
  await user.click(screen.getByRole('button', { name: 'Copy as test' }));
  await screen.findByText('The test was copied: paste it into a file that vitest runs.');
  // test/testing/replay/to-test.test.ts runs such a test, which fails while a bug is in the package.
  expect(await navigator.clipboard.readText()).toBe(toTest(review.events));
});

test('“Copy as test” says why a session cannot be a test', async () => {
  const review = createReview([{ type: 'run.started', runId: 'r', seq: 1, at: 1, v: 2 }]);
  render(<SaveMenu review={review} state={review.getView().state} notes={[]} source={[]} />);
  fireEvent.click(screen.getByRole('button', { name: 'Copy as test' }));
  await screen.findByText(/a log begins with session\.started/u);
});

test('“Page that opens anywhere” saves the session with its notes and the viewer', async () => {
  const saved: Blob[] = [];
  const links: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    links.push(this.download);
  });
  Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}`, revokeObjectURL() {} });
  const review = await show();
  fireEvent.click(screen.getByRole('button', { name: 'Page that opens anywhere (.html)' }));
  await screen.findByText('The page was saved.');
  expect(links).toEqual(['Please-pay-the-bill.html']);
  const expected = await exportHTML(review.events, { annotations: notes });
  expect(saved.map(({ size }) => size)).toEqual([expected.size]);
});

test('a bug report names the version of the package', async () => {
  const review = createReview((await record()).stored.events);
  const circumstances = await circumstancesOf(review);
  expect(circumstances).toMatchObject({ version: manifest.version, eventVersion: 2 });
  const report = toReport({ description: '', circumstances, review, notes: [], withSession: false });
  expect(JSON.parse(report)).toMatchObject({ circumstances: { version: manifest.version } });
});
