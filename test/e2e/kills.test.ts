import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extractTextContent, type SessionEvent } from 'brooklet';
import { evolve, initialState, type SessionState, type SessionWrite, type StoredSession } from 'brooklet/core';
import type { CDPSession, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../support/llm-cuts.ts';
import { findLoss, written } from '../support/normal-log.ts';
import { type BrowserOnDisk, startBrowser } from './support/browser.ts';
import { eventually } from './support/eventually.ts';
import { type Conversation, type Endless, type Kind, type Sent, startEndless } from './support/kills/endless.ts';
import type { Plan, Report } from './support/kills/plan.ts';
import { setSite } from './support/stage.ts';

/** `KILLS=300 SEED=7 npm test -- test/e2e/kills.test.ts` plays 300 kills from that seed. */
const kills = Number(process.env.KILLS ?? 60);
const seed = Number(process.env.SEED ?? 1);
/** Pages that are killed at the same moment, each in a different state. */
const pagesAtOnce = 4;
/** Maximum ms from the first message to the kill. */
const longest = 900;

let endless: Endless;
let browser: BrowserOnDisk;
let cdp: CDPSession;
let url: string;

/** The events that pages have reported as stored, by session. */
let acknowledged: Map<string, readonly SessionEvent[]>;
/** How often each call has started to act. */
let acts: Map<string, number>;

const site = setSite(new URL('support/kills', import.meta.url));

async function start(args: readonly string[], query = ''): Promise<void> {
  acknowledged = new Map();
  acts = new Map();
  endless = await startEndless();
  browser = await startBrowser(args);
  const chromium = browser.context.browser();
  if (chromium === null) throw new Error('The browser cannot be asked for its processes.');
  cdp = await chromium.newBrowserCDPSession();
  url = `${site().freshURL()}${query}`;
  await browser.context.exposeBinding('report', (_source, what: Report) => {
    if (what.type === 'acts') acts.set(what.idempotencyKey, (acts.get(what.idempotencyKey) ?? 0) + 1);
    else {
      const write: SessionWrite = JSON.parse(what.write);
      acknowledged.set(what.sessionId, written(acknowledged.get(what.sessionId) ?? [], write));
    }
  });
}

async function stop(): Promise<void> {
  await browser?.close();
  await endless?.stop();
}

interface Case {
  readonly name: string;
  readonly kind: Kind;
  readonly plan: Plan;
  readonly conversation: Conversation;
  readonly by: 'resume' | 'send';
  readonly sessionId: string;
}

async function openPage(): Promise<Page> {
  const { page } = await browser.open(url);
  return page;
}

/** Starts the page to be killed; the seed determines its actions. */
async function begin(page: Page, name: string, random: () => number): Promise<Case> {
  const below = (limit: number): number => Math.floor(random() * limit);
  const kinds: readonly Kind[] = ['text', 'tools', 'approvals'];
  const kind = kinds[below(3)] ?? 'text';
  const conversation = endless.converse(kind, 4 + below(16));
  const plan: Plan = {
    baseURL: conversation.baseURL,
    question: `Go on (${name}).`,
    toolTakes: below(60),
    thinks: [below(80), below(400), below(80)],
  };
  const by = random() < 0.5 ? 'resume' : 'send';
  const sessionId = await page.evaluate((its) => globalThis.victim.begin(its), plan);
  return { name, kind, plan, conversation, by, sessionId };
}

/** Kills the processes of all pages, like the browser when memory runs out. Returns the time, in ms since the epoch. */
async function killRenderers(pages: readonly Page[]): Promise<number> {
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo');
  const crashed = pages.map((page) => page.waitForEvent('crash'));
  const at = Date.now();
  for (const { id, type } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL');
  await Promise.all(crashed);
  return at;
}

const fold = ({ events }: StoredSession, id: string): SessionState => events.reduce(evolve, initialState(id));

/** ms of text that the server had sent to the page before the kill, and that is not stored. */
function textLost(replies: readonly Sent[], stored: StoredSession | undefined, killedAt: number): number {
  const sent = replies.at(-1);
  if (sent === undefined) return 0;
  const ids = (stored?.events ?? []).flatMap((event) => (event.type === 'reply.started' ? [event.messageId] : []));
  const reply = stored && fold(stored, '').messages.find(({ id }) => id === ids[replies.length - 1]);
  const kept = reply ? extractTextContent(reply).length : 0;
  const missing = sent.find(({ at, length }) => length > kept && at <= killedAt);
  return missing === undefined ? 0 : killedAt - missing.at;
}

/** Checks the stored log, then reopens the session like a person; returns the violations. */
async function examine(page: Page, { sessionId, plan, conversation, by }: Case): Promise<readonly string[]> {
  const problems: string[] = [];
  const stored = await page.evaluate((id) => globalThis.victim.find(id), sessionId);
  const known = acknowledged.get(sessionId) ?? [];
  if (stored === undefined) {
    if (known.length > 0) problems.push('the session is gone');
    return problems;
  }
  const loss = findLoss(known, stored.events);
  if (loss !== undefined) problems.push(`acknowledged and lost: ${loss}`);
  if (stored.summary.seq !== stored.events.at(-1)?.seq) problems.push(`its row says ${stored.summary.seq}`);

  conversation.calm();
  const { outcome, messageIds } = await page.evaluate(([id, its, how]) => globalThis.victim.comeBack(id, its, how), [
    sessionId,
    plan,
    by,
  ] as const);
  if (outcome !== 'completed') problems.push(`the next run ended as ${outcome}`);
  if (new Set(messageIds).size !== messageIds.length) problems.push('a message is there twice');
  return problems;
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** Whether the browser stores the databases of this profile in LevelDB: a folder of that name for each origin. */
async function isLevelDB(): Promise<boolean> {
  const folders = await readdir(join(browser.profile, 'Default', 'IndexedDB'));
  return folders.some((name) => name.endsWith('.leveldb'));
}

/** What a page has stored that was left in the middle of a text. */
interface Stored {
  readonly promise: string;
  /** @param received resolves with the text that the page had received */
  readonly check: (witness: Page, left: Case, received: () => Promise<string | null>) => Promise<void>;
}

const find = (witness: Page, sessionId: string): Promise<StoredSession | undefined> =>
  witness.evaluate((id) => globalThis.victim.find(id), sessionId);

function replyIn(stored: StoredSession | undefined, sessionId: string): string {
  const reply = fold(stored ?? expect.unreachable(), sessionId).messages.at(-1);
  return reply?.role === 'assistant' ? extractTextContent(reply) : '';
}

const allText: Stored = {
  promise: 'has stored all received text',
  async check(witness, { sessionId }, received) {
    // Another status is followed by what explains it: how much of the text is stored, and the last events.
    const status = async (): Promise<string> => {
      const { summary, events } = (await find(witness, sessionId)) ?? {};
      const text = events?.map((event) => ('text' in event ? event.text : '')).join('').length;
      const last = events?.slice(-3).map(({ type, seq }) => `${seq} ${type}`);
      return [summary?.status, text, 'of', (await received())?.length, last].join(' ');
    };
    await eventually(status).toMatch(/^interrupted/);
    expect(replyIn(await find(witness, sessionId), sessionId)).toBe(await received());
  },
};

/** With a codec: the encryption of the last write may end with the page. */
const allButLastWrite: Stored = {
  promise: 'has lost nothing but its last write, as it has a codec, and goes on',
  async check(witness, left, received) {
    // A beginning of the text is stored, and all that was acknowledged.
    const stored = replyIn(await find(witness, left.sessionId), left.sessionId);
    expect((await received())?.startsWith(stored)).toBe(true);
    expect(await examine(witness, left)).toEqual([]);
  },
};

/** Chromium has two storage back ends. A version without the feature flag runs both cases on its only back end. */
describe.each([
  { backend: 'LevelDB', args: ['--disable-features=IdbSqliteBackingStore'], share: 1 },
  { backend: 'SQLite', args: ['--enable-features=IdbSqliteBackingStore'], share: 1 / 3 },
  { backend: 'LevelDB', args: ['--disable-features=IdbSqliteBackingStore'], share: 1 / 6, query: '?encrypted' },
])('on $backend $query', ({ backend, args, share, query }) => {
  const count = Math.ceil(kills * share);

  beforeAll(() => start(args, query));
  afterAll(stop);

  test(
    `a page whose process is killed at ${count} random moments (SEED=${seed}) has lost nothing that was acknowledged`,
    async ({ skip }) => {
      const lost: number[] = [];
      const died: Record<string, number> = {};
      const problems: string[] = [];
      let begun = 0;
      await (await openPage()).evaluate(() => globalThis.victim.list());
      await browser.closeTabs();
      skip((await isLevelDB()) !== (backend === 'LevelDB'), `this browser does not keep its databases in ${backend}`);
      let pages = await Promise.all(Array.from({ length: pagesAtOnce }, openPage));

      for (let round = 0; begun < count; round++) {
        // A seed for each round, so that each round can be played alone.
        const random = createRandom(seed + round);
        const cases: Case[] = [];
        for (const page of pages.slice(0, count - begun)) cases.push(await begin(page, `kill ${begun++}`, random));
        await new Promise((resolve) => setTimeout(resolve, random() * longest));
        const killedAt = await killRenderers(pages);
        await browser.closeTabs();

        pages = await Promise.all(Array.from({ length: pagesAtOnce }, openPage));
        await Promise.all(
          cases.map(async (its, index) => {
            const page = pages[index];
            if (page === undefined) throw new Error('There is no page to come back to.');
            const stored = await page.evaluate((id) => globalThis.victim.find(id), its.sessionId);
            const status = `${its.kind}: ${stored?.summary.status ?? 'nothing stored'}`;
            died[status] = (died[status] ?? 0) + 1;
            lost.push(textLost(its.conversation.replies, stored, killedAt));
            const found = await examine(page, its);
            problems.push(...found.map((problem) => `round ${round}, ${its.name} (${status}): ${problem}`));
          }),
        );
      }

      const [page] = pages;
      if (page === undefined) throw new Error('There is no page.');
      const effects = await page.evaluate(() => globalThis.victim.effects());
      const ids = await page.evaluate(() => globalThis.victim.list());
      const unreadable: string[] = [];
      for (const id of ids) {
        await page.evaluate((sessionId) => globalThis.victim.find(sessionId), id).catch(() => unreadable.push(id));
      }
      const facts = [...acknowledged.values()].reduce((sum, events) => sum + events.length, 0);
      lost.sort((one, other) => one - other);
      console.info(
        `${begun} kills on ${backend}, SEED=${seed}: ${JSON.stringify(died)}; ${facts} acknowledged events, ${effects.length} effects of tools; ` +
          `text lost: p50 ${quantile(lost, 0.5)} ms, p99 ${quantile(lost, 0.99)} ms`,
      );
      await browser.closeTabs();

      expect(problems).toEqual([]);
      expect(endless.problems).toEqual([]);
      expect(unreadable).toEqual([]);
      expect(ids.length).toBeGreaterThan(count / 2);
      expect(facts).toBeGreaterThan(count);
      expect(effects.length).toBeGreaterThan(0);
      expect(effects.filter((key, index) => effects.indexOf(key) !== index)).toEqual([]);
      expect([...acts].filter(([, times]) => times > 1)).toEqual([]);
    },
    120_000 + count * 5_000,
  );

  const { promise, check } = query === undefined ? allText : allButLastWrite;

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['is closed', (page) => page.close()],
    ['is reloaded', (page) => page.reload()],
    ['goes elsewhere', (page) => page.goto('about:blank')],
  ])(`a page that %s in the middle of a text ${promise} (SEED=${seed})`, async (_how, leave) => {
    const random = createRandom(seed);
    const witness = await openPage();
    for (let round = 0; round < 4; round++) {
      const page = await openPage();
      const conversation = endless.converse('text', 4 + Math.floor(random() * 16));
      const plan: Plan = { baseURL: conversation.baseURL, question: 'Go on.', toolTakes: 0, thinks: [] };
      const sessionId = await page.evaluate((its) => globalThis.victim.begin(its), plan);
      await eventually(() => page.evaluate((id) => globalThis.victim.received(id).length, sessionId)).toBeGreaterThan(
        0,
      );
      await new Promise((resolve) => setTimeout(resolve, random() * 300));
      await leave(page);
      const left = (): Promise<string | null> => witness.evaluate((id) => localStorage.getItem(id), sessionId);
      await eventually(left).not.toBeNull();
      const its: Case = { name: `leave ${round}`, kind: 'text', plan, conversation, by: 'resume', sessionId };
      await check(witness, its, left);
    }
    await browser.closeTabs();
    expect(endless.problems).toEqual([]);
  });
});
