import { describe, expect, test } from 'vitest';
import type { LLMRequest } from '../../../../src/core/model/llm.ts';
import type { Json } from '../../../../src/core/json.ts';
import type { Message, Part } from '../../../../src/core/model/message.ts';
import { createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import {
  collect,
  createFakeModel,
  type FakeModelOptions as Fields,
  finish,
  message,
  reply,
  textOf,
  user,
} from '../../../support/ai-sdk.ts';

interface Options {
  readonly prompt: readonly { readonly role: string; readonly content: unknown }[];
  readonly [option: string]: unknown;
}

/** The options with which a model is called for a request. */
async function optionsOf(request: Partial<LLMRequest>, more: Fields = {}): Promise<Options> {
  const model = createFakeModel([[...textOf('t', 'x'), finish()]], more);
  const { error } = await collect(createAISDKClient(model, { maxRetries: 0 }), request);
  if (error) throw error;
  return model.calls[0] as unknown as Options;
}
const promptOf = async (messages: readonly Message[], more: Fields = {}): Promise<Options['prompt']> =>
  (await optionsOf({ messages }, more)).prompt;

const host = 'test.chat';
const png = { type: 'image', mediaType: 'image/png', data: 'iVBORw0K' } as const;
const thought = (text: string, provider?: Json): Part => ({ type: 'reasoning', text, ...(provider && { provider }) });
const mark = (of: string, metadata: Json, from = host): Part => thought('', { 'ai-sdk': { of, metadata }, host: from });
const call = (callId: string, more: Partial<Extract<Part, { type: 'tool' }>> = {}): Part => ({
  type: 'tool',
  callId,
  name: 'add',
  status: 'succeeded',
  inputText: '{"a":1}',
  input: { a: 1 },
  output: 2,
  ...more,
});
const own = (type: string, fields: Record<string, Json>, from = host): Part => ({
  type: 'provider',
  name: 'web_search',
  data: { type: `ai-sdk.${type}`, host: from, ...fields },
});

describe('the prompt', () => {
  test('begins with the instructions as one message; later instructions are a user message', async () => {
    expect(
      await promptOf([message('system', 'A'), message('system', 'B'), user('Hi'), message('system', 'C')]),
    ).toEqual([
      { role: 'system', content: 'A\n\nB' },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'user', content: [{ type: 'text', text: 'C' }] },
    ]);
  });

  test('has no empty message and no blank text', async () => {
    expect(await promptOf([user(), reply(' '), reply(thought('Hm')), user('Hi', ' ')])).toEqual([
      { role: 'user', content: [{ type: 'text', text: '(empty)' }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ]);
  });

  test('has calls in the reply, then their results, then the media of both', async () => {
    const failed = call('c2', { status: 'failed', output: 'No.' });
    const drawn = call('c3', { output: [{ type: 'text', text: 'A cat.' }, png] });
    expect(await promptOf([user('Hi'), reply('I add.', call('c1'), failed, drawn)])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I add.' },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 'c2', toolName: 'add', input: { a: 1 } },
          { type: 'tool-call', toolCallId: 'c3', toolName: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'add', output: { type: 'text', value: '2' } },
          { type: 'tool-result', toolCallId: 'c2', toolName: 'add', output: { type: 'error-text', value: 'No.' } },
          {
            type: 'tool-result',
            toolCallId: 'c3',
            toolName: 'add',
            output: { type: 'text', value: 'A cat.\n[image]' },
          },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Attached to the above:' },
          { type: 'file', mediaType: 'image/png', data: 'iVBORw0K' },
        ],
      },
    ]);
  });

  test('returns ids and metadata of a call to the provider that sent them, and to no other', async () => {
    const sent = call('c1', {
      provider: { id: 'functions.add:0', host, 'ai-sdk': { google: { thoughtSignature: 's' } } },
    });
    const partOf = async (provider: string): Promise<unknown> =>
      (await promptOf([user('Hi'), reply(sent)], { provider }))[1]?.content;
    expect(await partOf(host)).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'functions.add:0',
        toolName: 'add',
        input: { a: 1 },
        providerOptions: { google: { thoughtSignature: 's' } },
      },
    ]);
    expect(await partOf('other')).toEqual([{ type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: { a: 1 } }]);
  });

  test('returns the metadata of reasoning and text to the provider that sent it, and to no other', async () => {
    const said = reply(
      thought('Hm', { 'ai-sdk': { of: 'reasoning', metadata: { p: { signature: 's' } } }, host }),
      'Yes.',
      mark('text', { p: { itemId: 'm' } }),
    );
    const contentOf = async (provider: string): Promise<unknown> =>
      (await promptOf([user('Hi'), said, user('And?')], { provider }))[1]?.content;
    expect(await contentOf(host)).toEqual([
      { type: 'reasoning', text: 'Hm', providerOptions: { p: { signature: 's' } } },
      { type: 'text', text: 'Yes.', providerOptions: { p: { itemId: 'm' } } },
    ]);
    expect(await contentOf('other')).toEqual([{ type: 'text', text: 'Yes.' }]);
  });

  test('divides a part of reasoning into its blocks', async () => {
    const blocks = [
      { chars: 3, metadata: { p: { n: 1 } } },
      { chars: 5, metadata: { p: { n: 2 } } },
    ];
    const said = reply(thought('One\n\nTwo', { 'ai-sdk': { of: 'reasoning', blocks }, host }), 'Yes.');
    expect((await promptOf([user('Hi'), said]))[1]?.content).toEqual([
      { type: 'reasoning', text: 'One', providerOptions: { p: { n: 1 } } },
      { type: 'reasoning', text: 'Two', providerOptions: { p: { n: 2 } } },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  test('has reasoning without metadata, but not for packages that refuse it', async () => {
    const said = reply(thought('Hm'), 'Yes.');
    const types = async (provider: string): Promise<unknown> => {
      const [, turn] = await promptOf([user('Hi'), said], { provider });
      return [turn?.content ?? []].flat().map((part) => (part as Part).type);
    };
    expect(await types('deepseek.chat')).toEqual(['reasoning', 'text']);
    for (const provider of ['openai.responses', 'anthropic.messages', 'mistral.chat', 'amazon-bedrock'])
      expect(await types(provider)).toEqual(['text']);
  });

  test('has a placeholder where a service refuses calls without reasoning', async () => {
    const contentOf = async (provider: string): Promise<unknown> =>
      (await promptOf([user('Hi'), reply(call('c1'))], { provider }))[1]?.content;
    expect(await contentOf('moonshotai.chat')).toMatchObject([{ type: 'reasoning', text: '…' }, { type: 'tool-call' }]);
    expect(await contentOf('other.chat')).toMatchObject([{ type: 'tool-call' }]);
  });

  test('alternates turns for Mistral, with its ids', async () => {
    const prompt = await promptOf([user('Hi'), user('there'), reply(call('call_1')), user('And?')], {
      provider: 'mistral.chat',
    });
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(prompt[0]?.content).toHaveLength(2);
    expect(JSON.stringify(prompt[1])).toMatch(/"toolCallId":"[a-zA-Z\d]{9}"/);
  });

  describe('of tools that ran at the provider', () => {
    const searched = own('tool-call', { toolCallId: 's', toolName: 'web_search', input: '{"query":"x"}' });
    const found = own('tool-result', {
      toolCallId: 's',
      toolName: 'web_search',
      result: { n: 1 },
      providerMetadata: { p: { itemId: 'i' } },
    });

    test('returns calls with their results', async () => {
      const [, said] = await promptOf([user('Hi'), reply(searched, found, 'Found.'), user('And?')]);
      expect(said?.content).toEqual([
        { type: 'tool-call', toolCallId: 's', toolName: 'web_search', input: { query: 'x' }, providerExecuted: true },
        {
          type: 'tool-result',
          toolCallId: 's',
          toolName: 'web_search',
          output: { type: 'json', value: { n: 1 } },
          providerOptions: { p: { itemId: 'i' } },
        },
        { type: 'text', text: 'Found.' },
      ]);
    });

    test('leaves out what has lost its other half, and what is of another provider', async () => {
      const contentOf = async (...parts: Part[]): Promise<unknown> =>
        (await promptOf([user('Hi'), reply(...parts, 'Found.'), user('And?')]))[1]?.content;
      expect(await contentOf(searched)).toEqual([{ type: 'text', text: 'Found.' }]);
      expect(await contentOf(found)).toEqual([{ type: 'text', text: 'Found.' }]);
      const foreign = own('tool-call', { toolCallId: 's', toolName: 'x' }, 'other');
      expect(
        await contentOf(foreign, own('tool-result', { toolCallId: 's', toolName: 'x', result: 1 }, 'other')),
      ).toEqual([{ type: 'text', text: 'Found.' }]);
      expect(await contentOf({ type: 'provider', name: 'web_search_call', data: { type: 'web_search_call' } })).toEqual(
        [{ type: 'text', text: 'Found.' }],
      );
    });

    test('continues a paused reply in its container, and asks another provider to continue', async () => {
      const container = { anthropic: { container: { id: 'c1' } } };
      const paused: Message = {
        ...reply('I search.', searched, mark('finish', container, 'anthropic.messages')),
        finish: 'pause',
      };
      const from = {
        ...paused,
        content: paused.content.map((part) =>
          part === searched
            ? own('tool-call', { toolCallId: 's', toolName: 'web_search', input: '{}' }, 'anthropic.messages')
            : part,
        ),
      };
      const back = await optionsOf({ messages: [user('Hi'), from] }, { provider: 'anthropic.messages' });
      expect(back.prompt.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(back.prompt[1]?.content).toMatchObject([{ type: 'text' }, { type: 'tool-call', providerExecuted: true }]);
      expect(back.providerOptions).toEqual(container);
      const elsewhere = await optionsOf({ messages: [user('Hi'), from] });
      expect(elsewhere.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
      expect(elsewhere.providerOptions).toBeUndefined();
    });

    test('returns custom content to models of version 4 alone', async () => {
      const custom = own('custom', { kind: 'xai.thing', providerMetadata: { xai: { a: 1 } } });
      const contentOf = async (version: string): Promise<unknown> =>
        (await promptOf([user('Hi'), reply(custom, 'Yes.')], { version }))[1]?.content;
      expect(await contentOf('v4')).toEqual([
        { type: 'custom', kind: 'xai.thing', providerOptions: { xai: { a: 1 } } },
        { type: 'text', text: 'Yes.' },
      ]);
      expect(await contentOf('v3')).toEqual([{ type: 'text', text: 'Yes.' }]);
    });

    test('returns a compaction as the text that it is', async () => {
      const providerMetadata = { anthropic: { type: 'compaction' } };
      const [, said] = await promptOf([user('Hi'), reply(own('text', { text: 'S.', providerMetadata }), 'Yes.')]);
      expect(said?.content).toEqual([
        { type: 'text', text: 'S.', providerOptions: providerMetadata },
        { type: 'text', text: 'Yes.' },
      ]);
    });
  });
});

describe('media', () => {
  const contentOf = async (part: Part, more: Fields = {}): Promise<unknown> =>
    (await promptOf([user(part)], more))[0]?.content;
  const at = (url: string, mediaType = 'image/png'): Part => ({ type: 'image', mediaType, url });
  const reads = { supportedUrls: { 'image/*': [/^https:\/\/a\.test\/.*$/] } };

  test('is a file, in the form of the version', async () => {
    expect(await contentOf({ ...png, name: 'a.png' })).toEqual([
      { type: 'file', mediaType: 'image/png', data: 'iVBORw0K', filename: 'a.png' },
    ]);
    expect(await contentOf(png, { version: 'v4' })).toEqual([
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0K' } },
    ]);
    expect(await contentOf(at('data:image/gif;base64,R0lG'))).toEqual([
      { type: 'file', mediaType: 'image/gif', data: 'R0lG' },
    ]);
  });

  test('at an address is sent where the model reads it, and only named elsewhere', async () => {
    const url = new URL('https://a.test/Cat.png');
    expect(await contentOf(at(url.href), reads)).toEqual([{ type: 'file', mediaType: 'image/png', data: url }]);
    expect(await contentOf(at(url.href), { ...reads, version: 'v4' })).toEqual([
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url } },
    ]);
    const all = { supportedUrls: Promise.resolve({ '*/*': [/^https:/] }) };
    expect(await contentOf(at(url.href, 'image/x'), all)).toMatchObject([{ type: 'file' }]);
    expect(await contentOf(at('https://b.test/cat.png'), reads)).toEqual([
      { type: 'text', text: '[image: https://b.test/cat.png]' },
    ]);
    expect(await contentOf(at(url.href, 'video/mp4'), reads)).toMatchObject([{ type: 'text' }]);
    expect(await contentOf(at('no address'), reads)).toMatchObject([{ type: 'text' }]);
    expect(await contentOf(at(url.href), { supportedUrls: undefined })).toMatchObject([{ type: 'text' }]);
  });

  test('of a text file is its text', async () => {
    const file: Part = { type: 'file', mediaType: 'text/plain', data: btoa('Hello'), name: 'a.txt' };
    expect(await contentOf(file)).toEqual([{ type: 'text', text: 'a.txt:\nHello' }]);
  });

  test('that the model made returns with its metadata, and as an attachment without', async () => {
    const signed = mark('file', { google: { thoughtSignature: 's' } });
    const [, said] = await promptOf([user('Draw'), reply('Here.', png, signed), user('And?')]);
    expect(said?.content).toEqual([
      { type: 'text', text: 'Here.' },
      {
        type: 'file',
        mediaType: 'image/png',
        data: 'iVBORw0K',
        providerOptions: { google: { thoughtSignature: 's' } },
      },
    ]);
    const plain = await promptOf([user('Draw'), reply('Here.', png), user('And?')]);
    expect(plain.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'user']);
    const thoughtOf = async (version: string): Promise<unknown> =>
      (
        await promptOf([user('Draw'), reply('Here.', png, mark('reasoning-file', { google: { a: 1 } }))], { version })
      )[1]?.content;
    expect(await thoughtOf('v4')).toMatchObject([{ type: 'text' }, { type: 'reasoning-file' }]);
    expect(await thoughtOf('v3')).toEqual([{ type: 'text', text: 'Here.' }]);
  });

  test('of earlier messages is only named where the package refuses it; that of the new message is an error', async () => {
    const refusal = Object.assign(new Error("'audio' functionality not supported"), {
      name: 'AI_UnsupportedFunctionalityError',
    });
    const model = createFakeModel([refusal, [...textOf('t', 'x'), finish()]]);
    const question = user('And?', png);
    const messages = [user('Hear', { type: 'audio', mediaType: 'audio/wav', data: 'AAAA' }), reply('Yes.'), question];
    const { error } = await collect(createAISDKClient(model, { maxRetries: 0 }), { messages, promptId: question.id });
    expect(error).toBeUndefined();
    const [, options] = model.calls as unknown as Options[];
    expect(options?.prompt[0]?.content).toEqual([
      { type: 'text', text: 'Hear' },
      { type: 'text', text: '[audio]' },
    ]);
    expect(options?.prompt[2]?.content).toMatchObject([{ type: 'text' }, { type: 'file' }]);
    const refusing = createFakeModel([refusal]);
    const refused = await collect(createAISDKClient(refusing), { messages: [user('Hear', png)] });
    expect(refused.error).toMatchObject({ code: 'INVALID_REQUEST' });
    expect(refusing.calls).toHaveLength(1);
    // Without older media a second call would be the same.
    const again = createFakeModel([refusal]);
    await collect(createAISDKClient(again), { messages: [user('Hi'), reply(call('c1')), user('And?')] });
    expect(again.calls).toHaveLength(1);
  });
});

describe('options', () => {
  const tools = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: {} } }];
  const output = { name: 'sum', schema: { type: 'object', properties: {} }, strict: false };

  test('are those of the request', async () => {
    const options = await optionsOf({ tools, toolChoice: { name: 'add' }, maxTokens: 9, temperature: 0.5 });
    expect(options).toMatchObject({
      maxOutputTokens: 9,
      temperature: 0.5,
      tools: [{ type: 'function', name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }],
      toolChoice: { type: 'tool', toolName: 'add' },
    });
    expect(options.abortSignal).toBeInstanceOf(AbortSignal);
    expect((await optionsOf({ tools, toolChoice: 'required' })).toolChoice).toEqual({ type: 'required' });
    const none = await optionsOf({ toolChoice: 'required', tools: [] });
    expect(Object.keys(none).toSorted()).toEqual(['abortSignal', 'prompt']);
  });

  test('are completed by providerParams, and tools of the provider follow', async () => {
    const search = { type: 'provider', id: 'openai.web_search', name: 'web_search', args: {} };
    const options = await optionsOf({
      tools,
      temperature: 0.5,
      providerParams: { topP: 0.9, temperature: 1, tools: [search], providerOptions: { openai: { user: 'u' } } },
    });
    expect(options).toMatchObject({
      topP: 0.9,
      temperature: 1,
      tools: [{ name: 'add' }, search],
      providerOptions: { openai: { user: 'u' } },
    });
  });

  test.each(['reasoning_effort', 'prompt', 'abortSignal'])('of another name are refused: %s', async (name) => {
    const model = createFakeModel([[finish()]]);
    const { error } = await collect(createAISDKClient(model), { providerParams: { [name]: 'x' } });
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(`providerParams.${name}`),
    });
    expect(model.calls).toEqual([]);
  });

  test('state for OpenAI that tools are not strict', async () => {
    const [tool] = (await optionsOf({ tools }, { provider: 'openai.responses' })).tools as object[];
    expect(tool).toMatchObject({ strict: false });
    const [other] = (await optionsOf({ tools })).tools as object[];
    expect(other).not.toHaveProperty('strict');
  });

  test('have the schema of an answer, and its strictness where the provider has an option', async () => {
    const responseFormat = { type: 'json', name: 'sum', schema: output.schema };
    expect(await optionsOf({ output }, { provider: 'openai.chat' })).toMatchObject({
      responseFormat,
      providerOptions: { openai: { strictJsonSchema: false } },
    });
    const strict = await optionsOf({ output: { ...output, strict: true } }, { provider: 'openai.chat' });
    expect(strict).toMatchObject({ responseFormat });
    expect(strict.providerOptions).toBeUndefined();
    const other = await optionsOf({ output });
    expect(other).toMatchObject({ responseFormat });
    expect(other.providerOptions).toBeUndefined();
  });

  test('tell the schema in words where the package would drop it, or the service refuses it', async () => {
    const dropped = await optionsOf({ output }, { supportsStructuredOutputs: false });
    expect(dropped.responseFormat).toBeUndefined();
    expect(dropped.prompt[0]).toMatchObject({ role: 'system', content: expect.stringContaining('JSON Schema') });
    const open = { ...output, schema: { type: 'object', properties: {}, additionalProperties: true } };
    const refused = await optionsOf({ output: open }, { provider: 'anthropic.messages' });
    expect(refused.responseFormat).toBeUndefined();
    expect(refused.prompt[0]?.role).toBe('system');
  });
});
