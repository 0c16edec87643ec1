import { named } from '../../core/model/shapes/named.ts';
import { fromEvent, type Observable, Subscription } from 'rxjs';
import { type AgentError, fail, toAgentError } from '../../core/error.ts';
import type { JsonObject } from '../../core/json.ts';
import { findCall } from '../../core/model/find-call.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import { toPageAddress } from '../../core/model/web-address.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import type { AgentSession } from '../../core/session/session.ts';
import { versionOf } from '../../core/tools/version-of.ts';
import type { MCPServer } from '../types.ts';
import { createValue } from '../value.ts';
import { readAppContext } from './app-call.ts';
import { createAppBridge } from './bridge.ts';
import { type MCPApp, type MCPAppCsp, type MCPAppPermission, readApp, toAllow, wantsNetwork } from './resource.ts';
import { sandboxHTML } from './sandbox.ts';
import { createAppVerbs } from './verbs.ts';

/** What only a person can allow an interface. */
export type MCPAppQuestion =
  /** Reach these origins. Asked before the interface is shown; without them it is shown without a network. */
  | { readonly type: 'network'; readonly csp: MCPAppCsp }
  /** Use these features of the browser. Asked before it is shown; without them it is shown, too. */
  | { readonly type: 'permissions'; readonly permissions: readonly MCPAppPermission[] }
  /** Be shown, although it differs from the one that the person saw last. */
  | { readonly type: 'changed' }
  /** Open a page (https or http) in a new tab. The address is the one that the browser opens, and has no user name. */
  | { readonly type: 'link'; readonly url: string }
  /** Send a message in the name of the person. */
  | { readonly type: 'message'; readonly text: string };

/** Options of `mountMCPApp`. */
export interface MCPAppOptions {
  /** The server of the tool, connected with `apps: true`. */
  readonly server: MCPServer;
  /** The session; the client of its agent is wrapped with `withMCPApps`. */
  readonly session: AgentSession;
  /** The call whose tool has the interface. */
  readonly callId: string;
  /**
   * Asks the person. Resolves with whether the interface may; for a link in the handler of the click, since Safari blocks a tab that is opened
   * after a request. Default: it may nothing of that.
   */
  readonly ask?: (question: MCPAppQuestion) => Promise<boolean>;
  /** Opens a page that the person has allowed; throws where it cannot, which the interface is told. Default: `window.open` in a new tab. */
  readonly openLink?: (url: string) => void;
  /**
   * Address of `sandbox.html` of this package, for a page whose policy forbids inline scripts or demands Trusted Types. The frame has an opaque
   * origin wherever the file is. Default: the file is not needed.
   */
  readonly sandbox?: string;
  /** The description of the page for the interface: `theme`, `locale`, `styles`, … (`HostContext` of the specification). */
  readonly context?: JsonObject;
  /** Largest height: px. Default: 600. */
  readonly maxHeight?: number;
  /** Remembers which interface the person has seen: `store.meta`, for example. Default: every interface is new. */
  readonly memory?: StoreMeta | undefined;
  /** Replaces timers, ids and the clock, for tests. */
  readonly ports?: Partial<Pick<Ports, 'delay' | 'id' | 'now'>>;
}

/** Whether an interface is shown, and why not. */
export type MCPAppStatus =
  | { readonly state: 'loading' | 'shown' | 'closed'; readonly error?: undefined }
  | { readonly state: 'failed'; readonly error: AgentError };

/** An interface that is shown in the page. */
export interface MCPAppView {
  /** Emits the current value on subscription. */
  readonly status$: Observable<MCPAppStatus>;
  readonly getStatus: () => MCPAppStatus;
  /** Sends the interface what has changed about the page: `{ theme: 'dark' }`, for example. */
  updateContext(change: JsonObject): void;
  /** Lets the interface end (500 ms at most), and removes it. */
  close(): Promise<void>;
}

const refused = 'The person did not allow it.';
/** ms */
const timeToStart = 10_000;
const timeToEnd = 500;

/**
 * Shows the interface of a tool of an MCP server (MCP Apps) in a sandbox: a frame of an opaque origin, whose policy forbids every request that
 * the server did not declare and the person did not allow. Its calls are calls of the session: checked, approved, stored and counted like
 * those of the model. After a reload it is shown from the log.
 *
 *     const app = mountMCPApp(element, { server, session, callId: call.callId, ask, memory: store.meta });
 *
 * @param container element that receives the frame
 * @throws AgentError `INVALID_INPUT` for a call whose tool has no interface
 */
