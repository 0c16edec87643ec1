import 'fake-indexeddb/auto';
import type { SessionEvent, ToolPart } from 'brooklet';
import type { EventBody } from 'brooklet/core';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { smallest } from '../../../src/storage/indexeddb/blobs.ts';
import { pack } from '../../../src/storage/indexeddb/pack.ts';
import type { SessionDisk } from '../../../src/storage/indexeddb/schema.ts';
import { unpack } from '../../../src/storage/indexeddb/unpack.ts';
import { stamp, userMessage } from '../../support/events.ts';
import { diskOf, openRaw, writeOf } from '../raw.ts';

afterEach(() => vi.unstubAllGlobals());

/** A text whose JSON has this many characters. */
const json = (length: number): string => 'x'.repeat(length - 2);

const big = json(smallest + 1);
const bigOutput = json(32_769);
/** Names that have a big value elsewhere. */
const beside = { data: big, output: bigOutput };
const call: ToolPart = { type: 'tool', callId: 'c', name: 'look', inputText: '{}', status: 'succeeded' };
const added = (
  ...content: Extract<EventBody, { readonly type: 'message.added' }>['message']['content']
): EventBody => ({
  type: 'message.added',
  message: { ...userMessage('m'), content },
});
const image = (data: string) => ({ type: 'image', mediaType: 'image/png', data }) as const;

describe('pack', () => {
  test.each<[what: string, event: EventBody, paths: readonly unknown[]]>([
    [
      'an image, a sound and a file of a message',
      added(
        image(big),
        { type: 'audio', mediaType: 'audio/wav', data: big },
        { type: 'file', mediaType: 'text/plain', data: big },
      ),
      [0, 1, 2].map((index) => ['message', 'content', index, 'data']),
    ],
    [
      'an image of a changed message',
      { type: 'message.updated', message: { ...userMessage('m'), content: [{ type: 'text', text: big }, image(big)] } },
      [['message', 'content', 1, 'data']],
    ],
    ['an image of a reply', { type: 'part.added', part: image(big) }, [['part', 'data']]],
    [
      'a big output and big details of a call',
      {
        type: 'call.ended',
        callId: 'c',
        outcome: 'succeeded',
        output: bigOutput,
        details: { type: 'text', text: bigOutput },
      },
      [['output'], ['details']],
    ],
    [
      'the big output of a call of an added message',
      added({ ...call, output: bigOutput }),
      [['message', 'content', 0, 'output']],
    ],
    ['no image that is just small enough', added(image(json(smallest))), []],
    [
      'no output that is just small enough',
      { type: 'call.ended', callId: 'c', outcome: 'succeeded', output: json(32_768) },
      [],
    ],
    ['no data of a call, whatever it is called', added({ ...call, ...beside, output: big }), []],
    ['no text', added({ type: 'text', text: big, ...beside }), []],
    ['no text of a reply', { type: 'text.delta', text: big, ...beside }, []],
  ])('moves %s', async (_what, body, paths) => {
    const [event] = stamp([body]);
    if (event === undefined) throw new Error('There is no event.');
    const packed = await pack([event]);
    expect(packed?.refs.map(({ seq, path }) => [seq, path])).toEqual(paths.map((path) => [1, path]));
    expect(new Set(packed?.refs.map(({ hash }) => hash))).toEqual(new Set(packed?.blobs.keys()));
    if (paths.length === 0) expect(packed?.rows).toEqual([event]);
    else expect(JSON.stringify(packed?.rows).length).toBeLessThan(JSON.stringify(event).length - smallest / 2);
  });

  test('stores equal content once, and leaves null in its place', async () => {
    const events = stamp([
      added(image(big), { type: 'text', text: 'Look.' }),
      { type: 'part.added', part: image(big) },
    ]);
    const packed = await pack(events);
    expect([...(packed?.blobs.values() ?? [])]).toEqual([big]);
    expect(packed?.rows).toMatchObject([
      { message: { content: [{ data: null, mediaType: 'image/png' }, { text: 'Look.' }] } },
      { part: { data: null } },
    ]);
    expect(events).toMatchObject([{ message: { content: [{ data: big }, {}] } }, { part: { data: big } }]);
  });

  test('changes nothing where the browser has no hashes', async () => {
    vi.stubGlobal('crypto', {});
    expect(await pack(stamp([added(image(big))]))).toBeUndefined();
  });
});

