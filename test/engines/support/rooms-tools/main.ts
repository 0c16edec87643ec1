// The rooms of tools in a page: its model calls the tool that the test names. The test calls these functions one by one.

import {
  type AgentSession,
  createAgent,
  extractTextContent,
  type JsonObject,
  type Message,
  type ToolPart,
  toolParts,
} from 'brooklet';
import { connectMCP, type MCPServer } from 'brooklet/mcp';
import { isFromMCPApp, type MCPAppStatus, type MCPAppView, mountMCPApp, withMCPApps } from 'brooklet/mcp/apps';
import { createIndexedDBStore } from 'brooklet/storage';
import { browserPorts } from 'brooklet/testing';
import { sandboxTool } from 'brooklet/tools';
import { isWebMCPSupported, offerTools } from 'brooklet/webmcp';
import { createWorkspaceTools, openWorkspace, previewChange, undoChange } from 'brooklet/workspace';
import { runInFrame } from '../../../../src/tools/sandbox-frame.ts';
import { createObedientClient } from '../../../mcp/support/obedient-client.ts';
import { delegate, remote } from './agents.ts';
import { readZip } from './zip.ts';

declare global {
  var rooms: typeof page;
}

/** What a test sees of a call. */
export interface Call extends Pick<ToolPart, 'callId' | 'name' | 'status'> {
  readonly output: unknown;
  /** What its server asks the person, and has said about its progress. */
  readonly question: unknown;
  readonly progress: unknown;
}

/** Whether the person allows a link: never, by a click, or by a click after which the page waits for a request. */
export type Allowing = 'never' | 'click' | 'late';

const store = createIndexedDBStore();
const agent = createAgent({
  client: withMCPApps(createObedientClient()),
  store,
  tools: [sandboxTool(), ...createWorkspaceTools()],
});
const servers = new Map<string, MCPServer>();
let view: MCPAppView | undefined;
let allowing: Allowing = 'never';

async function openSession(): Promise<AgentSession> {
  location.hash ||= agent.createSession();
  return agent.openSession(location.hash.slice(1));
}
const opening = openSession();

const callsOf = (session: AgentSession): readonly ToolPart[] => session.getMessages().flatMap(toolParts);

function toCall({ callId, name, status, output, approval, progress }: ToolPart): Call {
  return { callId, name, status, output, question: approval?.elicitation?.title, progress };
}

/** Resolves with a call of the session once it has ended. Its approval is given. */
async function call(name: string, input: JsonObject): Promise<Call | undefined> {
  const session = await opening;
  const before = callsOf(session).length;
  const approving = session.messages$.subscribe(() => {
    const latest = callsOf(session)[before];
    if (latest?.status === 'awaiting-approval')
      void Promise.resolve()
        .then(() => session.approve(latest.callId))
        .catch(() => {});
  });
  await session.send(`${name} ${JSON.stringify(input)}`);
  approving.unsubscribe();
  return callsOf(session).slice(before).map(toCall)[0];
}

/** Asks as a page does: with a button. */
function ask(): Promise<boolean> {
  if (allowing === 'never') return Promise.resolve(false);
  return new Promise((resolve) => {
    const button = document.createElement('button');
    button.id = 'allow';
    button.textContent = 'Allow';
    button.addEventListener('click', () => {
      button.remove();
      if (allowing === 'late') void fetch('./').then(() => resolve(true));
      else resolve(true);
    });
    document.body.prepend(button);
  });
}

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);

