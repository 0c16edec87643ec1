import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { choices } from '../../demo/src/model/providers.ts';
import { startFrugalBrowserOnDisk } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { listen } from './support/server.ts';
import { during, setSite } from './support/stage.ts';
import {
  ask,
  button,
  composer,
  conversation,
  dialogClosed,
  hear,
  openSettings,
  sections,
  connectTo,
} from './support/studio.ts';

const site = setSite(new URL('../../demo', import.meta.url));
const browser = during(startFrugalBrowserOnDisk, (its) => its.close());
afterEach(() => closeCleanly(browser()));

interface Body {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** What the service does with a request for its list of models. */
let list: 'works' | 'refuses the key' | 'refuses pages' = 'works';
const bodies: Body[] = [];
beforeEach(() => {
  list = 'works';
  bodies.length = 0;
});

const service = during(
  () => listen((request, response) => void serve(request, response)),
  ({ stop }) => stop(),
);

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const piece of request.setEncoding('utf8')) text += String(piece);
  const isList = request.url === '/v1/models';
  if (!isList || list !== 'refuses pages')
    for (const name of ['origin', 'headers']) response.setHeader(`access-control-allow-${name}`, '*');
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  if (request.method === 'OPTIONS') return void response.writeHead(204).end();
  if (isList && list === 'refuses the key') return void response.writeHead(401).end('{"error":{"message":"No."}}');
  if (isList) return void response.end('{"data":[{"id":"brook-large"},{"id":"brook-small"}]}');
  bodies.push(JSON.parse(text) as Body);
  const chunk = { choices: [{ index: 0, delta: { content: 'As you say.' }, finish_reason: 'stop' }] };
  response.setHeader('content-type', 'text/event-stream');
  response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}

async function openConnected(): Promise<Page> {
  const tab = await browser().open(site().freshURL());
  tab.expectProblem(/Failed to load resource|blocked by CORS policy/u);
  const { page } = tab;
  await button(page, 'Connect a model').click();
  await connectTo(page, { baseURL: `http://${service().host}/v1`, model: 'brook-large', key: 'sk-a' });
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'This chat' });

async function openChatSettings(page: Page): Promise<void> {
  await page.getByTitle('Settings of this chat').click();
  await dialog(page).waitFor();
}

const offered = (page: Page) =>
  dialog(page)
    .locator('.bk-option')
    .evaluateAll((options) => options.map((option) => option.getAttribute('title')));

/** Opens the list of models in the settings of the chat. */
const openModels = (page: Page) => dialog(page).locator('.bk-model-picker > button').click();

const sent = (at: number) => {
  const { model, messages } = bodies.at(at) ?? expect.unreachable('a request');
  return { model, system: JSON.stringify(messages.find(({ role }) => role === 'system')?.content) };
};

describe('a chat with settings of its own', () => {
  it('has a model from the list of its provider, and instructions, and the next chat has neither', async () => {
    const page = await openConnected();
    await openChatSettings(page);
    await openModels(page);
    await eventually(() => offered(page)).toEqual(['brook-large', 'brook-small']);
    await dialog(page).getByRole('option').filter({ hasText: 'brook-small' }).click();
    await dialog(page).getByRole('textbox', { name: 'Instructions' }).fill('Answer in French.');
    await button(page, 'Save').click();
    await dialogClosed(page);
    expect(await page.locator('.chip-name').textContent()).toBe('brook-small');
    await hear(page, 'Hello?', 'As you say.');
    expect(sent(-1).model).toBe('brook-small');
    expect(sent(-1).system).toContain('Answer in French.');

    await page.reload();
    await button(page, 'Enter the key').click();
    await connectTo(page, { key: 'sk-a' });
    await hear(page, 'And now?', 'As you say.');
    expect(sent(-1).model).toBe('brook-small');
    expect(sent(-1).system).toContain('Answer in French.');

    await page.keyboard.press('Control+Shift+O');
    await hear(page, 'Hello?', 'As you say.');
    expect(sent(-1).model).toBe('brook-large');
    expect(sent(-1).system).not.toContain('French');
  });

  it.each([
    ['refuses the key', /The key was refused, or there is none yet/u],
    ['refuses pages', /No answer from .*refuses this page \(CORS/u],
  ] as const)('says why there is no list where the service %s, and keeps what was typed', async (how, reason) => {
    const page = await openConnected();
    list = how;
    await openChatSettings(page);
    await openModels(page);
    await dialog(page).getByText(reason).waitFor();
    // A model can be typed all the same. Escape closes the dialog, and nothing is lost.
    await page.locator('input[role=combobox]').fill('brook-tiny');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await dialogClosed(page);
    list = 'works';
    await openChatSettings(page);
    await dialog(page).getByRole('button', { name: 'Model: brook-tiny' }).waitFor();
    await button(page, 'Save').click();
    await dialogClosed(page);
    await hear(page, 'Hello?', 'As you say.');
    expect(sent(-1).model).toBe('brook-tiny');
  });

  it('asks for the list again on a click', async () => {
    const page = await openConnected();
    list = 'refuses the key';
    await openChatSettings(page);
    await openModels(page);
    await dialog(page).getByText('The key was refused').waitFor();
    list = 'works';
    await button(page, 'Try again').click();
    await eventually(() => offered(page)).toEqual(['brook-large', 'brook-small']);
  });
});

describe('files in a message', () => {
  it('are chosen, dropped and pasted, and reach the service as its wire takes them', async () => {
    const page = await openConnected();
    const chosen = page.waitForEvent('filechooser');
    await button(page, 'Attach files').click();
    const chooser = await chosen;
    await chooser.setFiles([
      { name: 'report.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') },
      { name: 'notes.md', mimeType: '', buffer: Buffer.from('# Notes') },
    ]);
    await page.getByText('report.pdf').waitFor();
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.of(137, 80, 78, 71)], 'brook.png', { type: 'image/png' }));
      return transfer;
    });
    await conversation(page).dispatchEvent('drop', { dataTransfer: data });
    await page.getByText('brook.png').waitFor();
    await composer(page).evaluate((field) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.of(255, 216)], 'pasted.jpg', { type: 'image/jpeg' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
    });
    await page.getByText('pasted.jpg').waitFor();
    await hear(page, 'What is this?', 'As you say.');
    const { messages } = bodies.at(-1) ?? expect.unreachable('a request');
    expect(messages.at(-1)?.content).toEqual([
      { type: 'file', file: { filename: 'report.pdf', file_data: `data:application/pdf;base64,${btoa('%PDF-1.7')}` } },
      { type: 'text', text: expect.stringContaining('# Notes') },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
      { type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9g=' } },
      { type: 'text', text: 'What is this?' },
    ]);
    // Stored with the conversation.
    await page.reload();
    await eventually(() => conversation(page).locator('.bk-question').textContent()).toContain('report.pdf');
  });
});

