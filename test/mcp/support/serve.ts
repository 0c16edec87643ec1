import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export type Handle = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface Served {
  /** Address of the MCP endpoint. */
  readonly url: string;
  readonly origin: string;
  /** The requests so far. */
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

interface Seen {
  readonly verb: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** Whether the client has closed the connection before the end of the answer. */
  aborted: boolean;
}

const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers':
    'authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id, mcp-param-region',
  'access-control-expose-headers': 'mcp-session-id, www-authenticate',
};

/** Serves on a free port of 127.0.0.1, for pages of every origin. */
export async function serve(handle: Handle): Promise<Served> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const { method: verb = '', url: path = '', headers } = request;
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (verb === 'OPTIONS') return void response.writeHead(204).end();
    const one: Seen = { verb, path, headers, aborted: false };
    seen.push(one);
    response.on('close', () => (one.aborted = !response.writableFinished));
    void Promise.resolve(handle(request, response)).catch((error: unknown) =>
      response.destroy(new Error(String(error))),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    url: `${origin}/mcp`,
    origin,
    seen,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}
