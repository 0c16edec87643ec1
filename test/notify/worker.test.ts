import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Runs the service worker of docs/notify.md, and clicks a notification with this data. */
async function click(data: unknown, pages: readonly unknown[]) {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readFileSync('docs/notify.md', 'utf8')) ?? [];
  const did: unknown[] = [];
  let listener: (event: unknown) => void = () => {};
  const worker = {
    addEventListener: (_type: string, heard: typeof listener) => (listener = heard),
    clients: { matchAll: async () => pages, openWindow: async (url: string) => did.push(['open', url]) },
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the sample of the docs
  Reflect.apply(new Function('self', code), undefined, [worker]);
  let waited: unknown;
  const notification = { data, close: () => did.push('close') };
  listener({ notification, waitUntil: (promise: unknown) => (waited = promise) });
  await waited;
  return did;
}

test('the service worker of the docs brings a page to the front that hears of the session, or opens one', async () => {
  const told: unknown[] = [];
  const page = { postMessage: (message: unknown) => told.push(message), focus: async () => told.push('focus') };
  const data = { type: 'brooklet:notice', sessionId: 'a', url: '/chat/a' };
  expect(await click(data, [page])).toEqual(['close']);
  expect(told).toEqual([{ type: 'brooklet:open', sessionId: 'a' }, 'focus']);
  expect(await click(data, [])).toEqual(['close', ['open', '/chat/a']]);
  expect(await click({ type: 'of-another' }, [page])).toEqual([]);
});
