import 'fake-indexeddb/auto';
import { readdirSync, readFileSync } from 'node:fs';
import { createAgent } from 'brooklet';
import { eventVersion } from 'brooklet/core';
import { createIndexedDBStore, exportSession, importSessions } from 'brooklet/storage';
import { createScriptedClient } from 'brooklet/testing';
import { deleteDB } from 'idb';
import { describe, expect, test } from 'vitest';

// One log of every version there has been, with everything in it that could happen then, and what it comes to. They are kept for
// ever and never changed: people have such logs in their browsers and on their disks. A new version adds a pair of files.
const folder = new URL('golden/', import.meta.url);
const versions = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));

test('there is a golden log of each version up to the present one', () => {
  expect(versions.toSorted()).toEqual(Array.from({ length: eventVersion }, (_, index) => `v${index + 1}.jsonl`));
});

describe.each(versions)('the golden log %s', (file) => {
  const log = readFileSync(new URL(file, folder), 'utf8');
  const shown: unknown = JSON.parse(readFileSync(new URL(file.replace('.jsonl', '.messages.json'), folder), 'utf8'));

  test('is imported, stored, opened and shown as it was', async () => {
    const name = `golden-${crypto.randomUUID()}`;
    const store = createIndexedDBStore({ name });
    const report = await importSessions(store, log);
    expect(report.problems).toEqual([]);
    const agent = createAgent({ client: createScriptedClient([]), store });
    const session = await agent.openSession(report.imported[0]?.storedAs ?? '');
    expect(session.getStorage()).toEqual({ state: 'saved' });
    expect(session.getMessages()).toEqual(shown);
    const stored = await store.read(session.id);
    // Exported by the present version, it comes in again as the same.
    if (stored) expect((await importSessions(store, exportSession(stored), { dryRun: true })).problems).toEqual([]);
    if (file === `v${eventVersion}.jsonl`) expect(stored && exportSession(stored)).toBe(log);
    store.close();
    await deleteDB(name);
  });
});
