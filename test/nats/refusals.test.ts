import { createNatsStore, type NatsStoreOptions } from 'brooklet/nats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentError } from '../../src/core/error.ts';
import { type Coder, copyOf, fromBase64, loadCoder } from '../../src/sync/nats/coder.ts';
import { toBody } from '../../src/sync/nats/log.ts';
import { checkRemoval, type Head, openListed, openRow, parseHead, placeOfRow } from '../../src/sync/nats/head.ts';
import type { JetStream } from '../../src/sync/nats/jetstream.ts';
import { createLargeValues } from '../../src/sync/nats/large-values.ts';
import { isAboutLast, isAboutRollup, isNobody, toLinkError, toRefusal } from '../../src/sync/nats/nats-errors.ts';
import { checkName, createSubjects, sessionIdOf, toToken } from '../../src/sync/nats/subjects.ts';
import { aesCodec } from '../support/codec.ts';
import { untyped } from '../support/untyped.ts';
import { writeAt } from './support/writes.ts';

// Without a server: what an operator can send is given to the code that reads it.

const { summary } = writeAt('a', 1);
const head: Head = {
  seq: summary.seq,
  nth: 1,
  after: 0,
  row: summary,
  updatedAt: summary.updatedAt,
  size: 9,
  folded: 9,
};

test.each<readonly [what: string, text: string]>([
  ['no JSON', 'x'],
  ['nothing', ''],
  ['a list', JSON.stringify([head])],
  ['null', 'null'],
  ...(['seq', 'nth', 'after', 'updatedAt', 'size', 'folded'] as const).flatMap((field) => [
    [`no ${field}`, JSON.stringify({ ...head, [field]: undefined })] as const,
    [`the ${field} as a text`, JSON.stringify({ ...head, [field]: '1' })] as const,
  ]),
  ['no row', JSON.stringify({ ...head, row: undefined })],
  ['a row that is a list', JSON.stringify({ ...head, row: [] })],
  ['a row that is a number', JSON.stringify({ ...head, row: 7 })],
  ['the id of a write that is no text', JSON.stringify({ ...head, writeId: 7 })],
  ['parts that are a text', JSON.stringify({ ...head, parts: 'x' })],
  ['parts without an upload', JSON.stringify({ ...head, parts: { count: 1 } })],
  ['parts without a number', JSON.stringify({ ...head, parts: { upload: 'x', count: '1' } })],
])('a head with %s is none', (_what, text) => {
  expect(parseHead(text)).toBeUndefined();
  for (const more of [{}, { row: 'AAAA' }, { writeId: 'a/b' }, { parts: { upload: 'x', count: 1 } }])
    expect(parseHead(JSON.stringify({ ...head, ...more }))).toMatchObject(more);
});

