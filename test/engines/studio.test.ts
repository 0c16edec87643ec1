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

const isClosed = (): boolean => document.querySelector('dialog[open]') === null;

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

  it('shows the whole palette, and closes it over the conversation that Back shows', async () => {
    const url = await tab.url();
    await tab.goto(`${studio().url}#/`);
    await tab.goto(url);
    await tab.run(() => dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, metaKey: false })));
    const height = (): number => document.querySelector('.palette-list')?.clientHeight ?? 0;
    await eventually(() => tab.run(height).catch(() => 0)).toBeGreaterThan(200);
    await tab.back();
    await eventually(() => tab.run(isClosed).catch(() => false)).toBe(true);
    expect(await tab.url()).not.toBe(url);
    await tab.goto(url);
  });

  it('keeps the settings over the page that Back shows while they hold a typed text', async () => {
    await tab.goto(`${studio().url}#/`);
    await tab.click('.who');
    await tab.type('dialog input[type=password]', 'sk-typed');
    const url = await tab.url();
    await tab.back();
    await eventually(() => tab.url()).not.toBe(url);
    expect(await tab.run(isClosed)).toBe(false);
    await tab.run(() => history.forward());
    await tab.run(() => document.querySelector<HTMLElement>('.modal-close')?.click());
    await eventually(() => tab.run(isClosed)).toBe(true);
    await tab.back();
    await eventually(() => textOf(tab)).toContain('Saved: “water the plants”.');
  });

  it('draws choices, selects and placeholders of the settings as every other engine', async () => {
    await tab.click('.who');
    await eventually(() => tab.run(() => document.querySelectorAll('dialog select').length)).toBe(2);
    const drawn = await tab.run(() => {
      const boxOf = (css: string) => document.querySelector(css)?.getBoundingClientRect() ?? new DOMRect();
      const [legend, row] = [boxOf('dialog .bk-segments .bk-legend'), boxOf('dialog .bk-segments-row')];
      const key = document.querySelector('dialog input[type=password]');
      const address = document.querySelector('dialog .settings input:not([type=password], [type=radio])');
      const colorOf = (field: Element | null) => field && getComputedStyle(field, '::placeholder').color;
      return {
        isBeside: legend.right <= row.left && legend.bottom > row.top,
        arrows: Array.from(document.querySelectorAll('dialog select'), (one) => getComputedStyle(one).appearance),
        heights: [boxOf('dialog select').height, address?.getBoundingClientRect().height],
        placeholders: [colorOf(address) !== 'rgb(169, 169, 169)', colorOf(key) !== 'rgb(169, 169, 169)'],
      };
    });
    expect(drawn).toMatchObject({ isBeside: true, arrows: ['none', 'none'], placeholders: [true, true] });
    expect(drawn.heights[0]).toBeCloseTo(drawn.heights[1] ?? Number.NaN, 1);
    await tab.press('Escape');
    await eventually(() => tab.run(isClosed)).toBe(true);
  });

  it('offers a folder in the browser where the browser has one', async () => {
    const hasFolder = await tab.run(() => 'storage' in navigator && 'getDirectory' in navigator.storage);
    await tab.click('.who');
    await press(tab, 'Workspace');
    await eventually(() => textOf(tab)).toContain('A folder in which the agent can list');
    expect(/In this browser/u.test(await tab.run(() => document.querySelector('dialog')?.innerText ?? ''))).toBe(
      hasFolder,
    );
    await tab.press('Escape');
    await eventually(() => tab.run(isClosed)).toBe(true);
  });

  it('shows in every tab the language that one has chosen', async () => {
    const other = await engine().open();
    await other.goto(studio().url);
    await eventually(() => textOf(other)).toContain('New chat');
    const choose = (index: number): Promise<void> =>
      tab.run((at: number) => {
        document.querySelectorAll<HTMLInputElement>('dialog .bk-segments')[1]?.querySelectorAll('input')[at]?.click();
      }, index);
    await tab.click('.who');
    await press(tab, 'Appearance');
    await eventually(() => tab.run(() => document.querySelectorAll('dialog .bk-segments').length)).toBe(2);
    await choose(2);
    await eventually(() => textOf(other)).toContain('新对话');
    await choose(0);
    await eventually(() => textOf(other)).toContain('New chat');
    await other.close();
    await tab.press('Escape');
    await eventually(() => tab.run(isClosed)).toBe(true);
  });

  it('makes what opens at a button as high as its content, and shows each answer to a question as a button', async () => {
    const url = await tab.url();
    await tab.goto(`${studio().url}#/`);
    await tab.type(composer, 'Plan a walk with me\n');
    // The sheet of the review is there, too, which is loaded in idle time.
    const border = (): string =>
      getComputedStyle(document.querySelector('.bk-choices button') ?? new Image()).borderTopStyle;
    await eventually(() => tab.run(border).catch(() => '')).toBe('solid');
    await tab.click('[aria-label^="Context:"]');
    const stretch = (): number => {
      const [button, other] = ['.bk-context > .bk-button', '.bk-question-form .bk-button'].map(
        (css) => document.querySelector(css)?.getBoundingClientRect().height,
      );
      return Math.abs((button ?? Number.NaN) - (other ?? Number.NaN));
    };
    await eventually(async () => (await tab.run(stretch).catch(() => null)) ?? Number.NaN).toBeLessThan(4);
    await tab.press('Escape');
    await tab.goto(url);
  });

  it('sets a formula on the line of its text', async () => {
    await tab.type(composer, 'Show me some formatting\n');
    const rise = (): number => {
      const formula = document.querySelector('.formula:not(.display) math');
      const text = formula?.closest('p')?.firstChild;
      if (!formula || !text) return Number.NaN;
      const line = document.createRange();
      line.selectNodeContents(text);
      return (line.getClientRects()[0]?.top ?? Number.NaN) - formula.getBoundingClientRect().top;
    };
    await eventually(async () => (await tab.run(rise).catch(() => null)) ?? Number.NaN).toBeLessThan(4);
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
    await phone.run(() => document.querySelector<HTMLElement>('.bk-session button[aria-haspopup=menu]')?.click());
    await press(phone, 'Select');
    const past = (): number => {
      const [bar, verb] = ['.bk-session-bar', '.bk-session-bar button:last-child'].map(
        (css) => document.querySelector(css)?.getBoundingClientRect().right,
      );
      return (verb ?? Number.NaN) - (bar ?? Number.NaN);
    };
    await eventually(async () => (await phone.run(past).catch(() => null)) ?? Number.NaN).toBeLessThanOrEqual(0);
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
