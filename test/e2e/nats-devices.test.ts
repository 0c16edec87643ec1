import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Locator, Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../demo/src/texts/en/en.ts';
import { roomsEn } from '../../demo/src/texts/en/rooms.ts';
import { type NatsServer, natsServer, startNatsServer } from '../nats/support/nats-server.ts';
import { addStream } from '../nats/support/streams.ts';
import { violationsOf } from './support/axe.ts';
import { type Browser, startFrugalBrowser, startFrugalBrowserOnDisk, type Tab } from './support/browser.ts';
import { closeCleanly } from './support/clean.ts';
import { eventually } from './support/eventually.ts';
import { filesWith } from './support/files-with.ts';
import { during, setSite } from './support/stage.ts';
import { ask, button, composer, dialogClosed, textOf } from './support/studio.ts';

const { devices: words, keys, settings } = roomsEn;
const user = 'ann';
const password = `p${randomBytes(8).toString('hex')}`;
const passphrase = 'correct horse battery';

/** A word that nothing else contains. */
const canary = (): string => `c${randomBytes(12).toString('hex')}`;

/** An engine with one user, which can be stopped and started. */
interface Engine {
  readonly url: string;
  readonly folder: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

async function startEngine(): Promise<Engine> {
  const config = `accounts {
    ANN { jetstream: enabled, users: [{ user: ${user}, password: "${password}" }] }
    SYS { users: [{ user: sys, password: "sys-password" }] }
  }
  system_account: SYS`;
  let server: NatsServer = await startNatsServer({ config });
  const { url, folder, webSocketUrl, name } = server;
  const operator = await server.connect({ user, pass: password });
  await addStream(operator, { user });
  await operator.close();
  return {
    url: webSocketUrl,
    folder,
    stop: () => server.kill(),
    async start() {
      const webSocket = `port: ${new URL(webSocketUrl).port}, no_tls: true`;
      server = await startNatsServer({ name, folder, config, port: Number(url.split(':')[1]), webSocket });
    },
    async remove() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const site = setSite(new URL('../../demo', import.meta.url));

const chip = (page: Page) => page.locator('.sync-chip');
const status = (page: Page) => page.locator('.device-status strong');
const sessions = (page: Page) => page.locator('.bk-session');

async function openDevices(page: Page): Promise<void> {
  await composer(page).waitFor();
  await page.locator('button.who').click();
  await page.getByRole('tab', { name: settings.devices }).click();
}

async function closeSettings(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dialogClosed(page);
}

async function fillForm(page: Page, url: string, device: string, secret = password, phrase = passphrase) {
  await page.getByLabel(words.address).fill(url);
  await page.getByLabel(words.user, { exact: true }).fill(user);
  await page.getByRole('textbox', { name: words.password, exact: true }).fill(secret);
  await page.getByLabel(words.passphrase).fill(phrase);
  await page.getByLabel(words.device).fill(device);
  await button(page, words.connect).click();
}

/** Connects a device by the address of the engine. */
async function connect(page: Page, url: string, device: string): Promise<void> {
  await openDevices(page);
  await fillForm(page, url, device);
  await eventually(() => status(page).textContent()).toBe(words.inStep);
  await closeSettings(page);
}

/** Begins a conversation, and waits until its answer is there. */
async function say(page: Page, text: string): Promise<void> {
  await page.evaluate(() => (location.hash = '#/'));
  await goOn(page, text);
}

async function goOn(page: Page, text: string): Promise<void> {
  await ask(page, text);
  await page.locator('.bk-answer').last().waitFor();
  await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached', timeout: 60_000 });
}

/** The notes that the tool has stored on a device. */
const notesOf = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error));
      });
    // Opening creates what is not there, without the tables that the tool needs.
    if ((await indexedDB.databases()).every(({ name }) => name !== 'brooklet-notes')) return '';
    const database = await done(indexedDB.open('brooklet-notes'));
    const [name] = [...database.objectStoreNames];
    const notes = name === undefined ? [] : await done(database.transaction(name).objectStore(name).getAll());
    database.close();
    return JSON.stringify(notes);
  });

const titles = async (page: Page): Promise<readonly string[]> => (await sessions(page).allTextContents()).toSorted();

const knownDevices = (page: Page, name: string): Locator => page.locator('.known-devices li').filter({ hasText: name });

async function openSession(page: Page, text: string): Promise<void> {
  await sessions(page).filter({ hasText: text }).first().locator('a').click();
  await eventually(() => textOf(page)).toContain(text);
}

