import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paceKey } from '../../demo/src/offline/pace.ts';
import { serveStudio } from '../../scripts/serve-studio.mjs';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import type { EngineTab } from './support/engine.ts';
import { engines, startEngine } from './support/start-engine.ts';

const composer = '.bk-composer textarea';

/** What the page shows; nothing while it is loaded. */
const textOf = (tab: EngineTab): Promise<string> => tab.run(() => document.body.innerText).catch(() => '');

/** Presses the button or follows the link with this name, once it is there. */
async function press(tab: EngineTab, name: string): Promise<void> {
  const find = (its: string): boolean => {
    const controls = [...document.querySelectorAll<HTMLElement>('button, a')];
    const control = controls.find((one) => one.innerText.trim() === its || one.ariaLabel === its || one.title === its);
    control?.click();
    return control !== undefined;
  };
  await eventually(() => tab.run(find, name).catch(() => false)).toBe(true);
}

/** One build for all engines. */
const built = during(serveStudio, ({ stop }) => stop());

describe.each(engines)('the Studio in %s', (name) => {
  const studio = during(
    () => serveStudio([], built().folder),
    ({ stop }) => stop(),
  );
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );
  let tab: EngineTab;
  let hasWorkers = false;
  beforeAll(async () => {
    tab = await engine().open();
    await tab.goto(studio().url);
    await tab.run((key: string) => sessionStorage.setItem(key, '0'), paceKey);
    await tab.reload();
    hasWorkers = await tab.run(() => 'serviceWorker' in navigator);
  });
  afterAll(() => tab?.close());

  // The tests are the steps of one visit.
  it('answers a question with a tool', async () => {
    await tab.type(composer, 'What is 6 * 7?\n');
    await eventually(() => textOf(tab)).toMatch(/is 42\./u);
  });

  it('asks for approval, also after a reload', async () => {
    await tab.type(composer, 'Remember to water the plants\n');
    await eventually(() => textOf(tab)).toContain('Approve');
    await tab.reload();
    await eventually(() => textOf(tab)).toContain('Approve');
    expect(await textOf(tab)).toMatch(/is 42\./u);
    await press(tab, 'Approve');
    await eventually(() => textOf(tab)).toContain('Saved: “water the plants”.');
  });

  it('shows the review of the conversation, and goes back', async () => {
    const url = await tab.url();
    await press(tab, 'Review');
    await eventually(() => textOf(tab)).toContain('What the model was sent in step');
    // WebKit lets a page copy in the click alone.
    await tab.click('.save-menu summary');
    await tab.click('.save-list li:nth-child(3) button');
    await eventually(() => textOf(tab)).toContain('The test was copied');
    await tab.goto(url);
    await eventually(() => textOf(tab)).toContain('Saved: “water the plants”.');
  });

  it('fits a phone: the list, a decision and the settings, each within its width', async () => {
    const phone = await engine().open();
    await phone.resize(390, 844);
    await phone.goto(studio().url);
    await phone.run((key: string) => sessionStorage.setItem(key, '0'), paceKey);
    await phone.reload();
    const overflow = (): Promise<number> => phone.run(() => document.documentElement.scrollWidth - innerWidth);

    await phone.type(composer, 'Remember to feed the trout\n');
    await eventually(() => textOf(phone)).toContain('Approve');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await press(phone, 'Approve');
    await eventually(() => textOf(phone)).toContain('Saved: “feed the trout”.');
    await press(phone, 'Sessions');
    await eventually(() => textOf(phone)).toContain('What is 6 * 7?');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await phone.click('.who');
    await eventually(() => phone.run(() => document.querySelector('dialog[open]') !== null)).toBe(true);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await phone.close();
  });

  it('starts and answers without its server, where there are service workers', async ({ skip }) => {
    if (!hasWorkers) return skip('The engine has no service workers.');
    const isActive = async (): Promise<string | undefined> => (await navigator.serviceWorker.ready).active?.state;
    await eventually(() => tab.run(isActive)).toBe('activated');
    await studio().leave();
    await tab.reload();
    await eventually(() => textOf(tab)).toContain('Saved: “water the plants”.');
    await tab.type(composer, 'Thanks!\n');
    await eventually(() => textOf(tab)).toContain('You are welcome');
  });
});