describe('the providers of the settings', () => {
  it('are all of the package, each with the page on which its keys are made', async () => {
    const { page } = await browser().open(site().freshURL());
    await openSettings(page, sections.model);
    const select = page.getByLabel('Provider');
    const listed = choices.filter(({ place }) => place !== 'other');
    expect(listed.map(({ id }) => id)).toContain('anthropic');
    for (const { id, provider, place } of listed) {
      await select.selectOption(id);
      const address = page.getByLabel('Address', { exact: true });
      expect(await address.inputValue()).toBe(provider.baseURL);
      // Behind a proxy of the person.
      if (provider.baseURL === '') await address.fill('https://proxy.example/v1');
      const link = page.getByRole('link', { name: `Get a key from ${provider.name}` });
      // A server on this computer has no keys.
      expect([id, await link.count()]).toEqual([id, place === 'cloud' ? 1 : 0]);
      if (place !== 'cloud') continue;
      expect([id, await link.getAttribute('href')]).toEqual([id, expect.stringMatching(/^https:\/\//u)]);
      expect(await link.getAttribute('rel')).toBe('noreferrer noopener');
    }
  });
});

describe('the storage section', () => {
  const panel = (page: Page) => page.getByRole('tabpanel');

  it('states that nothing is stored where the browser has no database, and how to change that', async () => {
    const { page } = await browser().open('about:blank');
    await page.addInitScript(() => Object.defineProperty(globalThis, 'indexedDB', { value: undefined }));
    await page.goto(site().freshURL());
    await ask(page, 'What is 6 * 7?');
    await page.getByText('Not saved: this conversation is lost when you close this tab.').waitFor();
    await openSettings(page, sections.storage);
    await panel(page).getByText('Not saved: this browser stores nothing for this page').waitFor();
    await panel(page).getByText('Private windows and blocked site data prevent storage.').waitFor();
    expect(await panel(page).getByRole('meter').count()).toBe(0);
    expect(await button(page, 'Protect my data').count()).toBe(0);
    // What is in memory can still be exported.
    const downloaded = page.waitForEvent('download');
    await panel(page).getByRole('button', { name: 'Export all' }).click();
    await downloaded;
  });

  it('states that the browser declined to keep the data, and that it agreed', async () => {
    const { page } = await browser().open(site().freshURL());
    const cdp = await browser().context.newCDPSession(page);
    const set = (setting: 'granted' | 'denied') =>
      cdp.send('Browser.setPermission', {
        permission: { name: 'persistent-storage' },
        setting,
        origin: new URL(page.url()).origin,
      });
    await set('denied');
    // The keys of the page work once it is shown.
    await composer(page).waitFor();
    await openSettings(page, sections.storage);
    await panel(page).getByText('Saved in this browser').waitFor();
    await panel(page).getByText('The browser may delete this data').waitFor();
    await button(page, 'Protect my data').click();
    await panel(page).getByText('The browser declined.').waitFor();
    await set('granted');
    await button(page, 'Protect my data').click();
    await panel(page).getByText('Protected: the browser does not delete this data on its own.').waitFor();
    expect(await panel(page).getByText('The browser declined.').count()).toBe(0);
  });

  it('shows how much is used, and warns when the space is nearly full', async () => {
    const { page } = await browser().open('about:blank');
    // Chromium reports a quota of 10 GiB more than what is used, whatever the disk has. Firefox and Safari report what is there.
    await page.addInitScript(() => {
      const report = { usage: 89_000_000, quota: 100_000_000 };
      Object.assign(globalThis, { report });
      StorageManager.prototype.estimate = () => Promise.resolve(report);
    });
    await page.goto(site().freshURL());
    const share = () =>
      panel(page)
        .getByRole('meter')
        .evaluate((meter) => (meter instanceof HTMLMeterElement ? meter.value / meter.max : 0));
    await composer(page).waitFor();
    await openSettings(page, sections.storage);
    await panel(page).getByText('89 MB of 100 MB used', { exact: true }).waitFor();
    expect(await share()).toBeCloseTo(0.89);
    expect(await panel(page).getByText('Almost full.').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.evaluate(() => Object.assign(Reflect.get(globalThis, 'report') as object, { usage: 91_000_000 }));
    await openSettings(page, sections.storage);
    await panel(page).getByText('Almost full. Delete conversations').waitFor();
    expect(await share()).toBeCloseTo(0.91);
  });
});
