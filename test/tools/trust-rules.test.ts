import { createAgent, defineTool, type Message, type Part, type ToolPart } from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import { holdAfterUntrusted, untrustedContent, type UntrustedContentOptions } from 'brooklet/tools';
import { describe, expect, it, test } from 'vitest';
import { untyped } from '../support/untyped.ts';

const call = (name: string, status: ToolPart['status'] = 'succeeded', fields: object = {}): Part =>
  untyped({ type: 'tool', callId: name, name, inputText: '{}', input: {}, status, ...fields });
const source: Part = { type: 'source', url: 'https://a.example/' };

const message = (fields: Partial<Message>): Message => ({
  id: 'm',
  role: 'assistant',
  content: [],
  timestamp: 0,
  ...fields,
});
const fromFile = { origin: { type: 'file' } } as const;
const fromDevice = { origin: { type: 'device', device: 'd' } } as const;

const refuses = (): boolean => {
  throw new Error('no');
};

const originsIn = (fields: object, options?: UntrustedContentOptions): readonly string[] =>
  untrustedContent([message(fields)], options).map(({ origin }) => origin.type);

describe('untrustedContent', () => {
  test.each<[what: string, fields: object, options: UntrustedContentOptions, origins: readonly string[]]>([
    ['the result of a tool', { content: [call('search')] }, {}, ['tool']],
    ['the result of a tool that the page trusts', { content: [call('search')] }, { trusted: ['search'] }, []],
    ['the error of a tool', { content: [call('search', 'failed')] }, {}, ['tool']],
    ['a call that has not run', { content: [call('search', 'rejected'), call('other', 'awaiting-approval')] }, {}, []],
    ['what the provider found', { content: [source] }, { trusted: () => true }, ['provider']],
    ['a reply of the model', { status: 'complete' }, { isUntrustedMessage: () => true }, []],
    ['a message of the person', { role: 'user' }, {}, []],
    ['a message that the page calls untrusted', { role: 'user' }, { isUntrustedMessage: () => true }, ['person']],
    ['a message about which the page throws', { role: 'user' }, { isUntrustedMessage: refuses }, ['person']],
    ['a message of a file', { role: 'user', ...fromFile }, { trustsDevices: true }, ['file']],
    [
      'a trusted tool in a file, which may claim any tool',
      { content: [call('search')], ...fromFile },
      { trusted: ['search'] },
      ['file', 'tool'],
    ],
    ['a call in a file that has not run', { content: [call('search', 'rejected')], ...fromFile }, {}, ['file']],
    ['a source in a file', { content: [source], ...fromFile }, {}, ['file', 'provider']],
    ['a message of a device', { role: 'user', ...fromDevice }, {}, ['device']],
    ['a message of a trusted device', { role: 'user', ...fromDevice }, { trustsDevices: true }, []],
    [
      'a message of a device, with a truthy option',
      { role: 'user', ...fromDevice },
      { trustsDevices: untyped(1) },
      ['device'],
    ],
    [
      'the result of a tool on a trusted device',
      { content: [call('search')], ...fromDevice },
      { trustsDevices: true },
      ['tool'],
    ],
    [
      'that of a trusted tool on it',
      { content: [call('search')], ...fromDevice },
      { trustsDevices: true, trusted: ['search'] },
      [],
    ],
    ['a source on a trusted device', { content: [source], ...fromDevice }, { trustsDevices: true }, ['provider']],
  ])('of %s', (_what, fields, options, origins) => {
    expect(originsIn(fields, options)).toEqual(origins);
  });

  it('has the line with which a tool presented its result', () => {
    const [read] = untrustedContent([message({ content: [call('search', 'succeeded', { summary: '3 pages' })] })]);
    expect(read).toEqual({
      messageId: 'm',
      origin: { type: 'tool', name: 'search', callId: 'search' },
      summary: '3 pages',
    });
    expect(untrustedContent([message({ content: [call('search')] })])[0]).not.toHaveProperty('summary');
  });

  it('refuses an option that it does not have', () => {
    expect(() => untrustedContent([], untyped({ isUntrusted: () => true }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('isUntrustedMessage') }),
    );
    expect(() => holdAfterUntrusted([], untyped({ harmles: ['pay'] }))).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('harmless') }),
    );
  });
});

describe('holdAfterUntrusted', () => {
  const tool = (name: string): ReturnType<typeof defineTool> =>
    defineTool({ name, description: name, input: { type: 'object' }, execute: () => 'ok' });

  it('leaves the rejection of a call by a rule', async () => {
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: { type: 'object' },
      needsApproval: true,
      execute: () => 'ok',
    });
    const turns = ['pay', 'search', 'pay'].map((name) => [reply.call(name, {})]);
    const client = createScriptedClient([...turns, [reply.text('Done.')]]);
    const agent = createAgent({ client, tools: holdAfterUntrusted([tool('search'), pay]) });
    const session = await agent.openSession(agent.createSession());
    const callsOf = (): readonly ToolPart[] =>
      session.getMessages().flatMap(({ content }) => content.filter((part) => part.type === 'tool'));
    const run = session.send('Pay.');
    await expect.poll(() => session.getStatus()).toBe('waiting');
    await session.reject(callsOf()[0]?.callId ?? '', { remember: 'session' });
    await run;
    await expect.poll(() => session.getStatus()).toBe('idle');
    expect(callsOf().map(({ name, status, approval }) => [name, status, approval?.decidedBy, approval?.cause])).toEqual(
      [
        ['pay', 'rejected', 'user', undefined],
        ['search', 'succeeded', 'policy', undefined],
        ['pay', 'rejected', 'rule', undefined],
      ],
    );
  });

  it('asks for a person where a filter throws', async () => {
    const client = createScriptedClient([[reply.call('search', {})], [reply.call('pay', {})]]);
    const agent = createAgent({
      client,
      tools: holdAfterUntrusted([tool('search'), tool('pay')], { harmless: refuses }),
    });
    const session = await agent.openSession(agent.createSession());
    void session.send('Pay.');
    await expect.poll(() => session.getStatus()).toBe('waiting');
    session.cancel();
  });
});
