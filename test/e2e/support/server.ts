import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ChatCompletionRequest, LLMock } from '@copilotkit/aimock';

/** One request for an answer, as the proxy between page and server saw it. */
interface Exchange {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: ChatCompletionRequest;
  /** Resolves when the connection no longer serves this answer. */
  readonly closed: Promise<Closing>;
}

interface Closing {
  /** ms since the epoch. */
  readonly at: number;
  /** The side that closed the connection; `nobody` if the answer was complete. */
  readonly by: 'client' | 'server' | 'nobody';
  /** ms since the epoch at which the last chunk of the answer was forwarded. */
  readonly lastWrite: number | undefined;
}

/** An answer that the test delays. */
interface Held {
  /** Forwards this many more events; without a number all the rest. */
  pass(events?: number): void;
}

/** A third-party server (aimock), and all its traffic. */
export interface Wire {
  readonly baseURL: string;
  /** As on the wire, e.g. `127.0.0.1:4010`. */
  readonly host: string;
  readonly mock: LLMock;
  /** The requests since the last `reset`, in order, without CORS preflights. */
  readonly exchanges: readonly Exchange[];
  /** Pauses the next answer after this many events. The first event contains only the role. */
  hold(question: string, events: number): Held;
  /** Removes answers, requests and pauses. */
  reset(): void;
  stop(): Promise<void>;
}

interface Hold extends Held {
  readonly question: string;
  /** Resolves when the next event, or the end, may be forwarded. */
  room(): Promise<void>;
}

/** Starts the server behind a proxy that forwards and records all traffic. */
export async function startWire({ cors = true } = {}): Promise<Wire> {
  const mock = new LLMock({ host: '127.0.0.1', port: 0, strict: true });
  const target = new URL(await mock.start());
  const exchanges: Exchange[] = [];
  let holds: Hold[] = [];

  async function exchange(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(incoming);
    let hold: Hold | undefined;
    let lastWrite: number | undefined;
    let cut = false;
    const upstream = request({
      agent: false,
      host: target.hostname,
      port: target.port,
      method: incoming.method,
      path: incoming.url,
      headers: { ...incoming.headers, host: target.host, connection: 'close' },
    });
    const closed = new Promise<Closing>((resolve) => {
      response.once('close', () => {
        const by = response.writableFinished ? 'nobody' : cut ? 'server' : 'client';
        resolve({ at: Date.now(), by, lastWrite });
        hold?.pass();
        upstream.destroy();
      });
    });
    if (incoming.method === 'POST') {
      const body = JSON.parse(text) as ChatCompletionRequest;
      exchanges.push({ path: incoming.url ?? '', headers: incoming.headers, body, closed });
      const asked = JSON.stringify(body.messages.findLast(({ role }) => role === 'user')?.content);
      hold = holds.find(({ question }) => asked.includes(question));
      holds = holds.filter((other) => other !== hold);
    }

    try {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        upstream.once('response', resolve).once('error', reject).end(text);
      });
      const headers = Object.entries(answer.headers).filter(([name]) => cors || !name.startsWith('access-control-'));
      response.writeHead(answer.statusCode ?? 502, Object.fromEntries(headers));
      for await (const event of eventsOf(answer)) {
        await hold?.room();
        if (response.destroyed) return;
        lastWrite = Date.now();
        response.write(event);
      }
      await hold?.room();
      response.end();
    } catch {
      // The server closed the connection in the middle, and so does the proxy.
      await hold?.room();
      cut = true;
      response.destroy();
    }
  }

  const proxy = await listen((incoming, response) => void exchange(incoming, response));
  return {
    baseURL: `http://${proxy.host}/v1`,
    host: proxy.host,
    mock,
    exchanges,
    hold(question, events) {
      const hold = createHold(question, events);
      holds.push(hold);
      return hold;
    },
    reset() {
      mock.reset();
      exchanges.length = 0;
      holds = [];
    },
    async stop() {
      await proxy.stop();
      await mock.stop();
    },
  };
}

/** A port on this machine without a listener. */
export async function findDeadPort(): Promise<number> {
  const { host, stop } = await listen(() => {});
  await stop();
  return Number(new URL(`http://${host}`).port);
}

interface Listening {
  readonly host: string;
  stop(): Promise<void>;
}

/** Serves on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<Listening> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function createHold(question: string, events: number): Hold {
  const gate = { room: events, wake: (): void => {} };
  return {
    question,
    pass(more = Number.POSITIVE_INFINITY) {
      gate.room += more;
      gate.wake();
    },
    async room() {
      while (gate.room <= 0) await new Promise<void>((resolve) => (gate.wake = resolve));
      gate.room--;
    },
  };
}

async function readText(stream: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of stream.setEncoding('utf8')) text += String(piece);
  return text;
}

/**
 * Splits a body into server-sent events as they arrive; a body without events is one chunk. Throws if the body was cut
 * off.
 */
async function* eventsOf(stream: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of eagerly(stream)) {
    const events = (rest + piece).split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith('\n\n') ? '' : (events.pop() ?? '');
    yield* events;
  }
  if (rest) yield rest;
}

/** Reads ahead of the consumer: a stream that is cut off loses its unread data. */
async function* eagerly(stream: IncomingMessage): AsyncGenerator<string> {
  const pieces: string[] = [];
  let end: 'good' | 'bad' | undefined;
  let wake = (): void => {};
  stream
    .setEncoding('utf8')
    .on('data', (piece: string) => (pieces.push(piece), wake()))
    .on('end', () => ((end = 'good'), wake()))
    .on('error', () => ((end = 'bad'), wake()));
  for (;;) {
    yield* pieces.splice(0);
    if (pieces.length > 0) continue;
    if (end === 'bad') throw new Error('The server hung up.');
    if (end === 'good') return;
    await new Promise<void>((resolve) => (wake = resolve));
  }
}
