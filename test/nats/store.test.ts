import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NatsConnection } from '@nats-io/nats-core';
import type { SessionStore } from 'brooklet/core';
import { createNatsStore, type NatsLink } from 'brooklet/nats';
import { firstValueFrom, timeout } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { aesCodec } from '../support/codec.ts';
import { until } from '../support/until.ts';
import { natsServer } from './support/nats-server.ts';
import { setNatsStage } from './support/stage.ts';
import { addStream, api } from './support/streams.ts';
import { textAt, writeAt } from './support/writes.ts';

/** A connection whose requests to some subjects go another way. */
function intercept(
  connection: NatsConnection,
  matches: (subject: string, isRollup: boolean) => boolean,
  instead: (request: () => ReturnType<NatsLink['request']>) => ReturnType<NatsLink['request']>,
): NatsLink {
  const link = Object.create(connection) as NatsConnection;
  link.request = (subject, payload, options) => {
    const request = (): ReturnType<NatsLink['request']> => connection.request(subject, payload, options);
    const isRollup = options?.headers?.has('Nats-Rollup') ?? false;
    return matches(subject, isRollup) ? instead(request) : request();
  };
  return link;
}

async function textsOf(store: SessionStore, sessionId = 'a'): Promise<readonly unknown[] | undefined> {
  const stored = await store.read(sessionId);
  expect(stored?.damage).toBeUndefined();
  return stored?.events.map((event) => ('text' in event ? event.text : event.type));
}

