import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { exportHTML } from 'brooklet/review/html';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../e2e/support/eventually.ts';
import { during } from '../e2e/support/stage.ts';
import { branched, rich } from '../history/samples/chatgpt.ts';
import { recordTree } from '../review/recorded-tree.ts';
import type { EngineTab } from './support/engine.ts';
import { servePage } from './support/site.ts';
import { engines, startEngine } from './support/start-engine.ts';

/** The strictest policy of a page whose scripts and styles are files. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const site = servePage('rooms-review', { 'content-security-policy': policy });

const titleOf = (tab: EngineTab): Promise<string> =>
  tab.run(() => document.querySelector('h1')?.innerText.split('\n')[0] ?? '').catch(() => '');
/** Waits until the page, or the drawer of the devtools in its shadow tree, shows a text. */
const shows = (tab: EngineTab, text: string) =>
  eventually(() =>
    tab
      .run((its) => {
        const drawers = Array.from(document.documentElement.children, (one) =>
          one.shadowRoot?.querySelector<HTMLElement>('.drawer'),
        );
        return [document.body, ...drawers].some((one) => one?.innerText.includes(its));
      }, text)
      .catch(() => false),
  ).toBe(true);

/** Clicks in the shadow tree of the devtools, with the mouse: no driver finds an element there by its name. */
async function clickInDrawer(tab: EngineTab, name: string): Promise<void> {
  const find = (its: string): readonly [x: number, y: number] | undefined => {
    const roots = Array.from(document.documentElement.children, (one) => one.shadowRoot);
    const buttons = roots.flatMap((root) => Array.from(root?.querySelectorAll('button') ?? []));
    const button = buttons.find((one) => one.innerText.trim() === its && !one.disabled && one.checkVisibility());
    if (button === undefined) return undefined;
    const { x, y, width, height } = button.getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  };
  // A button moves while the drawer is being filled: two looks find it in one place.
  let place: readonly [x: number, y: number] | undefined;
  await eventually(async () => {
    const before = place;
    place = await tab.run(find, name);
    return place !== undefined && isDeepStrictEqual(place, before);
  }).toBe(true);
  await tab.clickAt(...(place ?? [0, 0]));
}

/** Presses a button that copies, and waits until it states that it has. */
async function copy(tab: EngineTab, label: string): Promise<void> {
  await tab.click(`[aria-label="${label}"]`);
  await eventually(() =>
    tab.run((its) => document.querySelector(`[aria-label="${its}"]`)?.getAttribute('data-state'), label),
  ).toBe('copied');
}

describe.each(engines)('a review in %s', (name) => {
  const engine = during(
    () => startEngine(name),
    (its) => its.close(),
  );
  let folder = '';
  let tab: EngineTab;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'brooklet-review-'));
    tab = await engine().open();
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const openFile = async (file: string, html: string): Promise<void> => {
    const path = join(folder, file);
    await writeFile(path, html);
    await tab.goto(pathToFileURL(path).href);
  };

  describe('under a strict policy with Trusted Types', () => {
    beforeAll(() => tab.goto(site()));

    it('follows a session, and opens the session below', async () => {
      await tab.run(() => globalThis.review.send('Why?'));
      await eventually(() => titleOf(tab)).toBe('Why?');
      await shows(tab, 'see there');
      await tab.click('.bk-seen [data-opens], [data-opens]');
      await eventually(() => titleOf(tab)).toBe('Look at the lever');
      await shows(tab, 'The lever came off.');
      await tab.write('u');
      await eventually(() => titleOf(tab)).toBe('Why?');
      await tab.run(() => globalThis.review.send('And now?'));
      await shows(tab, 'And now?');
    });

    it('shows a planned prompt once, which one of two tabs sends', async () => {
      const other = await engine().open();
      await other.goto(site());
      await other.run(() => globalThis.review.plan('Later'));
      await shows(tab, 'Later');
      for (const one of [tab, other])
        await eventually(() => one.run(() => globalThis.review.asked())).toEqual({
          // Not its outcome: on a busy machine WebKit's run is interrupted now and then.
          status: expect.stringMatching(/^(?:idle|interrupted)$/u),
          texts: ['Why?', 'And now?', 'Later'],
        });
      await other.close();
    });

    it('copies a moment, and a test in the devtools', async () => {
      await copy(tab, 'Copy this moment as Markdown');
      await clickInDrawer(tab, 'Brooklet');
      await shows(tab, 'run.ended');
      await clickInDrawer(tab, 'Requests');
      await clickInDrawer(tab, 'Copy as test');
      await shows(tab, 'Copied');
    });

    it('writes and reads files: JSON Lines, sealed, an archive', async () => {
      expect(await tab.run(() => globalThis.review.roundTrip())).toEqual({
        titles: ['Why?'],
        imported: 4,
        isSame: true,
        sealed: { start: 'brooklet-sealed 1', isSame: true, refused: 'AUTHENTICATION_FAILED' },
      });
      const archive = zipSync({ 'conversations.json': strToU8(JSON.stringify([branched, rich])) });
      expect(await tab.run((bytes) => globalThis.review.importArchive(bytes), Array.from(archive))).toHaveLength(2);
    });

    it('needs nothing that the policy forbids', async () => {
      expect(await tab.run(() => globalThis.review.violations)).toEqual([]);
      expect(await tab.run(() => globalThis.review.writeMarkup())).toBe('TypeError');
      expect(tab.problems().filter((problem) => !/TrustedHTML|innerHTML/u.test(problem))).toEqual([]);
    });
  });

  describe('in a file that is opened from the disk', () => {
    it('shows what the page has exported, and copies of it', async () => {
      await openFile('page.html', await tab.run(() => globalThis.review.toHTML()));
      await eventually(() => titleOf(tab)).toBe('Why?');
      await shows(tab, '06:36');
      expect(
        await tab.run(() => [document.querySelectorAll('main a, main img').length, document.documentElement.lang]),
      ).toEqual([0, 'en-GB']);
      await copy(tab, 'Copy the event as JSON');
    });

    it('opens each session of a tree, searches, and opens at a moment, in the language that was chosen', async () => {
      const { store, sessions } = await recordTree(3);
      const html = await exportHTML({ store, sessionId: sessions[0]?.summary.id ?? '' }, { language: 'zh-CN' });
      await openFile('tree.html', await html.text());
      for (const title of ['Task 0', 'Task 1', 'Task 2', 'Task 3']) {
        await eventually(() => titleOf(tab)).toBe(title);
        if (title !== 'Task 3') await tab.click('[data-opens]');
      }
      await shows(tab, 'Answer of level 3.');
      await tab.write('/');
      await tab.write('level');
      await shows(tab, '找到 ');
      await tab.press('Enter');
      await shows(tab, '"type": "text.delta"');
      await tab.goto('about:blank');
      await tab.goto(`${pathToFileURL(join(folder, 'tree.html')).href}#@3`);
      await shows(tab, '"seq": 3');
    });

    it('is shown up to the place where it was cut', async () => {
      const { store, sessions } = await recordTree(1);
      const html = await (
        await exportHTML({ store, sessionId: sessions[0]?.summary.id ?? '' }, { language: 'en' })
      ).text();
      await openFile('cut.html', html.slice(0, html.indexOf('"seq":9,') + 5));
      await shows(tab, 'Shown up to a damaged place.');
    });
  });
});
