import { describe, expect, test } from 'vitest';
import type { Message, ToolPart } from '../../../src/core/model/message.ts';
import { providerData, withHost } from '../../../src/llm/transport/provider-data.ts';
import { createWireIds, toWireId } from '../../../src/llm/transport/wire-name.ts';
import { toAnthropicBody } from '../../../src/llm/wires/anthropic/request.ts';
import { toChatBody } from '../../../src/llm/wires/chat-completions/request.ts';
import { toResponsesBody } from '../../../src/llm/wires/responses/request.ts';

const tool = (callId: string, id?: string, host?: string): ToolPart => ({
  type: 'tool',
  callId,
  name: 'f',
  status: 'succeeded',
  inputText: '{}',
  input: {},
  output: 1,
  ...(id !== undefined && { provider: { id, ...(host !== undefined && { host }) } }),
});
const reply = (...content: Message['content']): Message => ({ id: 'm', role: 'assistant', content, timestamp: 0 });
const idsOf = (calls: readonly ToolPart[], host?: string, isShort = false): readonly string[] =>
  calls.map(
    createWireIds(
      calls.map((call) => reply(call)),
      host,
      isShort,
    ),
  );

describe('the id of a call in a request', () => {
  const kimi = tool('ours', 'functions.f:0', 'api.moonshot.ai');

  test('is the one of the service, in its own form', () => {
    const signed = `call_1__thought__${'x'.repeat(400)}`;
    expect(idsOf([kimi], 'api.moonshot.ai')).toEqual(['functions.f:0']);
    expect(idsOf([tool('ours', signed, 'relay.test')], 'relay.test')).toEqual([signed]);
  });

  test('is one that another service accepts', () => {
    expect(idsOf([kimi], 'api.anthropic.com')).toEqual(['ours']);
    expect(idsOf([tool('ours', 'call_1', 'a.test')], 'b.test')).toEqual(['call_1']);
    expect(idsOf([tool('ours', 'x'.repeat(41), 'a.test')], 'b.test')).toEqual(['ours']);
    expect(idsOf([tool('o'.repeat(99), 'a b')], 'b.test')).toEqual([toWireId('o'.repeat(99))]);
  });

  test('is nine letters and digits where the service wants that, also for its own', () => {
    expect(idsOf([tool('ours', 'aB3dE1000', 'm')], 'm', true)).toEqual(['aB3dE1000']);
    for (const id of idsOf([tool('ours', 'null', 'm'), kimi], 'm', true)) expect(id).toMatch(/^[a-z\d]{9}$/i);
  });

  test('is used once in a request: the second call with an id keeps its own', () => {
    const calls = [tool('one', '0', 'h'), tool('two', '0', 'h'), tool('three', 'one', 'h')];
    expect(idsOf(calls, 'h')).toEqual(['0', 'two', 'one']);
    // A longer conversation begins like the shorter one.
    expect(idsOf(calls.slice(0, 1), 'h')).toEqual(['0']);
  });

  test.each(['null', 'undefined', 'None', ''])('is none of the service where that is %j', (id) => {
    expect(idsOf([tool('ours', id, 'h')], 'h')).toEqual(['ours']);
  });

  test('is the same in the call and in its result, on each wire', () => {
    const request = { sessionId: 's', messages: [reply(tool('ours', 'a.b:0', 'h'))] };
    expect(toChatBody(request, 'm', {}, true, 'h').messages).toMatchObject([
      { tool_calls: [{ id: 'a.b:0' }] },
      { tool_call_id: 'a.b:0' },
    ]);
    expect(toResponsesBody(request, { host: 'h' }).input).toMatchObject([{ call_id: 'a.b:0' }, { call_id: 'a.b:0' }]);
    expect(toAnthropicBody(request, { host: 'h', maxTokens: 1, cache: false }).messages).toMatchObject([
      { content: [{ id: 'a.b:0' }] },
      { content: [{ tool_use_id: 'a.b:0' }] },
    ]);
  });
});

describe('opaque data', () => {
  test('returns to the service that sent it, and to no other', () => {
    const provider = { anthropic: { signature: 's' }, host: 'a.test' };
    expect(providerData(provider, 'anthropic', 'a.test')).toEqual({ signature: 's' });
    expect(providerData(provider, 'anthropic', 'b.test')).toEqual({});
    // A log of an earlier version does not name the service.
    expect(providerData({ anthropic: { signature: 's' } }, 'anthropic', 'b.test')).toEqual({ signature: 's' });
  });

  test('and ids are stored with the host that sent them; text is not', () => {
    expect(withHost({ type: 'call-end', index: 0, id: 'a', name: 'f', inputText: '{}' }, 'h')).toMatchObject({
      provider: { host: 'h' },
    });
    expect(withHost({ type: 'reasoning', text: '', provider: { anthropic: 1 } }, 'h')).toMatchObject({
      provider: { anthropic: 1, host: 'h' },
    });
    expect(withHost({ type: 'reasoning', text: 'Hm' }, 'h')).toEqual({ type: 'reasoning', text: 'Hm' });
  });
});
