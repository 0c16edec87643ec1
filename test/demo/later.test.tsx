import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { createAgent } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { beforeEach, expect, test } from 'vitest';
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
