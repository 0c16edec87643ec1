import { act, renderHook, waitFor } from '@testing-library/react';
import { extractTextContent, type Message } from 'brooklet';
import { useAlternatives, useChat, useSession } from 'brooklet/react';
import { createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { agentWith, around, newSession } from './stage.tsx';

const texts = (messages: readonly Message[]) => messages.map((message) => extractTextContent(message));
const numbered = () => createScriptedClient((_request, index) => [reply.text(`answer ${index + 1}`)]);

test('edits a message, steps through its versions, and forks', async () => {
  const agent = agentWith(numbered(), { store: createMemoryStore() });
  const { result } = renderHook(
    () => {
      const chat = useChat();
      const first = chat.messages[0]?.id ?? '';
      return { ...chat, first, versions: useAlternatives(useSession(chat.sessionId).session, first) };
    },
    { wrapper: around(agent) },
  );
  await act(async () => void (await result.current.send('question')));
  await act(async () => void (await result.current.edit(result.current.first, 'edited')));
  expect(texts(result.current.messages)).toEqual(['edited', 'answer 2']);
  expect(result.current.versions).toMatchObject({ index: 1, count: 2 });
  expect(result.current.alternatives(result.current.first)).toEqual(result.current.versions);
  const shown = await act(() => result.current.selectAlternative(result.current.first, 0));
  expect([shown, texts(result.current.messages)]).toEqual([true, ['question', 'answer 1']]);
  expect(result.current.versions).toMatchObject({ index: 0, count: 2 });
  const refused = await act(() => result.current.selectAlternative(result.current.first, 2));
  expect([refused, result.current.error?.code]).toEqual([false, 'MESSAGE_NOT_FOUND']);
  const forkId = await act(() => result.current.fork(result.current.first));
  expect(texts(agent.getSession(forkId ?? '')?.getMessages() ?? [])).toEqual(['question']);
});

test('states whether an answer is awaited or arrives', async () => {
  const client = createManualClient();
  const session = newSession(agentWith(client));
  const agent = agentWith(client);
  const here = newSession(agent);
  expect(session.id).not.toBe(here.id);
  const { result } = renderHook(() => useChat({ sessionId: here.id }), { wrapper: around(agent) });
  const phase = () => [result.current.isSubmitted, result.current.isStreaming];
  expect(phase()).toEqual([false, false]);
  await act(async () => void result.current.send('go'));
  await act(settled);
  expect(phase()).toEqual([true, false]);
  act(() => client.last().chunks.next({ type: 'text', text: 'some' }));
  await waitFor(() => expect(phase()).toEqual([false, true]));
  await act(async () => say(client.last(), ' more'));
  expect(phase()).toEqual([false, false]);
});

test('sends files with a message, also without a text, and reads one for a preview', async () => {
  const { result } = renderHook(() => useChat(), { wrapper: around(agentWith(numbered())) });
  const file = new File(['hello'], 'note.txt', { type: 'text/plain' });
  const part = { type: 'file', mediaType: 'text/plain', data: btoa('hello'), name: 'note.txt' };
  await act(async () => void (await result.current.send('Read this.', { files: [file] })));
  expect(result.current.messages[0]?.content).toEqual([{ type: 'text', text: 'Read this.' }, part]);
  await act(async () => void (await result.current.send('', { files: [file] })));
  expect(result.current.messages[2]?.content).toEqual([part]);
  expect(await act(() => result.current.attach(file))).toEqual(part);
  const gone = Object.assign(new File([''], 'gone.txt'), { arrayBuffer: () => Promise.reject(new Error('moved')) });
  expect(await act(() => result.current.send('Read this.', { files: [gone] }))).toBeUndefined();
  expect([result.current.error?.code, result.current.messages.length]).toEqual(['INVALID_INPUT', 4]);
});

test('shows the initial messages, and begins the new session with them', async () => {
  const hello: Message = { id: 'hello', role: 'assistant', content: [{ type: 'text', text: 'Hello!' }], timestamp: 0 };
  const { result } = renderHook(() => useChat({ initialMessages: [hello] }), {
    wrapper: around(agentWith(numbered())),
  });
  expect(texts(result.current.messages)).toEqual(['Hello!']);
  await act(async () => void (await result.current.send('Hi')));
  expect(texts(result.current.messages)).toEqual(['Hello!', 'Hi', 'answer 1']);
  expect(texts(result.current.session?.getMessages() ?? [])).toEqual(['Hello!', 'Hi', 'answer 1']);
});

test('renders on a server', () => {
  const agent = agentWith(numbered());
  const session = newSession(agent);
  session.addMessage({ role: 'user', content: 'from the server' });
  const Wrapper = around(agent);
  function Chat() {
    return <p>{texts(useChat({ sessionId: session.id, onFinish: () => {} }).messages).join()}</p>;
  }
  expect(
    renderToString(
      <Wrapper>
        <Chat />
      </Wrapper>,
    ),
  ).toBe('<p>from the server</p>');
});
