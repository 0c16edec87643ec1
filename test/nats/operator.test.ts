import { readFileSync } from 'node:fs';
import type { NatsStore } from 'brooklet/nats';
import { createRemote, createSyncedStore, type SyncProblem } from 'brooklet/sync';
import { eventVersion, type SessionEvent, type SessionWrite, type StoredSession } from 'brooklet/core';
import { createMemoryStore } from 'brooklet/storage';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { browserPorts } from '../../src/core/ports.ts';
import { createJetStream, type JetStream } from '../../src/sync/nats/jetstream.ts';
import { aesCodec } from '../support/codec.ts';
import { seeded } from '../support/seeded.ts';
import { countSubjects } from '../support/subject.ts';
import { until } from '../support/until.ts';
import { natsServer } from './support/nats-server.ts';
import { setNatsStage } from './support/stage.ts';
import { writeAt } from './support/writes.ts';

// What whoever runs the server can do without the key. It has every message, and can send others in every place.

const started = (writeId = 'log/1'): SessionWrite =>
  writeAt('a', 0, '', {
    events: [{ type: 'session.started', sessionId: 'a', seq: 1, at: 1001, v: eventVersion }],
    writeId,
  });

function messageAt(seq: number, text: string): SessionEvent {
  const content = [{ type: 'text', text }] as const;
  const message = { id: `m${seq}`, role: 'user', content, timestamp: 1 } as const;
  return { type: 'message.added', message, seq, at: 1000 + seq, v: eventVersion };
}

type HeadText = { readonly [key: string]: unknown };

const startedAt = (sessionId: string): SessionEvent => ({
  type: 'session.started',
  sessionId,
  seq: 1,
  at: 1001,
  v: eventVersion,
});

const plainRow = { ...writeAt('x', 1).summary, title: 'Forged', status: 'waiting', messageCount: 99 } as const;

/** A message of somebody without the key: that of this session or of another one, with other fields and other data. */
const forgeries = fc.record({
  from: fc.constantFrom('own', 'other'),
  fields: fc.record(
    {
      isRemoved: fc.constantFrom(true, false),
      isErased: fc.constantFrom(true, false),
      isWhole: fc.constantFrom(true, false),
      isCompaction: fc.constantFrom(true, false),
      seq: fc.nat(5),
      after: fc.nat(4),
      nth: fc.nat(9),
      updatedAt: fc.nat(9_999),
      writeId: fc.constantFrom('log/1', 'log/9', 'log/Mallory:3', 'log/phone:removing-1', ''),
      row: fc.constantFrom<unknown>('', 'AAAA', plainRow),
      codec: fc.constantFrom('other', ''),
      form: fc.constantFrom<unknown>(1, 3),
      size: fc.nat(9),
      parts: fc.constantFrom({ upload: 'x', count: 1 }),
    },
    { requiredKeys: [] },
  ),
  data: fc.constantFrom('same', 'same', 'none', 'flipped'),
});

