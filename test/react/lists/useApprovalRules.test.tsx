import { act, renderHook, waitFor } from '@testing-library/react';
import { type Agent, AgentError, type AgentSession, defineTool, toolParts } from 'brooklet';
import { useChat } from 'brooklet/react';
import { useApprovalRules } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, aroundLists, newSession } from '../stage.tsx';

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
  renderHook(() => ({ chat: useChat({ sessionId: session?.id }), ...useApprovalRules(session) }), {
    wrapper: aroundLists(agent),
  });

test('lists what a person has decided for a session, until it is revoked', async () => {
  const { agent, session } = withCarefulTool();
  const { result } = render(agent, session);
  expect(result.current.rules).toEqual([]);
  act(() => void result.current.chat.send('Pay'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  const [call] = result.current.chat.approvals;
  await act(async () => void (await result.current.chat.approve(call?.callId ?? '', { remember: 'session' })));
  await waitFor(() => expect(result.current.chat.status).toBe('idle'));
  expect(result.current.rules).toMatchObject([{ name: 'pay', verdict: 'approved', scope: 'session' }]);

  await act(async () => expect(await result.current.revoke({ scope: 'session', name: 'pay' })).toBe(true));
  expect(result.current.rules).toEqual([]);
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
  const [awaiting] = result.current.chat.approvals;
  expect(awaiting && result.current.ruleFor(awaiting)).toBeUndefined();
  await act(
    async () =>
      void (await result.current.chat.approve(awaiting?.callId ?? '', { remember: 'agent', userName: 'Ada' })),
  );
  await waitFor(() => expect(result.current.chat.status).toBe('idle'));
  await act(async () => void (await result.current.chat.send('Pay again')));

  const [now, before] = [callOf(0), callOf(1)];
  if (now === undefined || before === undefined) return expect.unreachable();
  expect([now?.approval?.decidedBy, before?.approval?.decidedBy]).toEqual(['user', 'rule']);
  expect(result.current.ruleFor(now)).toBeUndefined();
  await waitFor(() => expect(result.current.ruleFor(before)).toMatchObject({ scope: 'agent', userName: 'Ada' }));
  const rule = result.current.ruleFor(before);
  await act(async () => void (rule && (await result.current.revoke(rule))));
  expect(result.current.ruleFor(before)).toBeUndefined();
});

test('lists what a person has decided for all sessions as soon as they have, in every session and without one', async () => {
  const { agent, session } = withCarefulTool();
  const { result } = render(agent, session);
  const elsewhere = renderHook(() => useApprovalRules(), { wrapper: aroundLists(agent) });
  act(() => void result.current.chat.send('Pay'));
  await waitFor(() => expect(result.current.chat.status).toBe('waiting'));
  const [call] = result.current.chat.approvals;
  const callId = call?.callId ?? '';
  await act(async () => void (await result.current.chat.reject(callId, { reason: 'Never.', remember: 'agent' })));
  await waitFor(() =>
    expect(result.current.rules).toMatchObject([
      { name: 'pay', verdict: 'rejected', reason: 'Never.', scope: 'agent' },
    ]),
  );
  elsewhere.unmount();
  const later = renderHook(() => useApprovalRules(), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(later.result.current.rules).toHaveLength(1));
  expect(later.result.current.isLoading).toBe(false);

  await act(async () => expect(await result.current.revoke({ scope: 'agent', name: 'pay' })).toBe(true));
  expect(result.current.rules).toEqual([]);
  expect(await agent.listApprovalRules()).toEqual([]);
});

test('keeps its list and its function for as long as nothing changes', async () => {
  const { agent, session } = withCarefulTool();
  const { result, rerender } = renderHook(() => useApprovalRules(session), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  const before = result.current;
  rerender();
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  expect(result.current.rules).toBe(before.rules);
  expect(result.current.revoke).toBe(before.revoke);
});

test('says so where a decision cannot be revoked, and does not reject', async () => {
  const store = createMemoryStore();
  const full = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
  const meta = { get: async () => undefined, update: () => Promise.reject(full) };
  const { agent } = withCarefulTool({ ...store, meta });
  const { result } = renderHook(() => useApprovalRules(), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  await act(async () => expect(await result.current.revoke({ scope: 'agent', name: 'pay' })).toBe(false));
  expect(result.current.error?.code).toBe('QUOTA_EXCEEDED');
});
