import { createAgent } from 'brooklet';
import { notify } from 'brooklet/notify';
import { createScriptedClient, reply } from 'brooklet/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { settled } from '../support/manual-client.ts';
import { sessionOf } from '../support/stage.ts';

const made: { readonly title: string; readonly options: unknown }[] = [];
let stop = (): void => {};

class Notifications extends EventTarget {
  static readonly permission = 'granted';
  readonly close = vi.fn<() => void>();
  constructor(title: string, options: unknown) {
    super();
    made.push({ title, options });
  }
}

beforeEach(() => {
  made.length = 0;
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.title = 'Chat';
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function stage() {
  const agent = createAgent({ client: createScriptedClient([reply.text('Yes.')]) });
  const opened: string[] = [];
  stop = notify(agent, { onOpen: (id) => opened.push(id) });
  return { session: sessionOf(agent, agent.createSession()), opened };
}

test('a page shows the notification and the number, and takes both away when it is visible', async () => {
  vi.stubGlobal('Notification', Notifications);
  const { session } = stage();
  session.rename('');
  await session.send({ content: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] });
  await expect.poll(() => made.length).toBe(1);
  expect(made[0]?.title).toBe('Chat');
  expect(document.title).toBe('(1) Chat');
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(document.title).toBe('Chat');
});

test('the service worker shows it where the page may not, as on Android', async () => {
  vi.stubGlobal(
    'Notification',
    Object.assign(
      function refuse() {
        throw new TypeError('Illegal constructor.');
      },
      { permission: 'granted' },
    ),
  );
  const close = vi.fn<() => void>();
  const worker = {
    showNotification: async (title: string, options: unknown) => void made.push({ title, options }),
    getNotifications: async () => [{ close }],
  };
  const serviceWorker = Object.assign(new EventTarget(), { getRegistration: async () => worker });
  vi.stubGlobal('navigator', { serviceWorker });
  const { session, opened } = stage();
  await session.send('x');
  await expect.poll(() => made).toMatchObject([{ options: { data: { sessionId: session.id } } }]);
  serviceWorker.dispatchEvent(new MessageEvent('message', { data: { type: 'brooklet:open', sessionId: session.id } }));
  expect(opened).toEqual([session.id]);
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => close.mock.calls.length).toBe(1);
});

test('a browser without notifications has the number alone', async () => {
  vi.stubGlobal('Notification', undefined);
  const { session } = stage();
  await session.send('x');
  await expect.poll(() => document.title).toBe('(1) Chat');
  await settled();
  stop();
  expect([made, document.title]).toEqual([[], 'Chat']);
});
