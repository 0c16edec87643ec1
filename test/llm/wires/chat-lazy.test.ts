import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { AgentError } from '../../../src/core/error.ts';
import { lazy } from '../../../src/core/lazy.ts';
import { createChatCompletionsClient } from '../../../src/llm/wires/chat-completions/client.ts';
import { toChatMessages } from '../../../src/llm/wires/chat-completions/messages.ts';
import { createChatBody, toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';
import type * as ChatSeldom from '../../../src/llm/wires/chat-completions/deferred.ts';
import type { LLMChunk, LLMRequest } from '../../../src/core/model/llm.ts';
import type { ChatCompat } from '../../../src/llm/wires/chat-completions/compat.ts';
import type { HttpOptions } from '../../../src/llm/transport/http.ts';
import type { Message, Part, Role } from '../../../src/core/model/message.ts';
import { createGate } from '../../support/gate.ts';
import { bytes, call, createListener, delta, frame, type Heard, hear } from '../../support/llm-answer.ts';

/** How the part is got that calls, media and the like are in. */
const network = vi.hoisted(() => ({ load: (): Promise<typeof ChatSeldom> => Promise.reject(new TypeError('unset')) }));
vi.mock('../../../src/llm/wires/chat-completions/lazy.ts', () => ({ loadChatSeldom: () => network.load() }));

const fetchPart = (): Promise<typeof ChatSeldom> => import('../../../src/llm/wires/chat-completions/deferred.ts');
const gone = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch dynamically imported module'));

/** Puts a network before the part. Gives how often it was asked for there. */
function reach(fetch: () => Promise<typeof ChatSeldom>): () => number {
  const asked = vi.fn<() => Promise<typeof ChatSeldom>>(fetch);
  network.load = lazy(asked);
  return () => asked.mock.calls.length;
}

beforeEach(() => {
  reach(fetchPart);
});

const message = (role: Role, ...content: Part[]): Message => ({ id: 'm', role, content, timestamp: 0 });
const text = (said: string): Part => ({ type: 'text', text: said });
const tool: Part = { type: 'tool', callId: 'c', name: 'f', status: 'succeeded', inputText: '{}', input: {}, output: 1 };
const thought: Part = { type: 'reasoning', text: 'Hm.' };
const image: Part = { type: 'image', mediaType: 'image/png', data: 'aGk=' };
const source: Part = { type: 'source', url: 'https://a.test', title: 'A' };
const ask = (messages: readonly Message[]): LLMRequest => ({ sessionId: 's', promptId: 'm', messages });

describe('a request', () => {
  test.each<[string, readonly Message[], ChatCompat]>([
    ['nothing', [], {}],
    [
      'a conversation',
      [message('system', text('Be.')), message('user', text('a')), message('assistant', text('b'))],
      {},
    ],
    [
      'texts in pieces',
      [message('user', text('a'), text(''), text('b')), message('assistant', text('c'), text('d'))],
      {},
    ],
    ['empty messages', [message('user'), message('assistant', text('')), message('system')], {}],
    [
      'what stays behind',
      [message('assistant', thought, text('a'), source, { type: 'provider', name: 'x', data: 1 })],
      {},
    ],
    ['thoughts of another kind of turn', [message('assistant', thought, text('a'))], { reasoning: 'tool-turns' }],
    ['a role of its own', [message('system', text('a'))], { systemRole: 'developer', noContent: '' }],
  ])('of %s is made at once, the same as by the part that knows all', async (_, messages, compat) => {
    const asked = reach(gone);
    const made = await createChatBody(ask(messages), 'm', compat);
    expect(JSON.stringify(made)).toBe(JSON.stringify(toChatBody(ask(messages), 'm', compat, toChatMessages)));
    expect(asked()).toBe(0);
  });

  test.each<[string, readonly Message[], ChatCompat]>([
    ['a call', [message('assistant', tool)], {}],
    ['an image', [message('user', text('a'), image)], {}],
    ['an image of the model', [message('assistant', image)], {}],
    ['a source', [message('user', source)], {}],
    ['thoughts that go back', [message('assistant', thought, text('a'))], { reasoning: 'keep' }],
    ['turns that alternate', [message('user', text('a')), message('user', text('b'))], { alternate: true }],
  ])('with %s is made by the part that knows it', async (_, messages, compat) => {
    const asked = reach(fetchPart);
    const made = await createChatBody(ask(messages), 'm', compat);
    expect(JSON.stringify(made)).toBe(JSON.stringify(toChatBody(ask(messages), 'm', compat, toChatMessages)));
    expect(JSON.stringify(made)).not.toBe(JSON.stringify(toChatBody(ask(messages), 'm', compat)));
    expect(asked()).toBe(1);
  });

  test('with tools gets the part for their calls, and does not wait for it', async () => {
    const asked = reach(() => new Promise(() => {}));
    const tools = [{ name: 'f', description: 'F.', inputSchema: { type: 'object' } }];
    expect(await createChatBody({ ...ask([message('user', text('a'))]), tools }, 'm', {})).toHaveProperty('tools');
    expect(asked()).toBe(1);
  });

  test('that cannot be made is not sent, and is worth another try', async () => {
    reach(vi.fn(fetchPart).mockImplementationOnce(gone));
    const answer = open([message('assistant', tool), message('user', text('Go on.'))]);
    await settled();
    expect(answer.bodies).toEqual([]);
    expect(answer.heard).toMatchObject([{ name: 'AgentError', code: 'NETWORK_ERROR', retryable: true }]);

    const again = open([message('assistant', tool), message('user', text('Go on.'))]);
    await vi.waitFor(() => expect(again.bodies).toHaveLength(1));
    expect(JSON.parse(again.bodies[0] ?? '')).toMatchObject({ messages: [{ tool_calls: [{ id: 'c' }] }, {}, {}] });
  });
});

/** All that follows from what has come: it is promises only. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** An answer whose pieces are in the hand of the test, through a client. */
function open(messages: readonly Message[] = [], options: Partial<HttpOptions> = {}) {
  const heard: (LLMChunk | AgentError | 'complete')[] = [];
  const bodies: string[] = [];
  let signal: AbortSignal | null | undefined;
  let out: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (out = controller) });
  const fetch = (_url: unknown, init?: RequestInit): Promise<Response> => {
    if (typeof init?.body === 'string') bodies.push(init.body);
    signal = init?.signal;
    return Promise.resolve(new Response(body));
  };
  const client = createChatCompletionsClient({ baseURL: 'https://api.test/v1', fetch, ...options });
  const subscription = client.sendRequest({ sessionId: 's', messages }).subscribe({
    next: (chunk) => heard.push(chunk),
    error: (error: AgentError) => heard.push(error),
    complete: () => heard.push('complete'),
  });
  return {
    heard,
    bodies,
    say: (piece: string) => out?.enqueue(bytes(piece)),
    unsubscribe: () => subscription.unsubscribe(),
    isAborted: () => signal?.aborted,
  };
}

