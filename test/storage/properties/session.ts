import {
  AgentError,
  type AgentSession,
  defineTool,
  extractTextContent,
  type Message,
  type SessionEvent,
  type SessionStore,
  toolParts,
} from 'brooklet';
import { evolve, initialState, type SessionState } from 'brooklet/core';
import fc from 'fast-check';
import { createFaultyStore, type FaultyStore, type StoreFault } from '../../support/faulty-store.ts';
import { type Asked, createManualClient, settled } from '../../support/manual-client.ts';
import { findLoss, written } from '../../support/normal-log.ts';
import { type Browser, createBrowser, type Tab } from '../../support/tabs.ts';
import { problemsOnTheWire } from '../../support/wire.ts';

/** One page at a time on one session, and what an observer knows of it. */
interface World {
  readonly browser: Browser;
  readonly problems: string[];
  /** The acknowledged events, as a plain array. */
  log: readonly SessionEvent[];
  /** Ids of calls that have run. */
  readonly ran: string[];
  readonly id: string;
  faulty: FaultyStore;
  tab: Tab;
  session: AgentSession;
  /** Whether a fault may still be in force. */
  isFaulty: boolean;
  asked: () => Asked | undefined;
}

type Step = (world: World) => void | Promise<void>;

/** Opens the page again, with a store without faults. */
async function open(world: Omit<World, 'faulty' | 'tab' | 'session' | 'asked'>, id?: string): Promise<World> {
  const { problems, ran, browser } = world;
  const client = createManualClient();
  let faulty = createFaultyStore(browser.store);

  /** Intent before effect: when a tool runs, its start is on the disk and survives a loss of power. */
  const tool = (name: string, needsApproval: boolean) =>
    defineTool({
      name,
      description: '',
      input: { type: 'object' },
      needsApproval,
      async execute(_input, { callId }) {
        ran.push(callId);
        const stored = await browser.store.read(world.id);
        const isKnown = stored?.events.some((event) => event.type === 'call.started' && event.callId === callId);
        if (!isKnown) problems.push(`call ${callId} ran before its start was stored`);
        return 'done';
      },
    });

  function observed(inner: SessionStore): SessionStore {
    faulty = createFaultyStore({
      ...inner,
      async write(write) {
        await inner.write(write);
        // A call.started that is only rewritten was stored before: a transaction is undone as a whole.
        const begins = write.events.some(({ type, seq }) => type === 'call.started' && seq > write.expectedSeq);
        world.log = written(world.log, write);
        if (begins && write.durability !== 'strict') problems.push('a call began, and a loss of power may undo that');
      },
    });
    return faulty.store;
  }

  const tab = browser.open({ client, tools: [tool('look', false), tool('pay', true)] }, observed);
  const session = await openInTime(tab, id ?? tab.agent.createSession());
  session.storage$.subscribe((status) => {
    if ('error' in status && !(status.error instanceof AgentError)) problems.push('an error without a type');
  });
  await settled();
  const opened: World = Object.assign(world, {
    id: session.id,
    faulty,
    tab,
    session,
    isFaulty: false,
    asked: () => client.asked.findLast(({ aborted, chunks }) => !aborted && !chunks.closed),
  });
  return opened;
}

/** Opens a session. Opening waits a second at most for the end of a lost run, which comes in no time unless nobody ends it. */
async function openInTime({ agent, ports }: World['tab'], id: string): Promise<AgentSession> {
  const opening = agent.openSession(id);
  const isOpen = await Promise.race([opening.then(() => true), settled().then(() => false)]);
  if (!isOpen) ports.pass(1_000);
  return opening;
}

