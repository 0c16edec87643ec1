import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LaterDialog } from '../../demo/src/schedule/LaterDialog.tsx';

beforeEach(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});

test('plans a prompt for the chat, lists it, and cancels it', async () => {
  const agent = createAgent({ store: createMemoryStore() });
  const sessionId = agent.createSession();
  let closed = 0;
  render(
    <AgentProvider agent={agent}>
      <LaterDialog sessionId={sessionId} onClose={() => closed++} />
    </AgentProvider>,
  );
  fireEvent.change(screen.getByLabelText('Prompt'), { target: { value: 'Summarize' } });
  fireEvent.change(screen.getByLabelText(/^When/u), { target: { value: '2035-01-07T08:00' } });
  fireEvent.click(screen.getByRole('button', { name: 'Plan' }));
  await waitFor(() => expect(closed).toBe(1));
  expect(agent.getSchedules()).toMatchObject([
    { sessionId, text: 'Summarize', due: new Date('2035-01-07T08:00').getTime(), missed: 'run' },
  ]);
  fireEvent.click(screen.getByRole('button', { name: 'Do not send “Summarize”' }));
  await waitFor(() => expect(agent.getSchedules()).toEqual([]));
  expect(screen.queryByRole('list', { name: 'Planned prompts' })).toBeNull();
});

test('refuses a time that has passed at the field, and starts no conversation for it', async () => {
  vi.useFakeTimers({ now: new Date('2035-01-07T08:00:20'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const agent = createAgent({ store: createMemoryStore() });
  render(
    <AgentProvider agent={agent}>
      <LaterDialog sessionId={undefined} onClose={() => {}} />
    </AgentProvider>,
  );
  const time = screen.getByLabelText<HTMLInputElement>(/^When/u);
  // Not the minute that has begun.
  expect(time.min).toBe('2035-01-07T08:01');
  fireEvent.change(screen.getByLabelText('Prompt'), { target: { value: 'Summarize' } });
  fireEvent.change(time, { target: { value: '2035-01-07T08:01' } });
  const reports = vi.spyOn(time, 'reportValidity');
  vi.setSystemTime(new Date('2035-01-07T08:03:10'));
  fireEvent.click(screen.getByRole('button', { name: 'Plan' }));
  expect(reports).toHaveReturnedWith(false);
  expect(time.min).toBe('2035-01-07T08:04');
  expect(agent.getSchedules()).toEqual([]);
  expect(location.hash).toBe('');
});
