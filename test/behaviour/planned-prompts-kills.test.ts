import { type AgentSession, extractTextContent, type LLMClient } from 'brooklet';
import fc from 'fast-check';
import { BehaviorSubject } from 'rxjs';
import { expect, test } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { seeded } from '../support/seeded.ts';
import { createBrowser, type Tab } from '../support/tabs.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** What happens in one of two tabs. `turns`: promise turns until the next move, so that a tab is killed within its work. */
const moves = fc.array(
  fc.record({
    tab: fc.nat({ max: 1 }),
    what: fc.constantFrom(
      'plan',
      'plan',
      'cancel',
      'pass',
      'pass',
      'jump',
      'kill',
      'kill',
      'send',
      'answer',
      'open',
      'lock',
      'unlock',
    ),
    pick: fc.nat({ max: 5 }),
    turns: fc.nat({ max: 60 }),
  }),
  { minLength: 5, maxLength: 25, size: 'max' },
);

interface Planned {
  readonly text: string;
  readonly id: string;
  readonly missed: 'run' | 'skip';
  readonly due: number;
  /** Whether a tab has tried to cancel it, which a kill may have cut. */
  isAsked?: boolean;
  isCancelled?: boolean;
}

/** Each tab has a key of its own, as in a vault that tabs do not share. */
interface LockableTab extends Tab {
  lock(isLocked: boolean): void;
}

/** Two tabs of a browser with one session, over one clock that may be set. */
function createWorld() {
  const browser = createBrowser();
  const client = createManualClient();
  const locks = new Set<BehaviorSubject<boolean>>();
  /** Ids of messages for which a tab has sent a request whose key was locked. */
  const askedWhileLocked = new Set<string>();
  const all = new Set<ReturnType<typeof createManualPorts>>();
  let opened = 0;
  let offset = 0;
  let passed = 0;

  function openTab(): LockableTab {
    const ports = createManualPorts(`tab${++opened}`);
    ports.pass(passed);
    all.add(ports);
    const locked$ = new BehaviorSubject(false);
    locks.add(locked$);
    const sendRequest: LLMClient['sendRequest'] = (request) => {
      if (locked$.value) askedWhileLocked.add(request.promptId ?? '');
      return client.sendRequest(request);
    };
    const tab = browser.open({
      client: { sendRequest, locked$ },
      autoResume: false,
      ports: { ...ports, now: () => ports.now() + offset },
    });
    tab.agent.schedules$.subscribe();
    return { ...tab, lock: (isLocked) => locked$.next(isLocked), kill: () => (tab.kill(), all.delete(ports)) };
  }

  return {
    client,
    openTab,
    now: () => 1_000 + passed + offset,
    pass(ms: number) {
      passed += ms;
      for (const ports of all) ports.pass(ms);
    },
    jump: (ms: number) => void (offset += ms),
    unlockAll: () => locks.forEach((locked$) => locked$.next(false)),
    askedWhileLocked,
    async log(id: string) {
      return (await browser.store.read(id))?.events ?? [];
    },
  };
}

type World = ReturnType<typeof createWorld>;

const answered = new WeakSet<object>();

function answerAll({ client }: World): void {
  for (const asked of client.asked)
    if (!asked.aborted && !answered.has(asked)) {
      answered.add(asked);
      say(asked, 'Yes');
    }
}

async function turn(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve();
}

/** Lets time pass until nothing is due and nothing runs. */
async function rest(world: World, until: number): Promise<void> {
  for (let left = 0; left < 400 && (world.now() < until || left < 20); left++) {
    world.pass(world.now() + day < until ? 12 * 60 * minute : 5 * minute);
    await settled();
    answerAll(world);
    await settled();
  }
}

