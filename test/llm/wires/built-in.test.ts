import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../../src/core/error.ts';
import { type BuiltInOptions, createBuiltInClient } from '../../../src/llm/wires/built-in/client.ts';
import type { LLMChunk, LLMRequest } from '../../../src/core/model/llm.ts';
import { defineOutput } from '../../../src/llm/output/output.ts';
import type { Message, Part, Role } from '../../../src/core/model/message.ts';
import { createListener, type Heard } from '../../support/llm-answer.ts';
import { createGate } from '../../support/gate.ts';
import { createPromptApi, type FakePromptApi } from '../../support/prompt-api.ts';

let ids = 0;
const message = (role: Role, ...content: (Part | string)[]): Message => ({
  id: `m${(ids += 1)}`,
  role,
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
  timestamp: 0,
});
const asking = (...messages: Message[]): LLMRequest => ({ sessionId: 's', messages });
const hi = asking(message('user', 'hi'));
const add = { name: 'add', description: 'Adds.', inputSchema: { type: 'object' } };
const called: Part = {
  type: 'tool',
  callId: 'c1',
  name: 'add',
  status: 'succeeded',
  inputText: '{"a":1}',
  input: { a: 1 },
  output: 3,
};

function hear(scope: object, request = hi, options: BuiltInOptions = {}): Promise<Heard> {
  const { heard, emit } = createListener();
  return new Promise((resolve) => {
    createBuiltInClient({ scope, ...options })
      .sendRequest(request)
      .subscribe({
        next: emit,
        error: (error: AgentError) => resolve(Object.assign(heard, { error })),
        complete: () => resolve(heard),
      });
  });
}
const failing = (name: string): DOMException => new DOMException('why', name);

describe("the browser's own model", () => {
  test('streams its answer and usage, and its session is destroyed', async () => {
    const api = createPromptApi();
    const request = asking(
      message('system', 'Be brief.'),
      message('user', 'one'),
      message('assistant', { type: 'reasoning', text: 'hm' }, 'First.'),
      message('user', 'two'),
    );
    expect(await hear(api, request)).toMatchObject({
      text: 'Hello.',
      usage: { input: 'Be brief.oneFirst.two'.length, output: 'Hello.'.length },
      finish: 'stop',
    });
    expect(api.created[0]?.initialPrompts).toEqual([
      { role: 'system', content: [{ type: 'text', value: 'Be brief.' }] },
      { role: 'user', content: [{ type: 'text', value: 'one' }] },
      { role: 'assistant', content: [{ type: 'text', value: 'First.' }] },
    ]);
    expect(api.asked).toEqual([{ input: [{ role: 'user', content: [{ type: 'text', value: 'two' }] }] }]);
    expect(api.open).toBe(0);
  });

  test('is cold: no session is created before a subscription', () => {
    const api = createPromptApi();
    createBuiltInClient({ scope: api }).sendRequest(hi);
    createBuiltInClient({ scope: api }).download();
    expect(api.created).toHaveLength(0);
  });

  test('emits nothing after unsubscribing in the middle, and its session is destroyed', async () => {
    const api = createPromptApi();
    const gate = createGate();
    api.pieces = ['Hel', gate.opened.then(() => 'lo.')];
    const heard: LLMChunk[] = [];
    await new Promise<void>((resolve) => {
      const subscription = createBuiltInClient({ scope: api })
        .sendRequest(hi)
        .subscribe((chunk) => {
          heard.push(chunk);
          queueMicrotask(() => (subscription.unsubscribe(), resolve()));
        });
    });
    gate.open();
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(heard).toEqual([{ type: 'text', text: 'Hel' }]);
    expect(api.open).toBe(0);
  });

  test('is aborted before its answer', async () => {
    const api = createPromptApi();
    createBuiltInClient({ scope: api }).sendRequest(hi).subscribe().unsubscribe();
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect([api.asked.length, api.open]).toEqual([0, 0]);
  });

  test('emits its reasoning', async () => {
    const api = createPromptApi();
    api.pieces = [
      { type: 'thought', value: 'hm' },
      { type: 'text', value: 'Hi.' },
    ];
    expect(await hear(api)).toMatchObject({ reasoning: 'hm', text: 'Hi.' });
  });

  test('receives the schema of the answer', async () => {
    const api = createPromptApi();
    const output = defineOutput({ schema: { type: 'object', properties: { a: { type: 'string' } } } });
    await hear(api, { ...hi, output });
    expect(api.asked[0]?.responseConstraint).toEqual(output.schema);
  });

  test('receives the languages and the caller’s options', async () => {
    const api = createPromptApi();
    await hear(api, { ...hi, providerParams: { samplingMode: 'creative' } }, { languages: ['en', 'ja'] });
    expect(api.created[0]).toMatchObject({
      samplingMode: 'creative',
      expectedInputs: [{ type: 'text', languages: ['en', 'ja'] }],
      expectedOutputs: [{ type: 'text', languages: ['en', 'ja'] }],
    });
  });
});