const page = {
  call,
  /** Starts a call, and leaves it at that. */
  async begin(name: string, input: JsonObject): Promise<void> {
    const session = await opening;
    void session.send(`${name} ${JSON.stringify(input)}`);
  },
  calls: async (): Promise<readonly Call[]> => callsOf(await opening).map(toCall),
  status: async () => (await opening).getStatus(),
  approve: async (callId: string) => (await opening).approve(callId),
  answer: async (callId: string, answer: JsonObject) => (await opening).answer(callId, answer),
  cancel: async () => (await opening).cancel(),
  flushed: async () => (await opening).flushed(),
  frames: () => document.querySelectorAll('iframe').length,

  /**
   * Runs code in the sandbox. Resolves with the status of the call and its output.
   *
   * @param pace the sandbox waits so many times shorter for its frame and its worker
   */
  async code(code: string, options: { readonly timeout?: number; readonly maxMemory?: number } = {}, pace = 1) {
    const ports = { delay: (work: () => void, ms: number) => browserPorts.delay(work, ms / pace) };
    const own = createAgent({ client: createObedientClient(), tools: [sandboxTool({ ...options, ports })] });
    const session = await own.openSession(own.createSession());
    await session.send(`run_javascript ${JSON.stringify({ code })}`);
    return callsOf(session).map(({ status, output }) => ({ status, output }))[0];
  },
  /** Runs the source of a worker in the frame of the sandbox, with all that a worker has. Resolves with its first message. */
  async inFrame(source: string): Promise<string> {
    const signal = AbortSignal.timeout(10_000);
    const end = await runInFrame(source, { signal, delay: browserPorts.delay });
    return end.type === 'said' ? end.data : `failed: ${end.message}`;
  },
  /** Has the page obey a policy from now on. */
  obey(policy: string): void {
    const meta = document.createElement('meta');
    meta.httpEquiv = 'Content-Security-Policy';
    meta.content = policy;
    document.head.append(meta);
  },
  /** Returns how many messages the page hears when a worker of the sandbox sends to its channel. */
  async heard(): Promise<number> {
    const [channel, echo] = [new BroadcastChannel('sandbox'), new BroadcastChannel('sandbox')];
    let heard = 0;
    channel.addEventListener('message', () => (heard += 1));
    await page.inFrame(`new BroadcastChannel('sandbox').postMessage(1); postMessage('said')`);
    // Messages of one channel arrive in order: after our own message, any other message would have arrived.
    const echoed = new Promise((resolve) => channel.addEventListener('message', resolve));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    echo.postMessage(2);
    await echoed;
    channel.close();
    echo.close();
    return heard;
  },

  /** Opens the folder of the workspace. Resolves with an empty text, or with the code of the error. */
  openWorkspace: () => openWorkspace().then(() => '', codeOf),
  /** Shows, and takes back, the last change of a file that succeeded. */
  async preview(): Promise<unknown> {
    const waiting = callsOf(await opening).findLast(({ status }) => status === 'awaiting-approval');
    return waiting && previewChange(waiting);
  },
  async undo(): Promise<unknown> {
    const done = callsOf(await opening).findLast(({ status, name }) => status === 'succeeded' && name !== 'read_file');
    return done && undoChange(done);
  },

  readZip,
  /** Keeps a message with files. */
  async attach(parts: Message['content']): Promise<void> {
    const session = await opening;
    session.addMessage({ role: 'user', content: parts });
    await session.flushed();
  },
  attached: async () => (await opening).getMessages()[0]?.content,

  /** Connects a server. Resolves with the names of its tools. */
  async connect(url: string, name: string): Promise<readonly string[]> {
    const server = await connectMCP({ url, name, memory: store.meta, apps: true });
    server.addTo(agent);
    servers.set(name, server);
    return server.getTools().map(({ tool }) => tool.name);
  },
  /**
   * Shows the interface of the call.
   *
   * @param sandbox address of the file of the sandbox
   */
  async show(name: string, sandbox?: string | null): Promise<void> {
    const server = servers.get(name);
    const session = await opening;
    const callId = callsOf(session).find((one) => one.name === 'weather__weather')?.callId;
    const place = document.querySelector('main');
    if (!server || callId === undefined || !place) throw new Error('There is nothing to show.');
    view = mountMCPApp(place, { server, session, callId, ask, ...(sandbox && { sandbox }) });
  },
  allow: (next: Allowing) => void (allowing = next),
  shown: (): MCPAppStatus | undefined => view?.getStatus(),
  hide: () => view?.close(),
  /** Where the interface is in the page: px. */
  place() {
    const { x = 0, y = 0, height = 0 } = document.querySelector('main iframe')?.getBoundingClientRect() ?? {};
    return { x, y, height };
  },
  /** What the interface shows, as it has said last. */
  async said(): Promise<string> {
    const written = (await opening).getMessages().filter((message) => isFromMCPApp(message));
    return written.map(extractTextContent).findLast((text) => text.includes(' shows now')) ?? '';
  },

  delegate: () => delegate(store),
  remote,
  async offer() {
    const { isSupported } = await offerTools([sandboxTool()]);
    return [isSupported, isWebMCPSupported()];
  },
};
globalThis.rooms = page;
