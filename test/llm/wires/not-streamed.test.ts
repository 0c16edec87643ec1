import { createChatCompletionsClient, createResponsesClient, type LLMClient, type LLMRequest } from 'brooklet';
import { createAnthropicClient } from 'brooklet/anthropic';
import { createOpenAIClient } from 'brooklet/openai';
import { createProviderClient, openaiChat } from 'brooklet/providers';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AgentError } from '../../../src/core/error.ts';
import { parseJson } from '../../../src/core/json.ts';
import { toObject } from '../../../src/core/model/read-json.ts';
import { createListener, frame, type Heard } from '../../support/llm-answer.ts';
import { startServer, type TestServer } from '../../support/llm-server.ts';

/** The same answer of each wire, as a stream and as one document. */
interface Answer {
  readonly events: readonly object[];
  readonly document: object;
}

const chatUsage = { prompt_tokens: 7, completion_tokens: 5 };
const chatCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } };
const chat: Answer = {
  events: [
    { model: 'm-1', choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'Hm. ' } }] },
    { choices: [{ index: 0, delta: { content: 'Let me ' } }] },
    { choices: [{ index: 0, delta: { content: 'look.' } }] },
    { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...chatCall }] } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }], usage: chatUsage },
  ],
  document: {
    object: 'chat.completion',
    model: 'm-1',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          reasoning_content: 'Hm. ',
          content: 'Let me look.',
          tool_calls: [chatCall],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: chatUsage,
  },
};

const reasoning = { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm. ' }], encrypted_content: 'sealed' };
const text = { type: 'message', content: [{ type: 'output_text', text: 'Let me look.' }] };
const item = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":1}' };
const status = { status: 'completed', model: 'm-1', usage: { input_tokens: 7, output_tokens: 5 } };
const responses: Answer = {
  events: [
    { type: 'response.created', response: { status: 'in_progress', model: 'm-1' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning' } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Hm. ' },
    { type: 'response.output_item.done', output_index: 0, item: reasoning },
    { type: 'response.output_item.added', output_index: 1, item: { type: 'message' } },
    { type: 'response.output_text.delta', output_index: 1, delta: 'Let me ' },
    { type: 'response.output_text.delta', output_index: 1, delta: 'look.' },
    { type: 'response.output_item.done', output_index: 1, item: text },
    { type: 'response.output_item.added', output_index: 2, item: { ...item, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 2, delta: '{"at":1}' },
    { type: 'response.output_item.done', output_index: 2, item },
    { type: 'response.completed', response: { ...status, output: [reasoning, text, item] } },
  ],
  document: { object: 'response', ...status, output: [reasoning, text, item] },
};

const messages: Answer = {
  events: [
    { type: 'message_start', message: { model: 'm-1', usage: { input_tokens: 7 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm. ' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sealed' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me ' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'look.' } },
    { type: 'content_block_stop', index: 1 },
    {
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'call_1', name: 'look', input: {} },
    },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"at":1}' } },
    { type: 'content_block_stop', index: 2 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
  document: {
    type: 'message',
    model: 'm-1',
    content: [
      { type: 'thinking', thinking: 'Hm. ', signature: 'sealed' },
      { type: 'text', text: 'Let me look.' },
      { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 1 } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 7, output_tokens: 5 },
  },
};

const answers: Readonly<Record<string, Answer>> = {
  '/v1/chat/completions': chat,
  '/v1/responses': responses,
  '/v1/messages': messages,
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer((response, { path, body }) => {
    const { events, document } = answers[path] ?? chat;
    const isStream = toObject(parseJson(body)).stream === true;
    response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
    response.end(
      isStream ? frame(events, { done: path === '/v1/chat/completions' }) : JSON.stringify(document, null, 2),
    );
  });
});
afterAll(() => server.stop());

const request: LLMRequest = {
  sessionId: 's',
  model: 'm',
  messages: [{ id: 'u', role: 'user', content: [{ type: 'text', text: 'hi' }], timestamp: 0 }],
};

/** The answer, and the order in which the kinds of its chunks began. */
function listen(client: LLMClient): Promise<readonly [Heard, readonly string[]]> {
  const { heard, emit } = createListener();
  const order: string[] = [];
  return new Promise((resolve, reject) => {
    client.sendRequest(request).subscribe({
      next(chunk) {
        if (order.at(-1) !== chunk.type) order.push(chunk.type);
        emit(chunk);
      },
      error: (error: AgentError) => reject(error),
      complete: () => resolve([heard, order]),
    });
  });
}

const clients: readonly [string, (baseURL: string, stream?: boolean) => LLMClient][] = [
  [
    'chat completions',
    (baseURL, stream) => createChatCompletionsClient({ baseURL, ...(stream === false && { stream }) }),
  ],
  [
    'a provider',
    (baseURL, stream) => createProviderClient(openaiChat, { baseURL, ...(stream === false && { stream }) }),
  ],
  [
    'the OpenAI SDK',
    (baseURL, stream) =>
      createOpenAIClient(
        new OpenAI({ baseURL, apiKey: 'k', dangerouslyAllowBrowser: true }),
        stream === false ? { stream } : {},
      ),
  ],
  ['Responses', (baseURL, stream) => createResponsesClient({ baseURL, ...(stream === false && { stream }) })],
  ['Messages', (baseURL, stream) => createAnthropicClient({ baseURL, ...(stream === false && { stream }) })],
];

describe.each(clients)('a request without streaming over %s', (_, create) => {
  test('asks for one document, and emits the same answer in the same order as the stream', async () => {
    const whole = await listen(create(server.url, false));
    const sent = JSON.parse(server.requests.at(-1)?.body ?? '');
    expect(sent).toMatchObject({ stream: false });
    expect(sent).not.toHaveProperty('stream_options');
    expect(server.requests.at(-1)?.headers.accept).toBe('application/json');
    expect(whole[0]).toMatchObject({ text: 'Let me look.', reasoning: 'Hm. ', finish: 'tool-calls', model: 'm-1' });
    expect(whole).toEqual(await listen(create(server.url)));
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toMatchObject({ stream: true });
  });
});
