import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Done, TestServer } from './servers.ts';
import { bodyOf, serve } from './serve.ts';

/** One session of a server. */
export interface ServedSession {
  readonly transport: {
    readonly handleRequest: (request: IncomingMessage, response: ServerResponse, body?: unknown) => Promise<void>;
  };
  /** Changes the description of `add` and tells the client. */
  readonly change: (description: string) => void;
}

/** What a session is made of. */
export interface SessionEnv {
  readonly done: Done;
  /** Of the tool `add`. */
  readonly description: string;
  /** Called with the id that the transport has given the session. */
  readonly keep: (id: string) => void;
}

/** Serves the revisions with a session: each client has a server of its own, which `open` makes. */
export async function serveWithSessions(open: (env: SessionEnv) => Promise<ServedSession>): Promise<TestServer> {
  const done: Done = { calls: [], cancelled: [] };
  const sessions = new Map<string, ServedSession>();
  let description = 'Adds two numbers.';

  async function begin(): Promise<ServedSession> {
    const session = await open({ done, description, keep: (id) => void sessions.set(id, session) });
    return session;
  }

  const served = await serve(async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const text = request.method === 'POST' ? await bodyOf(request) : '';
    const body: unknown = text ? JSON.parse(text) : undefined;
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    const isInitialize = text.includes('"initialize"');
    if (known === undefined && !isInitialize) {
      const error = { code: -32_000, message: 'Bad Request: no session' };
      response.writeHead(id === undefined ? 400 : 404, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    }
    const { transport } = known ?? (await begin());
    await transport.handleRequest(request, response, body);
  });
  return {
    ...served,
    done,
    change(next) {
      description = next;
      for (const session of sessions.values()) session.change(next);
    },
    forgetSessions: () => sessions.clear(),
  };
}