describe.skipIf(natsServer === undefined)('an operator without the key', () => {
  const stage = setNatsStage();
  let store: NatsStore;
  let js: JetStream;
  const subjectOf = (id: string): string => `brooklet.${stage().user}.log.${id}`;

  beforeEach(async () => {
    store = await stage().open({ encrypt: await aesCodec() });
    js = createJetStream(stage().operator, `BROOKLET_${stage().user}`, 5000, browserPorts);
    await store.write(started());
    await store.write(writeAt('a', 1, '', { events: [messageAt(2, 'two')] }));
  });

  /** Stores the last message of a session again, changed, behind the last one. */
  async function forge(change: (head: HeadText) => HeadText, data?: Uint8Array): Promise<void> {
    const last = await js.last(subjectOf('a'));
    const head = JSON.parse(last?.head ?? '{}') as HeadText;
    const next = { ...head, nth: Number(head.nth) + 1, ...change(head) };
    await js.append(subjectOf('a'), {
      head: JSON.stringify(next),
      data: data ?? last?.data ?? '',
      id: crypto.randomUUID(),
    });
  }

  const summary = { ...writeAt('a', 1).summary, title: 'Forged', status: 'waiting', messageCount: 99 };
  const attacks: { readonly [name: string]: (head: HeadText) => HeadText } = {
    'removes it': () => ({ isRemoved: true }),
    'removes it in the form of an earlier version': ({ row }) => ({ isRemoved: true, form: undefined, row }),
    'removes it for good': () => ({ isRemoved: true, isErased: true, row: '' }),
    'removes it without encryption': () => ({ isRemoved: true, codec: undefined, form: undefined, row: summary }),
    'writes a plain row': () => ({ row: summary }),
    'writes a plain row without a codec': () => ({ row: summary, codec: undefined, form: undefined }),
    'changes its place in the list': () => ({ updatedAt: 9_999 }),
    'changes who runs it': ({ writeId }) => ({ writeId: String(writeId).replace('/', '/Mallory:') }),
    'names its last write as a removal': () => ({ writeId: 'log/phone:removing-1' }),
    'takes the head for the whole log': () => ({ isWhole: true, after: 0 }),
    'says that it ends elsewhere': () => ({ seq: 1 }),
    'puts it into another form': () => ({ form: undefined }),
  };

  describe.each(Object.entries(attacks))('who %s', (_name, change) => {
    it('changes nothing on a device, which tells of it once', async () => {
      const local = createMemoryStore();
      const troubles: SyncProblem[] = [];
      const replica = createSyncedStore({
        local,
        remote: createRemote(store),
        device: 'phone',
        onTrouble: (trouble) => troubles.push(trouble),
      });
      await replica.sync();
      const before = await replica.read('a');
      expect(before?.events).toHaveLength(2);
      const listed = await replica.list();
      await forge(change);
      await until(async () => {
        await replica.sync();
        expect(troubles).toHaveLength(1);
      });
      await replica.sync();
      await replica.sync();
      expect(troubles).toMatchObject([
        { type: 'refused', sessionId: 'a', error: { code: expect.stringMatching(/^STORAGE_(LOCKED|CORRUPT)$/) } },
      ]);
      expect(await replica.read('a')).toEqual(before);
      expect(await replica.list()).toEqual(listed);
      expect(await local.wasRemoved?.('a')).toBe(false);
      replica.close();
    });

    it('is told by the store itself, and decides nothing there', async () => {
      await forge(change);
      const fresh = await stage().open({ encrypt: await aesCodec(), undoWindow: -60_000 });
      const read = await fresh.read('a').catch((thrown: unknown) => thrown);
      expect(read).toMatchObject({ code: expect.stringMatching(/^STORAGE_(LOCKED|CORRUPT)$/), retryable: false });
      const { sessions } = await fresh.list();
      expect(sessions.map(({ title, status, messageCount }) => [title, status, messageCount])).toEqual(
        sessions.map(() => ['', 'idle', 0]),
      );
      expect(await fresh.wasRemoved?.('a').catch(() => 'refused')).not.toBe(true);
      // No page erases what somebody else has removed.
      await fresh.write(writeAt('b', 0));
      const head = JSON.parse((await js.last(subjectOf('a')))?.head ?? '{}') as HeadText;
      if (!('isErased' in change(head))) expect(head).not.toHaveProperty('isErased');
    });
  });

  it('believes no message that is made of others, in whatever way', { timeout: 600_000 }, async () => {
    const written = new Map<string, readonly SessionEvent[]>();
    await js.purge(subjectOf('a'));
    const parameters = seeded(60);
    const subjects = countSubjects({ refused: 50, message: 100 });
    await fc.assert(
      fc.asyncProperty(fc.array(forgeries, { minLength: 1, maxLength: 3 }), async (all) => {
        const ids = [crypto.randomUUID(), crypto.randomUUID()] as const;
        for (const id of ids) {
          const events = [startedAt(id), messageAt(2, `two of ${id}`), messageAt(3, `three of ${id}`)];
          for (const [index, event] of events.entries()) await store.write(writeAt(id, index, '', { events: [event] }));
          written.set(id, events);
        }
        const [id, other] = ids;
        // A replica closes its remote store.
        const remote = { ...store, close() {} };
        const replica = createSyncedStore({
          local: createMemoryStore(),
          remote: createRemote(remote),
          device: 'phone',
        });
        await replica.sync();
        const before = await replica.read(id);
        expect(before?.events).toHaveLength(3);
        for (const { from, fields, data } of all) {
          const last = await js.last(subjectOf(id));
          const source = from === 'other' ? await js.last(subjectOf(other)) : last;
          const head = { ...(JSON.parse(source?.head ?? '{}') as HeadText) };
          const { nth } = JSON.parse(last?.head ?? '{}') as HeadText;
          const next = { ...head, nth: Number(nth) + 1, ...fields };
          const bytes = new Uint8Array(source?.data ?? []);
          if (data === 'flipped') bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
          subjects.met('message');
          await js.append(subjectOf(id), {
            head: JSON.stringify(next),
            data: data === 'none' ? '' : bytes,
            id: crypto.randomUUID(),
          });
        }
        await replica.sync().catch(() => {});
        expect(await replica.read(id)).toEqual(before);
        expect((await replica.list()).sessions.map((row) => row.id).toSorted()).toEqual(ids.toSorted());
        const fresh = await stage().open({ encrypt: await aesCodec(), undoWindow: -60_000 });
        const read = await fresh.read(id).catch((thrown: unknown) => thrown);
        if (read instanceof Error) {
          subjects.met('refused');
          expect(read).toMatchObject({ code: expect.stringMatching(/^STORAGE_(LOCKED|CORRUPT)$/) });
        } else expect(read).toMatchObject({ events: written.get(id) });
        for (const row of (await fresh.list()).sessions) {
          expect(['', `Session ${row.id}`]).toContain(row.title);
          expect([0, 1, 2, 3]).toContain(row.messageCount);
          expect(row.status).toBe('idle');
        }
        expect(await fresh.wasRemoved?.(id).catch(() => false)).toBe(false);
        replica.close();
        fresh.close();
        for (const one of ids) await js.purge(subjectOf(one));
      }),
      parameters,
    );
    subjects.expectIn(parameters.numRuns);
  });

  it('cannot give a write the data of another one of the same place', async () => {
    const other = await js.last(subjectOf('a'));
    await store.remove('a');
    await store.write(started('log2/1'));
    const next = { events: [messageAt(2, 'new')], writeId: 'log2/2', expectedWriteId: 'log2/1' };
    await store.write(writeAt('a', 1, '', next));
    const last = await js.last(subjectOf('a'));
    const head = JSON.parse(last?.head ?? '{}') as HeadText;
    await js.append(subjectOf('a'), { head: JSON.stringify(head), data: other?.data ?? '', id: 'x' });
    const fresh = await stage().open({ encrypt: await aesCodec() });
    const read = await fresh.read('a').catch((thrown: unknown) => thrown);
    expect(JSON.stringify(read)).not.toContain('"two"');
    expect((await store.read('a').catch(() => undefined))?.events ?? []).not.toContainEqual(messageAt(2, 'two'));
  });

  it('does not hinder a removal by a device with the key, on each device, also after its restoration', async () => {
    const devices = ['phone', 'desk'].map((device) => {
      const local = createMemoryStore();
      return createSyncedStore({ local, remote: createRemote(store), device });
    });
    const [phone = expect.unreachable(), desk = expect.unreachable()] = devices;
    for (const device of devices) await device.sync();
    expect(await store.remove('a')).toBe(true);
    const other = await stage().open({ encrypt: await aesCodec() });
    expect([await other.read('a'), await other.wasRemoved?.('a')]).toEqual([undefined, true]);
    expect(await other.restore?.('a')).toBe(true);
    expect((await store.read('a'))?.events).toHaveLength(2);
    // A device removes what it has: it has heard of the restoration first.
    for (const device of devices) {
      await device.sync();
      await until(async () => expect(await device.read('a')).toBeDefined());
    }
    await phone.remove('a');
    for (const device of devices) await device.sync();
    await until(async () => expect(await desk.read('a')).toBeUndefined());
    expect(await phone.read('a')).toBeUndefined();
    for (const device of devices) device.close();
  });

  it('can say that a page is gone which runs a session: of two writers the second is refused', async () => {
    const lock = await store.locks.acquire('a');
    await js.append(`brooklet.${stage().user}.lock.a`, { data: '' });
    const other = await stage().open({ encrypt: await aesCodec() });
    expect(await other.locks.isHeld?.('a')).toBe(false);
    const taken = await other.locks.acquire('a');
    await other.write(writeAt('a', 2, '', { events: [messageAt(3, 'three')] }));
    const late = store.write(writeAt('a', 2, '', { events: [messageAt(3, 'another')], writeId: 'log/late' }));
    await expect(late).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    lock.release();
    taken.release();
  });

  it('can withhold a session: what this device has stays', async () => {
    const replica = createSyncedStore({ local: createMemoryStore(), remote: createRemote(store), device: 'phone' });
    await replica.sync();
    const before = await replica.read('a');
    await js.purge(subjectOf('a'));
    await replica.sync();
    expect(await replica.read('a')).toEqual(before);
    replica.close();
  });

  it('can return an older state of a session, also unseen on a new device', async () => {
    const message = await js.last(subjectOf('a'));
    await store.write(writeAt('a', 2, '', { events: [messageAt(3, 'three')] }));
    const replica = createSyncedStore({ local: createMemoryStore(), remote: createRemote(store), device: 'phone' });
    await replica.sync();
    await js.purge(subjectOf('a'), (message?.at ?? 0) + 1);
    await js.append(subjectOf('a'), { head: message?.head ?? '', data: message?.data ?? '', id: 'log' });
    await replica.sync().catch(() => {});
    // This device has more.
    expect((await replica.read('a'))?.events).toHaveLength(3);
    replica.close();
  });
});

