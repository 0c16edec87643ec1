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
  test('believes nothing but strings of what other scripts send', async () => {
    const store = createIndexedDBStore({ name });
    const heard: string[] = [];
    const end = new Promise<void>((resolve) => {
      store.changes$.subscribe((id) => (id === 'end' ? resolve() : heard.push(id)));
    });
    const stranger = new BroadcastChannel(`brooklet:${name}`);
    // oxlint-disable unicorn/require-post-message-target-origin -- a channel has none
    for (const forged of [null, 1, {}, ['a'], { id: 'a' }, new Uint8Array(1000), 'a']) stranger.postMessage(forged);
    stranger.postMessage('end');
    // oxlint-enable unicorn/require-post-message-target-origin
    await end;
    expect(heard).toEqual(['a']);
    stranger.close();
    store.close();
  });

  test.each([
    ['has none', undefined],
    [
      'does not give one to this page',
      function BroadcastChannel() {
        throw new DOMException('insecure', 'SecurityError');
      },
    ],
  ])('tells of the changes of this tab where the browser %s', async (_why, channel) => {
    vi.stubGlobal('BroadcastChannel', channel);
    const store = createIndexedDBStore({ name });
    const heard: string[] = [];
    store.changes$.subscribe((id) => heard.push(id));
    await store.write(writeOf('a', 0, 1));
    await store.remove('a');
    expect(heard).toEqual(['a', 'a']);
    store.close();
  });

  test('opens no channel before somebody listens or writes', () => {
    vi.stubGlobal('BroadcastChannel', () => expect.unreachable('a channel was opened'));
    createIndexedDBStore({ name }).close();
  });
});
