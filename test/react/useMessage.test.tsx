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

test('gives one message, and the next version of it', () => {
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'Before' });
  const { result } = renderHook(() => useMessage(session, id));
  expect(result.current).toBe(session.getMessages()[0]);
  act(() => session.updateMessage(id, (message) => ({ ...message, content: [{ type: 'text', text: 'After' }] })));
  expect(result.current && extractTextContent(result.current)).toBe('After');
});

test('gives what a selector makes of it, and renders for nothing else', () => {
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

test('takes a selector that makes something new each time', () => {
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'One' });
  const { result } = renderHook(() => useMessage(session, id, (message) => [extractTextContent(message)]));
  expect(result.current).toEqual(['One']);
});

test('gives nothing for a message that is not there, and finds it wherever it comes', () => {
  const session = newSession(agentWith(client));
  const { result } = renderHook(() => useMessage(session, 'later'));
  expect(result.current).toBeUndefined();
  act(() => void session.addMessage({ role: 'user', content: 'Before it' }));
  act(() => void session.addMessage({ id: 'later', role: 'user', content: 'It' }));
  expect(result.current?.id).toBe('later');
  act(() => session.clear());
  expect(result.current).toBeUndefined();
});

test('gives nothing without a session', () => {
  expect(renderHook(() => useMessage(undefined, 'any')).result.current).toBeUndefined();
  expect(renderHook(() => useMessageIds(undefined)).result.current).toEqual([]);
});

test('a selector that throws breaks its own row only', () => {
  const silenced = vi.spyOn(console, 'error').mockImplementation(() => {});
  const session = newSession(agentWith(client));
  const id = session.addMessage({ role: 'user', content: 'One' });
  const { result } = renderHook(() => useMessage(session, id));
  const picky = (): string => {
    throw new Error('I do not like it.');
  };
  expect(() => renderHook(() => useMessage(session, id, picky))).toThrow('I do not like it.');
  act(() => session.updateMessage(id, (message) => ({ ...message, metadata: { seen: true } })));
  expect(result.current?.metadata).toEqual({ seen: true });
  silenced.mockRestore();
});

test('a list of ids renders when a message comes, and one row when it grows', async () => {
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
