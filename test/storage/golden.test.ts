import 'fake-indexeddb/auto';
import { readdirSync, readFileSync } from 'node:fs';
import { createAgent } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { createIndexedDBStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { describe, expect, test } from 'vitest';

// One log of every event version, with every event of that version, and the messages that it results in; `v2.versions` has the events that
// came later. The files are never changed: people have such logs in their browsers and on their disks. A new version adds a pair of files.
const folder = new URL('golden/', import.meta.url);
const versions = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));

test('every version up to the present one has a golden log', () => {
  expect(versions.filter((file) => /^v\d+\.jsonl$/.test(file)).toSorted()).toEqual(
    Array.from({ length: eventVersion }, (_, index) => `v${index + 1}.jsonl`),
  );
});

describe.each(versions)('the golden log %s', (file) => {
  const log = readFileSync(new URL(file, folder), 'utf8');
  const shown: readonly object[] = JSON.parse(
    readFileSync(new URL(file.replace('.jsonl', '.messages.json'), folder), 'utf8'),
  );

  test('is imported, stored, opened and shown unchanged', async () => {
    const name = `golden-${crypto.randomUUID()}`;
    const store = createIndexedDBStore({ name });
    const report = await importSessions(store, log);
    expect(report.problems).toEqual([]);
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(report.imported[0]?.storedAs ?? '');
    expect(session.getStorage()).toEqual({ state: 'saved' });
    // Nothing but the origin is added: that the log came in a file, by an event at its end.
    expect(session.getMessages().map(({ origin, ...message }) => [origin, message])).toEqual(
      shown.map((message) => [{ type: 'import' }, message]),
    );
    const stored = await store.read(session.id);
    // An export of the present version can be imported again.
    if (stored) expect((await importSessions(store, exportSession(stored), { dryRun: true })).problems).toEqual([]);
    const events = stored && exportSession(stored).split('\n').slice(1);
    const last = { type: 'session.imported', seq: stored?.summary.seq };
    if (file.startsWith(`v${eventVersion}.`)) {
      expect(events?.slice(0, -2)).toEqual(log.split('\n').slice(1, -1));
      expect(stored?.events.at(-1)).toMatchObject(last);
    }
    store.close();
    await deleteDB(name);
  });
});