describe.skipIf(natsServer === undefined)('the devices of Studio', { timeout: 600_000 }, () => {
  const engine = during(startEngine, (its) => its.remove());
  const laptop = during(startFrugalBrowserOnDisk, (its) => its.close());
  const phone = during(startFrugalBrowser, (its) => its.close());
  afterEach(async () => {
    for (const browser of [laptop(), phone()]) await closeCleanly(browser);
  });

  /** Opens the page on a device, at an address whose storages are new on each device. */
  async function open(browser: Browser, url: string): Promise<Tab> {
    const tab = await browser.open(url);
    // The browser logs each failed connection.
    tab.expectProblem(/WebSocket/u);
    await composer(tab.page).waitFor();
    return tab;
  }

  /** Connects both devices, and opens on each of them a conversation that has begun on one. */
  async function openOnBoth(phoneName = 'Phone') {
    const url = site().freshURL();
    const start = canary();
    const { page: one } = await open(laptop(), url);
    const { page: other } = await open(phone(), url);
    await connect(one, engine().url, 'Laptop');
    await connect(other, engine().url, phoneName);
    await say(one, `What is ${start}?`);
    await eventually(() => titles(other)).toContainEqual(expect.stringContaining(start));
    await openSession(other, start);
    return { one, other };
  }

  it('have the same conversations, decide for each other, and go on while the engine is away', async () => {
    const url = site().freshURL();
    const secret = canary();
    const { page: one } = await open(laptop(), url);
    const { page: other } = await open(phone(), url);

    // An address without encryption, and a wrong password, are refused. Nothing is stored.
    await openDevices(one);
    await fillForm(one, 'ws://example.com', 'Laptop');
    await one.getByText(words.addressProblems.insecure).waitFor();
    await one.getByLabel(words.address).fill(engine().url);
    await one.getByRole('textbox', { name: words.password, exact: true }).fill('wrong');
    await one.getByLabel(words.passphrase).fill(passphrase);
    await button(one, words.connect).click();
    await one.getByText(words.problems.AUTHENTICATION_FAILED).waitFor();
    expect(await violationsOf(one)).toEqual([]);
    await closeSettings(one);
    expect(await one.evaluate(() => localStorage.getItem('brooklet-studio:engine'))).toBeNull();

    await say(one, `What is ${secret}?`);
    await connect(one, engine().url, 'Laptop');
    await eventually(() => chip(one).textContent()).toBe(words.inStep);

    // Another passphrase does not open the conversations.
    await openDevices(other);
    await fillForm(other, engine().url, 'Phone', password, 'another passphrase');
    await other.getByText(words.problems.AUTHENTICATION_FAILED).waitFor();
    await other.getByRole('textbox', { name: words.password, exact: true }).fill(password);
    await other.getByLabel(words.passphrase).fill(passphrase);
    await button(other, words.connect).click();
    await eventually(() => status(other).textContent()).toBe(words.inStep);
    expect(await violationsOf(other)).toEqual([]);
    await closeSettings(other);
    await eventually(() => titles(other)).toEqual([expect.stringContaining(secret)]);
    await openSession(other, secret);
    expect(await filesWith(engine().folder, secret)).toEqual([]);
    const stored = await one.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain(password);

    // One asks for an approval, the other one gives it: the tool runs where it was asked for.
    await ask(one, 'Save a note: buy milk');
    for (const page of [one, other]) await page.locator('.bk-approval').waitFor({ timeout: 60_000 });
    await eventually(() => chip(other).textContent()).toBe(words.inStep);
    await button(other, 'Approve').click();
    for (const page of [one, other]) {
      await page.locator('.bk-approval').waitFor({ state: 'detached' });
      await page.locator('.bk-round[data-state=stop]').waitFor({ state: 'detached', timeout: 60_000 });
    }
    for (const page of [one, other]) await eventually(() => textOf(page)).toContain('Saved: “buy milk”.');
    // In the card of the call, which has closed.
    await one.locator('.bk-tool-call > summary').last().click();
    await one.getByText('Approved in another tab').waitFor();
    expect(await notesOf(one)).toContain('buy milk');
    expect(await notesOf(other)).not.toContain('buy milk');

    // Both go on without the engine, each for itself.
    await engine().stop();
    await say(one, 'What time is it in Tokyo?');
    await eventually(() => chip(one).textContent()).toBe(words.awayShort);
    await openDevices(one);
    await eventually(() => status(one).textContent()).toContain('The server cannot be reached since');
    expect(await violationsOf(one)).toEqual([]);
    await closeSettings(one);
    await say(other, 'What is 17 * 23?');
    await eventually(() => textOf(other)).toContain('391');
    expect(await sessions(one).count()).toBe(2);
    await engine().start();
    for (const page of [one, other]) {
      await eventually(() => chip(page).textContent()).toBe(words.inStep);
      await eventually(() => sessions(page).count()).toBe(3);
    }
    await eventually(async () => (await titles(one)).join() === (await titles(other)).join()).toBe(true);

    // Whoever leaves keeps everything.
    await openDevices(one);
    await button(one, words.disconnect).click();
    await one.getByText(words.disconnected).waitFor();
    await closeSettings(one);
    expect(await sessions(one).count()).toBe(3);
    expect(await chip(one).count()).toBe(0);
    await say(one, 'Thanks!');
    await eventually(() => sessions(one).count()).toBe(4);
    expect(await sessions(other).count()).toBe(3);
  });

  it('leave a decision to the page that asked, and go on here when it is gone', async () => {
    const { one, other } = await openOnBoth();
    // The page that asked is gone: the decision waits for it, until somebody goes on here.
    await ask(one, 'Save a note: eggs');
    await other.locator('.bk-approval').waitFor();
    await eventually(() => chip(other).textContent()).toBe(words.inStep);
    await one.reload();
    await composer(one).waitFor();
    await button(other, 'Approve').click();
    await other.getByText(words.leftText('Laptop')).waitFor();
    expect(await violationsOf(other)).toEqual([]);
    expect(await notesOf(other)).not.toContain('eggs');
    await button(other, words.continueHere).click();
    await eventually(() => textOf(other)).toContain('Saved: “eggs”.');
    expect(await notesOf(other)).toContain('eggs');
  });

  it('do not carry out what a removed device has decided, and let the person here decide the same', async () => {
    // The engine also has the devices of the tests before.
    const removed = `Phone ${canary()}`;
    const { one, other } = await openOnBoth(removed);
    await eventually(() => chip(other).textContent()).toBe(words.inStep);
    await openDevices(one);
    await one.getByRole('button', { name: words.removeDevice(removed) }).click();
    await eventually(() => knownDevices(one, removed).count()).toBe(0);
    expect(await violationsOf(one)).toEqual([]);
    await closeSettings(one);

    await ask(one, 'Save a note: bread');
    for (const page of [one, other]) await page.locator('.bk-approval').waitFor({ timeout: 60_000 });
    await eventually(() => chip(other).textContent()).toBe(words.inStep);
    await button(other, 'Approve').click();
    await one.getByText(words.heldText(removed, words.heldWhy['removed-device'], 'approved')).waitFor();
    expect(await violationsOf(one)).toEqual([]);
    expect(await one.locator('.bk-approval').count()).toBe(1);
    expect(await notesOf(one)).not.toContain('bread');
    await button(one, words.decideSame).click();
    await eventually(() => textOf(one)).toContain('Saved: “bread”.');
    expect(await notesOf(one)).toContain('bread');
    expect(await notesOf(other)).not.toContain('bread');
  });

  it('are enrolled by a link and a PIN, once, and no address of a request contains the code', async () => {
    const [secret, laptopName, phoneName] = [canary(), `Laptop ${canary()}`, `Phone ${canary()}`];
    const { page: one } = await open(laptop(), site().freshURL());
    await say(one, `What is ${secret}?`);
    await connect(one, engine().url, laptopName);
    await openDevices(one);
    await one.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void (document.body.dataset.copied = text);
    });
    await button(one, words.add).click();
    await one.getByRole('img', { name: words.qr }).waitFor();
    expect(await violationsOf(one)).toEqual([]);
    await button(one, words.copyCode).click();
    const code = (await one.evaluate(() => document.body.dataset.copied)) ?? '';
    const pin = ((await one.locator('.pin').textContent()) ?? '').replace(' ', '');
    expect(code).toMatch(/^[\w-]{300,}$/);

    const url = site().freshURL();
    const tab = await phone().open('about:blank');
    tab.expectProblem(/WebSocket/u);
    const { page: other } = tab;
    const requested: string[] = [];
    other.on('request', (request) => requested.push(request.url()));
    await other.goto(`${url}#/enrol/${code}`);
    await eventually(() => other.getByLabel(words.code).inputValue()).toBe(code);
    expect(other.url()).not.toContain(code);
    await other.getByLabel(words.device).fill(phoneName);
    await other.getByLabel(words.pin).fill('00000000');
    await button(other, words.connect).click();
    await other.getByText(words.problems.wrongPin).waitFor();
    expect(await violationsOf(other)).toEqual([]);
    await other.getByLabel(words.pin).fill(pin);
    await button(other, words.connect).click();
    await eventually(() => status(other).textContent()).toBe(words.inStep);
    await one.getByText(words.taken).waitFor();
    for (const name of [laptopName, phoneName]) await knownDevices(other, name).waitFor();
    await closeSettings(other);
    await eventually(() => titles(other)).toContainEqual(expect.stringContaining(secret));
    expect(requested.filter((address) => address.includes(code))).toEqual([]);
    expect(await filesWith(engine().folder, secret)).toEqual([]);
    expect(await filesWith(engine().folder, code)).toEqual([]);

    // A third device comes too late.
    const { page: third } = await open(phone(), site().freshURL());
    await openDevices(third);
    await third.getByRole('radio', { name: words.byCode }).check();
    await third.getByLabel(words.code).fill(code);
    await third.getByLabel(words.pin).fill(pin);
    await third.getByLabel(words.device).fill('Tablet');
    await button(third, words.connect).click();
    await third.getByText(words.problems.PERMISSION_DENIED).waitFor();
    await button(one, words.done).click();
    await eventually(() => status(one).textContent()).toBe(words.inStep);
  });

  it('keep what both wrote while the engine was away, and an action that changes something waits for the engine', async () => {
    const { one, other } = await openOnBoth();
    await eventually(() => chip(other).textContent()).toBe(words.inStep);

    await engine().stop();
    await goOn(one, 'What is 2 + 3?');
    await goOn(other, 'What is 5 + 6?');
    await engine().start();
    const kept = words.keptText;
    await eventually(async () => (await one.getByText(kept).count()) + (await other.getByText(kept).count())).toBe(1);
    const [late, early] = (await one.getByText(kept).count()) === 1 ? [one, other] : [other, one];
    const [lateText, earlyText] = late === one ? ['2 + 3', '5 + 6'] : ['5 + 6', '2 + 3'];
    await eventually(() => textOf(late)).toContain(earlyText);
    expect(await violationsOf(late)).toEqual([]);
    await late.locator('.strip').getByRole('button', { name: words.show }).click();
    await eventually(() => textOf(late)).toContain(lateText);
    for (const page of [late, early])
      await eventually(() => titles(page)).toContainEqual(expect.stringContaining('(kept from'));
    await late.goBack();
    await late.locator('.strip').getByRole('button', { name: en.common.dismiss }).click();
    await eventually(() => late.getByText(kept).count()).toBe(0);

    await ask(early, 'Save a note: eggs');
    await early.locator('.bk-approval').waitFor();
    await eventually(() => chip(early).textContent()).toBe(words.inStep);
    await engine().stop();
    await button(early, 'Approve').click();
    await early.locator('.strip').getByText(words.waitingText).waitFor();
    await engine().start();
    await eventually(() => textOf(early)).toContain('Saved: “eggs”.');
    await eventually(() => chip(early).textContent()).toBe(words.inStep);
  });

  it('sign in again after a reload, by typing or by unlocking the vault', async () => {
    const { page } = await open(laptop(), site().freshURL());
    await connect(page, engine().url, 'Laptop');
    await page.reload();
    await openDevices(page);
    await eventually(() => status(page).textContent()).toBe(words.missing);
    await page.getByRole('textbox', { name: words.password, exact: true }).fill(password);
    await page.getByLabel(words.passphrase).fill(passphrase);
    await button(page, words.again).click();
    await eventually(() => status(page).textContent()).toBe(words.inStep);

    await page.getByRole('tab', { name: settings.keys }).click();
    await page.getByText(words.keyName).waitFor();
    await page.getByRole('radio', { name: keys.encrypted }).check();
    await page.getByLabel(keys.newPassphrase).fill(passphrase);
    await page.getByLabel(keys.repeat).fill(passphrase);
    await button(page, keys.protect).click();
    await button(page, keys.lockNow).waitFor();
    await page.reload();
    await openDevices(page);
    await eventually(() => status(page).textContent()).toBe(words.locked);
    await page.getByLabel(keys.passphrase).fill(passphrase);
    await button(page, keys.unlock).click();
    await eventually(() => status(page).textContent()).toBe(words.inStep);
    expect(await filesWith(laptop().profile, password)).toEqual([]);
  });
});