describe('a row in a head', () => {
  const plain = loadCoder(undefined);
  const sealed = async () => loadCoder(await aesCodec())();
  const other = async () => loadCoder(await aesCodec(8))();

  /** The head with its row sealed by a coder. */
  async function seal(coder: Coder, more: Partial<Head> = {}, row: object = summary): Promise<Head> {
    const codec = coder.codec ?? '';
    const bare: Head = { ...head, codec, form: 2, ...more, row: '' };
    const bytes = await coder.encode(row, placeOfRow('a', bare));
    return { ...bare, row: Buffer.from(bytes).toString('base64') };
  }

  test('opens with its key, and removes its session', async () => {
    const coder = await sealed();
    expect(await openRow(coder, 'a', await seal(coder))).toMatchObject({ title: summary.title });
    const removed = await seal(coder, { isRemoved: true });
    expect(await checkRemoval(coder, 'a', removed)).toBeUndefined();
  });

  test.each<readonly [what: string, forge: (coder: Coder) => Promise<Head>, code: string]>([
    ['that is not encrypted', async () => head, 'STORAGE_LOCKED'],
    ['of another codec', async (coder) => ({ ...(await seal(coder)), codec: 'other' }), 'STORAGE_LOCKED'],
    ['that is no text', async (coder) => ({ ...(await seal(coder)), row: summary }), 'STORAGE_LOCKED'],
    ['of another seq', async (coder) => ({ ...(await seal(coder)), seq: 99 }), 'STORAGE_CORRUPT'],
    ['of another time', async (coder) => ({ ...(await seal(coder)), updatedAt: 99 }), 'STORAGE_CORRUPT'],
    ['of another write', async (coder) => ({ ...(await seal(coder)), writeId: 'a/b' }), 'STORAGE_CORRUPT'],
    ['that says that it removes', async (coder) => ({ ...(await seal(coder)), isRemoved: true }), 'STORAGE_CORRUPT'],
    ['whose text is no base64', async (coder) => ({ ...(await seal(coder)), row: '***' }), 'STORAGE_LOCKED'],
    ['without content', async (coder) => ({ ...(await seal(coder)), row: '' }), 'STORAGE_LOCKED'],
    ['that has another seq inside', (coder) => seal(coder, {}, { ...summary, seq: 99 }), 'STORAGE_CORRUPT'],
    ['that has another time inside', (coder) => seal(coder, {}, { ...summary, updatedAt: 99 }), 'STORAGE_CORRUPT'],
    [
      'of an earlier form, of another seq',
      async (coder) => {
        const { form: _form, ...old } = await seal(coder, { form: untyped(undefined) });
        return { ...old, seq: 99 };
      },
      'STORAGE_CORRUPT',
    ],
  ])('%s is refused, removes nothing, and is listed without its content', async (_what, forge, code) => {
    const coder = await sealed();
    const forged = await forge(coder);
    await expect(openRow(coder, 'a', forged)).rejects.toMatchObject({ code });
    await expect(checkRemoval(coder, 'a', forged)).rejects.toMatchObject({ code });
    expect(await openListed(coder, 'a', forged)).toMatchObject({ id: 'a', seq: forged.seq, title: '' });
  });

  test('of another session is refused', async () => {
    const coder = await sealed();
    await expect(openRow(coder, 'b', await seal(coder))).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
  });

  test('of another key is locked', async () => {
    const theirs = await seal(await other());
    await expect(openRow(await sealed(), 'a', theirs)).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
  });

  test('that is encrypted is locked for a page without the key, and that page removes as it did', async () => {
    const encrypted = await seal(await sealed());
    await expect(openRow(await plain(), 'a', encrypted)).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
    expect(await checkRemoval(await plain(), 'a', head)).toBeUndefined();
  });

  test('of an earlier form removes nothing: it is not bound to its session', async () => {
    const coder = await sealed();
    const { form: _form, ...old } = await seal(coder, { form: untyped(undefined), isRemoved: true });
    await expect(checkRemoval(coder, 'a', old)).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
    expect(await openRow(coder, 'a', old)).toMatchObject({ title: summary.title });
  });

  test('that cannot be read at present is no row of a list', async () => {
    const coder = await sealed();
    const decode = async (): Promise<never> => {
      throw new AgentError('later', { code: 'STORAGE_UNAVAILABLE', retryable: true });
    };
    await expect(openListed({ ...coder, decode }, 'a', await seal(coder))).rejects.toThrow('later');
    const broken = { ...coder, decode: () => Promise.reject(new TypeError('a fault')) };
    await expect(openListed(broken, 'a', await seal(coder))).rejects.toThrow('a fault');
  });
});

