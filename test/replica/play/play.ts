import { type AgentSession, type SessionEvent, type SessionStore, toolParts } from 'brooklet';
import { act, type Deed, deedOf, deedsOf, isDeciding, isSaying } from '../../simulation/person.ts';
import { type Logs, problemsOfForks, problemsOfLog, problemsOfSaid, problemsOfSides } from './laws.ts';
import type { WireFault } from './wire.ts';
import { createWorld, hear, isTyped, type Place, type Tab, type World } from './world.ts';

/** What one seed has shown. */
export interface Report {
  readonly seed: number;
  readonly problems: readonly string[];
  /** What happened, a line each, with the ms since the start. */
  readonly trace: readonly string[];
}

export interface Stage {
  readonly world: World;
  readonly deeds: ReadonlySet<Deed>;
  /** The sessions that people know of. */
  readonly ids: Set<string>;
  /** The texts of sessions that a person has removed. */
  readonly removed: Set<string>;
}

/** Plays one seed: devices with real agents, people, an engine, and wires that break, in virtual time. Returns the violations of the laws. */
export function play(seed: number): Promise<Report> {
  return playWith(createWorld(seed), seed, () => {}, finish);
}

/**
 * Plays the moves of people and faults in a world.
 *
 * @param onMove called before each move
 * @param end brings the world to rest, and checks its laws
 */
