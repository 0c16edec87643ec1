import { type AgentSession, extractTextContent, type SessionEvent } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { statusOf } from '../../src/core/model/status.ts';
import { findLoss } from '../support/normal-log.ts';
import { heldIn } from '../support/person.ts';
import { problemsOfDeeds, problemsOfLog, problemsOfTabs, type Shown } from '../support/tab-laws.ts';
import { disturb, type Fault, faultsOf } from './faults.ts';
import { problemsOfAnswers, problemsOfEnds, problemsOfLimits, problemsOfRebuilding, problemsOfRest } from './laws.ts';
import { act, type Deed, deedOf, deedsOf, isDeciding, isSaying } from './person.ts';
import { createWorld, describe, isTyped, maxSteps, observe, type Tab, type World } from './world.ts';

/** What one seed has shown. */
export interface Report {
  readonly seed: number;
  readonly problems: readonly string[];
  /** What happened, a line each, with the ms since the start. */
  readonly trace: readonly string[];
  /** The stored events of the session at the end; missing when the play has thrown. */
  readonly log?: readonly SessionEvent[];
}

/** The tabs of one play, and the session that they share. */
export interface Stage {
  readonly world: World;
  readonly id: string;
  /** The slots for tabs, one after the other. */
  readonly tabs: (Tab | undefined)[];
  /** The kinds of faults that this play has: few kinds meet more often than all of them. */
  readonly faults: readonly Fault[];
  /** What the people of this play do. */
  readonly deeds: ReadonlySet<Deed>;
}

/** ms: a call may expire days late, by a clock that was changed several times. */
const longestRest = 30 * 86_400_000;