/** The page is closed and another one opened: all acknowledged events are stored, and after an orderly close all that was on the screen. */
async function change(world: World, inOrder: boolean): Promise<void> {
  const shown = world.session.getMessages();
  if (inOrder) world.tab.ports.hide(true);
  const isSafe = inOrder && !world.isFaulty && world.session.getStorage().state !== 'failed';
  world.tab.kill();
  await settled();
  const stored = await world.browser.store.read(world.id);
  const loss = findLoss(world.log, stored?.events ?? []);
  if (loss !== undefined) world.problems.push(`written and lost: ${loss}`);
  world.log = stored?.events ?? [];
  const state = world.log.reduce(evolve, initialState(world.id));
  if (isSafe && JSON.stringify(textsOf(state.messages)) !== JSON.stringify(textsOf(shown)))
    world.problems.push(
      `the page was left, and of\n${textsOf(shown).join('|')}\nthere is\n${textsOf(state.messages).join('|')}`,
    );
  await open(world, world.id);
  if (world.session.getStatus() === 'running') world.problems.push('a run is running without a tab that runs it');
}

/** The state `saved` is true: the reduced stored events equal the shown state. */
async function compare({ browser, id, session, problems }: World): Promise<{
  readonly stored: readonly SessionEvent[];
  readonly state: SessionState;
}> {
  const stored = (await browser.store.read(id))?.events ?? [];
  const state = stored.reduce(evolve, initialState(id));
  const [is, shouldBe] = [JSON.stringify(state), JSON.stringify(session.getState())];
  if (is !== shouldBe) problems.push(`stored is\n${is}\nand shown is\n${shouldBe}`);
  return { stored, state };
}

/** The readable texts of messages, without empty replies. */
const textsOf = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap(({ content }) => content.map((part) => ('text' in part ? part.text : part.type))).filter(Boolean);

function attempt(work: () => Promise<unknown>): void {
  const check = (error: unknown): void => {
    if (!(error instanceof AgentError)) throw error;
  };
  try {
    work().catch(check);
  } catch (error) {
    check(error);
  }
}

function say(asked: Asked | undefined, text: string): void {
  asked?.chunks.next({ type: 'text', text });
}

