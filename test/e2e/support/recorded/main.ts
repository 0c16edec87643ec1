import { type AgentSession, createAgent, defineTool, type LLMClient } from 'brooklet';
import { createOpenAIClient } from 'brooklet/openai';
import { anthropic, createProviderClient, gemini, openai, openaiChat } from 'brooklet/providers';
import { createReview } from 'brooklet/review';
import { createIndexedDBStore, exportSession, readExport } from 'brooklet/storage';
import OpenAI from 'openai';
import { heldIn } from '../../../support/person.ts';

/** The wires, by their labels in the review. */
export type RecordedWire = 'Chat completions' | 'OpenAI Responses' | 'Anthropic Messages' | 'Gemini' | 'openai package';

/** The state of a session after an event, as JSON. */
type StateAt = readonly [seq: number, state: string];

interface Recorded {
  send(text: string): Promise<void>;
  /** Sends without waiting for the answer. */
  begin(text: string): void;
  resume(): Promise<void>;
  /** Approves the held call, with another input. */
  approve(n: number): Promise<void>;
  compact(): Promise<void>;
  status(): string;
  /** The states that this tab has seen. */
  states(): readonly StateAt[];
  /** The session as a file. */
  toFile(): Promise<string>;
}

declare global {
  /** Settles when the session of the address is open; a new one where the address names none. */
  var recorded: Promise<Recorded>;
  /** The states of a review of a file, after each event. Nothing is stored. */
  var statesOf: (file: string) => Promise<readonly StateAt[]>;
}

const query = new URLSearchParams(location.search);
const baseURL = query.get('baseURL') ?? '';

function createClient(): LLMClient {
  const options = { baseURL, apiKey: 'none', model: 'm' };
  switch (query.get('wire')) {
    case 'OpenAI Responses':
      return createProviderClient(openai, options);
    case 'Anthropic Messages':
      return createProviderClient(anthropic, options);
    case 'Gemini':
      return createProviderClient(gemini, options);
    case 'openai package':
      return createOpenAIClient(new OpenAI({ ...options, dangerouslyAllowBrowser: true }), { model: 'm' });
    default:
      return createProviderClient(openaiChat, options);
  }
}

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  needsApproval: true,
  execute: ({ n }) => `paid ${JSON.stringify(n)}`,
});

const store = createIndexedDBStore();
const agent = createAgent({
  client: createClient(),
  store,
  tools: [pay],
  instructions: 'Be brief. 山 🏞️',
  contextWindow: 100_000,
  context: { strategy: () => 'They paid.' },
});

async function open(): Promise<Recorded> {
  const isNew = location.hash === '';
  location.hash ||= agent.createSession();
  const session: AgentSession = await agent.openSession(location.hash.slice(1));
  if (isNew) await session.flushed();
  const states = new Map<number, string>();
  session.state$.subscribe((state) => states.set(state.seq, JSON.stringify(state)));
  return {
    async send(text) {
      await session.send(text);
    },
    begin: (text) => void session.send(text).catch(() => {}),
    async resume() {
      await session.resume();
    },
    async approve(n) {
      const [callId] = heldIn(session);
      if (callId === undefined) throw new Error('No call waits.');
      await session.approve(callId, { input: { n }, userName: 'Ada' });
    },
    async compact() {
      await session.compact();
    },
    status: () => session.getStatus(),
    states: () => Array.from(states),
    async toFile() {
      await session.flushed();
      const stored = await store.read(session.id);
      if (stored === undefined) throw new Error('The session is not stored.');
      return exportSession(stored);
    },
  };
}

globalThis.recorded = open();

globalThis.statesOf = async (file) => {
  const { sessions, problem } = await readExport(file);
  if (problem) throw new Error(JSON.stringify(problem));
  const review = createReview(sessions[0]?.events ?? []);
  return review.events.map(({ seq }) => [seq, JSON.stringify(review.stateAt(seq))]);
};
