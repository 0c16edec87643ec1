import { LLMock } from '@copilotkit/aimock';
import { startServer } from '../../support/llm-server.ts';

/** A third-party server (aimock) behind a proxy that keeps each request as it came. */
export interface RecordingProxy {
  /** With `/v1`. */
  readonly baseURL: string;
  readonly mock: LLMock;
  /** The bodies of the requests for an answer, byte for byte. */
  readonly bodies: readonly string[];
  /** The next answer stops after this text, and never ends. */
  hangAfter(text: string): void;
  reset(): void;
  stop(): Promise<void>;
}

const allowing = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

export async function startRecordingProxy(): Promise<RecordingProxy> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true, logLevel: 'silent' });
  const target = await mock.start();
  const bodies: string[] = [];
  let hang: string | undefined;

  const server = await startServer((response, { method, path, headers, body }) => {
    const forward = async (): Promise<void> => {
      const answer = await fetch(new URL(path, target), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'none', authorization: 'Bearer none' },
        body,
      });
      response.writeHead(answer.status, {
        ...allowing,
        'content-type': answer.headers.get('content-type') ?? 'text/event-stream',
      });
      const text = await answer.text();
      if (hang === undefined) {
        response.end(text);
        return;
      }
      const end = text.indexOf('\n\n', text.indexOf(hang)) + 2;
      hang = undefined;
      response.write(text.slice(0, end));
    };
    if (method === 'OPTIONS') {
      const wanted = headers['access-control-request-headers'] ?? '*';
      response.writeHead(204, { ...allowing, 'access-control-allow-headers': wanted }).end();
      return;
    }
    bodies.push(body);
    void forward();
  });

  return {
    baseURL: server.url,
    mock,
    bodies,
    hangAfter: (text) => void (hang = text),
    reset() {
      mock.reset();
      bodies.length = 0;
      hang = undefined;
    },
    async stop() {
      await server.stop();
      await mock.stop();
    },
  };
}
