import { type AgentSession, defineTool, type SessionStore } from 'brooklet';
import { evolve, initialState, type SessionState } from 'brooklet/core';
import { createScriptedClient, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { statusOf } from '../../../src/core/model/status.ts';
import { settled } from '../../support/manual-client.ts';
import { act, type Deed, expectTyped, heldIn } from '../../support/person.ts';
import { problemsOfDeeds, problemsOfLog, problemsOfTabs } from '../../support/tab-laws.ts';
import { createBrowser, type Tab } from '../../support/tabs.ts';

/** One thing that happens in one of three tabs. `kill` ends the tab at once; `close` and `reload` hide it first, so that it writes. */
interface Move {
  readonly tab: number;
  readonly what: Deed | 'reload' | 'close' | 'kill';
  /** Microtask turns until the next move. */
  readonly turns: number;
  /** ms that pass before the move. */
  readonly ms: number;
}

const move: fc.Arbitrary<Move> = fc.record({
  tab: fc.nat({ max: 2 }),
  what: fc.constantFrom<Move['what'][]>(
    'send',
    'send',
    'cancel',
    'approve',
    'approve',
    'approve',
    'reject',
    'reload',
    'close',
    'kill',
    'add',
    'queue',
    'steer',
    'rename',
    'wait',
    'regenerate',
    'resume',
  ),
  turns: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 300 }), fc.constant(600)),
  ms: fc.constantFrom(0, 0, 50, 100),
});

/** The first move: one that runs, one that waits for a person, or none. */
const opening = fc.constantFrom<readonly Move[]>(
  [],
  [{ tab: 0, what: 'send', turns: 60, ms: 0 }],
  [{ tab: 0, what: 'send', turns: 900, ms: 0 }],
);

/** The moves of people in three tabs on one session, in order. */
const moves: fc.Arbitrary<readonly Move[]> = fc
  .tuple(opening, fc.array(move, { minLength: 3, maxLength: 16, size: 'max' }))
  .map((parts) => parts.flat());

/** Turns that a read and a write take in one tab. */
const delays = fc.tuple(fc.constantFrom(0, 5, 60), fc.constantFrom(0, 5, 60));

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

/** A slow store, whose writes wait for each other, as transactions do. */
function slow(store: SessionStore, [reading, writing]: readonly [number, number]): SessionStore {
  let last: Promise<void> = Promise.resolve();
  return {
    ...store,
    async read(...args) {
      const stored = await store.read(...args);
      await turns(reading);
      return stored;
    },
    write(write) {
      const mine = last.then(() => turns(writing)).then(() => store.write(write));
      last = mine.catch(() => {});
      return mine;
    },
  };
}

const tool = (name: string, needsApproval: boolean, ran: string[]) =>
  defineTool({
    name,
    description: '',
    input: { type: 'object' },
    needsApproval,
    async execute(_input, { callId }) {
      ran.push(callId);
      await turns(100);
      return 'done';
    },
  });

/** Text that is long enough to be written at once. */
const long = (text: string): string => text.padEnd(2_100, '.');

/** A slow conversation, so that moves happen during it. */
const script = (_request: unknown, index: number) => {
  const pause = (): ReturnType<typeof reply.until> => reply.until(turns(80));
  return index % 2 === 0
    ? [
        reply.text(long('Let ')),
        pause(),
        reply.text(long('me ')),
        pause(),
        reply.text(long('see. ')),
        reply.call('look'),
        reply.call('pay'),
      ]
    : [reply.text(long('That ')), pause(), reply.text(long('is ')), pause(), reply.text(long('all.'))];
};

const toShown = (state: SessionState) => ({
  messages: state.messages,
  queue: state.queue.map(({ message }) => message),
  status: statusOf(state),
});

/** Up to three tabs on one session: after any moves and deaths all have the same state, and nothing is duplicated. */
export const tabsAgree = fc.asyncProperty(moves, fc.tuple(delays, delays, delays), async (steps, delaysOf) => {
  const ran: string[] = [];
  const tools = [tool('look', false, ran), tool('pay', true, ran)];
  const browser = createBrowser();
  const open = (index: number): Tab =>
    browser.open({ client: createScriptedClient(script), tools }, (store) => slow(store, delaysOf[index] ?? [0, 0]));
  const tabs: (Tab | undefined)[] = [open(0), open(1), open(2)];
  /** Texts sent in each tab that is alive. */
  const sentIn = new Map<Tab | undefined, string[]>();
  const id = tabs[0]?.agent.createSession() ?? '';
  await settled();
  for (const tab of tabs) await tab?.agent.openSession(id);
  let deaths = 0;
  for (const [nth, { tab: index, what, turns: wait, ms }] of steps.entries()) {
    for (const tab of tabs) tab?.ports.pass(ms);
    if (what === 'reload' || what === 'close' || what === 'kill') {
      deaths++;
      // A tab that is hidden first starts its last write; a killed tab does not.
      if (what !== 'kill') tabs[index]?.ports.hide(true);
      tabs[index]?.kill();
      sentIn.delete(tabs[index]);
      tabs[index] = what === 'reload' ? open(index) : undefined;
      await tabs[index]?.agent.openSession(id);
    } else {
      const tab = (tabs[index] ??= open(index));
      const words = `word ${nth}`;
      const session = await tab.agent.openSession(id);
      if (act(session, what, words) && ['send', 'add', 'queue', 'steer'].includes(what))
        sentIn.set(tab, [...(sentIn.get(tab) ?? []), words]);
    }
    await turns(wait);
  }

  // The tabs that are still alive.
  const left = tabs.flatMap((tab) => tab ?? []);
  if (left.length === 0) left.push(open(0));
  const rest = async (): Promise<readonly AgentSession[]> => {
    for (let round = 0; round < 6; round++) {
      for (const tab of left) tab.ports.pass(200);
      await settled();
      await settled();
    }
    return Promise.all(left.map(({ agent }) => agent.openSession(id)));
  };
  // Pending approvals are rejected, so that queued messages can be sent.
  let sessions = await rest();
  for (let round = 0; round < 10 && sessions.some((session) => session.getStatus() === 'waiting'); round++) {
    const [session] = sessions;
    for (const callId of session ? heldIn(session) : []) await session?.reject(callId).catch(expectTyped);
    sessions = await rest();
  }

  const stored = (await browser.store.read(id))?.events ?? [];
  const kept = stored.reduce(evolve, initialState(id));
  const [first] = sessions;
  const queued = first?.getState().queue.map(({ message }) => message) ?? [];
  const problems = [
    ...problemsOfLog(stored, deaths),
    ...problemsOfTabs([
      ...sessions.map((session) => ({ ...toShown(session.getState()), storage: session.getStorage().state })),
      // A tab that opens the session next has the same state.
      { ...toShown(kept), storage: 'saved' },
    ]),
    ...problemsOfDeeds([...(first?.getMessages() ?? []), ...queued], [...sentIn.values()].flat(), ran),
  ];
  const titles = new Set([...sessions.map((session) => session.getState().title), kept.title]);
  if (titles.size > 1) problems.push('a title is not the same everywhere, or not stored');
  if (problems.length > 0) throw new Error(problems.join('\n'));
});
