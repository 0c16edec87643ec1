import { from, NEVER, of } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { createAgent } from '../../src/core/agent/create-agent.ts';
import { AgentError } from '../../src/core/error.ts';
import type { LLMChunk, LLMClient } from '../../src/core/model/llm.ts';
import type { RunResult } from '../../src/core/session/session.ts';
import { createClientFromChunks } from '../../src/llm/client-from-chunks.ts';
import { exportSession, importSessions } from '../../src/storage/index.ts';
import { createMemoryStore } from '../../src/storage/memory.ts';
import { untyped } from '../support/untyped.ts';

const finish = { type: 'finish', reason: 'stop' };
const hi = { type: 'text', text: 'Hi.' };

/** Sends one message. Whatever the client did, the session must open again elsewhere, and the file of it import. */
async function send(client: LLMClient): Promise<RunResult & { text: string }> {
  const store = createMemoryStore();
  const agent = createAgent({ client, store });
  const session = await agent.openSession(agent.createSession());
  const result = await session.send('Hello');
  await session.flushed();
  const stored = await store.read(session.id);
  const elsewhere = createMemoryStore();
  const report = await importSessions(elsewhere, stored ? exportSession(stored) : '');
  expect(report).toMatchObject({ problems: [] });
  const opened = await createAgent({ client, store: elsewhere }).openSession(session.id);
  expect(opened.getStorage().state).not.toBe('read-only');
  const text = opened.getMessages().flatMap(({ role, content }) => (role === 'assistant' ? content : []));
  return { ...result, text: text.map((part) => ('text' in part ? part.text : '')).join('') };
}

const emitting = (...chunks: unknown[]): LLMClient => ({ sendRequest: () => from(untyped(chunks)) });

describe('a client that returns no stream', () => {
  test.each<[string, () => unknown, RegExp]>([
    ['a promise', async () => of(hi, finish), /returned a Promise/],
    ['a promise that rejects', async () => Promise.reject(new Error('x')), /returned a Promise/],
    ['an array', () => [hi, finish], /returned an array/],
    ['a generator', function* generate() {}, /returned a generator/],
    ['an async generator', async function* generate() {}, /returned an async generator/],
    ['a ReadableStream', () => ({ getReader() {} }), /returned a ReadableStream/],
    ['a text', () => 'Hi.', /returned a value of type string/],
    ['nothing', () => undefined, /returned nothing/],
  ])('%s: is named, with what to do', async (_, sendRequest, message) => {
    const { outcome, error } = await send({ sendRequest: untyped(sendRequest) });
    expect(outcome).toBe('failed');
    expect(error).toMatchObject({ code: 'INVALID_CONFIG', message: expect.stringMatching(message) });
    expect(error?.message).toContain('createClientFromChunks');
  });
});

describe('a chunk that does not fit', () => {
  test.each<[string, unknown, RegExp]>([
    ['an unknown type', { type: 'txt', text: 'a' }, /"txt" .*`type` is not known here/],
    ['the name of a method of objects', { type: 'constructor' }, /"constructor"/],
    ['no type', { text: 'a' }, /without a type/],
    ['a text', 'Hi.', /\(string\) .*is not an object/],
    ['null', null, /\(null\)/],
    ['text that is a number', { type: 'text', text: 5 }, /"text" .*`text` is not a text/],
    ['null', null, /A chunk \(null\)/],
    ['a list', [{ type: 'text', text: 'a' }], /A chunk \(a list\)/],
    ['a chunk without a type', { text: 'a' }, /A chunk without a type/],
    ['reasoning without a text', { type: 'reasoning' }, /"reasoning" .*`text` is missing/],
    ['a call without a number', { type: 'call', name: 'f', text: '' }, /`index` is missing/],
    ['a call with a negative number', { type: 'call', index: -1, text: '' }, /`index`/],
    ['a call that ends without a name', { type: 'call-end', index: 0, inputText: '{}' }, /`name` is missing/],
    [
      'an input that is an object',
      { type: 'call-end', index: 0, name: 'f', inputText: {} },
      /`inputText` is not a text/,
    ],
    ['an id that is a number', { type: 'call-end', index: 0, id: 7, name: 'f', inputText: '' }, /`id` is not a text/],
    ['an unknown part', { type: 'part', part: { type: 'video' } }, /`part.type` is not known here/],
    ['a part without its field', { type: 'part', part: { type: 'source' } }, /`part.url` is missing/],
    ['usage in texts', { type: 'usage', usage: { input: '0', output: '12' } }, /`usage.input` is not a number/],
    ['usage that is NaN', { type: 'usage', usage: { input: Number.NaN, output: 1 } }, /`usage.input` is not a number/],
    ['negative usage', { type: 'usage', usage: { input: 1, output: -1 } }, /`usage.output` is not a number from 0/],
    ['an unknown reason', { type: 'finish', reason: 'end_turn' }, /`reason` is not one of stop/],
    ['no reason', { type: 'finish' }, /`reason` is missing/],
    ['a model that is null', { ...finish, model: null }, /"finish" .*`model` is not a text/],
    ['a raw reason that is an object', { ...finish, raw: {} }, /`raw` is not a text/],
    ['a function in opaque data', { type: 'reasoning', text: 'a', provider: { f() {} } }, /"reasoning" .*function/],
  ])('%s: ends the run with an error that names it', async (_, chunk, message) => {
    const { outcome, error, text } = await send(emitting(hi, chunk, finish));
    expect([outcome, text]).toEqual(['interrupted', 'Hi.']);
    expect(error).toMatchObject({ code: 'STREAM_MALFORMED', message: expect.stringMatching(message) });
    expect((await send(emitting(chunk))).outcome).toBe('failed');
  });

  test('leaves fields that no chunk has out of the log', async () => {
    const more = { cadence: 5, startedAt: 'x', seq: 3, callId: 4 };
    const chunks = [
      { type: 'reasoning', text: 'Hm.', ...more },
      { ...hi, ...more },
      { ...finish, ...more },
    ];
    expect(await send(emitting(...chunks))).toMatchObject({ outcome: 'completed', text: 'Hm.Hi.' });
  });

  test('an error with fields of other types stays readable', async () => {
    const thrown = [
      new AgentError('Mine.', untyped({ code: 'MY_OWN_CODE' })),
      Object.assign(new AgentError('Mine.', { code: 'OVERLOADED' }), { status: 'x' }),
      'Mine.',
    ];
    for (const error of thrown) {
      const client: LLMClient = { sendRequest: () => from(Promise.reject(error)) };
      expect(await send(client)).toMatchObject({
        outcome: 'failed',
        error: { code: 'LLM_API_ERROR', message: 'Mine.' },
      });
    }
  });

  test('a summary is checked, too', async () => {
    let asked = 0;
    const client: LLMClient = {
      sendRequest: () => (asked++ < 3 ? from(untyped([hi, finish])) : untyped([hi, finish])),
    };
    const agent = createAgent({ client, contextWindow: 8_000 });
    const session = await agent.openSession(agent.createSession());
    for (let n = 0; n < 3; n += 1) await session.send('word '.repeat(200));
    expect(await session.compact()).toMatchObject({ outcome: 'failed', error: { code: 'INVALID_CONFIG' } });
  });
});

