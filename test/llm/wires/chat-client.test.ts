import { describe, expect, test } from 'vitest';
import type { AgentError } from '../../../src/core/error.ts';
import { toObject } from '../../../src/core/model/read-json.ts';
import type { LLMChunk } from '../../../src/core/model/llm.ts';
import type { HttpOptions } from '../../../src/llm/transport/http-options.ts';
import { createChatCompletionsClient } from '../../../src/llm/wires/chat-completions/client.ts';
import { bytes, call, createListener, delta, frame, type Heard, hear } from '../../support/llm-answer.ts';
import { until } from '../../support/until.ts';

/** An answer whose pieces the test sends, through a client. */
function open(options: Partial<HttpOptions> = {}) {
  const received: (LLMChunk | AgentError | 'complete')[] = [];
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body));
  const client = createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch, ...options });
  client.sendRequest({ sessionId: 's', messages: [] }).subscribe({
    next: (chunk) => received.push(chunk),
    error: (error: AgentError) => received.push(error),
    complete: () => received.push('complete'),
  });
  return { received, send: (piece: string) => out?.enqueue(bytes(piece)) };
}

/** What a client emits for an answer in these pieces. */
function hearPieces(pieces: readonly string[]): Promise<Heard> {
  const { heard, emit } = createListener();
  const rest = pieces.map(bytes);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = rest.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  const fetch = (): Promise<Response> => Promise.resolve(new Response(body));
  const client = createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch });
  return new Promise((resolve) => {
    client.sendRequest({ sessionId: 's', promptId: 'm', messages: [] }).subscribe({
      next: emit,
      error: (error: AgentError) => resolve({ ...heard, error }),
      complete: () => resolve(heard),
    });
  });
}

const opens = { id: 'a', function: { name: 'f', arguments: '{"x":' } };
const streams: readonly (readonly [string, readonly (object | string)[]])[] = [
  ['calls', [delta({ content: 'Hm.' }), call(opens), call({ function: { arguments: '1}' } }), delta({}, 'tool_calls')]],
  ['the old function_call', [delta({ function_call: { name: 'f', arguments: '{}' } }), delta({}, 'function_call')]],
  ['a call without a name', [delta({ content: 'a' }), call({ function: { arguments: '{}' } }), delta({}, 'stop')]],
  ['an event that is not JSON', [call(opens), 'nonsense', delta({ content: 'a' }, 'stop')]],
  [
    'an image',
    [delta({ content: 'a', images: [{ image_url: { url: 'https://a.test/i' } }] }), delta({ content: 'b' }, 'stop')],
  ],
  ['audio', [delta({ audio: { transcript: 'a', data: btoa('1') } }), delta({ audio: { data: btoa('2') } }, 'stop')]],
  [
    'content blocks',
    [delta({ content: [{ type: 'thinking', thinking: [{ text: 'Hm' }] }, { text: 'a' }] }), delta({}, 'stop')],
  ],
  ['reasoning details', [delta({ reasoning_details: [{ type: 't', text: 'Hm' }] }), delta({ content: 'a' }, 'stop')]],
  [
    'sources',
    [delta({ content: 'a' }), { citations: ['https://a.test'], choices: [] }, delta({ content: 'b' }, 'stop')],
  ],
  [
    'annotations',
    [delta({ annotations: [{ url_citation: { url: 'https://a.test' } }] }), delta({ content: 'a' }, 'stop')],
  ],
  ['a whole message', [{ choices: [{ message: { content: 'a', tool_calls: [opens] }, finish_reason: 'tool_calls' }] }]],
];

/** A client adds the host that sent opaque data and ids. */
function withOrigin({ calls, providers, ...heard }: Heard): Heard {
  const add = (provider: unknown): object => ({ ...toObject(provider), host: 'api.test' });
  return {
    ...heard,
    calls: calls.map((one) => (one.id === undefined ? one : { ...one, provider: add(one.provider) })),
    providers: providers.map(add),
  };
}

describe('an answer of chat completions', () => {
  test.each(streams)('with %s is read the same in one piece and event by event', async (_, events) => {
    const whole = withOrigin(hear([bytes(frame(events))]));
    for (const pieces of [[frame(events)], [...events.map((event) => frame([event], { done: false })), frame([])]])
      expect(await hearPieces(pieces)).toEqual(whole);
  });

  test('with fields for more than text, all of them empty, is text', async () => {
    const fields = { content: 'a', tool_calls: [], audio: null, annotations: [], function_call: {} };
    expect(await hearPieces([frame([delta(fields), delta({}, 'stop')])])).toMatchObject({ text: 'a', finish: 'stop' });
  });

  test('emits the chunks of one network read joined, in order', async () => {
    const answer = open();
    answer.send(frame([delta({ content: 'a' })], { done: false }));
    await until(() => expect(answer.received).toEqual([{ type: 'text', text: 'a' }]));
    answer.send(
      frame([delta({ content: 'b' }), call(opens), delta({ content: 'c' }), delta({ content: 'd' }, 'stop')]),
    );
    await until(() => expect(answer.received.at(-1)).toBe('complete'));
    expect(answer.received).toMatchObject([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'call', name: 'f', text: '{"x":' },
      { type: 'text', text: 'cd' },
      { type: 'call-end' },
      { type: 'finish', reason: 'tool-calls' },
      'complete',
    ]);
  });

  test('that exceeds a limit after a call emits the call first', async () => {
    const answer = open({ limits: { event: 200 } });
    answer.send(`${frame([call(opens)], { done: false })}data: ${'x'.repeat(300)}`);
    await until(() => expect(answer.received.at(-1)).toMatchObject({ code: 'STREAM_TOO_LARGE' }));
    expect(answer.received).toMatchObject([{ type: 'call' }, {}]);
  });
});
