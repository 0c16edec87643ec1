import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A service with models, which knows the keys `sk-good…` and, without credit, `sk-poor…`. */
export interface Service {
  readonly baseURL: string;
  stop(): Promise<void>;
}

/** @param allowsPages whether pages may read its answers */
export async function startService({ allowsPages = true } = {}): Promise<Service> {
  const server = createServer((request, response) => {
    const { authorization = '' } = request.headers;
    if (allowsPages) {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
      response.setHeader('access-control-allow-headers', 'authorization, content-type');
    }
    const send = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    request.resume();
    if (request.method === 'OPTIONS') {
      response.end();
    } else if (authorization.includes('sk-poor')) {
      send(429, { error: { code: 'insufficient_quota', message: 'You have no credit.' } });
    } else if (!authorization.includes('sk-good')) {
      send(401, { error: { message: `Incorrect API key: ${authorization}` } });
    } else if (request.url?.endsWith('/models') ?? false) {
      const others = Array.from({ length: 300 }, (_none, at) => ({ id: `pond-${at}`, context_length: 32_000 }));
      send(200, { data: [{ id: 'brook-large' }, { id: 'brook-small' }, ...others] });
    } else {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = { choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] };
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
