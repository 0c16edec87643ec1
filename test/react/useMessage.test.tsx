import { act, render, renderHook, screen, waitFor } from '@testing-library/react';
import { extractTextContent } from 'brooklet';
import { useMessage, useMessageIds } from 'brooklet/react';
import { createScriptedClient, reply } from 'brooklet/testing';
import type { AgentSession } from 'brooklet';
import { memo } from 'react';
import { expect, test, vi } from 'vitest';
import { createGate } from '../support/gate.ts';
import { agentWith, newSession } from './stage.tsx';

const client = createScriptedClient([reply.text('Hello.')]);

test('returns one message, and its next version', () => {
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'Before' });
  const { result } = renderHook(() => useMessage(session, id));
  expect(result.current).toBe(session.getMessages()[0]);
  act(() => session.updateMessage(id, (message) => ({ ...message, content: [{ type: 'text', text: 'After' }] })));
  expect(result.current && extractTextContent(result.current)).toBe('After');
});

test('returns the result of a selector, and renders for no other change', () => {
  const session = newSession(agentWith(client));
  const [first, second] = ['One', 'Two'].map((content) => session.addMessage({ role: 'user', content }));
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return useMessage(session, first ?? '', ({ content }) => content.length);
  });
  expect(result.current).toBe(1);
  act(() => session.updateMessage(second ?? '', (message) => ({ ...message, content: [] })));
  act(() => session.updateMessage(first ?? '', (message) => ({ ...message, metadata: { read: true } })));
  expect(renders).toBe(1);
  act(() => session.updateMessage(first ?? '', (message) => ({ ...message, content: [] })));
  expect(result.current).toBe(0);
  expect(renders).toBe(2);
});

test('accepts a selector that returns a new object each time', () => {
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'One' });
  const { result } = renderHook(() => useMessage(session, id, (message) => [extractTextContent(message)]));
  expect(result.current).toEqual(['One']);
});

test('returns undefined for a missing message, and finds the message when it is added', () => {
  const session = newSession(agentWith(client));
  const { result } = renderHook(() => useMessage(session, 'later'));
  expect(result.current).toBeUndefined();
  act(() => void session.addMessage({ role: 'user', content: 'Before it' }));
  act(() => void session.addMessage({ id: 'later', role: 'user', content: 'It' }));
  expect(result.current?.id).toBe('later');
  act(() => session.clear());
  expect(result.current).toBeUndefined();
});

test('returns nothing without a session', () => {
  expect(renderHook(() => useMessage(undefined, 'any')).result.current).toBeUndefined();
  expect(renderHook(() => useMessageIds(undefined)).result.current).toEqual([]);
});

test('breaks only the row whose selector throws', () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'One' });
  const { result } = renderHook(() => useMessage(session, id));
  const failing = (): string => {
    throw new Error('The selector failed.');
  };
  expect(() => renderHook(() => useMessage(session, id, failing))).toThrow('The selector failed.');
  act(() => session.updateMessage(id, (message) => ({ ...message, metadata: { seen: true } })));
  expect(result.current?.metadata).toEqual({ seen: true });
  silenced.mockRestore();
});

test('renders the list when a message is added, and one row when the message grows', async () => {
  const [second, third] = [createGate(), createGate()];
  const agent = agentWith(
    createScriptedClient([
      reply.text('One '),
      reply.until(second.opened),
      reply.text('two '),
      reply.until(third.opened),
      reply.text('three'),
    ]),
  );
  const session = newSession(agent);
  for (let i = 0; i < 20; i++) session.addMessage({ role: 'user', content: `Old ${i}` });
  const rendered: string[] = [];
  const Row = memo(({ session, id }: { readonly session: AgentSession; readonly id: string }) => {
    rendered.push(id);
    return <li>{useMessage(session, id, extractTextContent)}</li>;
  });
  function List() {
    rendered.push('list');
    return useMessageIds(session).map((id) => <Row key={id} session={session} id={id} />);
  }
  render(<List />);
  let done: unknown;
  act(() => void session.send('Hi').then(() => (done = true)));
  await screen.findByText('One');
  rendered.length = 0;
  second.open();
  await screen.findByText('One two');
  expect(new Set(rendered)).toEqual(new Set([session.getMessages().at(-1)?.id]));
  third.open();
  await screen.findByText('One two three');
  await waitFor(() => expect(done).toBe(true));
});
