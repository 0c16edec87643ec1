import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refuse } from './refuse.ts';

/** A request of a page for an answer, which the test writes piece by piece. */
export interface Asked {
  /** The text of the last message of the user. */
  readonly question: string;
  write(text: string): void;
  /** Asks for a call of a tool, and ends the answer. */
  call(name: string, input: object): void;
  end(): void;
  /** Closes the connection in the middle, as a broken network does. */
  cut(): void;
  /** Whether the page has closed the connection before the end. */
  readonly isCut: () => boolean;
  readonly isOpen: () => boolean;
}

/** What goes wrong with every request. The bodies are those of a real service, with the ids that it writes into them. */
export type Failure = 'wrong key' | 'too many requests' | 'broken service' | 'no network';

/** The model of one sample. */
export interface Model {
  readonly asked: readonly Asked[];
  /** The requests that have failed. */
  readonly failed: number;
  /** Why requests were refused that a real service refuses, too. */
  readonly refusals: readonly string[];
  fail(failure: Failure | undefined): void;
  /** Answers a request of the page. `path` is below the address of the model. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void;
}

const requestId = 'req_0d3f1a6b8c9e4f2ab7c6d5e4f3a2b1c0';
const failures: Readonly<Record<Exclude<Failure, 'no network'>, Refusal>> = {
  'wrong key': [
    401,
    {
      message:
        'Incorrect API key provided: sk-test. You can find your API key at https://platform.openai.com/account/api-keys.',
      type: 'invalid_request_error',
      code: 'invalid_api_key',
      param: null,
    },
  ],
  'too many requests': [
    429,
    {
      message:
        'Rate limit reached for gpt-5-mini in organization org-Xk3vQ9w2L7mT5cR8yB1nH4dZ on tokens per min (TPM): Limit 200000, Used 198410, Requested 3120. Please try again in 459ms.',
      type: 'tokens',
      code: 'rate_limit_exceeded',
      param: null,
    },
  ],
  'broken service': [
    500,
    {
      message: `The server had an error while processing your request. Sorry about that! You can retry your request, or contact us through our help center at help.openai.com if the error persists. (Please include the request ID ${requestId} in your message.)`,
      type: 'server_error',
      code: null,
      param: null,
    },
  ],
};

export function createModel(): Model {
  const asked: Asked[] = [];
  let failure: Failure | undefined;
  const refusals: string[] = [];
  let failed = 0;
  return {
    asked,
    refusals,
    get failed() {
      return failed;
    },
    fail: (next) => void (failure = next),
    handle(request, response, path) {
      if (path.endsWith('/models'))
        return void response.setHeader('content-type', 'application/json').end('{"data":[{"id":"llama3.2"}]}');
      let body = '';
      request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
      request.on('end', () => {
        const refused = refuse(path, body, request.headers);
        const answerWith = ([status, error]: Refusal): void => {
          // The page asks the service again at once, as far as the service decides.
          const headers = { 'content-type': 'application/json', 'x-request-id': requestId, 'retry-after-ms': '20' };
          response.writeHead(status, headers).end(JSON.stringify({ error }));
        };
        if (refused) {
          refusals.push(refused[1].message);
          answerWith(refused);
          return;
        }
        if (failure === undefined) {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders();
          asked.push(answerOn(response, body, wireOf(path, asked.length)));
          return;
        }
        failed++;
        if (failure === 'no network') response.destroy();
        else answerWith(failures[failure]);
      });
    },
  };
}

/** How a text, a call and the end of an answer are written. */
interface Wire {
  text(delta: string): readonly unknown[];
  call(name: string, input: string): readonly unknown[];
  end(hasCall: boolean): readonly unknown[];
}

/** Returns how the answer to a request of this number is written. A service gives each call an id of its own. */
function wireOf(path: string, number: number): Wire {
  if (path.endsWith('/responses')) return createResponses(number);
  return path.endsWith('/agent') ? createAGUI() : createCompletions(number);
}

const createResponses = (number: number): Wire => ({
  text: (delta) => [{ type: 'response.output_text.delta', output_index: 0, delta }],
  call: (name, input) => {
    const item = { type: 'function_call', id: `fc_${number}`, call_id: `call_${number}`, name, arguments: input };
    return [{ type: 'response.output_item.done', output_index: 0, item }];
  },
  end: () => [{ type: 'response.completed', response: { status: 'completed', output: [] } }],
});

const createCompletions = (number: number): Wire => ({
  text: (content) => [{ choices: [{ index: 0, delta: { content }, finish_reason: null }] }],
  call: (name, input) => {
    const call = { index: 0, id: `call_${number}`, type: 'function', function: { name, arguments: input } };
    return [{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }];
  },
  end: (hasCall) => [{ choices: [{ index: 0, delta: {}, finish_reason: hasCall ? 'tool_calls' : 'stop' }] }, '[DONE]'],
});

function createAGUI(): Wire {
  let hasText = false;
  const run = { threadId: 'thread', runId: 'run' };
  const begin = [
    { type: 'RUN_STARTED', ...run },
    { type: 'TEXT_MESSAGE_START', messageId: 'text', role: 'assistant' },
  ];
  return {
    text(delta) {
      const events = [...(hasText ? [] : begin), { type: 'TEXT_MESSAGE_CONTENT', messageId: 'text', delta }];
      hasText = true;
      return events;
    },
    call: () => {
      throw new Error('The remote agent calls its tools itself.');
    },
    end: () => [
      ...(hasText ? [] : begin),
      { type: 'TEXT_MESSAGE_END', messageId: 'text' },
      { type: 'RUN_FINISHED', ...run },
    ],
  };
}

function answerOn(response: ServerResponse, body: string, wire: Wire): Asked {
  const send = (events: readonly unknown[]): void => {
    for (const event of events)
      response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
  };
  const end = (hasCall: boolean): void => {
    send(wire.end(hasCall));
    response.end();
  };
  return {
    question: questionIn(body),
    write: (text) => send(wire.text(text)),
    call(name, input) {
      send(wire.call(name, JSON.stringify(input)));
      end(true);
    },
    end: () => end(false),
    cut: () => response.destroy(),
    isCut: () => response.destroyed && !response.writableFinished,
    isOpen: () => !response.destroyed && !response.writableEnded,
  };
}

interface Body {
  readonly input?: readonly Part[];
  readonly messages?: readonly Part[];
}
interface Part {
  readonly role?: string;
  readonly content?: unknown;
}

/** The text of the last message of the user in the body of a request. */
function questionIn(body: string): string {
  const { input, messages = input ?? [] } = JSON.parse(body) as Body;
  const content = messages.findLast(({ role }) => role === 'user')?.content;
  if (typeof content === 'string') return content;
  return (Array.isArray(content) ? (content as { text?: string }[]) : []).map(({ text = '' }) => text).join('');
}
