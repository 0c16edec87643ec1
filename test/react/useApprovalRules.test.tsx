import { act, renderHook, waitFor } from '@testing-library/react';
import { type Agent, AgentError, type AgentSession, defineTool, toolParts } from 'brooklet';
import { useChat, useDecisions } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, around, newSession } from './stage.tsx';

function withCarefulTool(store = createMemoryStore()) {
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: {} },
    needsApproval: true,
    execute: () => 'Paid.',
  });
  const client = createScriptedClient((_request, index) => (index % 2 ? [reply.text('Done.')] : [reply.call('pay')]));
  const agent = agentWith(client, { tools: [pay], store });
  return { agent, session: newSession(agent) };
}

/** Both hooks, as a page has them. */
const render = (agent: Agent, session: AgentSession | undefined) =>
  renderHook(() => ({ chat: useChat({ sessionId: session?.id }), ...useDecisions(session) }), {
    wrapper: around(agent),
  });

test('lists what a person has decided for a session, until it is revoked', async () => {
  const { agent, session } = withCarefulTool();
  const { result } = render(agent, session);
  expect(result.current.decisions).toEqual([]);
  act(() => void result.current.chat.send('Pay'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  const [call] = result.current.chat.approvals;
  await act(async () => void (await result.current.chat.approve(call?.callId ?? '', { remember: 'session' })));
  await waitFor(() => expect(result.current.chat.status).toBe('idle'));
  expect(result.current.decisions).toMatchObject([{ name: 'pay', verdict: 'approved', scope: 'session' }]);

  await act(async () => expect(await result.current.revoke({ scope: 'session', name: 'pay' })).toBe(true));
  expect(result.current.decisions).toEqual([]);
  act(() => void result.current.chat.send('Pay again'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  act(() => result.current.chat.stop());
});

test('finds the decision that stood in for the person on a call, until it is revoked', async () => {
  const { agent, session } = withCarefulTool();
  const { result } = render(agent, session);
  const callOf = (nth: number) => session.getMessages().flatMap(toolParts)[nth];
  act(() => void result.current.chat.send('Pay'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  const [held] = result.current.chat.approvals;
  expect(held && result.current.decisionOn(held)).toBeUndefined();
  await act(
    async () => void (await result.current.chat.approve(held?.callId ?? '', { remember: 'agent', userName: 'Ada' })),
  );
  await waitFor(() => expect(result.current.chat.status).toBe('idle'));
  await act(async () => void (await result.current.chat.send('Pay again')));

  const [now, before] = [callOf(0), callOf(1)];
  if (now === undefined || before === undefined) return expect.unreachable();
  expect([now?.approval?.decidedBy, before?.approval?.decidedBy]).toEqual(['user', 'rule']);
  expect(result.current.decisionOn(now)).toBeUndefined();
  await waitFor(() => expect(result.current.decisionOn(before)).toMatchObject({ scope: 'agent', userName: 'Ada' }));
  const decision = result.current.decisionOn(before);
  await act(async () => void (decision && (await result.current.revoke(decision))));
  expect(result.current.decisionOn(before)).toBeUndefined();
});

test('lists what a person has decided for all sessions as soon as they have, in every session and without one', async () => {
  const { agent, session } = withCarefulTool();
  const { result } = render(agent, session);
  const elsewhere = renderHook(() => useDecisions(), { wrapper: around(agent) });
  act(() => void result.current.chat.send('Pay'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  const [call] = result.current.chat.approvals;
  const callId = call?.callId ?? '';
  await act(async () => void (await result.current.chat.reject(callId, { reason: 'Never.', remember: 'agent' })));
  await waitFor(() =>
    expect(result.current.decisions).toMatchObject([
      { name: 'pay', verdict: 'rejected', reason: 'Never.', scope: 'agent' },
    ]),
  );
  elsewhere.unmount();
  const later = renderHook(() => useDecisions(), { wrapper: around(agent) });
  await waitFor(() => expect(later.result.current.decisions).toHaveLength(1));
  expect(later.result.current.isLoading).toBe(false);

  await act(async () => expect(await result.current.revoke({ scope: 'agent', name: 'pay' })).toBe(true));
  expect(result.current.decisions).toEqual([]);
  expect(await agent.listApprovalRules()).toEqual([]);
});

test('keeps its list and its function for as long as nothing changes', async () => {
  const { agent, session } = withCarefulTool();
  const { result, rerender } = renderHook(() => useDecisions(session), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  const before = result.current;
  rerender();
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  expect(result.current.decisions).toBe(before.decisions);
  expect(result.current.revoke).toBe(before.revoke);
});

test('says so where a decision cannot be revoked, and does not reject', async () => {
  const store = createMemoryStore();
  const full = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
  const meta = { get: async () => undefined, update: () => Promise.reject(full) };
  const { agent } = withCarefulTool({ ...store, meta });
  const { result } = renderHook(() => useDecisions(), { wrapper: around(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  await act(async () => expect(await result.current.revoke({ scope: 'agent', name: 'pay' })).toBe(false));
  expect(result.current.error?.code).toBe('QUOTA_EXCEEDED');
});
