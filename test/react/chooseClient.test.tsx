import { act, renderHook } from '@testing-library/react';
import { createAgent, extractTextContent } from 'brooklet';
import { useAgent, useChat, useObservable } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { around } from './stage.tsx';

describe('a chat whose agent has no client', () => {
  test('says so, refuses a message without taking the draft, and sends it once a client is set', async () => {
    const agent = createAgent({});
    let accepted = 0;
    const { result } = renderHook(() => useChat(), { wrapper: around(agent), reactStrictMode: true });
    const send = () => act(async () => void (await result.current.send('Hi', { onAccepted: () => accepted++ })));
    expect(result.current.hasClient).toBe(false);
    await send();
    expect(result.current).toMatchObject({ error: { code: 'MISSING_CLIENT' }, messages: [], session: undefined });
    expect(accepted).toBe(0);

    act(() => agent.setClient(createScriptedClient([reply.text('Hello.')])));
    expect(result.current).toMatchObject({ hasClient: true, error: undefined });
    await send();
    expect(accepted).toBe(1);
    expect(result.current.error).toBeUndefined();
    expect(result.current.messages.map((message) => extractTextContent(message))).toEqual(['Hi', 'Hello.']);

    act(() => agent.setClient(undefined));
    expect(result.current.hasClient).toBe(false);
  });

  test('renders what reads the client of the agent again when it changes', () => {
    const agent = createAgent({});
    const { result } = renderHook(
      () => {
        const { client$, getClient } = useAgent();
        return useObservable(client$, getClient);
      },
      { wrapper: around(agent) },
    );
    expect(result.current).toBeUndefined();
    const client = createScriptedClient([]);
    act(() => agent.setClient(client));
    expect(result.current).toBe(client);
  });
});

test('an answer is asked for again from another client, and both are versions', async () => {
  const agent = createAgent({ client: createScriptedClient([reply.text('One.')]) });
  const { result } = renderHook(() => useChat(), { wrapper: around(agent) });
  await act(async () => void (await result.current.send('Hi')));
  const other = createScriptedClient([reply.text('Two.')]);
  const [question] = result.current.messages;
  await act(async () => void (await result.current.regenerate(question?.id, { client: other })));
  const [, answer] = result.current.messages;
  expect(answer && extractTextContent(answer)).toBe('Two.');
  expect(result.current.alternatives(answer?.id ?? '')?.ids).toHaveLength(2);
  expect(agent.getClient()).not.toBe(other);
});
