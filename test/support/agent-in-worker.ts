// The script of a worker of any kind: answers each message on the port that comes with it.
import { createAgent, createChatCompletionsClient, extractTextContent, type LLMClient } from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';

const body = [
  'data: {"choices":[{"delta":{"content":"Hello "}}]}\n\n',
  'data: {"choices":[{"delta":{"content":"worker."},"finish_reason":"stop"}]}\n\n',
  'data: [DONE]\n\n',
].join('');

function createClient(): LLMClient {
  const fetch = (): Promise<Response> =>
    Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
  return createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch });
}

/** Returns what an agent in this worker has answered, shown and stored. */
async function chat(): Promise<string> {
  const store = createIndexedDBStore({ name: `worker-${Math.random()}` });
  const agent = createAgent({ client: createClient(), store });
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
  chat().then(
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
