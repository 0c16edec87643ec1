import { act, renderHook } from '@testing-library/react';
import { type AgentError, extractTextContent } from 'brooklet';
import { useChat, type UseChatOptions } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { recorded } from '../support/stage.ts';
import { agentWith, around, countSubscriptions, newSession } from './stage.tsx';
import { until } from '../support/until.ts';

/** The listeners of a chat, each noting what it was called with. */
function listeners(log: string[], name = ''): UseChatOptions {
  return {
    onFinish: ({ outcome, message }) => void log.push(`${name}finish ${outcome} ${extractTextContent(message ?? [])}`),
    onError: ({ code }: AgentError) => void log.push(`${name}error ${code}`),
    onToolCall: (call) => void log.push(`${name}call ${call.name}`),
    onApproval: (call) => void log.push(`${name}approval ${call.name}`),
  };
}

test('calls each listener once for one event under StrictMode, from the first message on', async () => {
  const { tool } = recorded('work', { needsApproval: true });
  const client = createScriptedClient([[reply.call('work', {})], [reply.text('Done.')]]);
  const log: string[] = [];
  const Wrapper = around(agentWith(client, { tools: [tool] }));
  const { result } = renderHook(() => useChat(listeners(log)), {
    wrapper: ({ children }) => (
      <StrictMode>
        <Wrapper>{children}</Wrapper>
      </StrictMode>
    ),
  });
  await act(async () => void result.current.send('go'));
  await until(() => expect(log).toEqual(['call work', 'approval work']));
  await act(async () => void (await result.current.approve(result.current.approvals[0]?.callId ?? '')));
  await until(() => expect(log).toEqual(['call work', 'approval work', 'finish completed Done.']));
});

test('tells of a run that ends before the component is rendered with its session', async () => {
  const log: string[] = [];
  const agent = agentWith(createScriptedClient([[reply.text('At once.')]]));
  const { result } = renderHook(() => useChat(listeners(log)), { wrapper: around(agent) });
  await act(async () => void (await result.current.send('go')));
  await until(() => expect(log).toEqual(['finish completed At once.']));
});

test('calls the listeners of the last render, also for runs that were resumed or begun elsewhere', async () => {
  const log: string[] = [];
  const client = createManualClient();
  const agent = agentWith(client);
  const session = newSession(agent);
  const { result, rerender } = renderHook(({ name }) => useChat({ sessionId: session.id, ...listeners(log, name) }), {
    wrapper: around(agent),
    initialProps: { name: 'first ' },
  });
  void session.send('go');
  await act(settled);
  act(() => client.last().chunks.next({ type: 'text', text: 'half' }));
  rerender({ name: 'second ' });
  await act(async () => client.last().chunks.error(new Error('gone')));
  await until(() => expect(log).toEqual(['second error LLM_API_ERROR', 'second finish interrupted half']));
  await act(async () => void result.current.resume());
  await act(settled);
  await act(async () => say(client.last(), 'rest'));
  await until(() => expect(log.at(-1)).toBe('second finish completed rest'));
  expect(log).toHaveLength(3);
});

test('tells of refused actions, and rejects nothing when a call is approved twice', async () => {
  const { tool, runs } = recorded('work', { needsApproval: true });
  const log: string[] = [];
  const client = createScriptedClient([[reply.call('work', {})], [reply.text('Done.')]]);
  const agent = agentWith(client, { tools: [tool] });
  const { result } = renderHook(() => useChat(listeners(log)), { wrapper: around(agent) });
  await act(async () => void result.current.send('go'));
  await until(() => expect(result.current.approvals).toHaveLength(1));
  const callId = result.current.approvals[0]?.callId ?? '';
  const accepted = await act(() => Promise.all([result.current.approve(callId), result.current.approve(callId)]));
  expect(accepted.toSorted()).toEqual([false, true]);
  await until(() => expect(log).toContain('error CALL_NOT_PENDING'));
  expect(runs).toHaveLength(1);
  await act(async () => void (await result.current.send('')));
  expect(log.at(-1)).toBe('error INVALID_INPUT');
});

test('calls no listener after the component is unmounted, and of no session that it does not show', async () => {
  const log: string[] = [];
  const client = createManualClient();
  const agent = agentWith(client);
  const [one, two] = [newSession(agent), newSession(agent)];
  const { rerender, unmount } = renderHook(({ id }) => useChat({ sessionId: id, ...listeners(log) }), {
    wrapper: around(agent),
    initialProps: { id: one.id },
  });
  void one.send('go');
  await act(settled);
  rerender({ id: two.id });
  await act(async () => say(client.last(), 'one'));
  void two.send('go');
  await act(settled);
  unmount();
  say(client.last(), 'two');
  await settled();
  expect(log).toEqual([]);
});

test('mounting 1,000 times and switching between two streaming sessions 100 times leaves no subscription', async () => {
  const client = createManualClient();
  const { agent, count } = countSubscriptions(agentWith(client));
  const [one, two] = [newSession(agent), newSession(agent)];
  for (const session of [one, two]) void session.send('go');
  await act(settled);
  for (let turn = 0; turn < 1_000; turn++)
    renderHook(() => useChat({ sessionId: one.id, onFinish: () => {} }), { wrapper: around(agent) }).unmount();
  expect(count()).toBe(0);
  const { result, rerender, unmount } = renderHook(({ id }) => useChat({ sessionId: id, onFinish: () => {} }), {
    wrapper: around(agent),
    initialProps: { id: one.id },
  });
  const before = count();
  for (let turn = 0; turn < 100; turn++) {
    for (const { chunks } of client.asked) act(() => chunks.next({ type: 'text', text: '.' }));
    rerender({ id: turn % 2 === 0 ? two.id : one.id });
  }
  expect(count()).toBe(before);
  await act(async () => client.asked.forEach((asked) => say(asked, '!')));
  expect(extractTextContent(result.current.messages.at(-1) ?? [])).toBe(`${'.'.repeat(100)}!`);
  unmount();
  expect(count()).toBe(0);
});
