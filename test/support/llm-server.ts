import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface TestServer {
  readonly url: string;
  readonly requests: readonly Received[];
  /** Fulfilled when a client closes its connection before the answer's end. */
  readonly closedEarly: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real HTTP server on 127.0.0.1. The test writes the answers, as slowly or as malformed as it needs. */
export async function startServer(answer: (response: ServerResponse, request: Received) => void): Promise<TestServer> {
  const requests: Received[] = [];
  let closed = (): void => {};
  const closedEarly = new Promise<void>((resolve) => (closed = resolve));
  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableFinished) closed();
    });
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
      };
      requests.push(received);
      answer(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    closedEarly,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function stream(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(text);
}
