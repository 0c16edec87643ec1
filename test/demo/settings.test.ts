import { type LLMClient, type SessionEvent } from 'brooklet';
import { anthropic, openai } from 'brooklet/providers';
import { createScriptedClient, reply } from 'brooklet/testing';
import { lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import * as providers from '../../src/llm/providers/index.ts';
import { createLazyClient } from '../../demo/src/lazyClient.ts';
import { choiceAt, choiceOf, choices, findKnownModel } from '../../demo/src/settings/providers.ts';
import { spendingOf } from '../../demo/src/settings/spending.ts';

describe('the providers of the settings', () => {
  it('are all of the package', () => {
    const isProvider = (value: unknown): value is providers.Provider => value instanceof Object && 'baseURL' in value;
    const offered = new Set(choices.map(({ provider }) => provider));
    const missing = Object.values(providers).filter((value) => isProvider(value) && !offered.has(value));
    expect(missing).toEqual([]);
    expect(choiceOf('anthropic').provider).toBe(anthropic);
    expect(choices.some(({ provider }) => provider.name === 'Azure OpenAI')).toBe(true);
  });

  it('follow the address that the user types', () => {
    expect(choiceAt('https://api.anthropic.com/v1', 'openai').id).toBe('anthropic');
    expect(choiceAt('http://127.0.0.1:4000/v1', 'openai').id).toBe('custom');
    // A proxy of a service that refuses pages, and one with a wire of its own.
    expect(choiceAt('https://proxy.example/v1', 'moonshot').id).toBe('moonshot');
    expect(choiceAt('https://proxy.example/v1', 'anthropic').id).toBe('anthropic');
    expect(choiceAt('', 'nonsense').id).toBe('custom');
  });

  it('know the models of all, with dates', () => {
    expect(findKnownModel('gpt-5-mini-2025-08-07')?.price).toEqual(openai.models?.['gpt-5-mini']?.price);
    expect(findKnownModel('no-such-model')).toBeUndefined();
  });
});

describe('spendingOf', () => {
  const at = { seq: 1, at: 0, v: 2 } as const;
  const ended = (model: string | undefined, input: number): SessionEvent => ({
    ...at,
    type: 'reply.ended',
    finish: 'stop',
    usage: { input, output: 1 },
    ...(model !== undefined && { model }),
  });
  const costOf = (usage: { readonly input: number }, model: string | undefined) =>
    model === 'known' ? usage.input / 100 : undefined;

  it('adds up every reply, and states whether each has a price', () => {
    expect(spendingOf([ended('known', 100), ended('known', 50)], costOf)).toEqual({
      sessions: 1,
      input: 150,
      output: 2,
      cost: 1.5,
      isComplete: true,
    });
    expect(spendingOf([ended('known', 100), ended('other', 50)], costOf)).toMatchObject({ cost: 1, isComplete: false });
  });
});

describe('createLazyClient', () => {
  const request = { sessionId: 's', messages: [] };

  it('loads with the first request, once', async () => {
    let loads = 0;
    const client = createLazyClient(async () => {
      loads += 1;
      return createScriptedClient(() => [reply.text('Yes.')]);
    });
    expect(loads).toBe(0);
    for (let turn = 0; turn < 2; turn++) await lastValueFrom(client.sendRequest(request).pipe(toArray()));
    expect(loads).toBe(1);
  });

  it('errors where the code is missing, and loads again with the next request', async () => {
    let isThere = false;
    const client: LLMClient = createLazyClient(async () => {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
      return createScriptedClient(() => [reply.text('Yes.')]);
    });
    await expect(lastValueFrom(client.sendRequest(request))).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    isThere = true;
    expect(await lastValueFrom(client.sendRequest(request).pipe(toArray()))).not.toEqual([]);
  });
});
