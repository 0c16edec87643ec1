import { setTimeout as sleep } from 'node:timers/promises';
import { extractTextContent, type SessionEvent } from 'brooklet';
import { evolve, initialState, type SessionWrite, type StoredSession } from 'brooklet/core';
import { findLoss, written } from '../../support/normal-log.ts';
import { createRandom } from '../../support/llm-cuts.ts';
import type { Shown } from './chat/main.tsx';
import type { Engine, EngineTab } from './engine.ts';
import { atOnce, type Conversation, type ModelServer, NeverAsked, type Pace, type Sent } from './model-server.ts';

/** How a page is left, and come back to. `back` comes back through the history, `link` by the address. */
const ways = ['reload', 'back', 'link', 'close'] as const;

/** One leave: everything but the speed of the machine follows from its seed. */
export interface Leave {
  readonly seed: number;
  readonly way: (typeof ways)[number];
  readonly isEncrypted: boolean;
  /** Whether another tab shows the session meanwhile. */
  readonly hasWitness: boolean;
  readonly pace: Pace;
  /** ms from the request of the second answer to the leave; below 0: from the question. */
  readonly after: number;
  /** ms elsewhere. */
  readonly away: number;
}

export function toLeave(seed: number): Leave {
  const random = createRandom(seed);
  // Neighbouring seeds begin with neighbouring numbers.
  for (let count = 0; count < 8; count++) random();
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    seed,
    way: ways[below(ways.length)] ?? 'reload',
    isEncrypted: random() < 0.25,
    hasWitness: random() < 0.2,
    pace: { everyMs: 4 + below(24), pieces: random() < 0.1 ? 8 : 5_000 },
    after: random() < 0.1 ? -1 - below(60) : below(1_200),
    away: below(300),
  };
}

/** What one leave has shown. */
export interface Found {
  readonly leave: Leave;
  /** Whether the page was left while the answer was streamed. */
  readonly isInStream: boolean;
  readonly isSessionLost: boolean;
  readonly isBlocked: boolean;
  /** Acknowledged events that are missing, as a sentence each. */
  readonly eventsLost: readonly string[];
  /** Everything else that is wrong. */
  readonly problems: readonly string[];
  /** ms of text that the page had been sent and that is not stored. */
  readonly textLost: number | undefined;
  readonly fromCache: boolean;
}

/** The pages of a run. */
export interface Pages {
  readonly chat: string;
  readonly floor: string;
  readonly model: ModelServer;
}

/** ms until a page that shows nothing counts as blocked. A page needs some 100 ms. */
const patience = 20_000;

const read = (tab: EngineTab): Promise<Shown> => tab.run(() => chat.shown());

/** Waits for a state of the page. Resolves with the last one, and whether it fits. */
async function until(tab: EngineTab, fits: (shown: Shown) => boolean): Promise<{ shown: Shown; isThere: boolean }> {
  const end = Date.now() + patience;
  let shown: Shown = { rows: [], status: 'opening', isSaved: false, error: '' };
  do {
    // While a page is loaded, there is nothing to ask.
    shown = await read(tab).catch(() => shown);
    if (fits(shown)) return { shown, isThere: true };
    await sleep(30);
  } while (Date.now() < end);
  return { shown, isThere: false };
}

async function leaveAndReturn(
  engine: Engine,
  tab: EngineTab,
  { way, away }: Leave,
  elsewhere: string,
): Promise<EngineTab> {
  const url = await tab.url();
  switch (way) {
    case 'reload':
      await tab.reload();
      return tab;
    case 'back':
      await tab.goto(elsewhere);
      await sleep(away);
      await tab.back();
      return tab;
    case 'link':
      await tab.goto(elsewhere);
      await sleep(away);
      await tab.goto(url);
      return tab;
    case 'close': {
      await tab.close();
      await sleep(away);
      const next = await engine.open();
      await next.goto(url);
      return next;
    }
  }
}

const question = 'Go on.';

