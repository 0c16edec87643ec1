import { type AgentSession, createAgent, extractTextContent } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import { mountDevtools } from 'brooklet/devtools';
import { openSealedExport, sealExport } from 'brooklet/encryption';
import { AgentProvider, useReview } from 'brooklet/react';
import { evolve, initialState, type StoredSession } from 'brooklet/core';
import { createStoreOpener } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import {
  createIndexedDBStore,
  createMemoryStore,
  exportAll,
  exportSession,
  importHistory,
  importSessions,
  readExport,
} from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { ReviewView } from 'brooklet/ui';
import 'brooklet/ui/review.css';
import 'brooklet/ui/style.css';
import { createRoot } from 'react-dom/client';

/** What the page reads of the file that it has written of a store. */
export interface RoundTrip {
  readonly titles: readonly string[];
  readonly imported: number;
  /** Whether each imported session has the messages of the one that was exported. */
  readonly isSame: boolean;
  /** Of the file that is sealed: its first line, whether its text comes back, and the code of the error for another key. */
  readonly sealed: { readonly start: string; readonly isSame: boolean; readonly refused: string };
}

declare global {
  var review: {
    readonly sessionId: string;
    send(text: string): Promise<void>;
    /** Plans a prompt for a session, in 300 ms. */
    plan(text: string): Promise<void>;
    /** The status of the stored session, and what the person has said in it. */
    asked(): Promise<{ readonly status: string | undefined; readonly texts: readonly string[] }>;
    /** Resolves with the text of the file that `exportHTML` makes of the session. */
    toHTML(): Promise<string>;
    roundTrip(): Promise<RoundTrip>;
    /** Imports an archive of another program. Resolves with the titles of its conversations. */
    importArchive(bytes: readonly number[]): Promise<readonly string[]>;
    /** Tries what the policy of the page forbids. Resolves with the name of the error, or `allowed`. */
    writeMarkup(): string;
    /** What the policy has refused: the directive and what was blocked. */
    readonly violations: readonly string[];
  };
}

const violations: string[] = [];
addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  violations.push(`${effectiveDirective} ${blockedURI}`),
);

const store = createIndexedDBStore({ name: 'reviewed' });
const helper = agentTool({
  name: 'ask_helper',
  description: 'Asks a helper.',
  options: { client: createScriptedClient(() => [reply.text('The lever came off.'), reply.usage(10, 5)]) },
});
const agent = createAgent({
  store,
  tools: [helper],
  model: 'm1',
  client: createScriptedClient(({ messages }) =>
    messages.at(-1)?.role === 'user'
      ? [reply.reasoning('Hm.'), reply.call('ask_helper', { task: 'Look at the lever' }), reply.usage(30, 3)]
      : [
          reply.text('It is **06:36**, see [there](https://evil.example) <img src=x onerror=alert(1)>'),
          reply.usage(40, 4),
        ],
  ),
});
const sessionId = agent.createSession({ id: 'reviewed' });
const openSession = createStoreOpener(store);
let opened: Promise<AgentSession> | undefined;

function Review() {
  const { review, error } = useReview(sessionId);
  if (error) return <p role="alert">{error.message}</p>;
  return review ? <ReviewView log={review} openSession={openSession} keys="page" /> : <p>Opening…</p>;
}

/** The messages of a stored session, as text. */
const textOf = ({ summary: { id }, events }: StoredSession): string =>
  JSON.stringify(events.reduce(evolve, initialState(id)).messages.map(({ role, content }) => [role, content]));

async function textOfAll(): Promise<string> {
  let text = '';
  for await (const piece of exportAll(store)) text += piece;
  return text;
}

globalThis.review = {
  sessionId,
  violations,
  async send(text) {
    const session = await (opened ??= agent.openSession(sessionId));
    await session.send(text);
    await session.flushed();
  },
  async plan(text) {
    await agent.schedule(sessionId, text, new Date(Date.now() + 300));
  },
  async asked() {
    const stored = await store.read(sessionId);
    const { messages } = (stored?.events ?? []).reduce(evolve, initialState(sessionId));
    const texts = messages.filter(({ role }) => role === 'user').map((message) => extractTextContent(message));
    return { status: stored?.summary.status, texts };
  },
  toHTML: async () => (await exportHTML({ store, sessionId })).text(),
  async roundTrip() {
    const text = await textOfAll();
    const other = createMemoryStore();
    const report = await importSessions(other, new Blob([text]));
    const { sessions } = await readExport(text);
    const logs = await Promise.all(
      sessions.map(async ({ id }) => [await store.read(id), await other.read(id)] as const),
    );
    const stored = await store.read(sessionId);
    if (stored === undefined) throw new Error('The session is not stored.');
    const one = exportSession(stored);
    const { file, key } = await sealExport(one);
    const another = (await sealExport(one)).key;
    return {
      titles: (await store.list()).sessions.map(({ title }) => title),
      imported: report.sessions,
      isSame: logs.every(([a, b]) => a !== undefined && b !== undefined && textOf(a) === textOf(b)),
      sealed: {
        start: (await file.slice(0, 17).text()).trim(),
        isSame: (await openSealedExport(file, key)) === one,
        refused: await openSealedExport(file, another).then(
          () => 'opened',
          (thrown: { readonly code?: string }) => String(thrown.code),
        ),
      },
    };
  },
  async importArchive(bytes) {
    const { conversations } = await importHistory(createMemoryStore(), new Blob([Uint8Array.from(bytes)]));
    return conversations.map(({ title }) => title);
  },
  writeMarkup() {
    try {
      document.createElement('div').innerHTML = '<b>x</b>';
      return 'allowed';
    } catch (thrown) {
      return thrown instanceof Error ? thrown.name : String(thrown);
    }
  },
};

// From now on this tab sends what is due.
agent.schedules$.subscribe();
mountDevtools(agent, { inProduction: true });
const place = document.createElement('div');
document.body.append(place);
createRoot(place).render(
  <AgentProvider agent={agent}>
    <Review />
  </AgentProvider>,
);
