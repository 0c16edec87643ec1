import { type JsonObject, parseJson } from '../../core/json.ts';
import { toObject, toText } from '../../core/model/read-json.ts';
import { type AuthorizationServer, toMetadata } from './metadata.ts';
import { type Client, readClient } from './client.ts';
import { signInError } from './problem.ts';

/** The storage over which the page and the window in which the person signs in exchange values: `localStorage`. */
export type MCPMailbox = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** A sign-in that has begun. In the mailbox, so that a page that was reloaded meanwhile can complete it. */
export interface Pending {
  readonly state: string;
  readonly verifier: string;
  readonly server: AuthorizationServer;
  readonly client: Client;
}

/** A sign-in, and what the authorization server has answered. */
export interface Answered {
  readonly pending: Pending;
  readonly answer: URLSearchParams;
}

const channelName = 'brooklet-mcp-sign-in';
const answers = 'brooklet-mcp/answer/';
const pendingKey = (url: string): string => `brooklet-mcp/pending/${url}`;
const answerKey = (state: string): string => `${answers}${state}`;
const clientKey = (issuer: string, redirectUri: string): string => `brooklet-mcp/client/${issuer} ${redirectUri}`;

/**
 * Receives the answer of the authorization server: call it in the page at `redirectUri`. Hands the answer to the page that began, also to
 * one that was reloaded, and closes its window where the browser lets it. Returns whether the address of the page has an answer.
 */
export function receiveMCPSignIn(mailbox: MCPMailbox = localStorage): boolean {
  const answer = new URLSearchParams(location.search);
  const state = answer.get('state');
  if (state === null) return false;
  put(mailbox, answerKey(state), location.search);
  announce();
  // The window has no `opener`. A browser ignores this in a window that no script has opened.
  globalThis.close();
  return true;
}

function announce(): void {
  const channel = openChannel();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin
  channel?.postMessage('answered');
  channel?.close();
}

/** Returns `undefined` where the browser has no channel, or denies it: `storage` remains. */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(channelName);
  } catch {
    return undefined;
  }
}

/**
 * Calls `callback` when a window has left an answer. Returns a function that stops listening.
 *
 * Invariant: the last call comes when the answer can be read. A window in another process writes `localStorage` of its own, and its message may
 * be first (whatwg/html#403, Bugzilla 1740144); `storage` is dispatched once this page sees the value. A mailbox of another kind has the message.
 */
export function onAnswer(callback: () => void): () => void {
  const channel = openChannel();
  channel?.addEventListener('message', callback);
  const onStorage = ({ key }: StorageEvent): void => {
    if (key?.startsWith(answers)) callback();
  };
  // A worker has no `localStorage`, and no such event.
  globalThis.addEventListener?.('storage', onStorage);
  return () => {
    channel?.close();
    globalThis.removeEventListener?.('storage', onStorage);
  };
}

export function putPending(mailbox: MCPMailbox, url: string, pending: Pending): void {
  put(mailbox, pendingKey(url), JSON.stringify(pending));
}

export function removePending(mailbox: MCPMailbox, url: string): void {
  mailbox.removeItem(pendingKey(url));
}

/** Whether an answer to the sign-in at a server has arrived. */
export function hasAnswer(mailbox: MCPMailbox, url: string): boolean {
  const pending = getPending(mailbox, url);
  return Boolean(pending && mailbox.getItem(answerKey(pending.state)));
}

/**
 * Takes an answer that has arrived, with its sign-in, out of the mailbox: an answer counts once, also where its use fails.
 *
 * @param own the sign-in that is meant. Default: the one that was noted last
 */
export function takeAnswer(mailbox: MCPMailbox, url: string, own?: Pending): Answered | undefined {
  const noted = getPending(mailbox, url);
  const pending = own ?? noted;
  const text = pending && mailbox.getItem(answerKey(pending.state));
  if (!pending || !text) return undefined;
  // Another tab may have begun a sign-in since.
  if (noted?.state === pending.state) removePending(mailbox, url);
  mailbox.removeItem(answerKey(pending.state));
  return { pending, answer: new URLSearchParams(text) };
}

function getPending(mailbox: MCPMailbox, url: string): Pending | undefined {
  return readPending(readNote(mailbox, pendingKey(url)));
}

function readPending({ state, verifier, server, client }: JsonObject): Pending | undefined {
  const { issuer, metadata, resource, scope } = toObject(server);
  const known = readClient(toObject(client));
  if (typeof state !== 'string' || known === undefined) return undefined;
  const where = {
    issuer: toText(issuer),
    metadata: toMetadata(toText(issuer), toObject(metadata)),
    resource: toText(resource),
    scope: toText(scope),
  };
  return { state, verifier: toText(verifier), server: where, client: known };
}

/** Returns what the page has registered as at an authorization server. */
export function getClient(mailbox: MCPMailbox, issuer: string, redirectUri: string): Client | undefined {
  return readClient(readNote(mailbox, clientKey(issuer, redirectUri)));
}

export function putClient(mailbox: MCPMailbox, issuer: string, redirectUri: string, client: Client): void {
  put(mailbox, clientKey(issuer, redirectUri), JSON.stringify(client));
}

function readNote(mailbox: MCPMailbox, key: string): JsonObject {
  return toObject(parseJson(mailbox.getItem(key) ?? ''));
}

/** @throws MCPError for a mailbox that is full, or that the browser denies to the page */
function put(mailbox: MCPMailbox, key: string, value: string): void {
  try {
    mailbox.setItem(key, value);
  } catch (cause) {
    throw signInError(
      'The mailbox of the sign-in could not be written: `localStorage` may be full, or blocked.',
      cause,
    );
  }
}