describe('its prompts', () => {
  const png: Part = { type: 'image', mediaType: 'image/png', data: 'AAAA' };

  test('contain images and audio as Blobs, declared with the session', async () => {
    const api = createPromptApi();
    api.types.push('image', 'audio');
    const sound: Part = { type: 'audio', mediaType: 'audio/wav', url: 'data:audio/ogg;base64,AAAA' };
    expect((await hear(api, asking(message('user', 'see', png, sound)))).error).toBeUndefined();
    expect(api.created[0]?.expectedInputs).toEqual([{ type: 'text' }, { type: 'image' }, { type: 'audio' }]);
    const [, image, audio] = api.asked[0]?.input[0]?.content ?? [];
    expect(image?.value).toMatchObject({ type: 'image/png', size: 3 });
    expect(audio?.value).toMatchObject({ type: 'audio/ogg' });
  });

  test('contain text files as text, and describe unsupported media', async () => {
    const api = createPromptApi();
    const parts: Part[] = [
      { type: 'file', mediaType: 'text/csv', data: btoa('a,b'), name: 'a.csv' },
      { type: 'file', mediaType: 'application/pdf', data: 'AA', name: 'a.pdf' },
      { type: 'image', mediaType: 'image/png', url: 'https://a.test/b.png' },
    ];
    await hear(api, asking(message('user', ...parts)));
    expect(api.asked[0]?.input[0]?.content.map(({ value }) => value)).toEqual([
      'a.csv:\na,b',
      '[file: a.pdf]',
      '[image: https://a.test/b.png]',
    ]);
  });

  test('are rejected where the model does not support a content type', async () => {
    expect((await hear(createPromptApi(), asking(message('user', png)))).error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/with image/) as string,
    });
  });

  test('contain instructions only at the beginning, replies of text only, and media of the model in a user message', async () => {
    const api = createPromptApi();
    api.types.push('image');
    const request = asking(message('user', 'draw'), message('assistant', png), message('system', 'Now.'));
    expect((await hear(api, request)).error).toBeUndefined();
    expect(api.created[0]?.initialPrompts?.map(({ role }) => role)).toEqual(['user', 'user']);
    expect(api.asked[0]?.input).toEqual([{ role: 'user', content: [{ type: 'text', value: 'Now.' }] }]);
  });
});

describe('tools', () => {
  const offered = (): FakePromptApi => createPromptApi({ tools: true });

  test('are passed to the model where the browser supports them, and called one by one', async () => {
    const api = offered();
    const { LanguageModelToolCall: Call } = api;
    if (!Call) throw new Error('no tools');
    const call = (callId: string, a: number): object => ({
      type: 'tool-call',
      value: new Call({ callId, name: 'add', arguments: { a } }),
    });
    api.pieces = ['Let me see.', call('x', 1), [call('y', 2), call('z', 3)]];
    expect(await hear(api, { ...hi, tools: [add] })).toMatchObject({
      text: 'Let me see.',
      calls: [
        { name: 'add', inputText: '{"a":1}', id: 'x' },
        { name: 'add', inputText: '{"a":2}', id: 'y' },
        { name: 'add', inputText: '{"a":3}', id: 'z' },
      ],
      finish: 'tool-calls',
    });
    expect(api.created[0]).toMatchObject({
      tools: [add],
      expectedInputs: [{ type: 'text' }, { type: 'tool-call' }, { type: 'tool-response' }],
      expectedOutputs: [{ type: 'text' }, { type: 'tool-call' }],
    });
  });

  test('are sent back as calls and results', async () => {
    const api = offered();
    const failed: Part = { ...called, callId: 'c2', status: 'failed', output: 'No.' };
    const talk = asking(message('user', 'add'), message('assistant', 'So.', called, failed));
    expect((await hear(api, { ...talk, tools: [add] })).error).toBeUndefined();
    expect(api.created[0]?.initialPrompts).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [
          { value: 'So.' },
          { type: 'tool-call', value: { callId: 'c1', name: 'add', arguments: { a: 1 } } },
          { type: 'tool-call', value: { callId: 'c2' } },
        ],
      },
    ]);
    expect(api.asked[0]?.input).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'tool-response', value: { callId: 'c1', name: 'add', result: [{ type: 'text', value: '3' }] } },
          { type: 'tool-response', value: { callId: 'c2', errorMessage: 'No.' } },
        ],
      },
    ]);
  });

  test('are left out for the choice "none"; a choice that forces a call is refused', async () => {
    const api = offered();
    expect(await hear(api, { ...hi, tools: [add], toolChoice: 'none' })).toMatchObject({ text: 'Hello.' });
    expect(api.created[0]).not.toHaveProperty('tools');
    for (const toolChoice of ['required', { name: 'add' }] as const)
      expect((await hear(api, { ...hi, tools: [add], toolChoice })).error).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('are rejected where the browser supports none, or left out with omitTools', async () => {
    const api = createPromptApi();
    const request = { ...hi, tools: [add] };
    expect((await hear(api, request)).error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await hear(api, request, { omitTools: true })).toMatchObject({ text: 'Hello.' });
    expect(api.created[0]).not.toHaveProperty('tools');
  });

  test('that were called by another provider are described as text', async () => {
    const api = createPromptApi();
    await hear(api, asking(message('user', 'add'), message('assistant', called)));
    expect(api.asked[0]?.input).toEqual([
      { role: 'user', content: [{ type: 'text', value: 'The tool "add" was called with {"a":1}. It said: 3' }] },
    ]);
  });
});

