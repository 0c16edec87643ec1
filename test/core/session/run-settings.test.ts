import { initialState, type LLMClient, type Message, type SessionState } from 'brooklet/core';
import { createScriptedClient } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
import { noClient } from '../../../src/core/no-client.ts';
import { checkHandles, settingsOf, toRunHandles, toRunSettings } from '../../../src/core/session/run-settings.ts';

const asks = (id: string): Message => ({ id, role: 'user', content: [], timestamp: 0 });
const answers = (id: string, model?: string): Message => ({
  id,
  role: 'assistant',
  content: [],
  timestamp: 0,
  ...(model !== undefined && { settings: { model } }),
});
const session = (...messages: readonly Message[]): SessionState => ({ ...initialState('s'), messages });

describe('the settings of the run that answered a message', () => {
  test('are those of the first reply to it that has any', () => {
    const state = session(asks('a'), answers('1'), answers('2', 'first'), answers('3', 'second'));
    expect(settingsOf(state, 'a')).toEqual({ model: 'first' });
  });

  test('are not those of replies to other messages', () => {
    const state = session(asks('a'), answers('1', 'of a'), asks('b'), answers('2'), asks('c'), answers('3', 'of c'));
    expect(settingsOf(state, 'a')).toEqual({ model: 'of a' });
    expect(settingsOf(state, 'b')).toBeUndefined();
    expect(settingsOf(state, 'c')).toEqual({ model: 'of c' });
    expect(settingsOf(session(asks('a')), 'a')).toBeUndefined();
  });

  test('are those of the last run, if it answers the message, whatever its replies say', () => {
    const state = session(asks('a'), answers('1', 'of the reply'));
    const run = {
      id: 'r',
      since: 1,
      promptId: 'a',
      settings: { model: 'of the run' },
      steps: 0,
      usage: { input: 0, output: 0 },
    };
    expect(settingsOf({ ...state, run }, 'a')).toEqual({ model: 'of the run' });
    expect(settingsOf({ ...state, run: { ...run, promptId: 'b' } }, 'a')).toEqual({ model: 'of the reply' });
  });
});

describe('the options of a run that are not stored', () => {
  const client = createScriptedClient([]);

  test('are named in its settings, and those of the run before stay named', () => {
    expect(toRunSettings({ client })).toEqual({ needs: ['client'] });
    const before = { client: noClient, handles: { client } };
    expect(toRunSettings({ scratch: 'Now.' }, { needs: ['client'] }, before)).toEqual({ needs: ['client', 'scratch'] });
    expect(toRunSettings({})).toBeUndefined();
  });

  test('are refused when one of them is missing, by name', () => {
    const both = { needs: ['client', 'scratch'] } as const;
    expect(() => checkHandles(both, {}, client)).toThrow(expect.objectContaining({ code: 'MISSING_OPTION' }));
    expect(() => checkHandles(both, { client }, noClient)).toThrow('resume({ scratch })');
    expect(() => checkHandles({ needs: ['client'] }, { client }, noClient)).not.toThrow();
    expect(() => checkHandles({ model: 'm' }, {}, client)).not.toThrow();
    expect(() => checkHandles(undefined, {}, client)).not.toThrow();
  });

  test('leave the agent’s client to answer, where there is one', () => {
    expect(() => checkHandles({ needs: ['client'] }, {}, client)).not.toThrow();
    expect(() => checkHandles({ needs: ['client'] }, {}, noClient)).toThrow(
      expect.objectContaining({ code: 'MISSING_CLIENT' }),
    );
  });
});

describe('the settings of a run before', () => {
  const at = (origin?: string): LLMClient => ({ ...createScriptedClient([]), ...(origin !== undefined && { origin }) });
  const before = { model: 'm', providerParams: { seed: 1 }, contextWindow: 8_000, temperature: 0.2 };

  test('name the origin of the client that they were given for', () => {
    expect(toRunSettings(before, {}, { client: at('https://a.example') })).toEqual({
      ...before,
      origin: 'https://a.example',
    });
    const own = { ...before, client: at('https://b.example') };
    expect(toRunSettings(own, {}, { client: at('https://a.example') })).toMatchObject({ origin: 'https://b.example' });
    expect(toRunSettings(before, {}, { client: at() })).toEqual(before);
    expect(toRunSettings({ temperature: 0.2 }, {}, { client: at('https://a.example') })).toEqual({ temperature: 0.2 });
  });

  test('apply where the same service answers, or where no origin is known', () => {
    const stored = { ...before, origin: 'https://a.example' };
    expect(toRunSettings({}, stored, { client: at('https://a.example') })).toEqual(stored);
    expect(toRunSettings({}, stored, { client: at() })).toEqual(stored);
    expect(toRunSettings({}, before, { client: at('https://a.example') })).toEqual(before);
    const own = { ...stored, needs: ['client'] } as const;
    expect(toRunSettings({}, own, { client: at('https://a.example') })).toMatchObject(stored);
    expect(toRunSettings({ client: at('https://a.example') }, own, { client: at() })).toEqual(own);
  });

  test('lose model, parameters and window where another service answers', () => {
    const stored = { ...before, origin: 'https://a.example' };
    expect(toRunSettings({}, stored, { client: at('https://b.example') })).toEqual({ temperature: 0.2 });
    const chosen = { client: at('https://b.example'), model: 'n' };
    expect(toRunSettings(chosen, stored, { client: at('https://a.example') })).toEqual({
      temperature: 0.2,
      model: 'n',
      origin: 'https://b.example',
      needs: ['client'],
    });
  });

  test('lose them where their own client is lacking, and the origin is not known', () => {
    const own = { ...before, needs: ['client', 'scratch'] } as const;
    expect(toRunSettings({}, own, { client: at() })).toEqual({ temperature: 0.2, needs: ['scratch'] });
    expect(toRunSettings({ model: 'n' }, own, { client: at() })).toEqual({
      temperature: 0.2,
      model: 'n',
      needs: ['scratch'],
    });
  });
});

describe('the live options of a run', () => {
  test('are those of the run before, unless new ones are passed', () => {
    const client = createScriptedClient([]);
    const other = createScriptedClient([]);
    expect(toRunHandles({ client: other }, { client, scratch: 'Now.' })).toEqual({ client: other, scratch: 'Now.' });
    expect(toRunHandles({ model: 'm' }, { client })).toEqual({ client });
  });
});