describe('unpack', () => {
  let name: string;
  let raw: IDBDatabase;
  let disk: SessionDisk;

  beforeEach(async () => {
    name = `unpack-${crypto.randomUUID()}`;
    const store = createIndexedDBStore({ name });
    await store.list();
    store.close();
    raw = await openRaw(name);
    disk = diskOf(raw);
  });

  afterEach(async () => {
    raw.close();
    await deleteDB(name);
  });

  const begin: EventBody = { type: 'session.started', sessionId: 's' };
  const row = writeOf('s', 0, 1).summary;
  const events = (): readonly SessionEvent[] => stamp([begin, added(image(big))]);
  const stored = { sessionId: 's', after: 0, seq: 2, writeId: 'l/1', row, unread: [] };

  test('puts back what was packed, as it was', async () => {
    const packed = await pack(events());
    const rows: SessionEvent[] = JSON.parse(JSON.stringify(packed?.rows));
    const values = [...(packed?.blobs.values() ?? [])];
    const refs = packed?.refs ?? [];
    const session = await unpack(disk, { ...stored, events: rows, refs }, () => Promise.resolve(values));
    expect(session).toEqual({ summary: { ...row, seq: 2 }, events: events(), writeId: 'l/1' });
    // The event is an object like any other.
    expect(structuredClone(session.events)).toEqual(events());
  });

  test.each<[what: string, ref: unknown]>([
    ['leads to no event', { seq: 7, path: ['message'], hash: 'a' }],
    ['leads through a value that is none', { seq: 2, path: ['message', 'metadata', 'x'], hash: 'a' }],
    ['leads through a text', { seq: 2, path: ['message', 'id', '0', 'x'], hash: 'a' }],
    ['leads through null', { seq: 2, path: ['message', 'content', 0, 'data', 'x'], hash: 'a' }],
    ['leads to a key that the event lacks', { seq: 2, path: ['other'], hash: 'a' }],
    ['is none', { seq: 2 }],
  ])('reports a reference that %s as a missing attachment, and adds nothing', async (_what, ref) => {
    const [first, second] = events();
    if (first === undefined || second === undefined) throw new Error('There are two events.');
    const rows: SessionEvent[] = JSON.parse(
      JSON.stringify([first, second]).replace(big, 'null').replace('"null"', 'null'),
    );
    const before = structuredClone(rows);
    const session = await unpack(disk, { ...stored, events: rows, refs: [ref] }, () => Promise.resolve(['found']));
    expect(session).toMatchObject({ damage: '1 of its attachments', events: before });
  });

  test.each([
    ['row', { row: { ...row, codec: 'aes', sealed: 'x' } }],
    ['event', { unread: [{ codec: 'aes', sealed: 'x' }, {}] }],
  ])('refuses an encrypted session that has no codec: its %s is sealed', async (_what, more) => {
    const sealed = { ...stored, events: [], refs: [], ...more };
    await expect(unpack(disk, sealed)).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
    expect(await unpack(disk, sealed, () => Promise.resolve([]))).toHaveProperty('summary');
  });

  test('opens a session that is not encrypted without a codec, also one without a row', async () => {
    expect(await unpack(disk, { ...stored, events: events(), refs: [] })).not.toHaveProperty('damage');
    expect(await unpack(disk, { ...stored, row: undefined, events: events(), refs: [] })).toMatchObject({
      summary: { id: 's', seq: 2 },
      damage: 'its row',
    });
  });
});
