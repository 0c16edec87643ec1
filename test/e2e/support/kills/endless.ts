import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from 'brooklet';
import { problemsOfChatBody } from '../../../support/valid-chat-body.ts';

/** The kind of conversation, until `calm` is called. */
export type Kind = 'text' | 'tools' | 'approvals';

/** A text as it was sent: the number of characters sent at `at` (ms since the epoch). */
export type Sent = readonly { readonly at: number; readonly length: number }[];

export interface Conversation {
  readonly baseURL: string;
  /** One for each request, in order. */
  readonly replies: readonly Sent[];
  /** From now on every answer is short, and the last one. */
  calm(): void;
}

/** A model that never ends: text without end, or one tool call after the other. */
export interface Endless {
  converse(kind: Kind, everyMs: number): Conversation;
  /** The violations in the received requests, one sentence each. */
  readonly problems: readonly string[];
  stop(): Promise<void>;
}

const allow = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
};

export async function startEndless(): Promise<Endless> {
  const conversations = new Map<string, (response: ServerResponse) => void>();
  const problems: string[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(204, allow).end();
    const [, name = ''] = (request.url ?? '').split('/');
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const body: JsonObject = JSON.parse(text);
      problems.push(...problemsOfChatBody(body).map((problem) => `${name}: ${problem} in ${text}`));
      response.writeHead(200, { ...allow, 'content-type': 'text/event-stream' });
      conversations.get(name)?.(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    problems,
    converse(kind, everyMs) {
      const name = `c${conversations.size}`;
      const replies: { at: number; length: number }[][] = [];
      let isCalm = false;

      conversations.set(name, (response) => {
        const sent: { at: number; length: number }[] = [];
        replies.push(sent);
        const say = (delta: object, finish: string | null = null): void => {
          const chunk = { choices: [{ index: 0, delta, finish_reason: finish }] };
          response.write(`data: ${JSON.stringify(chunk)}\n\n${finish ? 'data: [DONE]\n\n' : ''}`);
        };
        const finish = (reason: string): void => {
          say({}, reason);
          response.end();
        };
        if (isCalm) {
          say({ content: 'That is all.' });
          return finish('stop');
        }
        const pieces = kind === 'text' ? Infinity : 4;
        let length = 0;
        const timer = setInterval(() => {
          if (sent.length < pieces) {
            const piece = `word ${sent.length} `;
            say({ content: piece });
            sent.push({ at: Date.now(), length: (length += piece.length) });
            return;
          }
          clearInterval(timer);
          const asked = kind === 'tools' ? ['look', 'look'] : ['pay', 'look'];
          for (const [index, tool] of asked.entries()) {
            const id = `${replies.length}-${index}`;
            say({ tool_calls: [{ index, id, function: { name: tool, arguments: '{"n":1}' } }] });
          }
          finish('tool_calls');
        }, everyMs);
        response.once('close', () => clearInterval(timer));
      });
      return { baseURL: `http://127.0.0.1:${port}/${name}/v1`, replies, calm: () => void (isCalm = true) };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
