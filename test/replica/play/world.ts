import { type AgentSession, createAgent, type SessionEvent, type SessionStore } from 'brooklet';
import {
  createRemote,
  createSyncedStore,
  type DecisionGuard,
  type ForkNotice,
  type SyncedStore,
  type SyncProblem,
} from 'brooklet/sync';
import { createMemoryStore } from 'brooklet/storage';
import { createDevice, type Device } from '../../simulation/device.ts';
import { createProvider, mannerOf } from '../../simulation/provider.ts';
import { type Random, randomOf } from '../../simulation/random.ts';
import { createTools, type Ran } from '../../simulation/tools.ts';
import { installVirtualGlobals } from '../../simulation/virtual-globals.ts';
import { createVirtualTime, type VirtualTime } from '../../simulation/virtual-time.ts';
import { engineNames } from '../../support/engine-profiles/index.ts';
import { problemsOfCall } from './laws.ts';
import { createProfile, type Profile } from './profile.ts';
import { createWire, type Wire } from './wire.ts';

/** One tab with a real agent over a replica. */
export interface Tab {
  readonly device: Device;
  readonly agent: ReturnType<typeof createAgent>;
  readonly store: SyncedStore;
  /** Ids of the sessions that this tab has a reason to drive: a person did more there than deciding for another page, or it began a run itself. */
  readonly driven: Set<string>;
}

/** One device of a person: its store, its connection, and its tabs. */
export interface Place {
  readonly profile: Profile;
  readonly wire: Wire;
  tabs: Tab[];
}

/** What a person has said, and whether the session told that it is stored. */
export interface Said {
  readonly text: string;
  readonly sessionId: string;
  isStored: boolean;
}

/** Everything that one seed determines. */
export interface World {
  readonly random: Random;
  readonly time: VirtualTime;
  readonly engine: ReturnType<typeof createMemoryStore>;
  readonly places: readonly Place[];
  readonly problems: string[];
  readonly trace: string[];
  readonly ran: Ran[];
  readonly said: Said[];
  readonly forks: ForkNotice[];
  readonly troubles: SyncProblem[];
  note(line: string): void;
  open(place: Place): Tab;
  /** Watches a promise of a verb: only an `AgentError` may reject it. */
  watch(label: string, promise: unknown): void;
  end(): void;
}

/** What differs from devices that trust whoever can write to the engine. */
export interface Cast {
  /** Returns the guard of a device. */
  guardOf(name: string): DecisionGuard;
  /** Returns the violations when a tool begins to act. */
  problemsOfRan(ran: Ran, place: Place): Promise<readonly string[]>;
}

export function createWorld(seed: number, cast?: Cast): World {
  const random = randomOf(seed);
  const problems: string[] = [];
  const trace: string[] = [];
  const fault = (who: string) => (thrown: unknown) =>
    void problems.push(`${who} threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  const time = createVirtualTime(fault('a task'));
  const globals = installVirtualGlobals(time, () => random.below(3) >> 1);
  const note = (line: string): void => void trace.push(`${String(time.now()).padStart(7)} ${line}`);
  const engine = createMemoryStore();
  const onRejection = fault('an unhandled promise');
  process.on('unhandledRejection', onRejection);
  const manner = mannerOf(random);
  // Its own source: the choices of all others mean what they meant before there were engines.
  const engineRandom = randomOf(seed ^ 0x3e_7e1e);
  let opened = 0;
  const names = ['Ann', 'Bob', 'Cem'].slice(0, random.oneOf([2, 2, 3]));
  const places = names.map((name): Place => {
    const profile = createProfile(name, { time, random, globals, note, engine: engineRandom.oneOf(engineNames) });
    return { profile, wire: createWire(engine, { time, random, note }), tabs: [] };
  });

  const world: World = {
    random,
    time,
    engine,
    places,
    problems,
    trace,
    note,
    ran: [],
    said: [],
    forks: [],
    troubles: [],
    open(place) {
      const device = createDevice(`${place.profile.name}${++opened}`, time);
      note(`${device.name} opens`);
      const store = createSyncedStore({
        local: place.profile.attach(device),
        remote: createRemote(place.wire.connect(device)),
        device: place.profile.name,
        ...(cast && { devices: cast.guardOf(place.profile.name) }),
        ports: device.ports,
        onFork(fork) {
          note(`${device.name} keeps ${fork.sessionId} as ${fork.keptAs}`);
          world.forks.push(fork);
        },
        onTrouble(trouble) {
          note(
            `${device.name} ${trouble.type} ${trouble.sessionId} ${trouble.type === 'refused' ? trouble.error.message : ''}`,
          );
          world.troubles.push(trouble);
        },
      });
      device.onEnd(() => store.close());
      const client = createProvider(device, random, manner, (request) => ({
        device,
        request,
        messageId: undefined,
        isOpen: true,
      }));
      const driven = new Set<string>();
      const tools = createTools(device, random, (ran) => {
        note(`${device.name} runs ${ran.name} ${ran.callId}`);
        world.ran.push(ran);
        if (!driven.has(ran.sessionId))
          problems.push(`${device.name}: call ${ran.callId} of ${ran.name} runs on a page that only decides`);
        if (cast) void cast.problemsOfRan(ran, place).then((found) => problems.push(...found));
        else
          void engine.read(ran.sessionId).then((stored) => {
            problems.push(...problemsOfCall(ran, world.ran, stored?.events ?? []));
          });
      });
      const own: SessionStore = {
        ...store,
        write(write) {
          if (write.events.some(isBeginning)) driven.add(write.sessionId);
          return store.write(write);
        },
      };
      const agent = createAgent({
        client,
        tools,
        ports: device.ports,
        store: own,
        instructions: 'Be brief.',
        maxSteps: 5,
      });
      const tab: Tab = { device, agent, store, driven };
      place.tabs.push(tab);
      device.onEnd(() => (place.tabs = place.tabs.filter((one) => one !== tab)));
      return tab;
    },
    watch(label, promise) {
      Promise.resolve(promise).catch((thrown: unknown) => {
        note(`${label} rejects: ${String(thrown)}`);
        if (!isTyped(thrown)) fault(label)(thrown);
      });
    },
    end: () => void process.off('unhandledRejection', onRejection),
  };
  note(`seed ${seed}: ${names.join(', ')}`);
  return world;
}

/** Whether a page drives the run that it writes this event to. */
const isBeginning = (event: SessionEvent): boolean =>
  event.type === 'run.started' || (event.type === 'approval.decided' && event.decidedBy === 'timeout');

export const isTyped = (thrown: unknown): boolean => thrown instanceof Error && thrown.name === 'AgentError';

/** Notes when what a person has just said is stored on the device. */
export function hear(world: World, session: AgentSession, text: string): void {
  const said: Said = { text, sessionId: session.id, isStored: false };
  world.said.push(said);
  world.watch(
    `flush of "${text}"`,
    session.flushed().then(() => {
      if (JSON.stringify(session.getState()).includes(text)) said.isStored = true;
    }),
  );
}