/** What a client hears of an answer in these pieces. */
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
    client.sendRequest(ask([])).subscribe({
      next: emit,
      error: (error: AgentError) => resolve({ ...heard, error }),
      complete: () => resolve(heard),
    });
  });
}

const opens = { id: 'a', function: { name: 'f', arguments: '{"x":' } };
const streams: readonly (readonly [string, readonly (object | string)[]])[] = [
  ['calls', [delta({ content: 'Hm.' }), call(opens), call({ function: { arguments: '1}' } }), delta({}, 'tool_calls')]],
  ['a call of the old kind', [delta({ function_call: { name: 'f', arguments: '{}' } }), delta({}, 'function_call')]],
  ['a call without a name', [delta({ content: 'a' }), call({ function: { arguments: '{}' } }), delta({}, 'stop')]],
  ['a call that is not JSON', [call(opens), 'nonsense', delta({ content: 'a' }, 'stop')]],
  [
    'an image',
    [delta({ content: 'a', images: [{ image_url: { url: 'https://a.test/i' } }] }), delta({ content: 'b' }, 'stop')],
  ],
  ['a sound', [delta({ audio: { transcript: 'a', data: btoa('1') } }), delta({ audio: { data: btoa('2') } }, 'stop')]],
  [
    'blocks',
    [delta({ content: [{ type: 'thinking', thinking: [{ text: 'Hm' }] }, { text: 'a' }] }), delta({}, 'stop')],
  ],
  ['sealed thoughts', [delta({ reasoning_details: [{ type: 't', text: 'Hm' }] }), delta({ content: 'a' }, 'stop')]],
  [
    'sources',
    [delta({ content: 'a' }), { citations: ['https://a.test'], choices: [] }, delta({ content: 'b' }, 'stop')],
  ],
  ['notes', [delta({ annotations: [{ url_citation: { url: 'https://a.test' } }] }), delta({ content: 'a' }, 'stop')]],
  ['a whole message', [{ choices: [{ message: { content: 'a', tool_calls: [opens] }, finish_reason: 'tool_calls' }] }]],
];