/** Plays one leave in the chat: an answer, a second one that is left, the return, and Resume. @throws NeverAsked where the page was not left */
export async function play(engine: Engine, { chat, model }: Pages, leave: Leave): Promise<Found> {
  const conversation = model.converse();
  const query = new URLSearchParams({ model: conversation.baseURL, report: conversation.reportURL });
  if (leave.isEncrypted) query.set('encrypted', '');
  const problems: string[] = [];
  let eventsLost: readonly string[] = [];
  const found = { leave, isInStream: false, isSessionLost: false, isBlocked: false, fromCache: false };
  const opened: EngineTab[] = [];
  try {
    let tab = await engine.open();
    opened.push(tab);
    await tab.goto(`${chat}?${query}`);
    await tab.type('input', 'Hello\n');
    const first = await until(tab, ({ rows, status, isSaved }) => rows.length === 2 && status === 'idle' && isSaved);
    if (!first.isThere)
      return { ...found, eventsLost, textLost: undefined, problems: [`the first answer: ${show(first.shown)}`] };
    const url = await tab.url();
    const sessionId = new URL(url).hash.slice(1);
    if (leave.hasWitness) {
      const witness = await engine.open();
      opened.push(witness);
      await witness.goto(url);
      await until(witness, ({ rows }) => rows.length === 2);
    }

    conversation.pace(leave.pace);
    await tab.type('input', `${question}\n`);
    if (leave.after >= 0) await conversation.asked(1);
    await sleep(Math.abs(leave.after));
    tab = await leaveAndReturn(engine, tab, leave, new URL('away.html', chat).href);
    opened.push(tab);

    const isBack = ({ rows, status, error }: Shown): boolean =>
      error !== '' || (rows.length >= 2 && status !== 'running' && status !== 'opening');
    const { shown, isThere } = await until(tab, isBack);
    const answer = conversation.answers[1];
    found.isInStream = answer !== undefined && answer.pieces.length > 0 && !answer.isWhole;
    if (!isThere)
      return { ...found, isBlocked: true, eventsLost, textLost: undefined, problems: [`blocked: ${show(shown)}`] };
    const [last] = (await tab.run(() => globalThis.chat.returns)).slice(-1);
    found.fromCache = last?.fromCache ?? false;
    if (last?.fromCache && last.rows.length < 3)
      problems.push(`out of the page cache it showed ${last.rows.join(' | ')}`);

    const stored = await tab.run((id: string) => globalThis.chat.find(id), sessionId);
    const known = acknowledged(conversation, sessionId);
    if (stored === null || stored === undefined || /no session/iu.test(shown.error)) {
      return {
        ...found,
        isSessionLost: true,
        eventsLost: [`all ${known.length}`],
        textLost: undefined,
        problems: [shown.error],
      };
    }
    const loss = findLoss(known, stored.events);
    if (loss !== undefined) eventsLost = [loss];
    const saved = conversation
      .reports()
      .reduce((most, report) => (report.type === 'saved' ? Math.max(most, report.seq) : most), 0);
    if (stored.summary.seq < saved)
      eventsLost = [...eventsLost, `saved up to ${saved}, stored up to ${stored.summary.seq}`];
    const textLost = answer && textLostOf(answer, storedAnswer(stored, sessionId));
    problems.push(...(await goOn(tab, conversation, shown, stored, sessionId)));
    if (!(await tab.run(() => globalThis.chat.list())).includes(sessionId)) problems.push('it is not in the list');
    return { ...found, eventsLost, problems, textLost };
  } catch (error) {
    if (error instanceof NeverAsked) throw error;
    // A step that a page does not let a person take: the other leaves go on in another browser.
    return { ...found, eventsLost, problems: [...problems, String(error)], textLost: undefined };
  } finally {
    for (const tab of new Set(opened)) await tab.close().catch(() => {});
  }
}

