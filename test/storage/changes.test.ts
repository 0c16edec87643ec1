import 'fake-indexeddb/auto';
import { createIndexedDBStore } from 'brooklet/storage';
import { deleteDB } from 'idb';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeOf } from './raw.ts';

const name = `tabs-${crypto.randomUUID()}`;

afterEach(async () => {
  vi.unstubAllGlobals();
  await deleteDB(name);
});

describe('changes$', () => {
  test('accepts nothing but strings from other scripts', async () => {
    const store = createIndexedDBStore({ name });
    const changes: string[] = [];
    const end = new Promise<void>((resolve) => {
      store.changes$.subscribe((id) => (id === 'end' ? resolve() : changes.push(id)));
    });
    const stranger = new BroadcastChannel(`brooklet:${name}`);
    // oxlint-disable unicorn/require-post-message-target-origin -- a channel has none
    for (const forged of [null, 1, {}, ['a'], { id: 'a' }, new Uint8Array(1000), 'a']) stranger.postMessage(forged);
    stranger.postMessage('end');
    // oxlint-enable unicorn/require-post-message-target-origin
    await end;
    expect(changes).toEqual(['a']);
    stranger.close();
    store.close();
  });

  test.each([
    ['has none', undefined],
    [
      'denies one to this page',
      function BroadcastChannel() {
        throw new DOMException('insecure', 'SecurityError');
      },
    ],
  ])('emits the changes of this tab where the browser %s', async (_why, channel) => {
    vi.stubGlobal('BroadcastChannel', channel);
    const store = createIndexedDBStore({ name });
    const changes: string[] = [];
    store.changes$.subscribe((id) => changes.push(id));
    await store.write(writeOf('a', 0, 1));
    await store.remove('a');
    expect(changes).toEqual(['a', 'a']);
    store.close();
  });

  test('opens no channel before the first subscriber or write', () => {
    vi.stubGlobal('BroadcastChannel', () => expect.unreachable('a channel was opened'));
    createIndexedDBStore({ name }).close();
  });

  test('announces a write that begins while the page is hidden, and none once the page is shown again', async () => {
    const page = new EventTarget();
    vi.stubGlobal('document', {});
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const store = createIndexedDBStore({ name });
    const heard: unknown[] = [];
    const tab = new BroadcastChannel(`brooklet:${name}`);
    tab.addEventListener('message', ({ data }: MessageEvent<unknown>) => heard.push(data));
    page.dispatchEvent(new Event('pagehide'));
    await store.write(writeOf('a', 0, 1));
    page.dispatchEvent(new Event('pageshow'));
    await store.write(writeOf('b', 0, 1));
    await expect.poll(() => heard).toEqual(['a', 'a', 'b']);
    tab.close();
    store.close();
  });
});