function finish(asked: Asked | undefined, calls: readonly string[]): void {
  if (asked === undefined) return;
  for (const [index, name] of calls.entries()) {
    asked.chunks.next({ type: 'call', index, name, text: '{}' });
    asked.chunks.next({ type: 'call-end', index, name, inputText: '{}' });
  }
  asked.chunks.next({ type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop' });
  asked.chunks.complete();
}

const faults = fc.array(fc.constantFrom<StoreFault>('refused', 'full', 'lied', 'late', 'hung'), {
  minLength: 1,
  maxLength: 3,
});

/** A step with the name that a failing run prints. */
const step = (name: string, run: Step): { readonly run: Step; readonly toString: () => string } => ({
  run,
  toString: () => name,
});

/** A text in three writes, the second of which may fail. */
async function talk(world: World, fault: StoreFault | undefined): Promise<void> {
  for (let piece = 0; piece < 3; piece++) {
    if (piece === 1 && fault) armFaults(world, [fault]);
    say(world.asked(), `piece ${piece} `);
    world.tab.ports.pass(100);
    await settled();
  }
  say(world.asked(), 'the end.');
}

function armFaults(world: World, next: readonly StoreFault[]): void {
  world.isFaulty = true;
  world.faulty.arm(next);
}

const steps = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.nat().map((n) => step(`send ${n}`, ({ session }) => attempt(() => session.send(`ask ${n}`)))),
  },
  {
    weight: 6,
    arbitrary: fc
      .integer({ min: 1, max: 3_000 })
      .map((n) => step(`say ${n}`, ({ asked }) => say(asked(), 'x'.repeat(n)))),
  },
  {
    weight: 5,
    arbitrary: fc
      .constantFrom<readonly string[]>([], ['look'], ['pay'], ['look', 'pay'])
      .map((calls) => step(`finish ${calls.join()}`, ({ asked }) => finish(asked(), calls))),
  },
  {
    weight: 3,
    arbitrary: fc.constant(
      step('approve', ({ session }) => {
        const held = session
          .getMessages()
          .flatMap(toolParts)
          .find(({ status }) => status === 'awaiting-approval');
        if (held) attempt(() => session.approve(held.callId));
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .option(fc.constantFrom<StoreFault>('refused', 'late', 'hung'), { nil: undefined })
      .map((fault) => step(`talk ${fault}`, (world) => talk(world, fault))),
  },
  {
    weight: 1,
    arbitrary: fc
      .nat()
      .map((n) =>
        step(`add ${n}`, ({ session }) =>
          attempt(async () => session.addMessage({ role: 'user', content: `note ${n}` })),
        ),
      ),
  },
  { weight: 2, arbitrary: fc.constant(step('resume', ({ session }) => attempt(() => session.resume()))) },
  { weight: 1, arbitrary: fc.constant(step('cancel', ({ session }) => session.cancel())) },
  {
    weight: 5,
    arbitrary: fc.constantFrom(20, 100, 1_000).map((ms) => step(`pass ${ms}`, ({ tab }) => tab.ports.pass(ms))),
  },
  { weight: 2, arbitrary: fc.constant(step('hide', ({ tab }) => tab.ports.hide())) },
  { weight: 2, arbitrary: fc.constant(step('crash', (world) => change(world, false))) },
  {
    weight: 2,
    arbitrary: fc.constant(
      step('leave', (world) => {
        say(world.asked(), 'last words');
        return change(world, true);
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat().map((n) =>
      step(`add ${n} in vain`, async (world) => {
        await settled();
        armFaults(world, ['lied']);
        attempt(async () => world.session.addMessage({ role: 'user', content: `note ${n}` }));
        await settled();
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: faults.map((its) => step(`faults ${its.join()}`, (world) => armFaults(world, its))),
  },
  {
    weight: 1,
    arbitrary: fc.nat({ max: 2_000 }).map((bytes) =>
      step(`space for ${bytes}`, (world) => {
        world.isFaulty = true;
        world.faulty.limit(bytes);
      }),
    ),
  },
);

/** Turns between two steps, so that steps happen one after the other, or while others are pending. */
const turns = fc.constantFrom(0, 3, 500);

/**
 * A session over a failing store: every acknowledged event is stored afterwards, no tool runs before its start is stored or
 * runs twice, each request is valid, and after the faults everything on the screen is stored.
 */
export const sessionsLoseNothing = fc.asyncProperty(
  fc.array(fc.tuple(steps, turns), { minLength: 3, maxLength: 25, size: 'max' }),
  fc.boolean(),
  async (its, isAsked) => {
    const world = await open({
      browser: createBrowser(),
      problems: [],
      log: [],
      ran: [],
      id: '',
      isFaulty: false,
    });
    const { problems, ran } = world;
    await world.session.flushed();
    if (isAsked) attempt(() => world.session.send('ask'));
    await settled();
    for (const [{ run }, wait] of its) {
      await run(world);
      for (let turn = 0; turn < wait; turn++) await Promise.resolve();
      const request = world.asked()?.request;
      if (request) problems.push(...problemsOnTheWire(request.messages));
      if (wait === 500 && world.session.getStorage().state === 'saved') await compare(world);
    }

    const shown = world.session.getMessages();
    world.faulty.heal();
    for (let round = 0; round < 8; round++) {
      world.tab.ports.pass(30_000);
      await settled();
    }
    await world.session.flushed();
    const { stored, state } = await compare(world);
    const loss = findLoss(world.log, stored);
    if (loss !== undefined) problems.push(`written and lost: ${loss}`);
    for (const { id, content } of shown) {
      const now = state.messages.find((message) => message.id === id);
      if (
        content.length > 0 &&
        (now === undefined || !extractTextContent(now).startsWith(extractTextContent({ content })))
      )
        problems.push(`message ${id} was on the screen, and is not any more as it was`);
    }
    const ids = state.messages.map(({ id }) => id);
    if (new Set(ids).size < ids.length) problems.push('a message is there twice');
    if (new Set(ran).size < ran.length) problems.push('a call ran twice');
    if (problems.length > 0) throw new Error(problems.join('\n'));
  },
);
