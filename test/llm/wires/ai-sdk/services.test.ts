import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/json.ts';
import type { LLMClient } from '../../../../src/core/model/llm.ts';
import { createAISDKClient } from '../../../../src/llm/wires/ai-sdk/client.ts';
import type { AISDKModel } from '../../../../src/llm/wires/ai-sdk/model.ts';
import { createStrictService, type ServiceSpec, type StrictService } from '../../../services/service.ts';
import { services } from '../../../services/services.ts';
import { call, type clientOf, createStage, situations, words } from '../../../services/situations.ts';

// The strict services, asked through the provider packages of the AI SDK: the requests that result from this client's prompts are accepted,
// in the same situations as those of the other clients.

/** Anthropic answers a page only with this header. */
const fromPage = { 'anthropic-dangerous-direct-browser-access': 'true' };

function modelOf({ provider, style }: ServiceSpec, { fetch }: StrictService): AISDKModel {
  const { baseURL, name } = provider;
  const settings = { apiKey: 'k', baseURL, fetch };
  if (style.wire === 'anthropic') return createAnthropic({ ...settings, headers: fromPage })('claude-sonnet-4-5');
  if (style.wire === 'responses') return createOpenAI(settings).responses('gpt-5');
  if (/openai|azure/i.test(name)) return createOpenAI(settings).chat('gpt-5');
  return createOpenAICompatible({ ...settings, name: name.toLowerCase().replace(/\W+/g, '-') }).chatModel('m');
}

const throughPackage = (spec: ServiceSpec, service: StrictService): LLMClient =>
  createAISDKClient(modelOf(spec, service), { maxRetries: 0 });

/** What the package for compatible services cannot send: these services have packages of their own, or need a client of this package. */
const unfit: Readonly<Record<string, string>> = {
  gemini: 'no name in the result of a tool: @ai-sdk/google speaks the wire of Gemini',
  groq: 'reasoning in a field that Groq refuses: @ai-sdk/groq',
  openrouter: 'no reasoning details: @openrouter/ai-sdk-provider',
  llamacpp: '`content: null` beside calls',
  lmstudio: '`content: null` beside calls',
  vllm: '`content: null` beside calls',
};
const fit = Object.entries(services).filter(([name]) => !Object.hasOwn(unfit, name));

async function play(spec: ServiceSpec, toClient: typeof clientOf, situation: string): Promise<StrictService> {
  const stage = await createStage(spec, toClient);
  await situations[situation]?.(stage);
  expect(stage.service.refusals).toEqual([]);
  expect(stage.service.answers).toEqual([]);
  return stage.service;
}

describe.each(fit)('%s accepts, through a provider package,', (_, spec) => {
  test.each(Object.keys(situations))('%s', async (situation) => {
    const { requests } = await play(spec, throughPackage, situation);
    expect(requests.length).toBeGreaterThan(0);
  });
});

test.each(Object.entries(unfit))('%s does not, and the package is the reason: %s', async (name) => {
  const spec = services[name] ?? expect.unreachable();
  const stage = await createStage(spec, throughPackage);
  await stage.ask('Add.', call(), words('One.'));
  await stage.ask('And now?', words('Two.'));
  expect(stage.service.refusals).not.toEqual([]);
});

test.each(Object.keys(situations))('OpenAI accepts without stored answers: %s', async (situation) => {
  const spec = services.openai ?? expect.unreachable();
  const providerParams = { providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } } };
  const toClient = (of: ServiceSpec, service: StrictService): LLMClient => {
    const client = throughPackage(of, service);
    return { sendRequest: (request) => client.sendRequest({ ...request, providerParams }) };
  };
  await play(spec, toClient, situation);
});

describe('the reasoning of a tool step goes back to the service', () => {
  async function lastRequest(name: string): Promise<JsonObject> {
    const stage = await createStage(services[name] ?? expect.unreachable(), throughPackage);
    await stage.ask('Add.', call(), words('Two.'));
    await stage.ask('And now?', words('Three.'));
    return stage.service.requests.at(-1) ?? {};
  }

  test('as signed thinking (Anthropic)', async () => {
    const text = JSON.stringify(await lastRequest('anthropic'));
    expect(text.match(/"thinking":"I need add \d+\.","signature":"sig-\d+"/g)).toHaveLength(1);
  });

  test('as stored items (OpenAI)', async () => {
    const text = JSON.stringify(await lastRequest('openai'));
    expect(text.match(/"type":"item_reference","id":"rs_\d+"/g)).toHaveLength(2);
    expect(text.match(/"type":"item_reference","id":"msg_\d+"/g)).toHaveLength(1);
  });

  test('as text (DeepSeek)', async () => {
    const text = JSON.stringify(await lastRequest('deepseek'));
    expect(text).toMatch(/"reasoning_content":"I need add \d+\."/);
  });
});

test('a conversation goes from a client of a wire to provider packages and back', async () => {
  const stage = await createStage(services.anthropic ?? expect.unreachable());
  const names = ['openai', 'anthropic', 'deepseek', 'mistral'] as const;
  const open = names.map((name) => {
    const spec = services[name] ?? expect.unreachable();
    const service = createStrictService(spec);
    return [name, service, throughPackage(spec, service)] as const;
  });
  for (const [name, service, client] of [...open, ...open.toReversed()]) {
    stage.service.answers.push(call(), words('By the wire.'));
    await stage.session.send('Add.');
    service.answers.push(call(), call('draw'), words(`Done by ${name}.`));
    await stage.session.send('Add and draw.', { client });
    expect([name, service.refusals, service.answers]).toEqual([name, [], []]);
    expect(stage.service.refusals).toEqual([]);
  }
});
