import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Json, JsonObject } from 'brooklet';
import { bodyOf, serve, type Served } from './serve.ts';

/** A request to a server that a test has written by hand. */
interface FakeRequest {
  readonly method: string;
  readonly params: JsonObject;
  readonly id: Json;
  readonly headers: IncomingMessage['headers'];
}

/** What a server answers: a result, or whatever the function sends. */
export type Answers = Readonly<
  Record<string, JsonObject | ((request: FakeRequest, response: ServerResponse) => unknown)>
>;

export const discovered: JsonObject = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
export const tool = (more: JsonObject = {}): JsonObject => ({
  name: 'look',
  description: 'Looks.',
  inputSchema: { type: 'object' },
  ...more,
});

/** Answers a request that it does not let through. Returns whether it did. */
export type Guard = (request: IncomingMessage, response: ServerResponse, url: string) => boolean;

/** A server of the stateless revision with one tool, `look`; `answers` replace or add methods. */
export async function serveFake(answers: Answers = {}, guard: Guard = () => false): Promise<Served> {
  const all: Answers = {
    'server/discover': discovered,
    'tools/list': { tools: [tool()] },
    'tools/call': { content: [{ type: 'text', text: 'seen' }] },
    ...answers,
  };
  const served = await serve(async (incoming, response) => {
    if (guard(incoming, response, served.url)) return;
    const text = incoming.method === 'POST' ? await bodyOf(incoming) : '{"method":"GET"}';
    const { method, params = {}, id = null }: { method: string; params?: JsonObject; id?: Json } = JSON.parse(text);
    const answer = all[method];
    if (typeof answer === 'function')
      return void (await answer({ method, params, id, headers: incoming.headers }, response));
    if (answer === undefined) return sendJson(response, { id, error: { code: -32_601, message: 'no' } }, 404);
    sendJson(response, { id, result: answer });
  });
  return served;
}

export function sendJson(response: ServerResponse, message: object, status = 200): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** Sends events; the stream stays open. */
export function sendEvents(response: ServerResponse, ...messages: readonly object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const message of messages) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}
