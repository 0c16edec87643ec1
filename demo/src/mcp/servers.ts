import type { ToolPart } from 'brooklet';
import { isJsonObject } from 'brooklet/core';
import { createStored } from '../base/stored.ts';
import { serverNameOf } from './serverNameOf.ts';

/** What the user has decided about a tool. */
export type ToolDecision = 'allow' | 'ask' | 'forbid';

export interface StoredTool {
  /** The name at the server. */
  readonly name: string;
  readonly decision: ToolDecision;
  /** The definition that the user has allowed, as JSON: another one asks anew. */
  readonly definition?: string;
}

/** A server of the user. Contains no token: the vault has those. */
export interface StoredServer {
  /** In the names of the tools; unique. */
  readonly name: string;
  readonly url: string;
  readonly isOn: boolean;
  /** Whether the user believes the server's read-only marks. */
  readonly isTrusted: boolean;
  readonly tools: readonly StoredTool[];
}

/** The servers of the user. */
export const servers = createStored<readonly StoredServer[]>('brooklet-studio:mcp', {
  read: readServers,
  write: (list) => (list.length === 0 ? undefined : JSON.stringify(list)),
});

/** Returns the stored server of a name, also one that is switched off. */
export function findServer(name: string | undefined): StoredServer | undefined {
  return servers.get().find((server) => server.name === name);
}

/**
 * Returns the host of the server of a call: of the server that ran it, else of the user's server with this name, which may have changed since.
 * `undefined` for a tool of the page.
 */
export function serverLabelOf({ name, server }: Pick<ToolPart, 'name' | 'server'>): string | undefined {
  if (server !== undefined) return URL.canParse(server) ? new URL(server).host : server;
  const serverName = serverNameOf(name);
  const stored = findServer(serverName);
  return stored ? new URL(stored.url).host : serverName;
}

/** Why an address cannot be that of a server; `undefined` if it can. */
export type AddressProblem = 'invalid' | 'insecure' | 'present';

export function problemWith(url: string): AddressProblem | undefined {
  if (!URL.canParse(url)) return 'invalid';
  const { protocol, hostname, href } = new URL(url);
  const isHere = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$|\.localhost$/u.test(hostname);
  if (protocol !== 'https:' && !(protocol === 'http:' && isHere)) return protocol === 'http:' ? 'insecure' : 'invalid';
  return servers.get().some((server) => server.url === href) ? 'present' : undefined;
}

/** Adds a server, and returns its name. Invariant: `problemWith(url)` is `undefined`. */
export function addServer(address: string): string {
  const { href: url, host } = new URL(address);
  let name = '';
  servers.change((list) => {
    name = freeName(host, list);
    return [...list, { name, url, isOn: true, isTrusted: false, tools: [] }];
  });
  return name;
}

export function changeServer(name: string, change: Partial<Omit<StoredServer, 'name' | 'url'>>): void {
  servers.change((list) => list.map((server) => (server.name === name ? { ...server, ...change } : server)));
}

/** Removes a server, and returns it. */
export function removeServer(name: string): StoredServer | undefined {
  const removed = findServer(name);
  servers.change((list) => list.filter((server) => server.name !== name));
  return removed;
}

/** Stores what the user has decided about a tool. */
export function decideTool(serverName: string, decided: StoredTool): void {
  servers.change((list) =>
    list.map((server) =>
      server.name === serverName
        ? { ...server, tools: [...server.tools.filter(({ name }) => name !== decided.name), decided] }
        : server,
    ),
  );
}

/**
 * Returns a name for the tools of a host that no other server has: `mcp.example.com` becomes `example_com`. The name of a tool begins with a
 * letter, so that `127.0.0.1` becomes `mcp_127_0_0_1`.
 */
function freeName(host: string, list: readonly StoredServer[]): string {
  const slug = host
    .replace(/^(?:mcp|www|api)\./u, '')
    .replaceAll(/[^A-Za-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
    .slice(0, 28)
    .replace(/_$/u, '');
  const named = /^\d/u.test(slug) ? `mcp_${slug}` : slug;
  const base = named === '' ? 'server' : named;
  const taken = new Set(list.map(({ name }) => name));
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? base : `${base}_${count}`;
    if (!taken.has(name)) return name;
  }
}

/** Reads a stored list. Damaged entries are left out. */
function readServers(text: string | null): readonly StoredServer[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.flatMap(readServer) : [];
  } catch {
    return [];
  }
}

function readServer(value: unknown): readonly StoredServer[] {
  if (!isJsonObject(value)) return [];
  const { name, url, isOn, isTrusted, tools } = value;
  if (typeof name !== 'string' || !/^[A-Za-z0-9]+(?:_[A-Za-z0-9]+)*$/u.test(name)) return [];
  if (typeof url !== 'string' || !URL.canParse(url)) return [];
  return [
    {
      name,
      url,
      isOn: isOn !== false,
      isTrusted: isTrusted === true,
      tools: Array.isArray(tools) ? tools.flatMap(readTool) : [],
    },
  ];
}

function readTool(value: unknown): readonly StoredTool[] {
  if (!isJsonObject(value)) return [];
  const { name, decision, definition } = value;
  if (typeof name !== 'string' || (decision !== 'allow' && decision !== 'ask' && decision !== 'forbid')) return [];
  return [{ name, decision, ...(typeof definition === 'string' && { definition }) }];
}
