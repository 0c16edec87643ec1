import { isJsonObject, type Json, type JsonObject, toJson } from '../../core/json.ts';
import type { ToolPart } from '../../core/model/message.ts';
import { toList, toObject, toText } from '../../core/model/read-json.ts';
import { excerpt } from '../errors.ts';
import { apps, errorCodes } from '../versions.ts';
import { endingOf } from './result.ts';

/** What an interface may ask of the page. Each method rejects to refuse. */
export interface AppHost {
  /** Sends a message to the interface. */
  readonly post: (message: JsonObject) => void;
  /** Returns the description of the page for an interface: theme, language, size. */
  readonly context: () => JsonObject;
  /** Calls a tool of the server of the interface. Resolves with a result of MCP. */
  readonly callTool: (name: string, input: JsonObject) => Promise<JsonObject>;
  readonly readResource: (uri: string) => Promise<JsonObject>;
  readonly openLink: (url: string) => Promise<void>;
  readonly sendMessage: (text: string) => Promise<void>;
  readonly setContext: (context: { readonly content: Json; readonly structuredContent: Json }) => Promise<void>;
  /** @param height px */
  readonly resize: (height: number) => void;
  /** Called once with the reason why the interface is no longer shown. */
  readonly fail: (reason: string) => void;
  /** Returns ms. */
  readonly now: () => number;
}

/** The page's end of the conversation with an interface. */
export interface AppBridge {
  /** Takes a message of the interface: any value that a frame can send. Never throws. */
  receive(message: unknown): void;
  /** Sends the interface the status of its call. */
  follow(part: ToolPart): void;
  /** Sends the interface what has changed about the page. */
  updateContext(change: JsonObject): void;
  /** Asks the interface to end. Resolves when it has answered. */
  end(): Promise<void>;
}

/** Characters of one message, as JSON. */
const maxMessage = 1_000_000;
/** Requests that are answered at a time. */
const maxOpen = 16;
/** Messages a second. */
const maxRate = 200;
const refused = -32_000;

/** Creates the page's end of a conversation by JSON-RPC with an interface, of the version in `versions.ts`. */
export function createAppBridge(host: AppHost): AppBridge {
  let isReady = false;
  let hasEnded = false;
  let latest: ToolPart | undefined;
  let sent: 'nothing' | 'input' | 'ending' = 'nothing';
  let open = 0;
  let second = -Infinity;
  let received = 0;
  let onEnd: (() => void) | undefined;

  const send = (method: string, params: JsonObject): void => host.post({ jsonrpc: '2.0', method, params });

  function fail(reason: string): void {
    if (hasEnded) return;
    hasEnded = true;
    host.fail(reason);
  }

  /** Whether the interface sends too much. */
  function isFlood(): boolean {
    const now = host.now();
    if (now - second >= 1_000) {
      second = now;
      received = 0;
    }
    received += 1;
    return received > maxRate;
  }

  const requests: Readonly<Record<string, (params: JsonObject) => Promise<JsonObject>>> = {
    'ui/initialize': async () => ({
      protocolVersion: apps.version,
      hostInfo: { name: 'brooklet', version: '1' },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, message: {}, updateModelContext: {} },
      hostContext: host.context(),
    }),
    ping: async () => ({}),
    'ui/request-display-mode': async () => ({ mode: 'inline' }),
    'tools/call': ({ name, arguments: input }) => host.callTool(toText(name), toObject(input)),
    'resources/read': ({ uri }) => host.readResource(toText(uri)),
    async 'ui/open-link'({ url }) {
      await host.openLink(toText(url));
      return {};
    },
    async 'ui/message'({ content }) {
      const blocks = Array.isArray(content) ? toList(content) : [content ?? null];
      await host.sendMessage(blocks.map((block) => toText(toObject(block).text)).join('\n'));
      return {};
    },
    async 'ui/update-model-context'({ content = null, structuredContent = null }) {
      await host.setContext({ content, structuredContent });
      return {};
    },
  };

  async function answer(id: Json, method: string, params: JsonObject): Promise<void> {
    const reply = (content: JsonObject): void => host.post({ jsonrpc: '2.0', id, ...content });
    const refuse = (code: number, message: string): void => reply({ error: { code, message } });
    const handle = Object.hasOwn(requests, method) ? requests[method] : undefined;
    if (!handle) return refuse(errorCodes.methodNotFound, 'This page does not support the request.');
    if (open >= maxOpen) return refuse(refused, 'Too many requests at a time.');
    open += 1;
    try {
      reply({ result: await handle(params) });
    } catch (thrown) {
      refuse(refused, excerpt(thrown instanceof Error ? thrown.message : '') || 'Refused.');
    } finally {
      open -= 1;
    }
  }

  function catchUp(): void {
    if (!isReady || hasEnded || latest === undefined) return;
    const input = latest.editedInput ?? latest.input;
    if (sent === 'nothing' && input !== undefined && latest.status !== 'streaming') {
      sent = 'input';
      send('ui/notifications/tool-input', { arguments: input });
    }
    const ending = endingOf(latest);
    if (sent === 'input' && ending) {
      sent = 'ending';
      send(ending.method, ending.params);
    }
  }

  const notifications: Readonly<Record<string, (params: JsonObject) => void>> = {
    'ui/notifications/initialized'() {
      isReady = true;
      catchUp();
    },
    'ui/notifications/size-changed'({ height }) {
      if (typeof height === 'number' && height >= 0 && height < Infinity) host.resize(height);
    },
    'ui/notifications/sandbox-left': () => fail('The interface tried to leave for another page.'),
  };

  return {
    receive(data) {
      if (hasEnded) return;
      if (isFlood()) return fail('The interface sent too many messages.');
      const message = readMessage(data);
      if (message === undefined) return;
      const { id, method } = message;
      const params = toObject(message.params);
      if (typeof method !== 'string') return onEnd?.();
      if (typeof id === 'string' || typeof id === 'number') return void answer(id, method, params);
      if (Object.hasOwn(notifications, method)) notifications[method]?.(params);
    },
    follow(part) {
      latest = part;
      catchUp();
    },
    updateContext(change) {
      if (isReady && !hasEnded) send('ui/notifications/host-context-changed', change);
    },
    async end() {
      if (hasEnded || !isReady) return;
      const answered = new Promise<void>((resolve) => (onEnd = resolve));
      host.post({ jsonrpc: '2.0', id: 'end', method: 'ui/resource-teardown', params: { reason: 'closed' } });
      await answered;
    },
  };
}

/** Returns a message of JSON-RPC; `undefined` for anything else, and for too much. */
function readMessage(data: unknown): JsonObject | undefined {
  try {
    const message = toJson(data);
    if (!isJsonObject(message) || message.jsonrpc !== '2.0') return undefined;
    return JSON.stringify(message).length <= maxMessage ? message : undefined;
  } catch {
    return undefined;
  }
}
