import { AgentError, createAgent, type SessionEvent } from 'brooklet';
import { anthropic, openai } from 'brooklet/providers';
import { createScriptedClient, reply } from 'brooklet/testing';
import { lastValueFrom } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import * as providers from '../../src/llm/providers/index.ts';
import { choiceAt, choiceOf, choices, findKnownModel } from '../../demo/src/model/providers.ts';
import { spendingOf } from '../../demo/src/settings/spending.ts';
import { createGate } from '../support/gate.ts';

vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('navigator', { userAgent: '', languages: ['en'] });
const { connect, disconnect } = await import('../../demo/src/model/connection.ts');
const { followConnection } = await import('../../demo/src/model/followConnection.ts');
const { health, noteHealth } = await import('../../demo/src/model/health.ts');
const { effortParams, readAnswerSettings, readNumber, toRunOptions } =
  await import('../../demo/src/model/answerSettings.ts');
const { readMetadata } = await import('../../demo/src/model/metadata.ts');

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

describe('followConnection', () => {
  const client = createScriptedClient(() => [reply.text('Yes.')]);
  const endpoint = { providerId: 'custom', baseURL: 'http://localhost/v1', model: 'm', needsKey: false };
  const request = { sessionId: 's', messages: [] };

  it('gives the agent the client of the chosen model, once for each choice', async () => {
    const loaded: string[] = [];
    const agent = createAgent({});
    const ready = followConnection(agent, async (connection) => {
      loaded.push(connection.kind);
      return { client, options: {} };
    });
    await ready();
    expect(agent.getClient()).toBe(client);
    await connect(endpoint);
    await ready();
    disconnect();
    await ready();
    expect(loaded).toEqual(['offline', 'model', 'offline']);
    await agent.dispose();
  });

  it('answers with an error where the code is missing, and loads again when it is awaited next', async () => {
    let isThere = false;
    const agent = createAgent({});
    const ready = followConnection(agent, async () => {
      if (!isThere) throw new TypeError('Failed to fetch dynamically imported module');
      return { client, options: {} };
    });
    await ready();
    const failing = agent.getClient() ?? expect.unreachable('a client');
    await expect(lastValueFrom(failing.sendRequest(request))).rejects.toMatchObject({ code: 'MODULE_UNAVAILABLE' });
    isThere = true;
    await ready();
    expect(agent.getClient()).toBe(client);
    await agent.dispose();
  });

  it('lets a choice that was replaced while it was loaded change nothing', async () => {
    const first = createGate();
    const agent = createAgent({});
    const ready = followConnection(agent, async (connection) => {
      if (connection.kind === 'offline') await first.opened;
      return { client: connection.kind === 'offline' ? { ...client } : client, options: {} };
    });
    await connect(endpoint);
    await ready();
    first.open();
    await Promise.resolve();
    expect(agent.getClient()).toBe(client);
    disconnect();
    await agent.dispose();
  });
});

describe('the health of a connection', () => {
  const failed = (code: 'AUTHENTICATION_FAILED' | 'NETWORK_ERROR' | 'CONTENT_FILTERED') =>
    new AgentError('No.', { code });

  it('follows the last answer, and what is not about the connection changes nothing', () => {
    for (const [thrown, now] of [
      [undefined, 'works'],
      [failed('AUTHENTICATION_FAILED'), 'refused'],
      [failed('CONTENT_FILTERED'), 'refused'],
      [failed('NETWORK_ERROR'), 'unreachable'],
      [undefined, 'works'],
    ] as const) {
      noteHealth(thrown);
      expect(health.get()).toBe(now);
    }
  });

  it('is unknown for a service that was chosen without a test, and good after one', async () => {
    const endpoint = { providerId: 'custom', baseURL: 'http://localhost/v1', model: 'm', needsKey: false };
    await connect(endpoint);
    expect(health.get()).toBe('unknown');
    await connect(endpoint, { isTested: true });
    expect(health.get()).toBe('works');
    disconnect();
  });
});

describe('how a model answers', () => {
  it.each([
    ['temperature', '', undefined],
    ['temperature', ' 0,7 ', 0.7],
    ['temperature', '2', 2],
    ['temperature', '2.1', 'invalid'],
    ['temperature', '-1', 'invalid'],
    ['temperature', '1e1', 'invalid'],
    ['temperature', 'hot', 'invalid'],
    ['maxTokens', '2000', 2_000],
    ['maxTokens', '0', 'invalid'],
    ['maxTokens', '1.5', 'invalid'],
    ['maxSteps', '1000', 1_000],
    ['maxSteps', '1001', 'invalid'],
  ] as const)('reads %s %j as %j', (name, text, value) => {
    expect(readNumber(name, text)).toBe(value);
  });

  it('is read from a file field by field: what is not valid is left out', () => {
    const stored = { effort: 'high', temperature: 9, maxTokens: 100, maxSteps: '5' };
    expect(readAnswerSettings(stored)).toEqual({ effort: 'high', maxTokens: 100 });
    expect(readAnswerSettings({ effort: 'hurried', maxSteps: 2.5 })).toEqual({});
    expect(readMetadata({ answers: stored }).answers).toEqual({ effort: 'high', maxTokens: 100 });
  });

  it('is that of the chat, else that of all chats, and the effort as the service takes it', () => {
    const shared = { effort: 'low', temperature: 0.2, maxSteps: 30 } as const;
    expect(
      toRunOptions({ effort: 'high', maxTokens: 500 }, shared, (effort) => effortParams('openai', effort)),
    ).toEqual({
      temperature: 0.2,
      maxTokens: 500,
      maxSteps: 30,
      providerParams: { reasoning: { effort: 'high' } },
    });
    expect(effortParams('anthropic', 'low')).toEqual({ output_config: { effort: 'low' } });
    expect(effortParams('groq', 'low')).toEqual({ reasoning_effort: 'low' });
    expect(toRunOptions({ effort: 'high' }, {}, (effort) => effortParams(undefined, effort))).toEqual({});
  });
});
