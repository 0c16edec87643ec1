import { createAgent, type Message, type SessionStore, type Tool } from 'brooklet';
import { agentTool } from 'brooklet/agents';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { engineNames } from '../../support/engine-profiles/index.ts';
import { createDevice } from '../device.ts';
import { createDisk, type Disk } from '../disk.ts';
import { problemsOfCall, problemsOfRequest } from '../laws.ts';
import { createLocks } from '../locks.ts';
import type { Sent } from '../provider.ts';
import { randomOf, type Random } from '../random.ts';
import { createTools, type Ran } from '../tools.ts';
import { installVirtualGlobals } from '../virtual-globals.ts';
import { createVirtualTime, type VirtualTime } from '../virtual-time.ts';
import { describe, isTyped, type Tab } from '../world.ts';
import { callable, createModel, type Level, mannerOf, mostOutput } from './models.ts';

/** A request, and when it was sent. */
interface Asked extends Sent {
  readonly at: number;
}

/** Everything that one seed of a tree determines. */
export interface TreeWorld {
  readonly random: Random;
  readonly time: VirtualTime;
  readonly disk: Disk;
  /** The store of all tabs, without delays. */
  readonly memory: SessionStore;
  readonly problems: string[];
  readonly trace: string[];
  readonly asked: Asked[];
  readonly ran: Ran[];
  readonly budget: { readonly steps?: number; readonly money?: number };
  note(line: string): void;
  open(): Tab;
  /** Watches a promise of a verb: only an `AgentError` may reject it. */
  watch(label: string, tab: Tab, promise: unknown): Promise<unknown>;
  end(): void;
}

/** Requests of one run of one session, at most. */
export const maxSteps = 5;

/** @param onEvent called after each event of each tab, with the tab */
export function createTreeWorld(seed: number, onEvent: (tab: Tab) => void): TreeWorld {
  const random = randomOf(seed);
  const problems: string[] = [];
  const trace: string[] = [];
  const fault = (who: string) => (thrown: unknown) =>
    void problems.push(`${who} threw ${thrown instanceof Error ? thrown.stack : String(thrown)}`);
  const time = createVirtualTime(fault('a task'));
  const globals = installVirtualGlobals(time, () => 0);
  const note = (line: string): void => void trace.push(`${String(time.now()).padStart(7)} ${line}`);
  const engine = random.oneOf(engineNames);
  const locks = createLocks(() => random.between(0, 3));
  const memory = createMemoryStore();
  const disk = createDisk({ time, random, note, engine });
  const manner = mannerOf(random);
  const budget = random.oneOf([{}, {}, { steps: random.between(2, 9) }, { money: random.between(15, 90) }]);
  let opened = 0;
  const onRejection = fault('an unhandled promise');
  const onException = fault('a microtask');
  process.on('unhandledRejection', onRejection);
  process.on('uncaughtException', onException);

  const world: TreeWorld = {
    random,
    time,
    disk,
    memory,
    problems,
    trace,
    asked: [],
    ran: [],
    budget,
    note,
    open() {
      const device = createDevice(`tab${++opened}`, time, { enter: globals.enter });
      note(`${device.name} opens`);
      const clientOf = (level: Level) =>
        createModel(level, device, random, manner, (request) => {
          const messageId = tab.agent.getSession(request.sessionId)?.getState().run?.openReply;
          note(`${device.name} asks for ${messageId} in ${request.sessionId}`);
          const sent: Asked = { device, request, messageId, isOpen: true, at: time.now() };
          problems.push(...problemsOfRequest(sent, world.asked));
          world.asked.push(sent);
          return sent;
        });
      const tools = createTools(device, random, (ran) => {
        note(`${device.name} runs ${ran.name} ${ran.callId} of ${ran.sessionId}`);
        problems.push(...problemsOfCall(ran, world.ran, disk.log(ran.sessionId)));
        world.ran.push(ran);
      });
      const toolsOf = (level: Level, ...more: readonly Tool[]): readonly Tool[] => [
        ...tools.filter(({ name }) => callable[level].includes(name)),
        ...more,
      ];
      const agentOf = (level: Level, ...more: readonly Tool[]): Tool =>
        agentTool({
          name: level,
          description: level,
          options: { client: clientOf(level), tools: toolsOf(level, ...more), maxSteps, maxTokens: mostOutput },
        });
      const create = (): Tab['agent'] => {
        globals.navigator = { locks: locks.connect(device) };
        return createAgent({
          client: clientOf('root'),
          tools: toolsOf('root', agentOf('middle', agentOf('leaf'))),
          ports: device.ports,
          store: disk.attach(device, memory, createSessionLocks('tree')),
          maxSteps,
          maxTokens: mostOutput,
          budget,
          context: { cost: ({ output }) => output },
        });
      };
      const agent = device.enter(create);
      const tab: Tab = { device, agent, said: [] };
      agent.events$.subscribe(() => device.isAlive() && onEvent(tab));
      return tab;
    },
    async watch(label, { device }, promise) {
      try {
        return await promise;
      } catch (thrown) {
        note(`${device.name} ${label} rejects: ${describe(thrown)}`);
        if (!isTyped(thrown)) fault(label)(thrown);
        return thrown;
      }
    },
    end() {
      globals.end();
      process.off('unhandledRejection', onRejection);
      process.off('uncaughtException', onException);
    },
  };
  note(`seed ${seed}: ${engine}, budget ${JSON.stringify(budget)}, pace ${manner.pace}, width ${manner.width}`);
  return world;
}

/** The text of the last reply. */
export const lastText = (messages: readonly Message[]): string =>
  messages
    .findLast(({ role, status }) => role === 'assistant' && status !== undefined)
    ?.content.flatMap((part) => (part.type === 'text' ? part.text : []))
    .join('') ?? '';