describe('an answer', () => {
  test.each(streams)('with %s is understood the same, whenever the part for it comes', async (_, events) => {
    const whole = hear([bytes(frame(events))]);
    for (const pieces of [[frame(events)], [...events.map((event) => frame([event], { done: false })), frame([])]]) {
      const asked = reach(fetchPart);
      expect(await hearPieces(pieces)).toEqual(whole);
      expect(asked()).toBe(1);
    }
  });

  test.each([
    ['text and thoughts', { content: 'a', reasoning_content: 'Hm.', role: 'assistant' }],
    [
      'fields for more with nothing in them',
      { content: 'a', tool_calls: [], audio: null, annotations: [], function_call: {} },
    ],
  ])('of %s needs no part', async (_, fields) => {
    const asked = reach(gone);
    expect(await hearPieces([frame([delta(fields), delta({}, 'stop')])])).toMatchObject({ text: 'a', finish: 'stop' });
    expect(asked()).toBe(0);
  });

  test('is shown as far as it needs no part, and no further before the part is here', async () => {
    const gate = createGate();
    reach(() => gate.opened.then(fetchPart));
    const answer = open();
    answer.say(frame([delta({ content: 'a' })], { done: false }));
    await settled();
    answer.say(frame([delta({ content: 'b' }), call(opens), delta({ content: 'c' })], { done: false }));
    answer.say(frame([delta({ content: 'd' }, 'stop')]));
    await settled();
    const before = [{ type: 'text', text: 'a' }];
    expect(answer.heard).toEqual(before);

    gate.open();
    await vi.waitFor(() => expect(answer.heard.at(-1)).toBe('complete'));
    expect(answer.heard).toMatchObject([
      ...before,
      { type: 'text', text: 'b' },
      { type: 'call', name: 'f', text: '{"x":' },
      { type: 'text', text: 'c' },
      { type: 'text', text: 'd' },
      { type: 'call-end' },
      { type: 'finish', reason: 'tool-calls' },
      'complete',
    ]);
  });

  test('that breaks a limit behind a call shows the call first', async () => {
    const answer = open([], { limits: { event: 200 } });
    answer.say(`${frame([call(opens)], { done: false })}data: ${'x'.repeat(300)}`);
    await vi.waitFor(() => expect(answer.heard.at(-1)).toMatchObject({ code: 'STREAM_TOO_LARGE' }));
    expect(answer.heard).toMatchObject([{ type: 'call' }, {}]);
  });

  test('whose part cannot be had keeps what was said, fails with a type, and is hung up on', async () => {
    reach(gone);
    const answer = open();
    answer.say(frame([delta({ content: 'a' }), call(opens), delta({ content: 'b' })], { done: false }));
    await settled();
    expect(answer.heard).toMatchObject([{ text: 'a' }, { name: 'AgentError', code: 'NETWORK_ERROR' }]);
    expect(answer.isAborted()).toBe(true);
  });

  test('that nobody wants any more says nothing when its part comes', async () => {
    const gate = createGate();
    reach(() => gate.opened.then(fetchPart));
    const answer = open();
    answer.say(frame([call(opens), delta({ content: 'a' }, 'stop')]));
    await settled();
    answer.unsubscribe();
    gate.open();
    await network.load();
    await settled();
    expect(answer.heard).toEqual([]);
    expect(answer.isAborted()).toBe(true);
  });

  test('whose part never comes is a silence like any other', async () => {
    reach(() => new Promise(() => {}));
    const waiting = new Set<() => void>();
    const delay = (callback: () => void): (() => void) => {
      waiting.add(callback);
      return () => void waiting.delete(callback);
    };
    const answer = open([], { delay });
    answer.say(frame([call(opens)], { done: false }));
    await settled();
    for (let n = 0; n < 30; n += 1)
      for (const callback of Array.from(waiting)) {
        waiting.delete(callback);
        callback();
      }
    expect(answer.heard).toMatchObject([{ code: 'REQUEST_TIMEOUT', timeout: 'first' }]);
  });
});
