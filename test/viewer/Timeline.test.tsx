/** @jsxImportSource preact */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { createReview } from 'brooklet/review';
import { createMemoryStore, importHistory } from 'brooklet/storage';
import { afterEach, expect, test } from 'vitest';
import { Timeline } from '../../src/review/viewer/Timeline.tsx';

const root = document.createElement('div');
afterEach(() => render(null, root));

test('shows the steps of an imported session, which belong to no run', async () => {
  const store = createMemoryStore();
  const source = JSON.stringify([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'Ho', model: 'gpt-4o' },
  ]);
  const { conversations } = await importHistory(store, source);
  const review = createReview((await store.read(conversations[0]?.sessionId ?? ''))?.events ?? []);
  document.body.append(root);
  await act(() => render(<Timeline review={review} view={review.getView()} current={undefined} />, root));
  const steps = root.querySelector('[aria-label="Steps of From another log"]') ?? expect.unreachable('a list of steps');
  const [button] = steps.querySelectorAll('button');
  await act(() => button?.click());
  expect(review.getView().event?.type).toBe('message.added');
});