export function mountMCPApp(container: HTMLElement, options: MCPAppOptions): MCPAppView {
  named(
    options,
    {
      server: true,
      session: true,
      callId: true,
      ask: true,
      openLink: true,
      sandbox: true,
      context: true,
      maxHeight: true,
      memory: true,
      ports: true,
    },
    'mountMCPApp',
  );
  const { server, session, callId, sandbox, maxHeight = 600, memory } = options;
  const ports = { ...browserPorts, ...options.ports };
  const findPart = () => findCall(session.getState(), callId)?.call;
  const name = findPart()?.name;
  const found = server.getTools().find(({ tool }) => tool.name === name);
  const uri = found?.definition.ui?.resourceUri;
  if (found === undefined || uri === undefined)
    return fail('INVALID_INPUT', `The tool of the call ${JSON.stringify(callId)} has no interface at ${server.name}.`);
  const { definition } = found;
  const title = definition.title ?? definition.name;

  const status = createValue<MCPAppStatus>({ state: 'loading' });
  const isOver = (): boolean => status.get().state === 'closed' || status.get().state === 'failed';
  /** Asks the person, unless the interface is no longer shown. */
  const ask = async (question: MCPAppQuestion): Promise<boolean> =>
    !isOver() && ((await options.ask?.(question)) ?? false);
  const frame = document.createElement('iframe');
  const subscription = new Subscription(() => frame.remove());
  const post = (message: JsonObject) => frame.contentWindow?.postMessage(message, '*');

  function give(reason: unknown): void {
    if (isOver()) return;
    subscription.unsubscribe();
    status.set({ state: 'failed', error: toAgentError(reason, 'TOOL_FAILED') });
  }

  const verbs = createAppVerbs({ server, session, callId, name: title, ports });
  const bridge = createAppBridge({
    ...verbs,
    now: ports.now,
    post,
    context() {
      const modelContext = session
        .getMessages()
        .map(readAppContext)
        .findLast((one) => one?.view === callId);
      const { name: toolName, description, inputSchema } = definition;
      return {
        displayMode: 'inline',
        availableDisplayModes: ['inline'],
        platform: 'web',
        containerDimensions: { maxHeight },
        toolInfo: { tool: { name: toolName, description, inputSchema } },
        ...options.context,
        // Not a field of the specification: what the interface last reported to the model, also before a reload.
        ...(modelContext && { 'brooklet/modelContext': { ...modelContext } }),
      };
    },
    async openLink(url) {
      const address = toPageAddress(url);
      if (address === undefined) throw new Error('Only pages can be opened.');
      if (!(await ask({ type: 'link', url: address }))) throw new Error(refused);
      (options.openLink ?? openTab)(address);
    },
    async sendMessage(text) {
      if (text.trim() === '') throw new Error('The message is empty.');
      if (!(await ask({ type: 'message', text }))) throw new Error(refused);
      await verbs.sendMessage(text);
    },
    resize: (height) => (frame.style.height = `${Math.min(height, maxHeight)}px`),
    fail: (reason) => give(new Error(reason)),
  });

  /** Asks for what the interface wants; what the person refuses is left out. */
  async function askFor(app: MCPApp): Promise<JsonObject> {
    const { csp, permissions } = app;
    const mayConnect = wantsNetwork(csp) && (await ask({ type: 'network', csp }));
    const mayUse = permissions.length > 0 && (await ask({ type: 'permissions', permissions }));
    frame.allow = mayUse ? toAllow(permissions) : '';
    return { allow: frame.allow, ...(mayConnect && { csp: { ...csp } }) };
  }

  /** Starts the sandbox, and gives it the interface. */
  function start(html: string, granted: JsonObject): void {
    const late = new Error('The sandbox did not start. A page that forbids inline scripts must pass `sandbox`.');
    const cancelTimer = ports.delay(() => give(late), timeToStart);
    let isStarted = false;
    function onMessage({ source, data }: MessageEvent<unknown>): void {
      // A frame that was removed has no window.
      if (source === null || source !== frame.contentWindow) return;
      if (isStarted) return bridge.receive(data);
      isStarted = true;
      cancelTimer();
      status.set({ state: 'shown' });
      post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-resource-ready', params: { html, ...granted } });
    }
    subscription.add(fromEvent<MessageEvent<unknown>>(window, 'message').subscribe(onMessage));
    subscription.add(cancelTimer);
    frame.sandbox.add('allow-scripts', 'allow-forms');
    frame.referrerPolicy = 'no-referrer';
    frame.title = title;
    frame.style.cssText = 'border: 0; width: 100%; display: block';
    if (sandbox === undefined) frame.srcdoc = sandboxHTML;
    else frame.src = sandbox;
    container.append(frame);
    subscription.add(
      session.messages$.subscribe(() => {
        const part = findPart();
        if (part) bridge.follow(part);
      }),
    );
  }

  async function show(resourceUri: string): Promise<void> {
    const app = await readApp(server, resourceUri);
    const key = `mcp-app/${JSON.stringify([server.url, resourceUri])}`;
    const version = await versionOf([server.url, app]);
    const seen = await memory?.get(key);
    if (seen !== undefined && seen !== version && !(await ask({ type: 'changed' }))) throw new Error(refused);
    const granted = await askFor(app);
    if (isOver()) return;
    if (seen !== version) await memory?.update(key, () => version);
    if (!isOver()) start(app.html, granted);
  }

  show(uri).catch(give);
  subscription.add(verbs.stop);

  return {
    status$: status.stream$,
    getStatus: status.get,
    updateContext: bridge.updateContext,
    async close() {
      if (isOver()) return;
      status.set({ state: 'closed' });
      const late = new Promise<void>((resolve) => subscription.add(ports.delay(resolve, timeToEnd)));
      await Promise.race([bridge.end(), late]);
      subscription.unsubscribe();
    },
  };
}

/**
 * Opens a page in a new tab, without an `opener` and a referrer.
 *
 * @throws Error where the browser blocks the tab: `noopener` would leave that unknown
 */
function openTab(url: string): void {
  const tab = window.open('', '_blank');
  if (tab === null) throw new Error('The browser has blocked the new tab.');
  tab.opener = null;
  const link = tab.document.createElement('a');
  link.href = url;
  link.rel = 'noreferrer';
  tab.document.body.append(link);
  link.click();
}