describe('createClientFromChunks', () => {
  const chunks: LLMChunk[] = untyped([hi, finish]);
  async function* generate(): AsyncGenerator<LLMChunk> {
    yield* chunks;
  }

  test.each<[string, Parameters<typeof createClientFromChunks>[0]]>([
    ['an async generator', generate],
    ['a promise of one', async () => generate()],
    ['an array', () => chunks],
    ['a generator', () => chunks.values()],
    [
      'a ReadableStream',
      () => new ReadableStream({ start: (c) => (chunks.forEach((one) => c.enqueue(one)), c.close()) }),
    ],
  ])('answers with the chunks of %s', async (_, answer) => {
    expect(await send(createClientFromChunks(answer))).toMatchObject({ outcome: 'completed', text: 'Hi.' });
  });

  test('passes the request, and an origin', async () => {
    const client = createClientFromChunks(
      async function* echo({ messages }) {
        yield { type: 'text', text: JSON.stringify(messages.at(-1)?.content) };
        yield { type: 'finish', reason: 'stop' };
      },
      { origin: 'https://own.test' },
    );
    expect(client.origin).toBe('https://own.test');
    expect((await send(client)).text).toContain('Hello');
  });

  test.each<[string, () => unknown, string, RegExp]>([
    [
      'throws',
      () => {
        throw new Error('Broken.');
      },
      'LLM_API_ERROR',
      /^Broken\.$/,
    ],
    [
      'rejects with an AgentError',
      () => Promise.reject(new AgentError('Busy.', { code: 'OVERLOADED' })),
      'OVERLOADED',
      /Busy/,
    ],
    ['returns a text', () => 'Hi.', 'INVALID_CONFIG', /returned string, not an iterable/],
    ['returns nothing', () => undefined, 'INVALID_CONFIG', /returned undefined/],
    ['yields texts', () => ['Hi.'], 'STREAM_MALFORMED', /chunk \(string\)/],
    ['ends without a finish', () => [hi], 'STREAM_INTERRUPTED', /end mark/],
  ])('errors where the function %s', async (_, answer, code, message) => {
    const { error } = await send(createClientFromChunks(untyped(answer)));
    expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  test('aborts the signal and returns the generator when the run is cancelled', async () => {
    const seen: string[] = [];
    const client = createClientFromChunks(async function* wait(_request, signal) {
      try {
        yield { type: 'text', text: 'Hi.' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        seen.push('aborted');
        yield { type: 'text', text: 'late' };
      } finally {
        seen.push('returned');
      }
    });
    const agent = createAgent({ client });
    const session = await agent.openSession(agent.createSession());
    const sent = session.send('Hello');
    await expect.poll(() => session.getMessages().at(-1)?.content.length).toBe(1);
    session.cancel();
    expect((await sent).outcome).toBe('cancelled');
    await expect.poll(() => seen).toEqual(['aborted', 'returned']);
  });

  test('releases a source that comes after the run was cancelled', async () => {
    let arrive = (_source: AsyncIterable<LLMChunk>): void => {};
    const client = createClientFromChunks(() => new Promise((resolve) => (arrive = resolve)));
    client.sendRequest({ sessionId: 's', messages: [] }).subscribe().unsubscribe();
    let returned = 0;
    const iterator: AsyncIterator<LLMChunk> = {
      next: () => new Promise(() => {}),
      return: async () => ({ done: true, value: (returned += 1) }),
    };
    arrive({ [Symbol.asyncIterator]: () => iterator });
    await expect.poll(() => returned).toBe(1);
  });

  test('refuses what is no function', () => {
    expect(() => createClientFromChunks(untyped(NEVER))).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
  });
});
