import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type AgentSession, createAgent, defineTool, toolParts } from 'brooklet';
import { useChat } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { Messages } from '../../demo/src/conversation/Messages.tsx';
import { Parts } from '../../demo/src/conversation/Parts.tsx';
import { aroundLists } from '../react/stage.tsx';

/** A session as Studio shows it. */
function Cards({ session }: { readonly session: AgentSession }): ReactElement {
  const chat = useChat({ sessionId: session.id });
  return (
    <Parts>
      <Messages chat={chat} />
    </Parts>
  );
}

/** Shows the cards of two calls: the decision on the first call also creates an approval rule. */
async function showTwo(verdict: 'approve' | 'reject', remember: 'session' | 'agent'): Promise<void> {
  const client = createScriptedClient((_request, index) => (index % 2 ? [reply.text('Done.')] : [reply.call('pay')]));
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object' },
    needsApproval: true,
    execute: () => 'Paid.',
  });
  const agent = createAgent({ client, tools: [pay], store: createMemoryStore() });
  const session = await agent.openSession(agent.createSession());
  render(<Cards session={session} />, { wrapper: aroundLists(agent) });
  let first: Promise<unknown> = Promise.resolve();
  act(() => void (first = session.send('Pay')));
  await waitFor(() => expect(session.getStatus()).toBe('waiting'));
  const [call] = session.getMessages().flatMap(toolParts);
  await act(async () => {
    await session[verdict](call?.callId ?? '', { remember });
    await first;
    await session.send('Pay again');
  });
  // What is in a card is rendered when it is opened.
  for (const summary of document.querySelectorAll('.bk-tool-call > summary')) fireEvent.click(summary);
}

test('states that a rule for this conversation approved the call, and revokes the rule', async () => {
  await showTwo('approve', 'session');
  expect(screen.getAllByText('Decided before')).toHaveLength(1);
  expect(await screen.findByText(/Approved, as you decided before for this conversation/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await screen.findByText(/you have revoked that since/);
  expect(screen.queryByRole('button', { name: 'Revoke' })).toBeNull();
});

test('states that a rule for every conversation declined the call', async () => {
  await showTwo('reject', 'agent');
  await screen.findByText(/Declined, as you decided before for every conversation/);
  expect(screen.getAllByText('Declined: not run')).not.toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await screen.findByText(/you have revoked that since/);
});

test('mentions no rule for a call that the user decided on directly', async () => {
  await showTwo('approve', 'session');
  expect(screen.getAllByText(/as you decided before/)).toHaveLength(1);
  expect(screen.getByText('Approved')).toBeTruthy();
});
