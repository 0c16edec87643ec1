import { act, renderHook, waitFor } from '@testing-library/react';
import { defineTool } from 'brooklet';
import { useApprovals } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { agentWith, newSession } from './stage.tsx';

const input = { type: 'object', properties: {} } as const;

test('returns the awaiting calls in the order of their requests, until each is decided', async () => {
  const ask = (name: string) =>
    defineTool({ name, description: 'Asks first.', input, needsApproval: true, execute: () => 'done' });
  const free = defineTool({ name: 'free', description: 'Needs no approval.', input, execute: () => 'done' });
  const client = createScriptedClient([
    [reply.call('one'), reply.call('free'), reply.call('two')],
    [reply.text('All done.')],
  ]);
  const session = newSession(agentWith(client, { tools: [ask('one'), ask('two'), free] }));
  const { result } = renderHook(() => useApprovals(session));
  expect(result.current).toEqual([]);
  act(() => void session.send('Go'));
  await waitFor(() => expect(result.current.map((call) => call.name)).toEqual(['one', 'two']));
  await waitFor(() => expect(session.getStatus()).toBe('waiting'));
  await act(() => session.reject(result.current[1]?.callId ?? ''));
  expect(result.current.map((call) => call.name)).toEqual(['one']);
  await act(() => session.approve(result.current[0]?.callId ?? ''));
  await waitFor(() => expect(session.getStatus()).toBe('idle'));
  expect(result.current).toEqual([]);
});

test('includes elicitations, with the schema of the answer', async () => {
  const elicitation = { type: 'boolean' } as const;
  const ask = defineTool({
    name: 'ask',
    description: 'Asks.',
    input,
    answer: elicitation,
    execute: (_input, { answer }) => answer ?? null,
  });
  const client = createScriptedClient([[reply.call('ask')], [reply.text('I see.')]]);
  const session = newSession(agentWith(client, { tools: [ask] }));
  const { result } = renderHook(() => useApprovals(session));
  act(() => void session.send('Go'));
  await waitFor(() => expect(result.current[0]?.approval?.elicitation).toEqual(elicitation));
  await act(() => session.answer(result.current[0]?.callId ?? '', true));
  expect(result.current).toEqual([]);
});

test('returns the same list while the awaiting calls are the same', () => {
  const session = newSession(agentWith(createScriptedClient([])));
  const { result } = renderHook(() => useApprovals(session));
  const before = result.current;
  act(() => void session.addMessage({ role: 'user', content: 'Hi' }));
  expect(result.current).toBe(before);
});

test('returns an empty list without a session', () => {
  expect(renderHook(() => useApprovals(undefined)).result.current).toEqual([]);
});
