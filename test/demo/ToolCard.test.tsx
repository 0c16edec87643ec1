import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type AgentSession, createAgent, defineTool, toolParts } from 'brooklet';
import { useObservable } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { ToolCard } from '../../demo/src/conversation/ToolCard.tsx';
import { aroundLists } from '../react/stage.tsx';

/** All calls of a session, as the studio shows them. */
function Cards({ session }: { readonly session: AgentSession }): ReactElement {
  const calls = useObservable(session.messages$, session.getMessages).flatMap(toolParts);
  return (
    <>
      {calls.map((call) => (
        <ToolCard key={call.callId} session={session} call={call} />
      ))}
    </>
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
  expect(screen.getAllByText('Not run')).not.toHaveLength(0);
  fireEvent.click(screen.getByRole('button', { name: 'Revoke' }));
  await screen.findByText(/you have revoked that since/);
});

test('mentions no rule for a call that the user decided on directly', async () => {
  await showTwo('approve', 'session');
  expect(screen.getAllByText(/as you decided before/)).toHaveLength(1);
  expect(screen.getByText('Approved')).toBeTruthy();
});
