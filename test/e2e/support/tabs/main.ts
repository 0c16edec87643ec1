import {
  type AgentSession,
  createAgent,
  defineTool,
  type LLMRequest,
  type SessionEvent,
  type SessionStore,
  toAgentError,
} from 'brooklet';
import { createIndexedDBStore } from 'brooklet/storage';
import { createScriptedClient, reply } from 'brooklet/testing';
import { act, type Deed, expectTyped, heldIn } from '../../../support/person.ts';
import type { Shown } from '../../../support/tab-laws.ts';
import type { News } from './news.ts';

interface OpenTab {
  /**
   * Performs an action of a person at the given time (ms since the epoch). Returns whether the session accepted the
   * action.
   */
  act(deed: Deed, words: string, at: number): Promise<boolean>;
  /** Rejects all calls that await approval. */
  rejectAll(): void;
  show(): Shown;
  /** All stored events of the session. */
  read(): Promise<readonly SessionEvent[]>;
}

declare global {
  /** Sends a report to the test. */
  function tell(news: News): Promise<void>;
  /** Settles when the session is open. */
  var tab: Promise<OpenTab>;
}

const { origin } = location;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** ms by which this tab is notified late of stored events. */
const lag = Number(new URLSearchParams(location.search).get('lag'));
const store = createIndexedDBStore();
const told: SessionStore = {
  ...store,
  async read(...args) {
    const stored = await store.read(...args);
    if (lag > 0) await sleep(lag);
    return stored;
  },
  async write(write) {
    try {
      await store.write(write);
    } catch (error) {
      if (toAgentError(error).code === 'STORAGE_CONFLICT') void tell({ type: 'refused', origin });
      throw error;
    }
    void tell({ type: 'stored', origin, write: JSON.stringify(write) });
  },
};

const tool = (name: string, needsApproval: boolean) =>
  defineTool({
    name,
    description: '',
    input: { type: 'object' },
    needsApproval,
    async execute(_input, { callId }) {
      void tell({ type: 'acts', origin, callId });
      await sleep(30);
      return 'done';
    },
  });

/** A slow conversation, so that other actions can happen meanwhile. Every other message needs tools. */
function answer({ messages }: LLMRequest, index: number) {
  const pieces = (...texts: readonly string[]) => texts.flatMap((text) => [reply.text(text), reply.wait(25)]);
  return messages.at(-1)?.role === 'assistant' || index % 2 === 0
    ? pieces('That ', 'is ', 'all.')
    : // One chunk that is written at once, and others that are batched.
      [...pieces('Let ', 'me '.padEnd(2_100, '.'), 'see. '), reply.call('look'), reply.call('pay')];
}

const agent = createAgent({
  client: createScriptedClient(answer),
  store: told,
  tools: [tool('look', false), tool('pay', true)],
});

async function open(): Promise<OpenTab> {
  const isNew = location.hash === '';
  location.hash ||= agent.createSession();
  const session: AgentSession = await agent.openSession(location.hash.slice(1));
  if (isNew) await session.flushed();
  return {
    async act(deed, words, at) {
      await sleep(at - Date.now());
      return act(session, deed, words);
    },
    rejectAll() {
      for (const callId of heldIn(session)) session.reject(callId).catch(expectTyped);
    },
    show: () => ({
      messages: session.getMessages(),
      queue: session.getState().queue.map(({ message }) => message),
      status: session.getStatus(),
      storage: session.getStorage().state,
    }),
    read: async () => (await store.read(session.id))?.events ?? [],
  };
}

globalThis.tab = open();
