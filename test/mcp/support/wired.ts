import { expect } from 'vitest';
import { type Exchange, type MCPAuth, post, type Wire } from '../../../src/mcp/wire.ts';

// A server without a network.

export const asker = { name: 'notes', host: 'notes.example' };
export const url = 'https://notes.example/mcp';

export const textOf = (init: RequestInit | undefined): string => (typeof init?.body === 'string' ? init.body : '');

/** A wire whose server answers with these responses in turn. */
export function wired(
  answers: readonly (() => Response | Promise<Response>)[],
  auth?: MCPAuth,
  ports: Wire['ports'] = { delay: () => () => {} },
) {
  const sent: RequestInit[] = [];
  const wire: Wire = {
    url,
    host: asker.host,
    origin: 'https://notes.example',
    fetch: async (_url, init = {}) => {
      sent.push(init);
      return answers[Math.min(sent.length, answers.length) - 1]?.() ?? expect.unreachable();
    },
    auth,
    headers: {},
    capabilities: {},
    maxBytes: 1_000,
    ports,
    closing: new AbortController().signal,
  };
  const ask = (more: Partial<Exchange> = {}) =>
    post(
      wire,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { headers: {}, signal: new AbortController().signal, ...more },
    );
  return { wire, sent, ask };
}

export const answer =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });
