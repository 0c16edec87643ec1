import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createAgent, defineTool } from 'brooklet';
import { AgentProvider } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import type * as Solution from '../solutions/approvals.tsx';

export async function check({ Approvals }: typeof Solution): Promise<void> {
  const execute = vi.fn(({ file }: { readonly file: string }) => `Deleted ${file}.`);
  const erase = defineTool({
    name: 'erase',
    description: 'Deletes a file.',
    input: z.object({ file: z.string() }),
    needsApproval: true,
    execute,
  });
  const client = createScriptedClient([
    [reply.call('erase', { file: 'notes.txt' })],
    [reply.call('erase', { file: 'draft.txt' })],
    [reply.text('Done.')],
  ]);
  const agent = createAgent({ client, tools: [erase] });
  const session = await agent.openSession(agent.createSession());
  render(
    <AgentProvider agent={agent}>
      <Approvals sessionId={session.id} />
    </AgentProvider>,
  );
  expect(screen.queryByRole('button')).toBeNull();

  act(() => void session.send('Tidy up.'));
  await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
  await waitFor(() => expect(document.body.textContent).toContain('draft.txt'));
  expect(document.body.textContent).toContain('erase');
  expect(execute).not.toHaveBeenCalled();
  expect(JSON.stringify(client.requests[1]?.messages)).toContain('Not now.');

  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(session.getStatus()).toBe('idle'));
  expect(execute.mock.calls.map(([input]) => input)).toEqual([{ file: 'draft.txt' }]);
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
}
