import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import { readStored } from './support/clean.ts';
import { passphrase } from './support/encrypting.ts';
import { eventually } from './support/eventually.ts';
import { filesWith } from './support/files-with.ts';
import { isExtended, pause, see, setOutliving, shows } from './support/outliving/stage.ts';
import { wordsOf } from './support/outliving/words.ts';

const { browser, stage: stageOf } = setOutliving();

const vaultOf = (page: Page): Promise<string> => page.evaluate(() => globalThis.outliving.vaultStatus());
const unlock = (page: Page): Promise<void> => page.evaluate((its) => globalThis.outliving.unlock(its), passphrase);
const lock = (page: Page): Promise<void> => page.evaluate(() => globalThis.outliving.lock());
const asked = (page: Page): Promise<number> => page.evaluate(() => globalThis.askedPerson ?? 0);

/** One origin whose sessions a vault encrypts. */
function stage() {
  const its = stageOf({ sealed: '' });
  return {
    ...its,
    async begin(text: string): Promise<{ readonly page: Page; readonly id: string }> {
      const page = await its.visit();
      await page.evaluate((word) => globalThis.outliving.protect(word), passphrase);
      return { page, id: await its.begin(page, text) };
    },
  };
}

describe('a run whose session a vault encrypts', () => {
  test('outlives its page in a worker, and is not readable on the disk', async () => {
    const its = stage();
    const { page, id } = await its.begin('count 30');
    await shows(page, 'word3');
    expect(await isExtended(page)).toBe(true);
    await page.close();
    await pause(1_000);
    const next = await its.visit();
    // The worker has the key for its run, and hands it over: the vault is unlocked once.
    await eventually(() => vaultOf(next)).toBe('open');
    await its.open(next, id);
    await eventually(async () => (await see(next)).status).toBe('idle');
    expect((await see(next)).texts).toEqual(['count 30', wordsOf(30)]);
    expect(its.heard.requests).toEqual(['count 30']);
    expect(await readStored(next)).not.toContain('word5');
    await next.close();
  });

  test('writes no text of a session, and no passphrase, into the files of the browser', async () => {
    const its = stage();
    const canary = `c${randomBytes(12).toString('hex')}`;
    const page = await its.visit();
    await page.evaluate((word) => globalThis.outliving.protect(word), canary);
    await page.evaluate((word) => globalThis.outliving.begin(word), canary);
    await eventually(async () => (await see(page)).texts.join()).toContain('That is all.');
    await eventually(async () => (await see(page)).status).toBe('idle');
    await page.close();
    expect(its.heard.requests).toEqual([canary]);
    expect(await filesWith(browser().profile, canary)).toEqual([]);
  });

  test('keeps the key without a page for as long as it runs, and drops it then', async () => {
    const its = stage();
    const { page, id } = await its.begin('count 80');
    await shows(page, 'word3');
    await page.close();
    // Longer than a reload takes.
    await pause(6_000);
    const during = await its.visit();
    await eventually(() => vaultOf(during)).toBe('open');
    await during.close();
    await eventually(() => its.heard.said).toBe(80);
    await pause(12_000);
    const after = await its.visit();
    await eventually(() => vaultOf(after)).toBe('locked');
    await unlock(after);
    expect((await its.open(after, id)).texts).toEqual(['count 80', wordsOf(80)]);
    expect(its.heard.requests).toEqual(['count 80']);
    await after.close();
  });

  test('is stored to its end after a page has locked the vault in its midst, and another one unlocks it', async () => {
    const its = stage();
    const { page, id } = await its.begin('count 40');
    const other = await its.visit();
    await eventually(() => vaultOf(other)).toBe('open');
    await its.open(other, id);
    await shows(other, 'word5');
    await lock(page);
    await eventually(() => vaultOf(other)).toBe('locked');
    await eventually(() => its.heard.said).toBe(40);
    // The worker has no key: what it has received stays in its memory, and no new page is unlocked by it.
    const third = await its.visit();
    await eventually(() => vaultOf(third)).toBe('locked');
    expect((await see(other)).texts[1]).not.toContain('word39 ');
    await unlock(third);
    await eventually(() => vaultOf(page)).toBe('open');
    await eventually(async () => (await see(other)).status).toBe('idle');
    expect((await see(other)).texts).toEqual(['count 40', wordsOf(40)]);
    expect(its.heard.requests).toEqual(['count 40']);
    await Promise.all([page.close(), other.close(), third.close()]);
  });

  test('asks the person in a page where the worker needs the locked key', async () => {
    const its = stage();
    const { page, id } = await its.begin('pay 3');
    await eventually(async () => (await see(page)).status).toBe('waiting');
    await lock(page);
    const before = await asked(page);
    const approving = page.evaluate(() => globalThis.outliving.approve());
    await eventually(() => asked(page)).toBeGreaterThan(before);
    await unlock(page);
    expect(await approving).toBe(1);
    await eventually(async () => (await see(page)).status).toBe('idle');
    expect((await its.open(page, id)).calls).toEqual(['succeeded']);
    expect(its.heard.acts).toHaveLength(1);
    await page.close();
  });

  test('is resumed in the next worker, to which the pages hand the key', async () => {
    const its = stage();
    const { page } = await its.begin('count 100');
    await shows(page, 'word5');
    await page.evaluate(() => globalThis.outliving.crash());
    await eventually(async () => (await see(page)).outcome).toBe('interrupted');
    expect(await page.evaluate(() => globalThis.outliving.resume())).toBe('completed');
    expect(await asked(page)).toBe(0);
    expect(its.heard.requests).toHaveLength(2);
    await page.close();
  });

  test('stays unlocked over a reload of its only page', async () => {
    const its = stage();
    const { page, id } = await its.begin('count 20');
    await shows(page, 'word3');
    await page.reload();
    await eventually(() => vaultOf(page)).toBe('open');
    await its.open(page, id);
    await eventually(async () => (await see(page)).status).toBe('idle');
    expect((await see(page)).texts).toEqual(['count 20', wordsOf(20)]);
    expect(its.heard.requests).toEqual(['count 20']);
    await page.close();
  });

  test('ends, and its worker has no key, when the person signs out', async () => {
    const its = stage();
    const { page, id } = await its.begin('count 100');
    await shows(page, 'word3');
    await page.evaluate(async () => {
      await globalThis.outliving.signOut();
      globalThis.outliving.lock();
    });
    await page.close();
    const next = await its.visit();
    await eventually(() => vaultOf(next)).toBe('locked');
    await unlock(next);
    expect((await its.open(next, id)).outcome).toBe('cancelled');
    await next.evaluate(() => globalThis.outliving.forgetKeys());
    expect(await vaultOf(next)).toBe('memory');
    expect(its.heard.requests).toHaveLength(1);
    await next.close();
  });
});
