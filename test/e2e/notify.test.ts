import { expect, test } from 'vitest';
import { startBrowser, type Tab } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { setStage } from './support/stage.ts';

const stage = setStage(new URL('support/notify', import.meta.url), { start: startBrowser });

async function open(url: string): Promise<Tab> {
  const tab = await stage.browser.open(url);
  await tab.page.waitForFunction(() => window.sessionId === 'a');
  return tab;
}

const look = ({ page }: Tab, isVisible: boolean): Promise<void> =>
  page.evaluate((next) => window.look(next), isVisible);
const shown = ({ page }: Tab): Promise<Window['notifications']> => page.evaluate(() => window.notifications);
const send = ({ page }: Tab): Promise<unknown> =>
  page.evaluate(() => document.querySelector<HTMLElement>('#send')?.click());

test('with the permission, one of two hidden tabs shows a notification of the browser, and both are numbered', async () => {
  const url = stage.freshURL();
  const { context } = stage.browser;
  await context.grantPermissions(['notifications'], { origin: new URL(url).origin });
  const [one, other] = [await open(url), await open(url)];
  await one.page.getByRole('button', { name: 'Notify me' }).click();
  await eventually(() => one.page.evaluate(() => window.permission)).toBe('granted');

  // One of both is visible: nothing is shown.
  await look(one, false);
  await send(one);
  await eventually(() => other.page.evaluate(() => window.ended)).toBe(1);

  await look(other, false);
  await send(one);
  await eventually(async () => [await one.page.title(), await other.page.title()]).toEqual(['(1) Chat', '(1) Chat']);
  await eventually(async () => [...(await shown(one)), ...(await shown(other))].map(({ body }) => body)).toEqual([
    'The answer is complete.',
  ]);
  await eventually(async () =>
    [...(await shown(one)), ...(await shown(other))].flatMap(({ events }) => events),
  ).toContain('show');

  await look(other, true);
  await eventually(async () => [await one.page.title(), await other.page.title()]).toEqual(['Chat', 'Chat']);
});

test('without the permission there is the number alone, and a question outside of a gesture is refused', async () => {
  await stage.browser.context.clearPermissions();
  const tab = await open(stage.freshURL());
  await tab.page.evaluate(() => document.querySelector<HTMLElement>('#ask')?.click());
  await eventually(() => tab.page.evaluate(() => window.permission)).toMatch(/in a handler of a click|denied/u);
  await look(tab, false);
  await send(tab);
  await eventually(() => tab.page.title()).toBe('(1) Chat');
  expect(await shown(tab)).toEqual([]);
});

test('where the page may not construct one, its service worker shows the notification, and a look takes it away', async () => {
  const url = stage.freshURL({ android: '', worker: '' });
  const { context } = stage.browser;
  await context.grantPermissions(['notifications'], { origin: new URL(url).origin });
  const tab = await open(url);
  const byWorker = (): Promise<readonly string[]> =>
    tab.page.evaluate(async () => {
      const worker = await navigator.serviceWorker.ready;
      return (await worker.getNotifications()).map(({ body }) => body);
    });
  await look(tab, false);
  await send(tab);
  await eventually(byWorker).toEqual(['The answer is complete.']);
  expect(await tab.page.title()).toBe('(1) Chat');
  expect(await shown(tab)).toEqual([]);
  await look(tab, true);
  await eventually(byWorker).toEqual([]);
});

test('where nothing can show one, there is the number alone', async () => {
  const url = stage.freshURL({ android: '' });
  const { context } = stage.browser;
  await context.grantPermissions(['notifications'], { origin: new URL(url).origin });
  const tab = await open(url);
  await look(tab, false);
  await send(tab);
  await eventually(() => tab.page.title()).toBe('(1) Chat');
  expect(await shown(tab)).toEqual([]);
});
