import { act, renderHook, waitFor } from '@testing-library/react';
import { type Agent, AgentError, type AgentSession, defineTool, toolParts } from 'brooklet';
import { useChat } from 'brooklet/react';
import { useApprovalRules } from 'brooklet/react/lists';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, aroundLists, newSession } from '../stage.tsx';

function withApprovalTool(store = createMemoryStore()) {
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

/** Both hooks, as a page uses them. */
const render = (agent: Agent, session: AgentSession | undefined) =>
  renderHook(() => ({ chat: useChat({ sessionId: session?.id }), ...useApprovalRules(session) }), {
    wrapper: aroundLists(agent),
  });

test('lists a rule of the session until the rule is revoked', async () => {
  const { agent, session } = withApprovalTool();
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

test('returns the rule that decided on a call until the rule is revoked', async () => {
  const { agent, session } = withApprovalTool();
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

  const [first, second] = [callOf(0), callOf(1)];
  if (first === undefined || second === undefined) return expect.unreachable();
  expect([first?.approval?.decidedBy, second?.approval?.decidedBy]).toEqual(['user', 'rule']);
  expect(result.current.ruleFor(first)).toBeUndefined();
  await waitFor(() => expect(result.current.ruleFor(second)).toMatchObject({ scope: 'agent', userName: 'Ada' }));
  const rule = result.current.ruleFor(second);
  await act(async () => void (rule && (await result.current.revoke(rule))));
  expect(result.current.ruleFor(second)).toBeUndefined();
});

test('lists a rule of the agent at once, in every session and without a session', async () => {
  const { agent, session } = withApprovalTool();
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

test('returns the same list and the same function while nothing changes', async () => {
  const { agent, session } = withApprovalTool();
  const { result, rerender } = renderHook(() => useApprovalRules(session), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  const before = result.current;
  rerender();
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  expect(result.current.rules).toBe(before.rules);
  expect(result.current.revoke).toBe(before.revoke);
});

test('returns the error of a failed revoke, and does not reject', async () => {
  const store = createMemoryStore();
  const full = new AgentError('The disk is full.', { code: 'QUOTA_EXCEEDED' });
  const meta = { get: async () => undefined, update: () => Promise.reject(full) };
  const { agent } = withApprovalTool({ ...store, meta });
  const { result } = renderHook(() => useApprovalRules(), { wrapper: aroundLists(agent) });
  await waitFor(() => expect(result.current.isLoading).toBe(false));
  await act(async () => expect(await result.current.revoke({ scope: 'agent', name: 'pay' })).toBe(false));
  expect(result.current.error?.code).toBe('QUOTA_EXCEEDED');
});
