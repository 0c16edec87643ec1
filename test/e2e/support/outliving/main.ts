import { type AgentSession, defineTool, extractTextContent, toolParts } from 'brooklet';
import { connectAgent, type HostStatus } from 'brooklet/worker';
import { act, createFor } from './agent.ts';
import { vault } from './vault.ts';

export interface Seen {
  readonly texts: readonly string[];
  readonly status: string;
  readonly outcome: string | undefined;
  readonly calls: readonly string[];
}

interface OpenChat {
  readonly host: () => HostStatus;
  /** Sends a message in a new session, and returns the id of the session once the message is with the worker. */
  begin(text: string): Promise<string>;
  /** Opens a session, and keeps it open. */
  open(id: string): Promise<Seen>;
  see(): Seen;
  /** Approves all calls that wait. Returns how many this page has approved. */
  approve(): Promise<number>;
  resume(): Promise<string>;
  signOut(): Promise<void>;
  /** Encrypts from now on: before the first session. */
  protect(passphrase: string): Promise<void>;
  unlock(passphrase: string): Promise<void>;
  lock(): void;
  forgetKeys(): Promise<void>;
  vaultStatus(): string;
  crash(): void;
}

declare global {
  var outliving: OpenChat;
  /** A key that is not in the address of the page, which the browser notes. */
  var givenKey: string | undefined;
}

const query = new URLSearchParams(location.search);
const baseURL = query.get('baseURL') ?? '';
/** How the worker is started: `plain`, without a longer life; `missing`, by an address that is not there; `policy` and `none`, not at all. */
const how = query.get('how');

const isSealed = query.has('sealed');

const mark = defineTool({
  name: 'mark',
  description: 'Marks something in the document.',
  input: { type: 'object' },
  async execute(_input, { idempotencyKey }) {
    document.body.dataset.marked = 'yes';
    await act(baseURL, 'dom', idempotencyKey);
    return 'marked';
  },
});

if (how === 'none') Reflect.deleteProperty(globalThis, 'SharedWorker');
if (how === 'policy') {
  const policy = document.createElement('meta');
  policy.httpEquiv = 'Content-Security-Policy';
  policy.content = "worker-src 'none'";
  document.head.append(policy);
}

const agent = connectAgent(
  ({ name, ...more }) => {
    if (how === 'missing') return new SharedWorker(`/there-is-none.js`, { type: 'module', name });
    if (how === 'dedicated') return new Worker(new URL('./worker.ts', import.meta.url), { name, type: 'module' });
    const options = how === 'plain' ? { name: `${name} plain` } : { name, ...more };
    return new SharedWorker(new URL('./worker.ts', import.meta.url), { ...options, type: 'module' });
  },
  {
    create: createFor(baseURL, isSealed),
    name: isSealed ? `${baseURL} sealed` : baseURL,
    keys: { words: () => globalThis.givenKey ?? query.get('key') ?? 'none' },
    tools: query.has('blind') ? [] : [mark],
  },
);

let session: AgentSession | undefined;
const opened = (): AgentSession => {
  if (session === undefined) throw new Error('No session is open.');
  return session;
};

function see(): Seen {
  const { getMessages, getStatus, getState } = opened();
  return {
    texts: getMessages().map((message) => extractTextContent(message)),
    status: getStatus(),
    outcome: getState().run?.outcome,
    calls: getMessages()
      .flatMap(toolParts)
      .map(({ status }) => status),
  };
}

globalThis.outliving = {
  host: agent.getHost,
  async begin(text) {
    const id = agent.createSession();
    session = await agent.openSession(id);
    await session.flushed();
    await new Promise<void>((resolve) => {
      agent.host$.subscribe(({ state }) => state !== 'connecting' && resolve());
    });
    session.send(text).catch(() => {});
    // The message is with the worker at the end of the turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return id;
  },
  async open(id) {
    session = await agent.openSession(id);
    return see();
  },
  see,
  async approve() {
    const waiting = opened()
      .getMessages()
      .flatMap(toolParts)
      .filter(({ status }) => status === 'awaiting-approval');
    const decided = await Promise.allSettled(waiting.map(({ callId }) => opened().approve(callId)));
    return decided.filter(({ status }) => status === 'fulfilled').length;
  },
  resume: async () => (await opened().resume()).outcome,
  signOut: () => agent.disconnect({ everywhere: true }),
  protect: vault.protect,
  unlock: vault.unlock,
  lock: vault.lock,
  forgetKeys: vault.forget,
  vaultStatus: () => vault.getState().status,
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
  crash: () => new BroadcastChannel('crash').postMessage('now'),
};
