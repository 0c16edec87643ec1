import {
  type Agent,
  type AgentSession,
  createAgent,
  createChatCompletionsClient,
  defineTool,
  isToolPart,
  type ToolContext,
} from 'brooklet';
import { browserPorts } from 'brooklet/testing';
import { createIndexedDBStore } from 'brooklet/storage';
import { z } from 'zod';
import { canary } from '../canary.ts';

declare global {
  /** The page's agent, whose other sessions the test uses. */
  var agent: Agent;
  /** The page's session, which the test uses. */
  var session: AgentSession;
  /** Whether this page may evaluate code from text. */
  var mayEval: boolean;
  /** The conversation, one line for each part. */
  var lines: () => readonly string[];
}

/** Tools record their runs here: all tabs share the record, which outlives them. */
function note(name: string, amount: number, { idempotencyKey, attempt }: ToolContext): string {
  const ran: readonly unknown[] = JSON.parse(localStorage.getItem('ran') ?? '[]');
  localStorage.setItem('ran', JSON.stringify([...ran, { name, amount, idempotencyKey, attempt }]));
  return `${name} did ${amount}`;
}

const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: z.object({ amount: z.number().max(100) }),
  needsApproval: true,
  execute: ({ amount }, context) => note('pay', amount, context),
});

const bid = defineTool({
  name: 'bid',
  description: 'Bids an amount, for half an hour.',
  input: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  needsApproval: true,
  approvalTimeout: 30 * 60_000,
  execute: ({ amount }, context) => note('bid', Number(amount), context),
});

globalThis.agent = createAgent({
  client: createChatCompletionsClient({
    baseURL: new URLSearchParams(location.search).get('baseURL') ?? '',
    apiKey: canary,
    model: 'gpt-5-mini',
  }),
  store: createIndexedDBStore(),
  tools: [pay, bid],
  // A test advances the clock by hours between two tabs.
  ports: { now: () => browserPorts.now() + Number(localStorage.getItem('later') ?? 0) },
});

function tryEval(): boolean {
  try {
    // oxlint-disable-next-line typescript/no-implied-eval -- to see it rejected
    return Boolean(new Function('return true'));
  } catch {
    return false;
  }
}

globalThis.mayEval = tryEval();
location.hash ||= globalThis.agent.createSession();
globalThis.lines = () =>
  globalThis.session
    .getMessages()
    .flatMap(({ content }) =>
      content.map((part) =>
        isToolPart(part) ? `${part.name} ${part.status}` : part.type === 'text' ? part.text : part.type,
      ),
    );
globalThis.session = await globalThis.agent.openSession(location.hash.slice(1));
