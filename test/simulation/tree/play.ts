import { type AgentSession, toolParts } from 'brooklet';
import { openRun } from '../../../src/core/model/state.ts';
import type { Report } from '../play.ts';
import { describe, isTyped, type Tab } from '../world.ts';
import {
  type Decided,
  problemsOfAccount,
  problemsOfChildren,
  problemsOfDecisions,
  problemsOfLogs,
  problemsOfOrphans,
  problemsOfPurse,
  readForest,
} from './laws.ts';
import { createTreeWorld, type TreeWorld } from './world.ts';

/** One root, the tabs that show it, and what people have done. */
interface Stage {
  readonly world: TreeWorld;
  readonly id: string;
  readonly tabs: (Tab | undefined)[];
  readonly made: Decided[];
  /** Number of prompts that were sent at the root. */
  prompts: number;
}

/** ms: longer than every wait of a request, a call or a write. */
const longestRest = 600_000;

/** Plays one seed: a tree of agents in tabs that are killed at its events, and people who decide at the root. Returns the violations of the laws. */
export async function play(seed: number): Promise<Report> {
  let events = 0;
  const kills = new Set<number>();
  const world = createTreeWorld(seed, (tab) => {
    if (!kills.has(++events)) return;
    world.note(`${tab.device.name} is killed at event ${events}`);
    // What the event leads to at once belongs to it.
    world.time.after(0, tab.device.kill);
  });
  const { random, problems, trace } = world;
  for (let nth = random.oneOf([0, 1, 1, 2, 3]); nth > 0; nth--) kills.add(random.between(2, random.oneOf([40, 200])));
  try {
    await playIn(world, () => kills.clear());
  } catch (thrown) {
    problems.push(thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown));
  } finally {
    world.end();
  }
  return { seed, problems, trace };
}

async function playIn(world: TreeWorld, endKills: () => void): Promise<void> {
  const { random, time } = world;
  const first = world.open();
  const id = first.device.enter(() => first.agent.createSession());
  const stage: Stage = { world, id, tabs: [first, undefined], made: [], prompts: 0 };
  await time.pass(100);
  const moves = random.between(10, 40);
  for (let nth = 0; nth < moves; nth++) {
    await move(stage);
    await time.pass(random.oneOf([0, 0, 2, 10, 60, 300, 1_500]));
  }
  endKills();
  await finish(stage);
}

/** One move of a person at the root, or one fault, in one of the tabs. */
async function move(stage: Stage): Promise<void> {
  const { world, tabs, id } = stage;
  const { random } = world;
  const place = random.chance(0.7) ? 0 : 1;
  if (tabs[place]?.device.isAlive() === false) tabs[place] = undefined;
  const tab = (tabs[place] ??= world.open());
  const session = tab.agent.getSession(id);
  if (session === undefined) return openIn(stage, tab);
  if (random.chance(0.05)) return disturb(stage, tab, place);
  if (random.chance(0.04)) return stop(stage, tab, session);
  const [call] = shuffled(session.getApprovals(), random);
  if (call && random.chance(0.8)) return decide(stage, tab, session, call.callId);
  switch (session.getStatus()) {
    case 'idle':
      return stage.prompts < 2 ? send(stage, tab, session) : undefined;
    case 'interrupted':
    case 'failed':
    case 'limit':
      return stage.prompts < 3 && random.chance(0.15) ? send(stage, tab, session) : resume(stage, tab, session);
    default:
      if (random.chance(0.05)) cancelChild(stage, tab, session);
  }
}

const shuffled = <T>(list: readonly T[], { below }: TreeWorld['random']): readonly T[] =>
  list.length === 0 ? list : [...list.slice(below(list.length)), ...list];

function doIn({ world }: Stage, tab: Tab, label: string, task: () => unknown): Promise<unknown> {
  world.note(`${tab.device.name} ${label}`);
  try {
    return world.watch(label, tab, tab.device.enter(task));
  } catch (thrown) {
    world.note(`${tab.device.name} ${label} throws: ${describe(thrown)}`);
    if (!isTyped(thrown)) throw thrown;
    return Promise.resolve(thrown);
  }
}

function openIn(stage: Stage, tab: Tab): void {
  void doIn(stage, tab, 'opens the root', () => tab.agent.openSession(stage.id));
}

function send(stage: Stage, tab: Tab, session: AgentSession): void {
  stage.prompts++;
  void doIn(stage, tab, `sends ${stage.prompts}`, () => session.send(`prompt ${stage.prompts}`));
}

function resume(stage: Stage, tab: Tab, session: AgentSession): void {
  void doIn(stage, tab, 'resumes', () => session.resume());
}

function decide(stage: Stage, tab: Tab, session: AgentSession, callId: string): void {
  const { world, made } = stage;
  const verdict = world.random.chance(0.75) ? 'approved' : 'rejected';
  made.push({ callId, verdict });
  const verb = verdict === 'approved' ? 'approve' : 'reject';
  void doIn(stage, tab, `${verb} ${callId}`, () => session[verb](callId)).then((thrown) => {
    if (isTyped(thrown) && describe(thrown).startsWith('CALL_NOT_FOUND'))
      world.problems.push(
        `${tab.device.name} shows call ${callId} at the root, and cannot decide it: ${describe(thrown)}`,
      );
  });
}

