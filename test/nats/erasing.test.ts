import { headers as createHeaders } from '@nats-io/nats-core';
import { pruneStream } from 'brooklet/nats';
import type { SessionStore } from 'brooklet/core';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { natsServer } from './support/nats-server.ts';
import { setNatsStage } from './support/stage.ts';
import { textAt, writeAt } from './support/writes.ts';

const pieces = 300;

async function writeLong(store: SessionStore, id: string): Promise<void> {
  for (let seq = 0; seq < pieces; seq++) await store.write(writeAt(id, seq, 'word '.repeat(20)));
  const whole = { ...textAt(pieces + 1, 'The whole text.'), since: 1 };
  await store.write(writeAt(id, pieces, '', { events: [whole], replaces: [[1, pieces]], phase: 'settled' }));
}

const textsOf = async (store: SessionStore, id: string): Promise<readonly unknown[] | undefined> =>
  (await store.read(id))?.events.map((event) => 'text' in event && event.text);

describe.skipIf(natsServer === undefined)('a stream in which pages erase nothing', () => {
  const stage = setNatsStage({}, {});

  it.each(['all', 'sub'])('refuses the header Nats-Rollup: %s', async (kind) => {
    const store = await stage().open();
    await store.write(writeAt('a', 0));
    const headers = createHeaders();
    headers.set('Nats-Rollup', kind);
    const page = await stage().connect();
    await page.request(`brooklet.${stage().user}.log.a`, '', { headers, timeout: 2000 });
    expect((await stage().state()).messages).toBe(1);
    expect(await textsOf(store, 'a')).toEqual(['hello']);
  });

  it('has every verb: removal, restoration, a new session of a removed id, entries, leases', async () => {
    const store = await stage().open();
    const other = await stage().open();
    await store.write(writeAt('a', 0, 'old'));
    expect([await store.remove('a'), await store.restore('a'), await store.remove('a')]).toEqual([true, true, true]);
    await other.write(writeAt('a', 0, 'new', { writeId: 'log2/1' }));
    expect(await textsOf(store, 'a')).toEqual(['new']);
    expect(await textsOf(await stage().open(), 'a')).toEqual(['new']);
    for (const value of [1, 2, undefined, 3]) await store.meta.update('key', () => value);
    expect(await other.meta.get('key')).toBe(3);
    const lock = await store.locks.acquire('a');
    expect(await other.locks.isHeld?.('a')).toBe(true);
    lock.release();
    await until(async () => expect(await other.locks.isHeld?.('a')).toBe(false));
  });

  it('keeps what was compacted or removed, until the operator prunes it', async () => {
    const store = await stage().open();
    await writeLong(store, 'a');
    await until(async () => expect((await stage().state()).messages).toBe(pieces + 2));
    await store.write(writeAt('a', pieces + 1, 'More.'));
    // Larger than a message, in texts that are no attachments.
    const events = Array.from({ length: 50 }, (_, index) => textAt(index + 1, 'x'.repeat(16_000)));
    const large = writeAt('gone', 0, '', { events });
    await store.write({ ...large, summary: { ...large.summary, seq: 50 } });
    await store.write(writeAt('undone', 0));
    await store.remove('gone');
    await store.remove('undone');
    for (const value of ['a', 'b']) await store.meta.update('key', () => value);
    const { messages } = await stage().state();
    const later = await stage().open({ undoWindow: -60_000 });
    await later.list();
    await until(async () => expect((await stage().state()).messages).toBe(messages + 2));
    expect([await store.restore('gone'), await store.restore('undone')]).toEqual([false, false]);
    await store.write(writeAt('undone', 0, 'again', { writeId: 'log2/1' }));

    const { operator, user } = stage();
    expect(await pruneStream({ connection: operator, user })).toBe(4);
    // `a`: the compaction and a write; `gone`: its mark; `undone`: its new write; one entry.
    expect((await stage().state()).messages).toBe(5);
    expect((await stage().state()).bytes).toBeLessThan(10_000);
    const fresh = await stage().open();
    expect(await textsOf(fresh, 'a')).toEqual(['The whole text.', 'More.']);
    expect(await textsOf(fresh, 'undone')).toEqual(['again']);
    expect([await fresh.wasRemoved('gone'), await fresh.meta.get('key')]).toEqual([true, 'b']);
    await store.write(writeAt('a', pieces + 2, 'And more.'));
    expect(await textsOf(fresh, 'a')).toEqual(['The whole text.', 'More.', 'And more.']);
    expect(await pruneStream({ connection: operator, user })).toBe(0);
  });

  it('names what pruneStream cannot do with the credential of a page, or with a wrong name', async () => {
    const { operator } = stage();
    await expect(pruneStream({ connection: operator, user: 'a b' })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    await expect(pruneStream({ connection: operator, user: 'nobody' })).rejects.toMatchObject({
      code: 'STORAGE_FAILED',
    });
  });
});
