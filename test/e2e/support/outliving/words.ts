import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type Json } from '../../../../src/core/json.ts';

/** What a page has asked of the server. */
export interface Heard {
  /** The texts of the requests' last messages, in their order. */
  readonly requests: string[];
  /** `authorization` of each request. */
  readonly keys: (string | undefined)[];
  /** The calls of tools that have acted, as `where key`. */
  readonly acts: string[];
  /** Words that were written to the last answer. */
  said: number;
  /** When a client first left before the end of its answer: ms since the epoch. */
  readonly left: Promise<number>;
}

/** A service that says ten words a second. */
export interface Words {
  /** An address of its own, and what is heard there. */
  converse(): { readonly baseURL: string; readonly heard: Heard };
  stop(): Promise<void>;
}

interface Conversation {
  readonly heard: Heard;
  readonly leave: (at: number) => void;
}

/** Words of one answer. */
export const wordsOf = (count: number): string => Array.from({ length: count }, (_, n) => `word${n} `).join('');

const allow = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
};

/**
 * The last message decides: `count 30` is answered with 30 words, `pay 30` and `mark 30` with 30 words and a call of that tool, `call NAME {…}` with ten words
 * and a call with this input, and everything else with one sentence.
 */
export async function startWords(): Promise<Words> {
  const conversations = new Map<string, Conversation>();

  function say(response: ServerResponse, delta: object, finish: string | null = null): void {
    const chunk = { choices: [{ index: 0, delta, finish_reason: finish }] };
    response.write(`data: ${JSON.stringify(chunk)}\n\n${finish ? 'data: [DONE]\n\n' : ''}`);
  }

  function answer(response: ServerResponse, text: string, { heard, leave }: Conversation): void {
    const [, tool, input = '{}'] = /^call (\w+) (.*)$/.exec(text) ?? [];
    const [, verb = '', count = '0'] = tool ? ['', tool, '10'] : (/^(count|pay|mark) (\d+)$/.exec(text) ?? []);
    if (verb === '') {
      say(response, { content: 'That is all.' });
      say(response, {}, 'stop');
      return void response.end();
    }
    let said = 0;
    const timer = setInterval(() => {
      if (said < Number(count)) {
        say(response, { content: `word${said++} ` });
        heard.said = said;
        return;
      }
      clearInterval(timer);
      const tool_calls = [{ index: 0, id: 'call', function: { name: verb, arguments: input } }];
      if (verb !== 'count') say(response, { tool_calls });
      say(response, {}, verb === 'count' ? 'stop' : 'tool_calls');
      response.end();
    }, 100);
    response.once('close', () => {
      clearInterval(timer);
      if (!response.writableEnded) leave(Date.now());
    });
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(204, allow).end();
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const conversation = conversations.get(pathname.split('/')[1] ?? '');
    if (conversation === undefined) return void response.writeHead(404, allow).end();
    const { heard } = conversation;
    if (pathname.endsWith('/acts')) {
      heard.acts.push(`${searchParams.get('where')} ${searchParams.get('key')}`);
      return void response.writeHead(204, allow).end();
    }
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => {
      const { messages }: { readonly messages: readonly { readonly role: string; readonly content: Json }[] } =
        JSON.parse(body);
      const { role = '', content = '' } = messages.at(-1) ?? {};
      const text = role === 'user' ? toText(content) : role;
      heard.requests.push(text);
      heard.keys.push(request.headers.authorization);
      response.writeHead(200, { ...allow, 'content-type': 'text/event-stream' });
      answer(response, text, conversation);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    converse() {
      const name = `c${conversations.size}`;
      let leave = (_at: number): void => {};
      const left = new Promise<number>((resolve) => (leave = resolve));
      const heard: Heard = { requests: [], keys: [], acts: [], said: 0, left };
      conversations.set(name, { heard, leave });
      return { baseURL: `http://127.0.0.1:${port}/${name}`, heard };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function toText(content: Json): string {
  if (typeof content === 'string') return content;
  const [part] = Array.isArray(content) ? content : [];
  return isJsonObject(part) && typeof part.text === 'string' ? part.text : '';
}
