import type { SessionEvent } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import type { Deed } from '../support/person.ts';
import { problemsOfDeeds, problemsOfLog, problemsOfTabs, problemsOfWrites, type Shown } from '../support/tab-laws.ts';
import { setStage } from './support/stage.ts';
import type { News } from './support/tabs/news.ts';

/** `INTERLEAVINGS=200 SEED=7 npm test -- test/e2e/interleavings.test.ts` plays 200 interleavings from that seed. */
const count = Number(process.env.INTERLEAVINGS ?? 10);
const seed = Number(process.env.SEED ?? 1);
/** Played concurrently: while one waits, the others continue. */
const atOnce = 4;
/** ms between the instruction of a page and its action, so that two pages can act at the same time. */
const lead = 50;

/** One action in one of the tabs, and ms until the next one. */
interface Move {
  readonly tab: number;
  readonly what: Deed | 'reload' | 'close';
  readonly pause: number;
}

const verbs: readonly Move['what'][] = [
  ...(['send', 'send', 'send', 'send', 'approve', 'approve', 'approve', 'reject', 'cancel', 'cancel'] as const),
  ...(['queue', 'queue', 'steer', 'steer', 'add', 'rename', 'resume', 'regenerate', 'reload', 'close'] as const),
];
/** The moves that send a text. */
const sayings: readonly Move['what'][] = ['send', 'queue', 'steer', 'add'];
/** ms; half of the moves happen at the same time as the next one. */
const pauses: readonly number[] = [0, 0, 0, 10, 50, 150];
/** ms by which a tab is notified late of stored events. */
const lags: readonly number[] = [0, 20, 100];

const stage = setStage(new URL('support/tabs', import.meta.url));

/** The reports of the tabs of one address. */
interface Told {
  readonly writes: SessionWrite[];
  readonly ran: string[];
  /** Writes that were rejected because another tab wrote first. */
  refused: number;
}

const told = new Map<string, Told>();

beforeAll(() =>
  stage.browser.context.exposeBinding('tell', (_source, news: News) => {
    const heard = told.get(news.origin) ?? expect.unreachable(`Nobody plays at ${news.origin}.`);
    if (news.type === 'acts') heard.ran.push(news.callId);
    else if (news.type === 'refused') heard.refused++;
    else {
      const write: SessionWrite = JSON.parse(news.write);
      heard.writes.push(write);
    }
  }),
);

const open = async (url: string): Promise<Page> => (await stage.browser.open(url)).page;
const show = (page: Page): Promise<Shown> => page.evaluate(async () => (await globalThis.tab).show());

/**
 * A slot for one tab after the other. Actions in one slot are sequential; actions in different slots are independent.
 */
interface Place {
  readonly url: string;
  page: Page | undefined;
  /** The messages sent in the current tab. */
  said: string[];
  last: Promise<void>;
}

/** Plays one interleaving; returns the violations at the end, one sentence each. */
async function play(nth: number): Promise<readonly string[]> {
  const random = createRandom(seed + nth);
  const below = (limit: number): number => Math.floor(random() * limit);
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] ?? expect.unreachable();
  const tabs = 2 + below(2);
  const its = Array.from({ length: 8 + below(10) }, (): Move => ({
    tab: below(tabs),
    what: oneOf(verbs),
    pause: oneOf(pauses),
  }));
  const fresh = stage.site.freshURL();
  const heard: Told = { writes: [], ran: [], refused: 0 };
  told.set(new URL(fresh).origin, heard);

  const first = await open(fresh);
  await show(first);
  const { hash } = new URL(first.url());
  await first.close();
  const places = Array.from({ length: tabs }, (): Place => ({
    url: `${fresh}?lag=${oneOf(lags)}${hash}`,
    page: undefined,
    said: [],
    last: Promise.resolve(),
  }));
  for (const place of places) await show((place.page = await open(place.url)));

  /**
   * The number of closed tabs, and of messages added by a tab that may not yet have known of another tab's run: each
   * can cut off one run.
   */
  let cuts = 0;
  async function move(place: Place, what: Move['what'], words: string, at: number): Promise<void> {
    const { page } = place;
    if (what === 'close' || what === 'reload') {
      if (page) cuts++;
      place.said = [];
      if (what === 'reload') await page?.reload();
      else {
        place.page = undefined;
        await page?.close();
      }
      return;
    }
    const isTaken = await (place.page ??= await open(place.url)).evaluate(
      async ([deed, its, when]) => (await globalThis.tab).act(deed, its, when),
      [what, words, at] as const satisfies [Deed, string, number],
    );
    if (isTaken && what === 'add') cuts++;
    if (isTaken && sayings.includes(what)) place.said.push(words);
  }

  for (const [index, { tab, what, pause }] of its.entries()) {
    const place = places[tab] ?? expect.unreachable();
    const at = Date.now() + lead;
    place.last = place.last.then(() => move(place, what, `word ${index}`, at));
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  await Promise.all(places.map(({ last }) => last));

  // A new tab shows the stored events.
  const witness = await open(fresh + hash);
  const pages = [...places.flatMap(({ page }) => page ?? []), witness];
  async function unrest(): Promise<readonly string[]> {
    const shown = await Promise.all(pages.map(show));
    if (shown.some(({ status }) => status === 'waiting')) {
      await witness.evaluate(async () => (await globalThis.tab).rejectAll());
      return ['a call waits for a person'];
    }
    return problemsOfTabs(shown);
  }
  let rest: readonly string[] = [];
  await expect
    .poll(async () => (rest = await unrest()), { timeout: 45_000, interval: 50 })
    .toEqual([])
    .catch(() => {});

  const { messages, queue } = await show(witness);
  const log: readonly SessionEvent[] = await witness.evaluate(async () => (await globalThis.tab).read());
  await Promise.all(pages.map((page) => page.close()));
  const said = places.flatMap((place) => place.said);
  const problems = [
    ...rest,
    ...problemsOfLog(log, cuts),
    ...problemsOfWrites(heard.writes, log),
    ...problemsOfDeeds([...messages, ...queue], said, heard.ran),
  ];
  if (heard.writes.length === 0) problems.push('no write was acknowledged');
  return problems.map(
    (problem) => `SEED=${seed + nth} INTERLEAVINGS=1, ${places.length} tabs: ${problem}\n${describe(its)}`,
  );
}

const describe = (its: readonly Move[]): string =>
  its.map(({ tab, what, pause }) => `${what} in ${tab}, ${pause} ms`).join('; ');

test(
  `tabs on one session end with the same state, and lose nothing, in any interleaving (${count} interleavings, SEED=${seed})`,
  async () => {
    const problems: string[] = [];
    let next = 0;
    async function playAll(): Promise<void> {
      while (next < count) problems.push(...(await play(next++)));
    }
    await Promise.all(Array.from({ length: atOnce }, playAll));
    const all = [...told.values()];
    console.info(
      `${count} interleavings, SEED=${seed}: ${all.flatMap(({ writes }) => writes).length} acknowledged writes, ` +
        `${all.reduce((sum, { refused }) => sum + refused, 0)} refused, ${all.flatMap(({ ran }) => ran).length} calls of tools`,
    );
    expect(problems).toEqual([]);
    expect(all.some(({ ran }) => ran.length > 0)).toBe(true);
  },
  60_000 + count * 10_000,
);
