import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How an answer is streamed. */
export interface Pace {
  /** ms between two pieces. */
  readonly everyMs: number;
  /** Number of pieces. */
  readonly pieces: number;
}

/** An answer as it was sent. */
export interface Sent {
  /** What was asked: the content of the last message, as JSON if it is more than a text. */
  readonly asked: string;
  /** ms since the epoch at which each piece was sent, and the length of the text with it. */
  readonly pieces: { readonly at: number; readonly length: number }[];
  text: string;
  /** ms since the epoch at which the connection was closed, or the answer ended. */
  closedAt: number | undefined;
  /** Whether the last piece was sent. */
  isWhole: boolean;
}

/** A page has sent no request within a minute. */
export class NeverAsked extends Error {}

/** ms */
const longestWait = 60_000;

/** One page and the model that answers it. */
export interface Conversation {
  /** Address of the model, for `createChatCompletionsClient`. */
  readonly baseURL: string;
  /** Address to which the page reports. */
  readonly reportURL: string;
  /** One for each request, in order. */
  readonly answers: readonly Sent[];
  /**
   * What the first page has reported until it was left. What a later page writes follows the last write of the first one, which was stored and not
   * reported: together they are no log.
   */
  reports(): readonly Report[];
  /** Sets the pace of the answers from now on. */
  pace(pace: Pace): void;
  /** Resolves when the request of this number, from 0, has arrived. Rejects after a minute. */
  asked(number: number): Promise<void>;
}

interface ReportBase {
  /** A page from one `pageshow` to the next. */
  readonly visit: string;
  /** Counts the reports of a page. */
  readonly number: number;
  readonly sessionId: string;
}

/** What a page reports: `write` is a write that its store has acknowledged, `saved` the `seq` up to which `storage$` has said `saved`. */
export type Report = ReportBase &
  ({ readonly type: 'write'; readonly write: string } | { readonly type: 'saved'; readonly seq: number });

export interface ModelServer {
  converse(pace?: Pace): Conversation;
  stop(): Promise<void>;
}

interface Served extends Conversation {
  readonly answers: Sent[];
  readonly received: Report[];
  readonly waiting: Map<number, () => void>;
  speed: Pace;
}

const allow = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
};

/** The pace of an answer that is over at once. */
export const atOnce: Pace = { everyMs: 0, pieces: 3 };

/**
 * A model that speaks chat completions as slowly as the test says: `word 0 word 1 … END`. To a message that begins with "Pay" it answers with a call of the tool
 * `pay`, to one that begins with "Ask" with a call of the tool `ask_user`, to one that begins with "Refuse" with the status 401, to one that begins with "Format" with
 * Markdown, and to the result of a call with `The tool said: …`. It also takes the reports of the pages, which so are outside of them.
 */
export async function startModelServer(): Promise<ModelServer> {
  const conversations: Served[] = [];
  const server = createServer((request, response) => void serve(request, response));

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(204, allow).end();
    const [, number = '', what] = (request.url ?? '').split('/');
    const conversation = conversations[Number(number)];
    let text = '';
    for await (const piece of request.setEncoding('utf8')) text += String(piece);
    if (conversation === undefined) return void response.writeHead(404, allow).end();
    if (what === 'report') {
      conversation.received.push(JSON.parse(text) as Report);
      return void response.writeHead(204, allow).end();
    }
    answer(conversation, (JSON.parse(text) as Body).messages, response);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    converse(pace = atOnce) {
      const url = `${base}/${conversations.length}`;
      const conversation: Served = {
        baseURL: `${url}/v1`,
        reportURL: `${url}/report`,
        answers: [],
        received: [],
        waiting: new Map(),
        speed: pace,
        reports: () =>
          conversation.received
            .filter(({ visit }) => visit === conversation.received[0]?.visit)
            .toSorted((one, other) => one.number - other.number),
        pace: (next) => void (conversation.speed = next),
        asked: (nth) =>
          new Promise((resolve, reject) => {
            if (conversation.answers.length > nth) return resolve();
            const late = setTimeout(() => reject(new NeverAsked(`Request ${nth} has not arrived.`)), longestWait);
            conversation.waiting.set(nth, () => {
              clearTimeout(late);
              resolve();
            });
          }),
      };
      conversations.push(conversation);
      return conversation;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Body {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

function answer(conversation: Served, messages: Body['messages'], response: ServerResponse): void {
  const last = messages.at(-1);
  const content = typeof last?.content === 'string' ? last.content : JSON.stringify(last?.content ?? '');
  const sent: Sent = { asked: content, pieces: [], text: '', closedAt: undefined, isWhole: false };
  const { everyMs, pieces } = conversation.speed;
  conversation.waiting.get(conversation.answers.push(sent) - 1)?.();
  if (content.startsWith('Refuse')) {
    const error = { message: 'Incorrect API key provided.', code: 'invalid_api_key' };
    return void response
      .writeHead(401, { ...allow, 'content-type': 'application/json' })
      .end(JSON.stringify({ error }));
  }
  response.writeHead(200, { ...allow, 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  const write = (delta: object, finish: string | null = null): void => {
    const chunk = { id: 'answer', choices: [{ index: 0, delta, finish_reason: finish }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n${finish ? 'data: [DONE]\n\n' : ''}`);
  };
  const say = (text: string): void => {
    write({ content: text });
    sent.text += text;
    sent.pieces.push({ at: Date.now(), length: sent.text.length });
  };
  const end = (reason: string): void => {
    write({}, reason);
    sent.isWhole = true;
    response.end();
  };
  response.once('close', () => (sent.closedAt = Date.now()));

  if (last?.role === 'tool') {
    say(`The tool said: ${content}`);
    return end('stop');
  }
  const call = (name: string, input: object): void => {
    const id = `call-${conversation.answers.length}`;
    const called = { name, arguments: JSON.stringify(input) };
    write({ tool_calls: [{ index: 0, id, type: 'function', function: called }] });
    end('tool_calls');
  };
  if (content.includes('Pay')) return call('pay', { invoice: 'A-17', amount: 20 });
  if (content.startsWith('Format')) {
    for (const text of ['# A title\n\nA **bold** word, and `co', 'de`:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n'])
      say(text);
    return end('stop');
  }
  if (content.includes('Ask')) return call('ask_user', { question: 'Where to?' });
  const timer = setInterval(() => {
    if (sent.pieces.length < pieces) return say(`word ${sent.pieces.length} `);
    clearInterval(timer);
    say('END');
    end('stop');
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}
