import type { SessionEvent, SessionWrite } from 'brooklet';
import fc from 'fast-check';
import type { Page } from 'playwright';
import { beforeAll, expect, test } from 'vitest';
import type { Deed } from '../support/person.ts';
import { problemsOfDeeds, problemsOfLog, problemsOfTabs, problemsOfWrites, type Shown } from '../support/tab-laws.ts';
import { moves, type Move } from '../support/tab-moves.ts';
import { setStage } from './support/stage.ts';
import type { News } from './support/tabs/news.ts';

/** `INTERLEAVINGS=200 SEED=7 npm test -- test/e2e/interleavings.test.ts` plays as many from that seed. */
const count = Number(process.env.INTERLEAVINGS ?? 12);
const seed = Number(process.env.SEED ?? 1);
/** Played at the same time: while one waits, the others go on. */
const atOnce = 4;
/** A move's turn in ms. */
const turn = 0.25;

const stage = setStage(new URL('support/tabs', import.meta.url));

/** What the tabs of one address have told. */
interface Told {
  readonly writes: SessionWrite[];
  readonly ran: string[];
}

const told = new Map<string, Told>();

beforeAll(() =>
  stage.browser.context.exposeBinding('tell', (_source, news: News) => {
    const { writes, ran } = told.get(news.origin) ?? expect.unreachable(`Nobody plays at ${news.origin}.`);
    if (news.type === 'acts') ran.push(news.callId);
    else {
      const write: SessionWrite = JSON.parse(news.write);
      writes.push(write);
    }
  }),
);

const open = async (url: string): Promise<Page> => (await stage.browser.open(url)).page;
const show = (page: Page): Promise<Shown> => page.evaluate(async () => (await globalThis.tab).show());

/** A place for one tab after the other. What happens in it happens in order; what happens in others does not wait for it. */
interface Place {
  page: Page | undefined;
  /** What was said in the tab that is there now. */
  said: string[];
  last: Promise<void>;
}

/** Plays one interleaving: gives what is wrong in the end, a sentence each. */
async function play(nth: number): Promise<readonly string[]> {
  const [its = []] = fc.sample(moves, { seed: seed + nth, numRuns: 1 });
  const fresh = stage.site.freshURL();
  const heard: Told = { writes: [], ran: [] };
  told.set(new URL(fresh).origin, heard);

  const first = await open(fresh);
  await show(first);
  const url = first.url();
  const others = await Promise.all(Array.from({ length: 1 + ((seed + nth) % 2) }, () => open(url)));
  const places = [first, ...others].map((page): Place => ({ page, said: [], last: Promise.resolve() }));
  for (const { page } of places) if (page) await show(page);

  let gone = 0;
  async function move(place: Place, what: Move['what'], words: string): Promise<void> {
    const { page } = place;
    // A page cannot be killed alone: several may share a process. Those are in kills.test.ts.
    if (what === 'close' || what === 'reload' || what === 'kill') {
      if (page) gone++;
      place.said = [];
      if (what === 'reload') await page?.reload();
      else {
        place.page = undefined;
        await page?.close();
      }
      return;
    }
    const isTaken = await (place.page ??= await open(url)).evaluate(
      async ([deed, its]) => (await globalThis.tab).act(deed, its),
      [what, words] as const satisfies [Deed, string],
    );
    if (isTaken && (what === 'send' || what === 'add')) place.said.push(words);
  }

  for (const [index, { tab, what, turns }] of its.entries()) {
    const place = places[tab % places.length] ?? expect.unreachable();
    place.last = place.last.then(() => move(place, what, `word ${index}`));
    await new Promise((resolve) => setTimeout(resolve, turns * turn));
  }
  await Promise.all(places.map(({ last }) => last));

  // Whoever comes now sees what is on the disk.
  const witness = await open(url);
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

  const { messages } = await show(witness);
  const log: readonly SessionEvent[] = await witness.evaluate(async () => (await globalThis.tab).read());
  await Promise.all(pages.map((page) => page.close()));
  const said = places.flatMap((place) => place.said);
  const problems = [
    ...rest,
    ...problemsOfLog(log, gone),
    ...problemsOfWrites(heard.writes, log),
    ...problemsOfDeeds(messages, said, heard.ran),
  ];
  if (heard.writes.length === 0) problems.push('no write was acknowledged');
  return problems.map(
    (problem) => `SEED=${seed + nth} INTERLEAVINGS=1, ${places.length} tabs: ${problem}\n${describe(its)}`,
  );
}

const describe = (its: readonly Move[]): string =>
  its.map(({ tab, what, turns }) => `${what} in ${tab}, ${Math.round(turns * turn)} ms`).join('; ');

test(
  `tabs on one session end with the same, and lose nothing, whatever happens in them (${count} interleavings, SEED=${seed})`,
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
        `${all.flatMap(({ ran }) => ran).length} calls of tools`,
    );
    expect(problems).toEqual([]);
    expect(all.some(({ ran }) => ran.length > 0)).toBe(true);
  },
  60_000 + count * 10_000,
);