describe.skipIf(natsServer === undefined)('a store over NATS', () => {
  const stage = setNatsStage();
  const isLog = (subject: string): boolean => /^brooklet\.[^.]+\.log\./.test(subject);

  describe('without an answer', () => {
    it('finds that a write is stored whose answer was lost', async () => {
      const store = await stage().open({}, (connection) =>
        intercept(connection, isLog, async (request) => {
          await request();
          throw new Error('The answer was lost.');
        }),
      );
      await store.write(writeAt('a', 0));
      await store.write(writeAt('a', 1));
      expect(await textsOf(store)).toEqual(['hello', 'hello']);
      expect((await stage().state()).messages).toBe(2);
    });

    it('rejects where nothing can be told, and stores the repetition once', async () => {
      let isCut = true;
      const store = await stage().open({}, (connection) =>
        intercept(
          connection,
          () => isCut,
          async (request) => {
            await request();
            throw new Error('The answer was lost.');
          },
        ),
      );
      isCut = false;
      await store.write(writeAt('a', 0));
      isCut = true;
      await expect(store.write(writeAt('a', 1))).rejects.toMatchObject({ code: 'STORAGE_FAILED', retryable: true });
      isCut = false;
      await store.write(writeAt('a', 1));
      await store.write(writeAt('a', 2));
      expect(await textsOf(store)).toEqual(['hello', 'hello', 'hello']);
      expect((await stage().state()).messages).toBe(3);
    });

    it('rejects while the stream does not exist', async () => {
      const store = createNatsStore({ connection: await stage().connect(), user: 'nobody' });
      const verbs = [store.write(writeAt('a', 0)), store.read('a'), store.list(), store.remove('a')];
      await Promise.all(
        verbs.map((verb) => expect(verb).rejects.toMatchObject({ code: 'STORAGE_FAILED', retryable: true })),
      );
      await addStream(stage().operator, { user: 'nobody' });
      await store.write(writeAt('a', 0));
      await until(async () => expect((await store.list()).sessions).toHaveLength(1));
      store.close();
    });
  });

  describe('writes of any size', () => {
    const big = 'x'.repeat(700_000);
    /** Many short texts: they stay in the write, which is larger than a message. */
    const wide = Array.from({ length: 60 }, (_, index) => textAt(index + 1, `${index}`.padEnd(15_000, '.')));

    it('stores in pieces what is larger than a message, and erases the pieces of a refused write', async () => {
      const store = await stage().open();
      const other = await stage().open();
      const events = wide;
      const { summary } = writeAt('a', 59);
      await store.write(writeAt('a', 0, '', { events, summary, writeId: 'log/60' }));
      expect((await other.read('a'))?.events).toEqual(events);
      const { bytes } = await stage().state();

      const late = events.map((event) => ({ ...event, seq: event.seq + 60 }));
      const write = writeAt('a', 60, '', { events: late, summary: { ...summary, seq: 120 }, writeId: 'log/120' });
      // Another device is first: the store learns it when the pieces are stored.
      await other.write(writeAt('a', 60));
      await expect(store.write(write)).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
      expect((await stage().state()).bytes - bytes).toBeLessThan(2000);
    });

    it('stores an attachment once that several sessions have', async () => {
      const store = await stage().open();
      await store.write(writeAt('a', 0, big));
      const { bytes } = await stage().state();
      const other = await stage().open();
      await other.write(writeAt('b', 0, big));
      expect((await stage().state()).bytes - bytes).toBeLessThan(2000);
      expect([await textsOf(store, 'b'), await textsOf(other, 'a')]).toEqual([[big], [big]]);
    });

    it('describes missing pieces as damage', async () => {
      const store = await stage().open();
      const { summary } = writeAt('a', 59);
      await store.write(writeAt('a', 0, '', { events: wide, summary, writeId: 'log/60' }));
      await api(stage().operator, `STREAM.PURGE.BROOKLET_${stage().user}`, {
        filter: `brooklet.${stage().user}.part.>`,
      });
      const other = await stage().open();
      expect((await other.read('a'))?.damage).toContain('what was written up to seq 60');
    });

    it('rejects a row that is larger than a header', async () => {
      const store = await stage().open();
      const write = writeAt('a', 0);
      const summary = { ...write.summary, title: 'x'.repeat(70_000) };
      await expect(store.write({ ...write, summary })).rejects.toMatchObject({ code: 'STORAGE_REJECTED' });
    });
  });

  describe('compaction', () => {
    const pieces = 300;

    async function writePieces(store: SessionStore): Promise<void> {
      for (let seq = 0; seq < pieces; seq++) await store.write(writeAt('a', seq, 'word '.repeat(20)));
    }

    function settle(): ReturnType<typeof writeAt> {
      const whole = textAt(pieces + 1, 'The whole text.');
      return writeAt('a', pieces, '', { events: [{ ...whole, since: 1 }], replaces: [[1, pieces]], phase: 'settled' });
    }

    it('replaces the messages of a log by one when its run has ended, and tells nobody', async () => {
      const store = await stage().open();
      const other = await stage().open();
      await writePieces(store);
      expect(await textsOf(other)).toHaveLength(pieces);
      const told: string[] = [];
      await other.list();
      other.changes$.subscribe((id) => told.push(id));
      await store.write(settle());
      await until(async () => expect((await stage().state()).messages).toBe(1));
      expect([await textsOf(store), await textsOf(other)]).toEqual([['The whole text.'], ['The whole text.']]);
      await other.write(writeAt('a', pieces + 1, 'More.'));
      await store.write(writeAt('a', pieces + 2, 'And more.'));
      expect(await textsOf(await stage().open())).toEqual(['The whole text.', 'More.', 'And more.']);
      await until(() => expect(told).toEqual(['a', 'a', 'a']));
    });

    it('is refused where another device has written meanwhile', async () => {
      const other = await stage().open();
      const refused: unknown[] = [];
      const store = await stage().open({}, (connection) =>
        intercept(
          connection,
          (subject, isRollup) => isRollup && isLog(subject),
          async (request) => {
            await other.write(writeAt('a', pieces + 1, 'More.'));
            const answer = await request();
            refused.push(answer.json());
            return answer;
          },
        ),
      );
      await writePieces(store);
      await store.write(settle());
      await until(() => expect(refused).toMatchObject([{ error: { err_code: 10_071 } }]));
      expect(await textsOf(other)).toEqual(['The whole text.', 'More.']);
      expect((await stage().state()).messages).toBe(pieces + 2);
    });
  });

  describe('removal', () => {
    it('can be undone, until a later page erases the events', async () => {
      const store = await stage().open();
      await store.write(writeAt('a', 0));
      await store.write(writeAt('a', 1));
      expect([await store.remove('a'), await store.restore('a'), await store.remove('a')]).toEqual([true, true, true]);
      const later = await stage().open({ undoWindow: -60_000 });
      await later.list();
      await until(async () => expect((await stage().state()).messages).toBe(1));
      expect([await store.restore('a'), await store.wasRemoved('a'), await store.read('a')]).toEqual([
        false,
        true,
        undefined,
      ]);
      await store.write(writeAt('a', 0, 'new', { writeId: 'later/1' }));
      expect(await textsOf(later)).toEqual(['new']);
    });
  });

  it('removes and restores what another device has restored or removed', async () => {
    const [one, two] = [await stage().open(), await stage().open()];
    await one.write(writeAt('a', 0));
    expect([await two.remove('a'), await one.remove('a'), await one.restore('a')]).toEqual([true, false, true]);
    expect([await two.restore('a'), await two.remove('a'), await one.restore('a')]).toEqual([false, true, true]);
    expect(await textsOf(two)).toEqual(['hello']);
  });

  describe('the list', () => {
    it('has what others wrote while the connection was away', async () => {
      const connections: NatsConnection[] = [];
      const store = await stage().open({}, (connection) => {
        connections.push(connection);
        return connection;
      });
      const other = await stage().open();
      await store.list();
      const online: boolean[] = [];
      store.online$.subscribe((isOnline) => online.push(isOnline));
      const [connection] = connections;
      void connection?.reconnect();
      await until(() => expect(online).toContain(false));
      await other.write(writeAt('a', 0));
      await until(async () => expect((await store.list()).sessions).toHaveLength(1));
      expect(online).toEqual([true, false, true]);
    });

    it('cannot be searched', async () => {
      const store = await stage().open();
      await expect(store.list({ search: 'otter' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    });
  });

  describe('leases', () => {
    it('belong to one page, until that page releases its lease', async () => {
      const [one, two] = [await stage().open(), await stage().open()];
      const lock = await one.locks.acquire('a');
      expect([lock.isExclusive, await two.locks.isHeld?.('a'), await two.locks.isHeld?.('b')]).toEqual([
        true,
        true,
        false,
      ]);
      let isGranted = false;
      const waiting = two.locks.acquire('a').then((granted) => {
        isGranted = true;
        return granted;
      });
      const leaving = new AbortController();
      const left = one.locks.acquire('a', leaving.signal);
      leaving.abort();
      await expect(left).rejects.toMatchObject({ code: 'SESSION_BUSY' });
      expect(isGranted).toBe(false);
      lock.release();
      (await waiting).release();
      await until(async () => expect(await one.locks.isHeld?.('a')).toBe(false));
    });

    it('are free when the page has gone', async () => {
      const connection = await stage().connect();
      const gone = createNatsStore({ connection, user: stage().user });
      const store = await stage().open();
      await gone.locks.acquire('a');
      await connection.close();
      expect(await store.locks.isHeld?.('a')).toBe(false);
      (await store.locks.acquire('a')).release();
    });

    it('can be taken, which the page before is told', async () => {
      const [one, two] = [await stage().open(), await stage().open()];
      const lock = await one.locks.acquire('a');
      const taken = await two.locks.take('a');
      await until(() => expect(lock.signal.aborted).toBe(true));
      lock.release();
      expect([await one.locks.isHeld?.('a'), taken.signal.aborted]).toEqual([true, false]);
    });

    it('go to one of many pages that want it at once', async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => stage().open()));
      let holders = 0;
      let most = 0;
      const work = stores.map(async (store) => {
        const lock = await store.locks.acquire('a');
        most = Math.max(most, ++holders);
        await store.read('a');
        holders--;
        lock.release();
      });
      await Promise.all(work);
      expect(most).toBe(1);
    });

    it('is unknown while the server does not answer', async () => {
      const store = await stage().open({ timeout: 100 }, (connection) =>
        intercept(
          connection,
          () => true,
          async () => {
            throw new Error('There is no answer.');
          },
        ),
      );
      await expect(store.locks.isHeld?.('a')).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
      await expect(store.locks.acquire('a')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryable: true });
    });
  });

  it('tells once of each change that was stored while the connection was away', async () => {
    let link: NatsConnection | undefined;
    const store = await stage().open({}, (connection) => (link = connection));
    const other = await stage().open();
    const told: string[] = [];
    await store.list();
    store.changes$.subscribe((id) => told.push(id));
    await other.write(writeAt('a', 0));
    await until(() => expect(told).toEqual(['a']));
    await Promise.all([link?.reconnect(), other.write(writeAt('b', 0)), other.write(writeAt('a', 1))]);
    await other.write(writeAt('c', 0));
    await until(() => expect(told).toContain('c'));
    expect(told.toSorted()).toEqual(['a', 'a', 'b', 'c']);
    const { sessions } = await store.list();
    expect(sessions.map(({ id, seq }) => [id, seq])).toEqual([
      ['a', 2],
      ['c', 1],
      ['b', 1],
    ]);
  });

  describe('the live channel', () => {
    it.each([false, true])(
      'carries text and presence that the stream does not store (encrypted: %s)',
      async (isEncrypted) => {
        const options = isEncrypted ? { encrypt: await aesCodec() } : {};
        const [one, two] = [await stage().open(options), await stage().open(options)];
        const told = firstValueFrom(two.live.listen('a').pipe(timeout(15_000)));
        const own: unknown[] = [];
        one.live.listen('a').subscribe((value) => own.push(value));
        // The code of the channel is loaded first, and the subscription is on another connection.
        await vi.dynamicImportSettled();
        await two.read('a');
        await one.live.send('a', { text: 'Hel' });
        expect([await told, own]).toEqual([{ text: 'Hel' }, []]);

        expect(await two.live.present('a')).toEqual([]);
        const leave = await one.live.announce('a', 'Ann');
        await one.read('a');
        expect(await two.live.present('a')).toEqual(['Ann']);
        leave();
        await one.read('a');
        expect(await two.live.present('a')).toEqual([]);
        expect((await stage().state()).messages).toBe(0);
      },
    );
  });

  describe('encryption', () => {
    const canary = 'canary-9f3a';

    async function bytesIn(folder: string): Promise<string> {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n');
    }

    async function fill(store: SessionStore): Promise<void> {
      const write = writeAt('a', 0, `${canary} text`);
      await store.write({ ...write, summary: { ...write.summary, title: `${canary} title` } });
      await store.write(writeAt('b', 0, `${canary} attachment `.repeat(1000)));
      await store.meta?.update('rules', () => `${canary} meta`);
    }

    it('leaves no text, title, attachment or meta entry on the disk of the server', async () => {
      const store = await stage().open({ encrypt: await aesCodec() });
      await fill(store);
      expect(await bytesIn(stage().server.folder)).not.toContain(canary);
      expect((await store.list()).sessions.map(({ title }) => title)).toContain(`${canary} title`);
      // The test can find what is not encrypted.
      await addStream(stage().operator, { user: 'plain' });
      await fill(await stage().open({ user: 'plain' }));
      expect(await bytesIn(stage().server.folder)).toContain(`${canary} title`);
    });

    it('reads nothing that is not encrypted, and nothing of another key', async () => {
      const clear = await stage().open();
      await clear.write(writeAt('a', 0));
      const store = await stage().open({ encrypt: await aesCodec() });
      await store.write(writeAt('b', 0));
      await expect(store.read('a')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
      const stranger = await stage().open({ encrypt: await aesCodec(8) });
      await expect(stranger.read('b')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
      await expect(clear.read('b')).rejects.toMatchObject({ code: 'STORAGE_LOCKED' });
      expect((await stranger.list()).sessions.map(({ id, title }) => [id, title])).toEqual([
        ['b', ''],
        ['a', ''],
      ]);
      expect(await stranger.remove('b')).toBe(true);
    });
  });

  describe('options and limits', () => {
    it('refuses names that are no part of a subject', async () => {
      const connection = await stage().connect();
      for (const options of [{ user: 'a.b' }, { user: '' }, { user: '*' }, { user: 'a', stream: 'x y' }])
        expect(() => createNatsStore({ connection, ...options })).toThrow(
          expect.objectContaining({ code: 'INVALID_CONFIG' }),
        );
    });

    it('says that the stream is full, and loses nothing', async () => {
      await addStream(stage().operator, { user: 'small', maxBytes: 3000 });
      const store = await stage().open({ user: 'small' });
      await store.write(writeAt('a', 0));
      await expect(store.write(writeAt('a', 1, 'x'.repeat(5000)))).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect(await textsOf(store)).toEqual(['hello']);
    });

    it('reads no session whose last message another program has written', async () => {
      const store = await stage().open();
      await store.write(writeAt('a', 0));
      await store.write(writeAt('b', 0));
      await stage().operator.request(`brooklet.${stage().user}.log.a`, 'nonsense');
      await expect(store.write(writeAt('a', 1))).rejects.toMatchObject({ code: 'STORAGE_CORRUPT' });
      expect((await store.read('a'))?.damage).toContain('what was written');
      expect(await textsOf(store, 'b')).toEqual(['hello']);
    });
  });
});