interface Golden {
  readonly sessions: { readonly [id: string]: StoredSession };
  readonly messages: readonly {
    readonly subject: string;
    readonly head: string;
    readonly id: string;
    readonly data: string;
  }[];
}

describe.skipIf(natsServer === undefined)('an encrypted stream of an earlier version', () => {
  const stage = setNatsStage();
  const golden: Golden = JSON.parse(readFileSync(new URL('golden/sealed-v1.json', import.meta.url), 'utf8'));

  test('is read, listed and written on; a removal by it does not count, and is told', async () => {
    const store = await stage().open({ encrypt: await aesCodec() });
    const js = createJetStream(stage().operator, `BROOKLET_${stage().user}`, 5000, browserPorts);
    for (const { subject, head, id, data } of golden.messages)
      await js.append(`brooklet.${stage().user}.${subject}`, { head, id, data: Buffer.from(data, 'base64') });
    for (const [id, session] of Object.entries(golden.sessions)) expect(await store.read(id)).toEqual(session);
    expect((await store.list()).sessions.map(({ title }) => title).toSorted()).toEqual([
      'Session a',
      'Session large',
      'Session restored',
    ]);
    expect(await store.meta?.get('rule')).toEqual({ tool: 'search' });
    await expect(store.read('removed')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
    expect(await store.restore?.('removed')).toBe(true);
    expect((await store.read('removed'))?.events).toHaveLength(1);
    expect(await store.remove('removed')).toBe(true);
    expect(await store.read('removed')).toBeUndefined();
    await store.write(writeAt('a', 2, 'three'));
    const read = await (await stage().open({ encrypt: await aesCodec() })).read('a');
    expect(read?.events.slice(0, 2)).toEqual(golden.sessions['a']?.events);
    expect(read?.damage).toBeUndefined();
  });
});
