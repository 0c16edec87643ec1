import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, configure, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createAgent, extractTextContent, type LLMChunk, type Message } from 'brooklet';
import { AgentProvider, useChat } from 'brooklet/react';
import { useSessions } from 'brooklet/react/lists';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { filter, firstValueFrom, Observable } from 'rxjs';
import { memo, StrictMode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { newSession } from './stage.tsx';

// The frames and timers of a real page cause the updates here, not `act`.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });

// Other test projects run on the same machine.
configure({ asyncUtilTimeout: 15_000 });

afterEach(cleanup);

const nextFrame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

const Row = memo(({ message, onRender }: { readonly message: Message; readonly onRender: (id: string) => void }) => {
  onRender(message.id);
  return <li>{extractTextContent(message)}</li>;
});

function Chat({ sessionId, onRender }: { readonly sessionId?: string; readonly onRender: (id: string) => void }) {
  const { messages, status, send } = useChat({ sessionId });
  return (
    <>
      <output>{status}</output>
      <input aria-label="Message" />
      <button type="button" onClick={() => void send('Hi')}>
        Send
      </button>
      <ol>
        {messages.map((message) => (
          <Row key={message.id} message={message} onRender={onRender} />
        ))}
      </ol>
    </>
  );
}

test('renders one row per frame for 250 chunks a second into 1,000 messages, and keeps the field responsive', async () => {
  const errors = vi.spyOn(console, 'error');
  const atLeast = 500;
  let sent = 0;
  let typed = false;
  const agent = createAgent({
    client: {
      sendRequest: () =>
        new Observable<LLMChunk>((subscriber) => {
          const began = performance.now();
          const timer = setInterval(() => {
            // A busy page gets all chunks, but late. The chunks continue as long as the user types.
            const due = (performance.now() - began) / 4;
            while (sent < due) subscriber.next({ type: 'text', text: `${sent++} ` });
            if (sent < atLeast || !typed) return;
            subscriber.next({ type: 'finish', reason: 'stop' });
            subscriber.complete();
          }, 4);
          return () => clearInterval(timer);
        }),
    },
  });
  const session = newSession(agent);
  for (let i = 0; i < 1_000; i++) session.addMessage({ role: i % 2 ? 'assistant' : 'user', content: `Message ${i}` });
  const rendered: string[] = [];
  render(
    <AgentProvider agent={agent}>
      <Chat sessionId={session.id} onRender={(id) => rendered.push(id)} />
    </AgentProvider>,
  );
  let frames = 0;
  const count = (): void => {
    frames += 1;
    if (session.getStatus() === 'running') requestAnimationFrame(count);
  };

  await userEvent.click(screen.getByText('Send'));
  // Polling the page would cost more than the work that is measured.
  await firstValueFrom(session.messages$.pipe(filter((messages) => messages.length === 1_002)));
  await nextFrame();
  rendered.length = 0;
  requestAnimationFrame(count);
  await userEvent.type(screen.getByLabelText('Message'), 'still typing');
  expect(session.getStatus()).toBe('running');
  typed = true;
  await firstValueFrom(session.status$.pipe(filter((status) => status === 'idle')));
  await nextFrame();

  expect(screen.getByLabelText('Message')).toHaveProperty('value', 'still typing');
  const answer = Array.from({ length: sent }, (_, i) => `${i} `).join('');
  expect(screen.getAllByRole('listitem').at(-1)?.textContent).toBe(answer);
  expect(new Set(rendered)).toEqual(new Set([session.getMessages().at(-1)?.id]));
  // A few more than frames: the start and the end of the reply are rendered at once.
  expect(rendered.length).toBeLessThanOrEqual(frames + 5);
  expect(errors).not.toHaveBeenCalled();
  errors.mockRestore();
});

test('stores and lists a conversation under StrictMode, and shows it with the next agent', async () => {
  const name = `react-${crypto.randomUUID()}`;
  const client = createScriptedClient([reply.text('Hello there.')]);
  function List() {
    const { sessions } = useSessions();
    return sessions.map(({ id, title }) => <p key={id}>{`${title} (${id})`}</p>);
  }
  const show = (sessionId?: string): { readonly close: () => void } => {
    const store = createIndexedDBStore({ name });
    const { unmount } = render(
      <StrictMode>
        <QueryClientProvider client={new QueryClient()}>
          <AgentProvider agent={createAgent({ client, store })}>
            <List />
            <Chat {...(sessionId !== undefined && { sessionId })} onRender={() => {}} />
          </AgentProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
    return { close: () => (unmount(), store.close()) };
  };

  const first = show();
  await userEvent.click(screen.getByText('Send'));
  await screen.findByText('Hello there.');
  const row = await screen.findByText(/^Hi \(/);
  await screen.findByText('idle');
  const id = /\((.*)\)/.exec(row.textContent)?.[1];
  expect(client.requests).toHaveLength(1);
  await waitFor(async () => {
    const store = createIndexedDBStore({ name });
    expect((await store.read(id ?? ''))?.summary).toMatchObject({ messageCount: 2, status: 'idle' });
    store.close();
  });
  first.close();

  const second = show(id);
  await screen.findByText('Hello there.');
  await screen.findByText(/^Hi \(/);
  expect(client.requests).toHaveLength(1);
  second.close();
});