/** Plays one seed: people, tabs, a model, tools and faults in virtual time. Returns the violations of the laws. */
export async function play(seed: number): Promise<Report> {
  const world = createWorld(seed);
  const { problems, trace } = world;
  let log: readonly SessionEvent[] | undefined;
  try {
    log = await playIn(world);
  } catch (thrown) {
    problems.push(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
    // A store warns again and again of what it waits for, so that a play with it does not come to rest.
    problems.push(...world.disk.unsettled());
  } finally {
    world.end();
  }
  return { seed, problems, trace, ...(log && { log }) };
}

/** Returns the stored events of the session. */
async function playIn(world: World): Promise<readonly SessionEvent[]> {
  const { random, time } = world;
  const first = world.open();
  const id = first.device.enter(() => first.agent.createSession());
  const tabs: (Tab | undefined)[] = [first, ...Array.from({ length: random.below(4) }, () => undefined)];
  const stage: Stage = { world, id, tabs, faults: faultsOf(random, world.engineRandom), deeds: deedsOf(random) };
  const session = first.agent.getSession(id);
  if (session) observe(world, first, session);
  await time.pass(1_000);
  const moves = random.between(12, 45);
  for (let nth = 0; nth < moves; nth++) {
    move(stage, nth);
    await time.pass(random.oneOf([0, 0, 0, 2, 5, 10, 40, 120, 500, 1_500]));
  }
  return finish(stage);
}

/** One move of a person, or one fault, in one of the tabs. */
function move(stage: Stage, nth: number): void {
  const { world, tabs, id } = stage;
  const { random } = world;
  const place = random.below(tabs.length);
  // The engine has dropped it from the page cache.
  if (tabs[place]?.device.isAlive() === false) tabs[place] = undefined;
  const tab = (tabs[place] ??= world.open());
  const session = tab.agent.getSession(id);
  if (session === undefined) return openIn(stage, tab);
  if (random.chance(stage.faults.length / 15)) {
    disturb(stage, place);
    // A person often acts in the midst of a fault.
    if (tabs[place] !== tab || random.chance(0.5)) return;
  }
  if (!isAwake(tab)) return;
  const deed = deedOf(session, stage.deeds, random);
  doIn(stage, tab, session, deed, nth);
  if (isDeciding(deed) && random.chance(0.3)) doIn(stage, tab, session, 'approve', nth);
  if (!random.chance(isDeciding(deed) ? 0.5 : 0.2)) return;
  // Somebody else does something in another tab in the same moment, and decides if this one has decided.
  const other = tabs.find((one) => one !== undefined && one !== tab && isAwake(one));
  const its = other?.agent.getSession(id);
  if (other === undefined || its === undefined) return;
  doIn(
    stage,
    other,
    its,
    isDeciding(deed) ? random.oneOf(['approve', 'reject'] as const) : deedOf(its, stage.deeds, random),
    nth + 0.5,
  );
}

const isAwake = ({ device }: Tab): boolean => device.isAlive() && !device.isFrozen() && !device.isAside();

/** A person does something in a tab. */
function doIn(stage: Stage, tab: Tab, session: AgentSession, deed: Deed, nth: number): void {
  const { world, id } = stage;
  const words = `${deed} ${nth}`;
  world.note(`${tab.device.name} ${words}`);
  const label = `"${words}"`;
  const [oldest] = session.getState().queue;
  try {
    if (deed === 'takeOver') world.wasTaken = true;
    if (deed === 'takeOver') world.cuts++;
    const returned = tab.device.enter((): unknown =>
      deed === 'fork' ? tab.agent.forkSession(id) : act(session, deed, words, world.random),
    );
    world.watch({ label, device: tab.device, words }, returned);
    if (isSaying(deed)) tab.said.push(words);
    if (deed === 'unqueue' && oldest) forget(stage, extractTextContent(oldest.message));
  } catch (thrown) {
    world.note(`${tab.device.name} ${label} throws: ${describe(thrown)}`);
    if (!isTyped(thrown)) throw thrown;
  }
}

/** A person has taken a message back: it may be gone. */
function forget({ tabs, world }: Stage, words: string): void {
  for (const tab of [...tabs, ...world.aside]) {
    const index = tab?.said.indexOf(words) ?? -1;
    if (index >= 0) tab?.said.splice(index, 1);
  }
}

/** Opens the session in a tab that does not show it yet. */
export function openIn({ world, id }: Stage, tab: Tab): void {
  const { device, agent } = tab;
  const opening = device.enter(() => agent.openSession(id).then((session) => observe(world, tab, session)));
  world.watch({ label: 'open', device, words: '' }, opening);
}

/** Shows the pages that are in the page cache, or drops them. */
function endAside({ world, tabs }: Stage): void {
  for (const tab of world.aside) {
    if (world.engineRandom.chance(0.5)) tab.device.comeBack();
    else tab.device.kill();
    // Another page may have the place of the tab.
    if (tab.device.isAlive() && !tabs.includes(tab)) tabs.push(tab);
  }
  world.aside.clear();
  for (const [place, tab] of tabs.entries()) if (tab && !tab.device.isAlive()) tabs[place] = undefined;
}

/** Ends all faults, lets everything come to rest, and checks the laws. Returns the stored events of the session. */
async function finish(stage: Stage): Promise<readonly SessionEvent[]> {
  const { world, tabs, id } = stage;
  const { time, disk, problems } = world;
  world.note('the end of all faults');
  disk.heal();
  endAside(stage);
  const left = tabs.flatMap((tab) => tab ?? []);
  if (left.length === 0) left.push(world.open());
  for (const tab of left) {
    tab.device.thaw();
    if (tab.agent.getSession(id) === undefined) openIn(stage, tab);
  }
  await rest(stage, left);
  for (let round = 0; round < 20; round++) {
    const sessions = left.flatMap(({ agent }) => agent.getSession(id) ?? []);
    if (sessions.every((session) => session.getStatus() !== 'waiting')) break;
    const [tab] = left.filter(({ agent }) => agent.getSession(id));
    const session = tab?.agent.getSession(id);
    for (const callId of session ? heldIn(session) : []) {
      world.note(`reject ${callId}`);
      void tab?.device.enter(() => session?.reject(callId).catch(() => {}));
    }
    await rest(stage, left);
  }
  const log = await check(stage, left);
  for (const { agent, device } of left) device.enter(() => agent.removeSession(id));
  await time.rest(longestRest);
  for (const { label, device } of world.awaited)
    if (device.isAlive()) problems.push(`${device.name}: the promise of ${label} never settles`);
  return log;
}

async function rest({ world }: Stage, left: readonly Tab[]): Promise<void> {
  for (let round = 0; round < 3; round++) {
    // A page that is shown reads what it has missed. Without a fault it has missed nothing.
    if (world.mayMiss) for (const { device } of left) device.show();
    if (!(await world.time.rest(longestRest))) world.problems.push('the tabs do not come to rest');
  }
}

async function check({ world, id }: Stage, left: readonly Tab[]): Promise<readonly SessionEvent[]> {
  const { disk, problems, sent, awaited } = world;
  const log = disk.log(id);
  const kept = log.reduce(evolve, initialState(id));
  const shown = left.flatMap(({ agent, device }): readonly Shown[] => {
    const session = agent.getSession(id);
    if (session === undefined) problems.push(`${device.name} has no session`);
    if (session === undefined) return [];
    const { queue, messages, title } = session.getState();
    if (title !== kept.title) problems.push(`${device.name} shows the title "${title}", and "${kept.title}" is stored`);
    const { state } = session.getStorage();
    return [{ messages, queue: queue.map(({ message }) => message), status: session.getStatus(), storage: state }];
  });
  const queue = kept.queue.map(({ message }) => message);
  const all: readonly Shown[] = [
    ...shown,
    { messages: kept.messages, queue, status: statusOf(kept), storage: 'saved' },
  ];
  const said = left.flatMap((tab) => tab.said);
  const pending = [...awaited].filter(
    ({ device, words }) => device.isAlive() && !queue.some(({ content }) => JSON.stringify(content).includes(words)),
  );
  const stored = await readBack(world, left, id);
  const loss = findLoss(log, stored);
  const failed = log.filter((event) => event.type === 'run.ended' && event.outcome === 'interrupted' && event.error);
  // By the clock of one tab, a call may have expired before the tab was opened, although its run waits in another tab.
  const late = log.filter(({ type }, index) => type === 'run.ended' && world.hasJumped && hasExpired(log[index - 1]));
  problems.push(
    ...problemsOfLog(log, world.cuts + failed.length + late.length),
    ...problemsOfTabs(all),
    ...problemsOfDeeds([...kept.messages, ...queue], said, []),
    ...problemsOfRebuilding(
      sent.filter(({ request }) => request.sessionId === id),
      log,
    ),
    ...problemsOfAnswers(log, id),
    ...problemsOfEnds(log, id),
    ...problemsOfRest(log, id),
    ...problemsOfLimits(log, maxSteps),
    ...disk.problems,
    ...disk.unsettled(),
    ...(disk.isLooking() ? ['a look at the database does not end'] : []),
    ...pending.map(({ label, device }) => `${device.name}: the promise of ${label} does not settle`),
    ...(loss === undefined ? [] : [`acknowledged and lost: ${loss}`]),
  );
  return log;
}

function hasExpired(event: SessionEvent | undefined): boolean {
  return event?.type === 'approval.decided' && event.decidedBy === 'timeout';
}

/** Returns the events that the real store has. */
async function readBack({ time }: World, left: readonly Tab[], id: string) {
  let events: Awaited<ReturnType<typeof read>> = [];
  const [first] = left;
  const read = async () => (await first?.device.enter(() => first.agent.store?.read(id)))?.events ?? [];
  void read().then((found) => (events = found));
  await time.rest(60_000);
  return events;
}