/** A person stops one child, not the tree. */
function cancelChild(stage: Stage, tab: Tab, session: AgentSession): void {
  const ids = session
    .getMessages()
    .flatMap(toolParts)
    .flatMap((call) => (call.status === 'started' ? (call.session ?? []) : []));
  const [id = ''] = shuffled(ids, stage.world.random);
  const child = tab.agent.getSession(id);
  if (child) void doIn(stage, tab, `stops ${id}`, () => child.cancel());
}

function disturb({ world, tabs }: Stage, tab: Tab, place: number): void {
  const { random, disk, time } = world;
  const kind = random.oneOf(['kill', 'leave', 'refused', 'slow'] as const);
  world.note(`${tab.device.name}: ${kind}`);
  switch (kind) {
    case 'refused':
      return disk.arm(tab.device, ['refused']);
    case 'slow':
      disk.setPace(20);
      return void time.after(1_000, () => disk.setPace(1));
    default:
      tab.device[kind]();
      tabs[place] = undefined;
  }
}

/** A person stops the tree. When it has come to rest, no part of it is at work. */
async function stop(stage: Stage, tab: Tab, session: AgentSession): Promise<void> {
  const { world, id, tabs } = stage;
  const { time, problems } = world;
  const wasOpen = openRun(session.getState()) !== undefined;
  const alive = tabs.filter((one) => one?.device.isAlive()).length;
  void doIn(stage, tab, 'stops the root', () => session.cancel());
  await time.pass(20_000);
  // What a tab has left that was killed meanwhile is not at work: the next page that opens the root ends it.
  if (!wasOpen || tabs.filter((one) => one?.device.isAlive()).length < alive) return;
  const forest = await readForest(world);
  const state = forest.states.get(id);
  // A person in another tab has gone on.
  if (state === undefined || openRun(state)) return;
  problems.push(...problemsOfOrphans(forest, world).map((problem) => `after a stop, ${problem}`));
}

async function rest({ world, tabs }: Stage): Promise<void> {
  // A page that is shown reads what it has missed.
  for (const tab of tabs) if (tab?.device.isAlive()) tab.device.show();
  if (!(await world.time.rest(longestRest))) world.problems.push('the tabs do not come to rest');
}

/** Ends all faults, decides and resumes at the root until the tree has ended, and checks the laws. */
async function finish(stage: Stage): Promise<void> {
  const { world, tabs, id, made } = stage;
  const { disk, problems, random } = world;
  world.note('the end of all faults');
  disk.heal();
  for (const [place, tab] of tabs.entries()) if (tab && !tab.device.isAlive()) tabs[place] = undefined;
  if (!tabs.some((tab) => tab !== undefined)) tabs[0] = world.open();
  const left = tabs.filter((tab) => tab !== undefined);
  for (const tab of left) if (tab.agent.getSession(id) === undefined) openIn(stage, tab);
  // A page that opens the root ends what killed tabs have left.
  const next = world.open();
  left.push(next);
  openIn(stage, next);
  await rest(stage);
  for (let round = 0; round < 80 && !isOver(stage, left); round++) {
    const tab = random.oneOf(left);
    const session = tab.agent.getSession(id);
    if (session === undefined) break;
    const [call] = shuffled(session.getApprovals(), random);
    if (call) decide(stage, tab, session, call.callId);
    else if (/interrupted|failed|limit/u.test(session.getStatus())) resume(stage, tab, session);
    await rest(stage);
  }
  const forest = await readForest(world);
  // The first write may have gone with its tab.
  if (forest.logs.has(id) && !isOver(stage, left))
    problems.push(
      `the tree does not end: the root is ${left.map(({ agent }) => agent.getSession(id)?.getStatus()).join()}`,
    );
  problems.push(
    ...problemsOfOrphans(forest, world),
    ...problemsOfChildren(forest),
    ...problemsOfDecisions(forest, made),
    ...problemsOfPurse(world, forest, id),
    ...problemsOfAccount(forest, id),
    ...problemsOfLogs(forest),
    ...disk.problems,
    ...disk.unsettled(),
  );
  await remove(stage, left);
}

function isOver({ id }: Stage, left: readonly Tab[]): boolean {
  return left.every(({ agent }) => {
    const session = agent.getSession(id);
    return session !== undefined && session.getStatus() === 'idle' && session.getApprovals().length === 0;
  });
}

/** A person removes the root, from the memory of a tab or from the list: nothing of the tree stays. */
async function remove(stage: Stage, left: readonly Tab[]): Promise<void> {
  const { world, id } = stage;
  const [first] = left;
  const tab = world.random.chance(0.5) && first ? first : world.open();
  world.note(`${tab.device.name} removes the root`);
  tab.device.enter(() => tab.agent.removeSession(id));
  await rest(stage);
  const { states } = await readForest(world);
  const kept = [...states.keys()];
  if (kept.length > 0) world.problems.push(`the root was removed, and ${kept.join()} stays`);
}