describe('the availability', () => {
  test('is reported', async () => {
    expect(await createBuiltInClient({ scope: {} }).availability()).toBe('missing');
    const api = createPromptApi();
    for (const state of ['unavailable', 'downloadable', 'downloading', 'available'] as const) {
      api.state = state;
      expect(await createBuiltInClient({ scope: api }).availability()).toBe(state);
    }
    expect(await createBuiltInClient({ scope: api, languages: ['de'] }).availability()).toBe('unavailable');
  });

  test('has a different error for missing, unavailable and not downloaded, each with a remedy', async () => {
    expect((await hear({})).error).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringMatching(/Chrome or Edge/) as string,
    });
    const api = createPromptApi();
    api.state = 'unavailable';
    expect((await hear(api)).error).toMatchObject({
      code: 'MODEL_NOT_FOUND',
      message: expect.stringMatching(/device/) as string,
    });
    api.state = 'downloadable';
    expect((await hear(api)).error).toMatchObject({
      code: 'MODEL_NOT_READY',
      message: expect.stringMatching(/download\(\)/) as string,
    });
    // A message alone does not start a download of gigabytes.
    expect(api.created).toHaveLength(0);
  });
});

describe('the download', () => {
  test('emits its progress, and completes when the model can answer', async () => {
    const api = createPromptApi();
    Object.assign(api, { state: 'downloadable', clicked: true });
    const client = createBuiltInClient({ scope: api });
    expect(await lastValueFrom(client.download().pipe(toArray()))).toEqual([0, 0.5, 1]);
    expect([await client.availability(), api.open]).toEqual(['available', 0]);
  });

  test('starts synchronously in the click handler', () => {
    const api = createPromptApi();
    Object.assign(api, { state: 'downloadable', clicked: true });
    const subscription = createBuiltInClient({ scope: api }).download().subscribe();
    expect(api.created).toHaveLength(1);
    subscription.unsubscribe();
  });

  test.each<[string, Partial<FakePromptApi>, string]>([
    ['without a click', { state: 'downloadable' }, 'MODEL_NOT_READY'],
    [
      'without a network',
      { state: 'downloadable', clicked: true, downloadError: failing('NetworkError') },
      'NETWORK_ERROR',
    ],
    ['on a device that cannot', { state: 'unavailable' }, 'MODEL_NOT_FOUND'],
  ])('fails %s', async (_, browser, code) => {
    const api = Object.assign(createPromptApi(), browser);
    await expect(lastValueFrom(createBuiltInClient({ scope: api }).download())).rejects.toMatchObject({ code });
  });

  test('fails where there is no model', async () => {
    await expect(lastValueFrom(createBuiltInClient({ scope: {} }).download())).rejects.toMatchObject({
      code: 'MODEL_NOT_FOUND',
    });
  });

  test('emits nothing after unsubscribing', async () => {
    const api = createPromptApi();
    Object.assign(api, { state: 'downloadable', clicked: true });
    const told: number[] = [];
    const subscription = createBuiltInClient({ scope: api })
      .download()
      .subscribe((loaded) => {
        told.push(loaded);
        subscription.unsubscribe();
      });
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(told).toEqual([0]);
    expect(api.open).toBe(0);
  });
});

test.each([
  ['NotAllowedError', 'PERMISSION_DENIED', false],
  ['NotSupportedError', 'INVALID_REQUEST', false],
  ['NotReadableError', 'CONTENT_FILTERED', false],
  ['QuotaExceededError', 'CONTEXT_OVERFLOW', false],
  ['NetworkError', 'NETWORK_ERROR', true],
  ['SyntaxError', 'INVALID_OUTPUT', true],
  ['EncodingError', 'INVALID_INPUT', false],
  ['SecurityError', 'INVALID_INPUT', false],
  ['InvalidStateError', 'STREAM_INTERRUPTED', true],
  ['UnknownError', 'LLM_API_ERROR', true],
  ['constructor', 'LLM_API_ERROR', true],
])(
  'maps a %s in the middle to %s, keeps the chunks before it, and destroys the session',
  async (name, code, retryable) => {
    const api = createPromptApi();
    api.pieces = ['Hel', failing(name)];
    const heard = await hear(api);
    expect(heard.text).toBe('Hel');
    expect(heard.error).toBeInstanceOf(AgentError);
    expect(heard.error).toMatchObject({ code, retryable });
    expect(api.open).toBe(0);
  },
);

test('errors with CONTEXT_OVERFLOW for a conversation that is too long, before and during the prompt', async () => {
  const api = createPromptApi();
  api.contextWindow = 10;
  const long = message('user', 'x'.repeat(20));
  expect((await hear(api, asking(long))).error).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  expect((await hear(api, asking(long, message('user', 'hi')))).error).toMatchObject({ code: 'CONTEXT_OVERFLOW' });
  expect(api.open).toBe(0);
});