async function play(script: typeof moves extends fc.Arbitrary<infer T> ? T : never) {
  const world = createWorld();
  const tabs = [world.openTab(), world.openTab()];
  const tabOf = (index: number): LockableTab => tabs[index] ?? expect.unreachable();
  const id = tabOf(0).agent.createSession();
  await (await tabOf(0).agent.openSession(id)).flushed();
  const planned: Planned[] = [];
  const sure = new Set<string>();
  let kills = 0;
  let sent = 0;

  for (const { tab: index, what, pick, turns } of script) {
    const { agent, kill, lock } = tabOf(index);
    if (what === 'plan') {
      const text = `prompt ${planned.length}`;
      const plan = { text, id: `p${planned.length}`, due: world.now() + (1 + pick) * 7 * minute } as const;
      const missed = pick === 5 ? 'skip' : 'run';
      planned.push({ ...plan, missed });
      agent.schedule(id, { id: plan.id, content: text }, plan.due, { missed }).then(
        () => sure.add(text),
        () => {},
      );
    } else if (what === 'cancel') {
      const plan = planned[pick];
      if (plan) plan.isAsked = true;
      if (plan)
        agent.unschedule(plan.id).then(
          // A tab that sends it at this moment may win.
          (was) => was && world.now() < plan.due && (plan.isCancelled = true),
          () => {},
        );
    } else if (what === 'pass') world.pass((1 + pick) * 3 * minute);
    else if (what === 'jump') world.jump((pick - 2) * 20 * minute);
    else if (what === 'kill') {
      kill();
      kills++;
      tabs[index] = world.openTab();
    } else if (what === 'send') {
      const text = `own ${sent++}`;
      agent
        .openSession(id)
        .then((session) => session.send(text, { whenBusy: 'queue' }))
        .catch(() => {});
    } else if (what === 'lock' || what === 'unlock') {
      // What has found the key unlocked is sent.
      await settled();
      lock(what === 'lock');
    } else if (what === 'answer') answerAll(world);
    else agent.openSession(id).catch(() => {});
    await turn(turns);
  }

  await settled();
  // What is due while every tab is locked waits, however long.
  world.unlockAll();
  await settled();
  await rest(world, Math.max(world.now(), ...planned.map(({ due }) => due)) + 3 * day);
  const last = world.openTab();
  const session = await last.agent.openSession(id);
  await rest(world, world.now() + day);
  // A prompt that is due during a run follows it, as any message of the queue does.
  const followed = new Set(
    (await world.log(id)).map((event) => event.type === 'message.queued' && event.isDue && event.message.id),
  );
  return { world, session, planned, sure, kills, followed, listed: last.agent.getSchedules() };
}

const countIn = (session: AgentSession, text: string): number =>
  session.getMessages().filter((message) => extractTextContent(message) === text).length;

test('a planned prompt is sent once, or stays listed, whatever happens to the tabs and the clock', async () => {
  const met = { sent: 0, skipped: 0, cancelled: 0 };
  await fc.assert(
    fc.asyncProperty(moves, async (script) => {
      const { world, session, planned, sure, kills, followed, listed } = await play(script);
      const queued = session.getState().queue.map(({ message }) => extractTextContent(message));
      const problems: string[] = [];
      for (const { id, text, missed, isAsked, isCancelled = false } of planned) {
        const requests = world.client.asked.filter(
          ({ request }) => extractTextContent(request.messages.at(-1) ?? '') === text,
        ).length;
        const there = countIn(session, text) + queued.filter((one) => one === text).length;
        const state = `${text}: ${there} in the session, ${requests} requests`;
        if (there > 1 || requests > 1) problems.push(`twice, ${state}`);
        if (listed.some((one) => one.text === text)) problems.push(`overdue and listed, ${state}`);
        if (world.askedWhileLocked.has(id) && !followed.has(id)) problems.push(`sent with a locked key, ${state}`);
        if (isCancelled && there > 0) problems.push(`cancelled, ${state}`);
        const isDue = missed === 'run' && sure.has(text) && !isAsked;
        if (isDue && there === 0) problems.push(`lost, ${state}`);
        // A killed tab leaves its run interrupted, with the message; what follows a cut run waits for a person.
        if (isDue && kills === 0 && requests === 0) problems.push(`not sent, ${state}`);
        met.sent += requests;
        met.cancelled += Number(isCancelled);
        met.skipped += Number(missed === 'skip' && there === 0);
      }
      expect(problems).toEqual([]);
    }),
    seeded(300),
  );
  expect(Object.values(met).every((count) => count > 0)).toBe(true);
});
