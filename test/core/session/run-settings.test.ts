import { initialState, type Message, type SessionState } from 'brooklet/core';
import { createScriptedClient } from 'brooklet/testing';
import { describe, expect, test } from 'vitest';
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
    expect(toRunSettings({ scratch: 'Now.' }, { needs: ['client'] })).toEqual({ needs: ['client', 'scratch'] });
    expect(toRunSettings({})).toBeUndefined();
  });

  test('are refused when one of them is missing, by name', () => {
    const both = { needs: ['client', 'scratch'] } as const;
    expect(() => checkHandles(both, {})).toThrow(expect.objectContaining({ code: 'MISSING_OPTION' }));
    expect(() => checkHandles(both, {})).toThrow('resume({ client, scratch })');
    expect(() => checkHandles(both, { client })).toThrow('resume({ scratch })');
    expect(() => checkHandles({ needs: ['client'] }, { client })).not.toThrow();
    expect(() => checkHandles({ model: 'm' }, {})).not.toThrow();
    expect(() => checkHandles(undefined, {})).not.toThrow();
  });

  test('are those of the run before, unless new ones are passed', () => {
    const other = createScriptedClient([]);
    expect(toRunHandles({ client: other }, { client, scratch: 'Now.' })).toEqual({ client: other, scratch: 'Now.' });
    expect(toRunHandles({ model: 'm' }, { client })).toEqual({ client });
  });
});
