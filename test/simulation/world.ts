import 'fake-indexeddb/auto';
import { type AgentSession, createAgent, type Message, type SessionStore } from 'brooklet';
import { evolve, initialState } from 'brooklet/core';
import { createIndexedDBStore, createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { createEngine, engineNames } from '../support/engine-profiles/index.ts';
import { type Audit, createAudit, databaseName } from './audit.ts';
import { createDevice, type Device } from './device.ts';
import { createDisk, type Disk } from './disk.ts';
import { problemsOfCall, problemsOfRequest } from './laws.ts';
import { createLocks } from './locks.ts';
import { createProvider, mannerOf, type Sent } from './provider.ts';
import { randomOf, type Random } from './random.ts';
import { createTools, type Ran } from './tools.ts';
import { installVirtualGlobals } from './virtual-globals.ts';
import { createVirtualTime, type VirtualTime } from './virtual-time.ts';

/** Requests of one run, at most. */
export const maxSteps = 5;

/** One tab with a real agent. */
export interface Tab {
  readonly device: Device;
  readonly agent: ReturnType<typeof createAgent>;
  /** The texts that a person has said in this tab. */
  readonly said: string[];
}

/** A promise that a verb has returned, until it settles. */
interface Awaited {
  readonly label: string;
  readonly device: Device;
  readonly words: string;
}

/** Everything that one seed determines. */
export interface World {
  readonly random: Random;
  /** Choices of the engine, and of what people do with its page cache. */
  readonly engineRandom: Random;
  readonly time: VirtualTime;
  readonly disk: Disk;
  /** Where the stores are over the IndexedDB of an engine. */
  readonly audit: Audit | undefined;
  readonly problems: string[];
  readonly trace: string[];
  readonly sent: Sent[];
  readonly ran: Ran[];
  readonly awaited: Set<Awaited>;
  /** Tabs that were navigated away from, and may be shown again. */
  readonly aside: Set<Tab>;
  /** How often a run may have been cut off. */
  cuts: number;
  /** Whether the clock of a tab differs from the others. */
  hasJumped: boolean;
  /** Whether a person has taken a session from a tab. */
  wasTaken: boolean;
  /** Whether a tab may have missed the change of another one, so that it reads when it is shown. */
  mayMiss: boolean;
  note(line: string): void;
  open(): Tab;
  /** Watches a promise of a verb: only an `AgentError` may reject it. */
  watch(awaited: Awaited, promise: unknown): void;
  end(): void;
}

export function createWorld(seed: number): World {
  const random = randomOf(seed);
  const problems: string[] = [];
  const trace: string[] = [];
  const time = createVirtualTime(fault('a task'));
  const globals = installVirtualGlobals(time, () => random.below(3) >> 1);
  const note = (line: string): void => void trace.push(`${String(time.now()).padStart(7)} ${line}`);
  // Its own source: the choices of all others mean what they meant before there were engines.
  const engineRandom = randomOf(seed ^ 0x3e_7e1e);
  // WebKit has the most to lose.
  const engineName = engineRandom.oneOf([...engineNames, 'webkit'] as const);
  const locks = createLocks(() => random.between(0, 3));
  const kinds = ['memory', 'memory', 'memory', 'indexeddb'] as const;
  const kind =
    [random.oneOf(kinds), engineRandom.oneOf(['memory', 'indexeddb'] as const)].find((one) => one === 'indexeddb') ??
    'memory';
  const memory = createMemoryStore();
  const engine = kind === 'indexeddb' ? createEngine(engineName, engineRandom) : undefined;
  const pages = new WeakMap<Device, IDBFactory>();
  Object.defineProperty(globalThis, 'indexedDB', {
    configurable: true,
    get() {
      const tab = globals.tab();
      const found = tab && pages.get(tab);
      if (found === undefined) throw new Error('Code outside of a tab uses the database.');
      return found;
    },
  });
  const audit = engine && createAudit(engine, { time, globals, pages }, problems);
  const database = engine && audit && { audit, setFull: engine.setFull };
  const disk = createDisk({ time, random, note, engine: engineName, ...(database && { database }) });
  const contextWindow = random.chance(0.25) ? random.between(400, 1_500) : undefined;
  const maxMessages = random.chance(0.1) ? random.between(3, 9) : undefined;
  const manner = mannerOf(random, contextWindow !== undefined);
  let opened = 0;

  function fault(who: string): (thrown: unknown) => void {
    return (thrown) => void problems.push(`${who} threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  }
  const onRejection = fault('an unhandled promise');
  const onException = fault('a microtask');
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);

  function storeOf(device: Device): SessionStore {
    const inner = kind === 'memory' ? memory : createIndexedDBStore({ name: databaseName });
    globals.navigator = { locks: locks.connect(device) };
    return disk.attach(device, inner, createSessionLocks(databaseName));
  }

  function openDevice(): Device {
    const page = engine?.open({
      enter: (task) => device.enter(task),
      onDropped: () => device.kill(),
    });
    const device = createDevice(`tab${++opened}`, time, {
      ...(page && { page, enter: globals.enter }),
      // Only WebKit keeps a page that has a lock.
      isKept: (left) => engineName === 'webkit' || !locks.concerns(left),
    });
    if (page) pages.set(device, page.indexedDB);
    device.onEnd(() => disk.lookAt(device));
    return device;
  }

  const world: World = {
    random,
    engineRandom,
    audit,
    time,
    disk,
    problems,
    trace,
    sent: [],
    ran: [],
    awaited: new Set(),
    aside: new Set(),
    cuts: 0,
    hasJumped: false,
    wasTaken: false,
    mayMiss: false,
    note,
    open() {
      const device = openDevice();
      note(`${device.name} opens`);
      const client = createProvider(device, random, manner, (request) => {
        const messageId = tab.agent.getSession(request.sessionId)?.getState().run?.openReply;
        note(`${device.name} asks for ${messageId ?? 'a summary'}`);
        const sent: Sent = { device, request, messageId, isOpen: true };
        const found = problemsOfRequest(sent, world.wasTaken ? [] : world.sent);
        problems.push(...found);
        world.sent.push(sent);
        return sent;
      });
      const tools = createTools(device, random, (ran) => {
        note(`${device.name} runs ${ran.name} ${ran.callId}`);
        problems.push(...problemsOfCall(ran, world.ran, disk.log(ran.sessionId)));
        world.ran.push(ran);
      });
      const create = (): Tab['agent'] =>
        createAgent({
          client,
          tools,
          ports: device.ports,
          store: storeOf(device),
          instructions: 'Be brief.',
          maxSteps,
          ...(contextWindow !== undefined && { contextWindow, maxTokens: 100 }),
          ...(maxMessages !== undefined && { maxMessages }),
        });
      const agent = device.enter(create);
      const tab: Tab = { device, agent, said: [] };
      return tab;
    },
    watch(awaited, promise) {
      world.awaited.add(awaited);
      const settle = (): void => void world.awaited.delete(awaited);
      Promise.resolve(promise).then(settle, (thrown: unknown) => {
        settle();
        note(`${awaited.device.name} ${awaited.label} rejects: ${describe(thrown)}`);
        if (!isTyped(thrown)) fault(awaited.label)(thrown);
      });
    },
    end() {
      globals.end();
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtException', onException);
    },
  };
  note(
    `seed ${seed}: ${kind} in ${engineName}${contextWindow ? `, window ${contextWindow}` : ''}${maxMessages ? `, ${maxMessages} messages` : ''}`,
  );
  return world;
}

export const isTyped = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AgentError';
export const describe = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? `${String(thrown.code)} ${thrown.message}` : String(thrown);

/** Observes a session in a tab: `saved` means that the store has every event. */
export function observe(world: World, { device, said }: Tab, session: AgentSession): void {
  session.storage$.subscribe(({ state }) => {
    if (!device.isAlive()) return;
    if (state !== 'saved' || world.disk.isLooking()) return;
    const log = world.disk.log(session.id);
    const shown = session.getState();
    const stored = log.at(-1)?.seq ?? 0;
    if (shown.seq > stored)
      world.problems.push(`${device.name} says saved at ${shown.seq}, and the store has ${stored}`);
    if (!world.random.chance(0.2)) return;
    const texts = JSON.stringify(log);
    for (const words of said)
      if (!texts.includes(words)) world.problems.push(`${device.name} says saved, and "${words}" is not stored`);
    if (shown.seq !== stored) return;
    const kept = log.reduce(evolve, initialState(session.id));
    if (storable(kept.messages) !== storable(shown.messages))
      world.problems.push(`${device.name} says saved at ${stored}, and shows other messages than the store`);
  });
}

/** The JSON of messages without the progress of calls, which is never stored. */
const storable = (messages: readonly Message[]): string =>
  JSON.stringify(messages, (key, value: unknown) => (key === 'progress' ? undefined : value));
