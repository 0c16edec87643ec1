// The script of a worker of any kind: answers each message on the port that comes with it.
import { createAgent, createChatCompletionsClient, extractTextContent, type LLMClient } from 'brooklet';
import { createIndexedDBStore, createMemoryStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';

/** What the worker uses: everything, or only what loads no code later, since a service worker may not `import()`. */
export type Parts = 'all' | 'static';

const body = [
  'data: {"choices":[{"delta":{"content":"Hello "}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"worker."},"finish_reason":"stop"}]}\n\n',
  'data: [DONE]\n\n',
].join('');

function clientWith(parts: Parts): LLMClient {
  if (parts === 'static') return createScriptedClient([[reply.text('Hello '), reply.text('worker.')]]);
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  return createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch });
}

/** Returns what an agent in this worker has answered, shown and stored. */
async function chat(parts: Parts): Promise<string> {
  const store = parts === 'all' ? createIndexedDBStore({ name: `worker-${Math.random()}` }) : createMemoryStore();
  const agent = createAgent({ client: clientWith(parts), store });
  const session = await agent.openSession(agent.createSession());
  let shown = '';
  const subscription = session.messages$.subscribe((messages) => {
    shown = messages.map((message) => extractTextContent(message)).join(' | ');
  });
  const { outcome, error } = await session.send('Hi');
  await session.flushed();
  const stored = (await store.read(session.id))?.events.length ?? 0;
  subscription.unsubscribe();
  return `${outcome}: ${error?.message ?? shown} (${stored > 3 ? 'stored' : 'not stored'})`;
}

/** A service worker receives an `ExtendableMessageEvent`, which is no `MessageEvent`. */
function isMessage(event: Event): event is MessageEvent {
  return 'data' in event && 'ports' in event;
}

function answer(event: Event): void {
  if (!isMessage(event)) return;
  const [port] = event.ports;
  chat(event.data === 'static' ? 'static' : 'all').then(
    (text) => port?.postMessage(text),
    (thrown: unknown) => port?.postMessage(String(thrown)),
  );
}

// Vitest replaces each `import()` by a call of its runner, which only the page has.
Object.assign(globalThis, {
  __vitest_browser_runner__: { wrapDynamicImport: (load: () => Promise<unknown>) => load() },
});

addEventListener('message', answer);
addEventListener('connect', (event) => {
  const [port] = isMessage(event) ? event.ports : [];
  port?.addEventListener('message', answer);
  port?.start();
});
