import { render, screen, within } from '@testing-library/react';
import { createReview } from 'brooklet/review';
import { createMemoryStore, importHistory } from 'brooklet/storage';
import { expect, test } from 'vitest';
import { CallsView } from '../../demo/src/review/CallsView.tsx';
import { RequestPane } from '../../demo/src/review/RequestPane.tsx';
import { StepsView } from '../../demo/src/review/StepsView.tsx';
import { UsageView } from '../../demo/src/review/UsageView.tsx';

async function importedReview() {
  const usage = { prompt_tokens: 1_200, completion_tokens: 34 };
  const source = [
    { role: 'user', content: 'List' },
    {
      role: 'assistant',
      model: 'gpt-4o',
      usage,
      finish_reason: 'tool_calls',
      content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } }],
    },
    { role: 'tool', tool_call_id: 't', content: 'a.txt' },
  ];
  const store = createMemoryStore();
  const { conversations } = await importHistory(store, JSON.stringify(source));
  return createReview((await store.read(conversations[0]?.sessionId ?? ''))?.events ?? []);
}

test('the steps, calls and tokens of an imported session are shown, as those of another log', async () => {
  const review = await importedReview();
  render(<StepsView review={review} current={undefined} />);
  const step = screen.getByRole('listitem');
  expect(within(step).getByText(/gpt-4o · from another log/)).toBeTruthy();
  expect(within(step).getByText('tool-calls')).toBeTruthy();
  expect(within(step).queryByText('Took')).toBeNull();

  render(<CallsView review={review} />);
  expect(screen.getByText('Bash')).toBeTruthy();
  expect(screen.getByText('succeeded')).toBeTruthy();
  expect(screen.getByText('a.txt')).toBeTruthy();

  render(<UsageView review={review} />);
  expect(screen.getAllByText(/1[.,]?2/).length).toBeGreaterThan(0);
});

test('the request of such a step is said to be elsewhere', async () => {
  const review = await importedReview();
  render(<RequestPane step={review.steps[0]} />);
  expect(screen.getByText(/came with an imported file or a fork/)).toBeTruthy();
});
