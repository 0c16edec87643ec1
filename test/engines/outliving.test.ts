import { describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import type { Seen } from '../e2e/support/outliving/main.ts';
import { startWords, wordsOf } from '../e2e/support/outliving/words.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

const site = servePage('outliving');
const words = during(startWords, (its) => its.stop());
const key = 'sk-a-key-of-a-person-0001';

const see = (tab: EngineTab): Promise<Seen> => tab.run(() => globalThis.outliving.see());

const isAtRest = (tab: EngineTab): Promise<void> =>
  eventually(async () => (await see(tab)).status).toMatch(/^(idle|interrupted)$/);

/** The worker has ended with its page: the run is whole, or interrupted, and then it is resumed. No word is lost that the page had shown. */
async function isGone(tab: EngineTab, requests: readonly string[]): Promise<void> {
  const { outcome, texts } = await see(tab);
  const [, answer = ''] = texts;
  expect(wordsOf(30).startsWith(answer)).toBe(true);
  if (outcome === 'completed') return expect([answer, requests]).toEqual([wordsOf(30), ['count 30']]);
  expect(outcome).toBe('interrupted');
  expect(await tab.run(() => globalThis.outliving.resume())).toBe('completed');
  expect((await see(tab)).texts).toHaveLength(3);
  expect(requests).toHaveLength(2);
}

describe.each(engines)('a run in a worker, in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );

  function stage(more = '') {
    const { baseURL, heard } = words().converse();
    const url = `${site()}?${new URLSearchParams({ baseURL, key })}${more}`;
    const visit = async (): Promise<EngineTab> => {
      const tab = await engine().open();
      await tab.goto(url);
      return tab;
    };
    return { heard, visit };
  }

  it('outlives its page while another one is open', async () => {
    const its = stage();
    const first = await its.visit();
    const id = await first.run((text: string) => globalThis.outliving.begin(text), 'count 30');
    const second = await its.visit();
    await second.run((session: string) => globalThis.outliving.open(session), id);
    expect(await second.run(() => globalThis.outliving.host())).toMatchObject({
      state: 'worker',
      outlives: name === 'chromium' ? 'pages' : 'page',
    });
    await first.close();
    await isAtRest(second);
    if (name === 'webkit-disk') await isGone(second, its.heard.requests);
    else {
      expect((await see(second)).texts).toEqual(['count 30', wordsOf(30)]);
      expect(its.heard.requests).toEqual(['count 30']);
    }
    expect(new Set(its.heard.keys)).toEqual(new Set([`Bearer ${key}`]));
    await second.close();
  });

  it('is whole, or interrupted and resumed, when its only page is reloaded', async () => {
    const its = stage();
    const tab = await its.visit();
    const id = await tab.run((text: string) => globalThis.outliving.begin(text), 'count 30');
    await eventually(async () => (await see(tab)).texts[1]?.includes('word5 ')).toBe(true);
    await tab.reload();
    await tab.run((session: string) => globalThis.outliving.open(session), id);
    await isAtRest(tab);
    if (name === 'chromium') {
      expect((await see(tab)).texts).toEqual(['count 30', wordsOf(30)]);
      expect(its.heard.requests).toEqual(['count 30']);
    } else await isGone(tab, its.heard.requests);
    await tab.close();
  });

  it('is encrypted by a vault that pages and worker unlock together', async () => {
    const its = stage('&sealed');
    const first = await its.visit();
    const passphrase = 'correct horse battery';
    await first.run((word: string) => globalThis.outliving.protect(word), passphrase);
    const id = await first.run((text: string) => globalThis.outliving.begin(text), 'count 30');
    const second = await its.visit();
    await eventually(() => second.run(() => globalThis.outliving.vaultStatus())).toBe('open');
    await second.run((session: string) => globalThis.outliving.open(session), id);
    await eventually(async () => (await see(second)).texts[1]?.includes('word5 ')).toBe(true);
    const host = await second.run(() => globalThis.outliving.host());
    // WebKit sends no key to a shared worker: the page drives.
    if (name.startsWith('webkit')) expect(host).toEqual({ state: 'page', reason: 'no-key' });
    else expect(host).toMatchObject({ state: 'worker' });
    await first.run(() => globalThis.outliving.lock());
    await eventually(() => second.run(() => globalThis.outliving.vaultStatus())).toBe('locked');
    await eventually(() => its.heard.said).toBe(30);
    expect((await see(second)).texts[1]).not.toContain('word29 ');
    await second.run((word: string) => globalThis.outliving.unlock(word), passphrase);
    await isAtRest(second);
    expect((await see(second)).texts).toEqual(['count 30', wordsOf(30)]);
    expect(its.heard.requests).toEqual(['count 30']);
    await second.run(() => globalThis.outliving.forgetKeys());
    await Promise.all([first.close(), second.close()]);
  });

  it('is driven by the page where the worker cannot be loaded', async () => {
    const its = stage('&how=missing');
    const tab = await its.visit();
    const id = await tab.run((text: string) => globalThis.outliving.begin(text), 'count 5');
    await eventually(async () => (await see(tab)).status).toBe('idle');
    expect(await tab.run(() => globalThis.outliving.host())).toMatchObject({ state: 'page', reason: 'failed' });
    const { texts } = await tab.run((session: string) => globalThis.outliving.open(session), id);
    expect(texts).toEqual(['count 5', wordsOf(5)]);
    await tab.close();
  });
});
