import { createAgent } from 'brooklet';
import { openai } from 'brooklet/providers';
import { createScriptedClient, reply } from 'brooklet/testing';
import { describe, expect, it } from 'vitest';
import { BrookletChat } from '../../src/element/index.ts';
import { isSameAgent } from '../../src/element/own-agent.ts';
import { type OwnAgentSettings, readSettings } from '../../src/element/settings.ts';
import type { BrookletChatProps } from '../../src/element/types.ts';
import { labelsOf } from '../../src/element/words.ts';

const agent = createAgent({ client: createScriptedClient([reply.text('Hello.')]) });
const usable = { provider: 'openai', model: 'm' };

/** Properties as a page without types sets them. */
const read = (props: object) => readSettings(props);
const own = (props: BrookletChatProps): OwnAgentSettings => {
  const { agent: wanted } = readSettings(props);
  return 'openSession' in wanted ? expect.unreachable() : wanted;
};

it('is imported where there is no window, and defines nothing', () => {
  expect(typeof window).toBe('undefined');
  expect(typeof BrookletChat).toBe('function');
});

describe('the properties', () => {
  it.each([
    [{}, 'set `agent`, or `provider` and `model`'],
    [{ agent: {} }, '`agent` is not an agent'],
    [{ agent, provider: 'openai' }, '`agent` and `provider` are both set'],
    [{ provider: 'opnai', model: 'm' }, '`provider` is "opnai": use anthropic, '],
    [{ provider: 'toString', model: 'm' }, '`provider` is "toString"'],
    [{ provider: 'openai' }, '`model` is missing'],
    [{ ...usable, model: 7 }, '`model` is number: it takes a text'],
    [{ ...usable, apiKey: 7 }, '`apiKey` is neither a text nor a function'],
    [{ ...usable, tools: {} }, '`tools` is not an array'],
    [{ ...usable, theme: 'blue' }, '`theme` is "blue": use light, dark or auto'],
    [{ ...usable, labels: 'Send' }, '`labels` is not an object'],
    [{ ...usable, launcher: 'top' }, '`launcher` is "top": use start or end'],
    [{ ...usable, sessionId: 1 }, '`sessionId` is number'],
  ])('%# are refused with a sentence', (props, sentence) => {
    expect(() => read(props)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    expect(() => read(props)).toThrow(sentence);
  });

  it('take an empty text for none, as an attribute without a value', () => {
    expect(read({ ...usable, sessionId: '', placeholder: '', launcher: '' })).toMatchObject({
      sessionId: undefined,
      placeholder: undefined,
      launcher: 'end',
    });
  });

  it('name a provider, another address, or a service of the page', () => {
    expect(own(usable).provider).toBe(openai);
    expect(own({ ...usable, baseURL: 'http://127.0.0.1/v1' }).provider.createClient).toBe(openai.createClient);
    expect(own({ baseURL: 'http://127.0.0.1/v1', model: 'm' }).provider.baseURL).toBe('http://127.0.0.1/v1');
    expect(own({ provider: { ...openai, name: 'Mine' }, model: 'm' }).provider.name).toBe('Mine');
  });

  it('are another agent where what it is made of differs', () => {
    const before = own({ ...usable, baseURL: 'http://127.0.0.1/v1' });
    expect(isSameAgent(before, own({ ...usable, baseURL: 'http://127.0.0.1/v1' }))).toBe(true);
    for (const change of [{ model: 'n' }, { instructions: 'Be brief.' }, { baseURL: 'http://127.0.0.1/v2' }])
      expect(isSameAgent(before, own({ ...usable, baseURL: 'http://127.0.0.1/v1', ...change }))).toBe(false);
  });
});

it('keeps the other texts of the language where the page gives some', () => {
  const labels = labelsOf({
    language: 'zh-CN',
    own: { composer: { send: '问' } },
    placeholder: '问什么？',
    welcome: undefined,
  });
  expect(labels.composer).toMatchObject({ send: '问', stop: '停止', placeholder: '问什么？' });
  expect(labels.tool?.input).toBe('输入');
});