describe('long texts', () => {
  const coder = loadCoder(undefined);

  /** A stream with these messages, by subject. */
  function large(messages: Readonly<Record<string, string>>) {
    const js: Partial<JetStream> = {
      last: async (subject) => {
        const text = messages[subject];
        return text === undefined ? undefined : untyped({ data: new TextEncoder().encode(text) });
      },
    };
    return createLargeValues({ js: untyped(js), subjects: createSubjects('ann'), coder, sizeOf: () => 10 });
  }
  const whole = { 'brooklet.ann.blob.h.0': '"He', 'brooklet.ann.blob.h.1': 'llo"' };

  test('are put back where they were', async () => {
    const events = [{ message: { content: [{ text: null }] } }];
    const path = ['0', 'message', 'content', '0', 'text'];
    expect(await large(whole).putBack(events, [{ path, hash: 'h', count: 2 }])).toBe(0);
    expect(events).toEqual([{ message: { content: [{ text: 'Hello' }] } }]);
  });

  test.each<readonly [what: string, path: readonly string[], messages: Readonly<Record<string, string>>]>([
    ['a piece is missing', ['0', 'text'], { 'brooklet.ann.blob.h.0': '"He' }],
    ['a piece was erased', ['0', 'text'], { 'brooklet.ann.blob.h.0': '"Hello"', 'brooklet.ann.blob.h.1': '' }],
    ['it is no JSON', ['0', 'text'], { ...whole, 'brooklet.ann.blob.h.1': 'llo' }],
    ['there is no such field', ['0', 'other'], whole],
    ['there is no such event', ['1', 'text'], whole],
    ['its path leads through a number', ['0', 'count', 'text'], whole],
    ['its path leads through null', ['0', 'text', 'text'], whole],
    ['its path leads to a prototype', ['0', '__proto__', 'polluted'], whole],
    ['its path is that of a method', ['push'], whole],
    ['it has no path', [], whole],
  ])('count as missing where %s', async (_what, path, messages) => {
    const events = [{ text: null, count: 1 }];
    expect(await large(messages).putBack(events, [{ path, hash: 'h', count: 2 }])).toBe(1);
    expect(events).toEqual([{ text: null, count: 1 }]);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  test('are put under an own key of any name', async () => {
    const events: object[] = [JSON.parse('{"__proto__":null}')];
    expect(await large(whole).putBack(untyped(events), [{ path: ['0', '__proto__'], hash: 'h', count: 2 }])).toBe(0);
    expect(Object.entries(events[0] ?? {})).toEqual([['__proto__', 'Hello']]);
    expect(Object.getPrototypeOf(events[0])).toBe(Object.prototype);
  });
});

const blob = { path: ['0', 'text'], hash: 'h', count: 1 };
const body = { events: [{ seq: 1 }], replaces: [[1, 2]], blobs: [blob] };

test.each<readonly [what: string, value: unknown]>([
  ['nothing', undefined],
  ['a list', []],
  ['no events', { ...body, events: undefined }],
  ['events that are no list', { ...body, events: {} }],
  ['no ranges', { ...body, replaces: undefined }],
  ['a range that is a number', { ...body, replaces: [7] }],
  ['a range that is null', { ...body, replaces: [null] }],
  ['a range of texts', { ...body, replaces: [['1', '2']] }],
  ['no long texts', { ...body, blobs: undefined }],
  ['a long text that is null', { ...body, blobs: [null] }],
  ['a long text without a path', { ...body, blobs: [{ ...blob, path: undefined }] }],
  ['a long text whose path has an object', { ...body, blobs: [{ ...blob, path: ['0', {}] }] }],
  ['a long text whose name is no text', { ...body, blobs: [{ ...blob, hash: 7 }] }],
  ['a long text whose size is no number', { ...body, blobs: [{ ...blob, count: '1' }] }],
])('the data of a write with %s are damaged', (_what, value) => {
  expect(toBody(untyped(value))).toBeUndefined();
  expect(toBody(untyped(body))).toEqual(body);
});

describe('a name', () => {
  test.each(['', 'a.b', 'a b', 'a*', 'a>', 'ä', 'a\nb', 'ann.>'])('%j is refused: of a user, of a stream', (name) => {
    expect(() => checkName(name, 'user')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }));
    const options: NatsStoreOptions = { connection: untyped({}), user: 'ann' };
    expect(() => createNatsStore({ ...options, user: name })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
    expect(() => createNatsStore({ ...options, stream: name })).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIG' }),
    );
    expect(checkName('Ann_1-b', 'user')).toBe('Ann_1-b');
  });

  test('of any characters is one token of a subject, and another one for another name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (one, other) => {
        const subject = createSubjects('ann').log(one);
        expect(subject).toMatch(/^brooklet\.ann\.log\.[\w=-]+$/);
        expect(sessionIdOf(subject)).toBe(one);
        if (one !== other) expect(toToken(one)).not.toBe(toToken(other));
      }),
    );
    expect(toToken('')).toBe('=');
    expect(sessionIdOf('brooklet.ann.log.=00')).toBe('00');
  });
});

describe('what the server refuses', () => {
  test.each([
    [10_023, 'QUOTA_EXCEEDED'],
    [10_028, 'QUOTA_EXCEEDED'],
    [10_047, 'QUOTA_EXCEEDED'],
    [10_077, 'QUOTA_EXCEEDED'],
    [10_071, 'STORAGE_FAILED'],
    [10_111, 'STORAGE_FAILED'],
    [undefined, 'STORAGE_FAILED'],
  ])('by the number %s is the error %s', (number, code) => {
    expect(toRefusal(untyped({ err_code: number, description: 'so' }))).toMatchObject({ code });
  });

  test('for the last message, or for a message that would erase others, is known as such', () => {
    const known = [10_071, 10_037, 10_028, undefined].map((number) => isAboutLast(untyped({ err_code: number })));
    expect(known).toEqual([true, true, false, false]);
    expect([10_111, 10_071].map((number) => isAboutRollup(toRefusal({ err_code: number })))).toEqual([true, false]);
    expect(isAboutRollup(Object.assign(new Error('x'), { cause: 10_111 }))).toBe(false);
    expect(isAboutRollup(undefined)).toBe(false);
  });

  test('by not answering is told apart from a subject without a subscriber', () => {
    const nobody = Object.assign(new Error('503'), { name: 'NoResponders' });
    expect(
      [nobody, new Error('x', { cause: nobody }), new Error('x'), 'NoResponders', undefined].map(isNobody),
    ).toEqual([true, true, false, false, false]);
    expect(toLinkError(nobody).message).toContain('does not exist');
    expect(toLinkError(new Error('timeout'))).toMatchObject({
      code: 'STORAGE_FAILED',
      message: expect.stringContaining('timeout'),
    });
    const own = new AgentError('mine', { code: 'QUOTA_EXCEEDED' });
    expect(toLinkError(own)).toBe(own);
  });
});

test('a value that is not JSON is refused, and a text that is not base64 has no bytes', () => {
  const circle: Record<string, unknown> = {};
  circle.value = circle;
  for (const value of [1n, circle])
    expect(() => copyOf({ value })).toThrow(expect.objectContaining({ code: 'STORAGE_REJECTED' }));
  expect(copyOf({ a: [1, null] })).toEqual({ a: [1, null] });
  expect([fromBase64('***').length, fromBase64('').length, fromBase64('QQ==').length]).toEqual([0, 0, 1]);
});