export async function playWith(
  world: World,
  seed: number,
  onMove: (stage: Stage) => void,
  end: (stage: Stage) => Promise<void>,
): Promise<Report> {
  const { problems, trace } = world;
  try {
    await playIn(world, onMove, end);
  } catch (thrown) {
    problems.push(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  } finally {
    world.end();
  }
  return { seed, problems, trace };
}

async function playIn(
  world: World,
  onMove: (stage: Stage) => void,
  end: (stage: Stage) => Promise<void>,
): Promise<void> {
  const { random, time, places } = world;
  const stage: Stage = { world, deeds: deedsOf(random), ids: new Set(), removed: new Set() };
  for (const place of places) world.open(place);
  create(stage, places[0]);
  await time.pass(2_000);
  const moves = random.between(10, 35);
  for (let nth = 0; nth < moves; nth++) {
    onMove(stage);
    move(stage, nth);
    await time.pass(random.oneOf([0, 0, 2, 10, 40, 120, 500, 1_500, 8_000]));
  }
  await end(stage);
}

function create({ world, ids }: Stage, place: Place | undefined): void {
  const [tab] = place?.tabs ?? [];
  if (tab === undefined) return;
  const id = tab.agent.createSession();
  world.note(`${tab.device.name} creates ${id}`);
  ids.add(id);
  const session = tab.agent.getSession(id);
  if (session) say(world, tab, session, `hello ${id}`, 'send');
}

function say(world: World, tab: Tab, session: AgentSession, text: string, deed: Deed): void {
  doIn(world, tab, session, deed, text);
  hear(world, session, text);
}

/** One move of a person, or one fault, on one of the devices. */
function move(stage: Stage, nth: number): void {
  const { world, ids } = stage;
  const { random } = world;
  const place = random.oneOf(world.places);
  if (random.chance(0.3)) disturb(stage, place);
  const tab = place.tabs.length > 0 ? random.oneOf(place.tabs) : world.open(place);
  if (random.chance(0.04)) return create(stage, place);
  const id = random.oneOf([...ids]);
  const session = tab.agent.getSession(id);
  if (session === undefined) {
    world.note(`${tab.device.name} opens ${id}`);
    return world.watch(`open ${id}`, tab.agent.openSession(id));
  }
  if (random.chance(0.03)) return remove(stage, place, tab, id);
  const deed = deedOf(session, stage.deeds, random);
  if (isSaying(deed)) say(world, tab, session, `${deed} ${nth} on ${tab.device.name}`, deed);
  else doIn(world, tab, session, deed, `${deed} ${nth}`);
  if (!isDeciding(deed) || random.chance(0.5)) return;
  // Somebody decides the same on another device.
  for (const other of world.places) {
    const [its] = other.tabs;
    const same = its?.agent.getSession(id);
    if (other !== place && its && same)
      doIn(world, its, same, random.oneOf(['approve', 'approve', 'reject']), `${deed} ${nth} too`);
  }
}

function doIn(world: World, { driven }: Tab, session: AgentSession, deed: Deed, words: string): void {
  world.note(`${deed} in ${session.id}: ${words}`);
  try {
    // Half of the decisions are left to the page that asked.
    const options = isDeciding(deed) ? { drive: world.random.chance(0.5) } : {};
    if (options.drive !== false) driven.add(session.id);
    if (deed !== 'fork') world.watch(words, act(session, deed, words, world.random, options));
  } catch (thrown) {
    world.note(`${words} throws: ${String(thrown)}`);
    if (!isTyped(thrown)) throw thrown;
  }
}

/** A person removes what this device shows. What it shows may be gone. */
function remove({ world, removed }: Stage, { profile }: Place, { agent, device }: Tab, id: string): void {
  world.note(`${device.name} removes ${id}`);
  const texts = (content: Promise<unknown>): void => {
    void content.then((value) => {
      const all = JSON.stringify(value ?? '');
      for (const { text } of world.said) if (all.includes(JSON.stringify(text))) removed.add(text);
    });
  };
  texts(profile.disk.read(id));
  texts(Promise.resolve(agent.getSession(id)?.getState()));
  agent.removeSession(id);
}

const wireFaults: readonly WireFault[] = ['refused', 'lost', 'late', 'delayed'];

function disturb({ world }: Stage, place: Place): void {
  const { random, time } = world;
  const { profile, wire } = place;
  const kind = random.oneOf(['cut', 'cut', 'mend', 'fault', 'kill', 'reload', 'leave', 'tab'] as const);
  world.note(`${profile.name}: ${kind}`);
  const [tab] = place.tabs;
  switch (kind) {
    case 'cut':
      wire.cut();
      return void (random.chance(0.5) && time.after(random.oneOf([300, 4_000, 20_000]), wire.mend));
    case 'mend':
      return wire.mend();
    case 'fault':
      return wire.arm(Array.from({ length: random.between(1, 4) }, () => random.oneOf(wireFaults)));
    case 'tab':
      return void (place.tabs.length < 2 && world.open(place));
    case 'leave':
      return tab?.device.leave();
    default:
      tab?.device.kill();
      if (kind === 'reload') world.open(place);
  }
}

/** ms: longer than every wait of a replica, a request or a call. */
export const longestRest = 600_000;

/** Ends all faults, and opens every device anew. Returns their tabs. */
export async function calm({ world }: Stage): Promise<readonly Tab[]> {
  const { time, places } = world;
  world.note('the end of all faults');
  for (const { wire } of places) wire.heal();
  // Every device starts anew: what its tabs had in memory only is gone.
  for (const place of places) for (const { device } of place.tabs) device.leave();
  await time.rest(longestRest);
  const tabs = places.map(world.open);
  await time.rest(longestRest);
  return tabs;
}

/** Ends all faults, lets everything come to rest, and checks the laws. */
async function finish(stage: Stage): Promise<void> {
  const { world, ids } = stage;
  const { time, places, problems, engine } = world;
  const tabs = await calm(stage);
  for (let round = 0; round < 3; round++) {
    for (const tab of tabs) for (const id of ids) world.watch(`open ${id}`, tab.agent.openSession(id));
    await time.rest(longestRest);
    // Nobody runs what another device has left: its own page ends it. What waits for a person is rejected.
    for (const { agent, driven } of tabs.slice(0, 1))
      for (const id of ids)
        for (const callId of heldIn(agent.getSession(id))) {
          driven.add(id);
          world.watch('reject', agent.getSession(id)?.reject(callId));
        }
    for (const { store } of tabs) world.watch('sync', store.sync());
    await time.rest(longestRest);
  }
  if (!(await time.rest(longestRest))) problems.push('the devices do not come to rest');
  const there = await logsOf(engine);
  for (const { profile } of places) problems.push(...problemsOfSides(profile.name, await logsOf(profile.disk), there));
  for (const [id, log] of there) problems.push(...problemsOfLog(id, log), ...problemsOfForks(id, log));
  problems.push(...problemsOfSaid(world.said, there, stage.removed));
  for (const [at, { store }] of tabs.entries())
    if (store.getStatus().state !== 'in-step')
      problems.push(`${places[at]?.profile.name} is ${store.getStatus().state}`);
  for (const trouble of world.troubles)
    if (trouble.type === 'refused') problems.push(`a session was refused: ${trouble.error.message}`);
}

function heldIn(session: AgentSession | undefined): readonly string[] {
  const calls = session?.getMessages().flatMap(toolParts) ?? [];
  return calls.filter(({ status }) => status === 'awaiting-approval').map(({ callId }) => callId);
}

async function logsOf(store: SessionStore): Promise<Logs> {
  const { sessions } = await store.list({ limit: 1_000 });
  const logs = new Map<string, readonly SessionEvent[]>();
  for (const { id } of sessions) {
    const { events = [], writeId = '' } = (await store.read(id)) ?? {};
    // The mark of a removed session is no session.
    if (!writeId.includes('removing-')) logs.set(id, events);
  }
  return logs;
}
