import { deleteDB } from 'idb';
import type { AgentError } from 'brooklet';
import { createIndexedDBStore, createMemoryStore, exportAll, exportSession, importSessions } from 'brooklet/storage';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { addPage } from '../frame.ts';
import { textAt, writeOf } from '../raw.ts';
import { until } from '../../support/until.ts';

let name: string;
const warnings: AgentError[] = [];
let store: ReturnType<typeof createIndexedDBStore>;

beforeEach(() => {
  name = `errors-${crypto.randomUUID()}`;
  warnings.length = 0;
  store = createIndexedDBStore({ name, onWarning: (warning) => warnings.push(warning) });
});

afterEach(async () => {
  store.close();
  await deleteDB(name);
});

/** Adds a page that runs `script` with an open `store` and `writeOf`. Resolves when the script has run. */
async function openPage(script: string): Promise<HTMLIFrameElement> {
  const url = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const frame = addPage(`
    import { createIndexedDBStore } from ${url('../../../src/storage/index.ts')};
    import { writeOf } from ${url('../raw.ts')};
    const store = createIndexedDBStore({ name: ${JSON.stringify(name)} });
    ${script}
    parent.postMessage('ready');`);
  await new Promise<void>((resolve) => {
    const onReady = ({ source, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || data !== 'ready') return;
      removeEventListener('message', onReady);
      resolve();
    };
    addEventListener('message', onReady);
  });
  return frame;
}

describe('a page that is unloaded', () => {
  test.each([
    ['is closed', (frame: HTMLIFrameElement) => frame.remove()],
    ['navigates away', (frame: HTMLIFrameElement) => frame.contentWindow?.location.replace('about:blank')],
  ])('has stored a write that began in pagehide when it %s', async (_how, leave) => {
    for (let round = 0; round < 5; round++) {
      const id = `s${round}`;
      const frame = await openPage(`
        await store.write({ ...writeOf('${id}', 0, 1), writeId: 'log/1' });
        const last = { ...writeOf('${id}', 1, 2, 3), writeId: 'log/2', expectedWriteId: 'log/1' };
        addEventListener('pagehide', () => store.write(last));`);
      const gone = new Promise((resolve) => frame.contentWindow?.addEventListener('pagehide', resolve));
      leave(frame);
      await gone;
      // The read starts after the other page is gone; transactions on one table run in order.
      expect((await store.read(id))?.events).toEqual([textAt(1), textAt(2), textAt(3)]);
      frame.remove();
    }
  });
});

describe('a full disk', () => {
  afterEach(() => cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin }));

  test('rejects a write as a whole, and accepts it when there is space again', async () => {
    // The browser reads the limit when it first serves an origin, and then only at intervals.
    await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' });
    await cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin, quotaSize: 1_000_000 });
    await store.write(writeOf('a', 0, 1));
    const write = writeOf('a', 1, 2, 3);
    const big = { ...write, replaces: [[1, 1]] as const, events: [textAt(2), textAt(3, 'x'.repeat(2_000_000))] };
    await expect(store.write(big)).rejects.toMatchObject({ type: 'STORAGE', code: 'QUOTA_EXCEEDED', retryable: false });
    expect(await store.read('a')).toMatchObject({ summary: { seq: 1 }, events: [textAt(1)] });

    await cdp().send('Storage.overrideQuotaForOrigin', { origin: location.origin });
    await store.write(big);
    expect((await store.read('a'))?.events).toEqual(big.events);
  });
});

describe('a browser that clears site data', () => {
  test('causes a warning; stale writes are refused, and new sessions stored', async () => {
    await store.write(writeOf('a', 0, 1));
    await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'indexeddb' });
    await until(() => expect(warnings.map(({ code }) => code)).toEqual(['STORAGE_FAILED']));
    expect(await store.list()).toEqual({ sessions: [] });
    await expect(store.write(writeOf('a', 1, 2))).rejects.toMatchObject({ code: 'STORAGE_CONFLICT' });
    await store.write(writeOf('a', 0, 1));
  });
});

describe('a big file', () => {
  test('is imported whole and exported unchanged', async () => {
    const source = createMemoryStore();
    await source.write(writeOf('a', 0, 1, ...Array.from({ length: 6000 }, (_, index) => 2 + index)));
    const stored = await source.read('a');
    if (stored === undefined) throw new Error('The session was not stored.');
    const started = { type: 'session.started', sessionId: 'a', seq: 1, at: 1, v: 2 } as const;
    const file = exportSession({ summary: stored.summary, events: [started, ...stored.events.slice(1)] });
    expect(await importSessions(store, new Blob([file]))).toMatchObject({ sessions: 1, events: 6001, problems: [] });
    let back = '';
    for await (const piece of exportAll(store)) back += piece;
    expect(back.slice(back.indexOf('\n'))).toBe(file.slice(file.indexOf('\n')));
  });
});