/** The stored session, as it is after a page has gone on with it. Returns what is wrong. */
async function goOn(
  tab: EngineTab,
  conversation: Conversation,
  shown: Shown,
  stored: StoredSession,
  sessionId: string,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const hasQuestion = shown.rows.includes(`user: ${question}`);
  const answer = conversation.answers[1];
  conversation.pace(atOnce);
  if (!shown.rows.some((row) => row === 'user: Hello') || !/END/u.test(shown.rows[1] ?? ''))
    problems.push(`the first answer is gone: ${show(shown)}`);
  // The end of the second answer may have been stored.
  const isOpen = hasQuestion && answer?.isWhole !== true;
  if (isOpen && shown.status !== 'interrupted') problems.push(`it is ${shown.status}: ${show(shown)}`);
  try {
    if (shown.status === 'interrupted') await tab.click('#resume');
    else await tab.type('input', 'And then?\n');
  } catch (error) {
    const later = await read(tab).catch(() => undefined);
    return [...problems, `it cannot go on: ${show(shown)}, then ${later ? show(later) : 'no page'}: ${String(error)}`];
  }
  const { shown: end, isThere } = await until(
    tab,
    ({ rows, status, isSaved }) =>
      status === 'idle' && isSaved && /END/u.test(rows.at(-1) ?? '') && rows.length >= shown.rows.length,
  );
  if (!isThere) return [...problems, `it did not go on: ${show(end)}`];
  const after = await tab.run((id: string) => globalThis.chat.find(id), sessionId);
  const loss = after ? findLoss(stored.events, after.events) : 'the session is gone';
  return loss === undefined ? problems : [...problems, `after going on: ${loss}`];
}

const show = ({ rows, status, error }: Shown): string =>
  `${status} ${error} [${rows.map((row) => row.slice(0, 60)).join(' | ')}]`;

/** The events that the store has acknowledged, as the test server has noted them. */
function acknowledged(conversation: Conversation, sessionId: string): readonly SessionEvent[] {
  let log: readonly SessionEvent[] = [];
  for (const report of conversation.reports()) {
    if (report.type === 'write' && report.sessionId === sessionId) {
      const write: SessionWrite = JSON.parse(report.write);
      log = written(log, write);
    }
  }
  return log;
}

function storedAnswer(stored: StoredSession, sessionId: string): string {
  const { messages } = stored.events.reduce(evolve, initialState(sessionId));
  const asked = messages.findIndex((message) => message.role === 'user' && extractTextContent(message) === question);
  const answer = asked === -1 ? undefined : messages[asked + 1];
  return answer ? extractTextContent(answer) : '';
}

/** ms of an answer that had been sent when the page was left, and that is not in the text. */
function textLostOf({ pieces, closedAt = Date.now() }: Sent, text: string): number {
  const missing = pieces.find(({ at, length }) => length > text.length && at <= closedAt);
  return missing === undefined ? 0 : closedAt - missing.at;
}

/** Plays the same leave with the page that is written by hand. Resolves with the ms of text lost. */
export async function playFloor(engine: Engine, { floor, model }: Pages, leave: Leave): Promise<number> {
  const conversation = model.converse(leave.pace);
  let tab = await engine.open();
  try {
    await tab.goto(`${floor}?${leave.seed}`);
    const id = String(leave.seed);
    await tab.run((name: string, baseURL: string) => globalThis.floor.ask(name, baseURL), id, conversation.baseURL);
    await conversation.asked(0);
    await sleep(Math.abs(leave.after));
    tab = await leaveAndReturn(engine, tab, leave, new URL('away.html', floor).href);
    const end = Date.now() + patience;
    for (;;) {
      const text = await tab.run((name: string) => globalThis.floor.find(name), id).catch(() => undefined);
      const [answer] = conversation.answers;
      if (text !== undefined && answer) return textLostOf(answer, text);
      if (Date.now() > end) throw new Error('The floor page does not come back.');
      await sleep(30);
    }
  } finally {
    await tab.close().catch(() => {});
  }
}
