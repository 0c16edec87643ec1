import {
  type AgentOptions,
  type AgentSession,
  defineTool,
  type LLMRequest,
  type RunOptions,
  type SessionEvent,
  toolParts,
} from 'brooklet';
import type { SessionState } from 'brooklet/core';
import { createScriptedClient, reply, type Script } from 'brooklet/testing';
import fc from 'fast-check';
import { vi } from 'vitest';
import { settled } from './manual-client.ts';
import { createBrowser, type Tab } from './tabs.ts';

/** An action of a person, the network, the clock or the browser, in one of two tabs. */
interface Move {
  readonly tab: number;
  readonly what: (typeof whats)[number];
  /** Selects one of the calls, or of the running tools. */
  readonly pick: number;
  /** The number of promise turns before the next move. */
  readonly turns: number;
}

const whats = [
  ...(['send', 'send', 'queue', 'steer', 'interrupt', 'resume', 'regenerate', 'cancel'] as const),
  ...(['approve', 'approve', 'approve', 'edit', 'reject', 'allow', 'forbid', 'revoke', 'answer'] as const),
  ...(['finish', 'finish', 'finish', 'break', 'pass', 'wait', 'reload', 'kill', 'take'] as const),
];

/** Tools by their trait; the slow ones end when the schedule ends them. */
const tools = {
  quick: {},
  slow: {},
  gated: { needsApproval: true },
  gatedSlow: { needsApproval: true },
  brief: { needsApproval: true, approvalTimeout: 700 },
  late: { timeout: 500 },
  alone: { exclusive: true },
  aloneGated: { exclusive: true, needsApproval: true },
  again: { idempotent: true },
  againGated: { idempotent: true, needsApproval: true },
  last: { followUp: false },
  question: { answer: { type: 'number' }, approvalTimeout: 5_000 },
} as const;
type ToolName = keyof typeof tools;
const slow = new Set<ToolName>(['slow', 'gatedSlow', 'late', 'alone', 'aloneGated', 'again', 'againGated']);
const names = Object.keys(tools) as ToolName[];
export const isIdempotent = (name: string): boolean => name.startsWith('again');

const answers: fc.Arbitrary<Script> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.array(
      fc
        .tuple(
          fc.constantFrom(...names, 'unknown'),
          fc.constantFrom('{"n":1}', '{"n":2}', '{}', '{}', '{"n":', '{"n":"x"}'),
        )
        .map(([name, input]) => reply.call(name, input)),
      { minLength: 1, maxLength: 4 },
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom([reply.text('That is all.')], [reply.reasoning('Hm.'), reply.text('So.')]) },
  { weight: 1, arbitrary: fc.constantFrom([reply.call('quick'), reply.cut()], [reply.fail('OVERLOADED')], []) },
);

export const schedules = fc.record({
  moves: fc.array(
    fc.record({
      tab: fc.nat({ max: 1 }),
      what: fc.constantFrom(...whats),
      pick: fc.nat({ max: 5 }),
      turns: fc.nat({ max: 40 }),
    }),
    { minLength: 4, maxLength: 24, size: 'max' },
  ),
  answers: fc.array(answers, { minLength: 1, maxLength: 6, size: 'max' }),
});
export type Schedule = typeof schedules extends fc.Arbitrary<infer T> ? T : never;

/** One execution of a tool. */
interface Ran {
  readonly name: string;
  readonly callId: string;
  readonly key: string;
  readonly attempt: number;
  /** Whether `call.started` was in the store when the tool started. */
  readonly wasStored: boolean;
}

export interface Played {
  readonly ran: readonly Ran[];
  readonly requests: readonly LLMRequest[];
  /** The requests of replies, each by the id of the reply that was awaited as the request was sent. */
  readonly asked: readonly { readonly messageId: string; readonly request: LLMRequest }[];
  /** The stored events at the end, when nothing runs. */
  readonly log: readonly SessionEvent[];
  /** The state that each tab shows at the end. */
  readonly states: readonly SessionState[];
}

/** What a schedule is played with, beside the defaults. */
export interface PlayOptions {
  readonly agent?: Partial<AgentOptions>;
  /** Returns the options of a message that is sent, chosen by a number. */
  readonly run?: (pick: number) => RunOptions;
}

/** Plays a schedule in two tabs that share a session, waits until both are idle, and stops all remaining runs. */
export async function play(
  { moves, answers }: Schedule,
  { agent: more = {}, run = () => ({}) }: PlayOptions = {},
): Promise<Played> {
  const browser = createBrowser();
  const ran: Ran[] = [];
  const atWork = new Set<(result: 'done' | 'broken') => void>();
  const clients: ReturnType<typeof createScriptedClient>[] = [];
  const awaited: { readonly messageId: string; readonly request: LLMRequest }[] = [];
  let asked = 0;
  let elapsed = 0;

  const work = (name: string, isSlow: boolean) =>
    defineTool({
      name,
      description: name,
      input: { type: 'object', properties: { n: { type: 'number' } } },
      ...tools[name as ToolName],
      async execute(_input, { callId, idempotencyKey: key, attempt, sessionId, progress }) {
        const entry = { name, callId, key, attempt, wasStored: false };
        ran.push(entry);
        const stored = (await browser.store.read(sessionId))?.events ?? [];
        entry.wasStored = stored.some(
          (event) => event.type === 'call.started' && event.callId === callId && event.attempt === attempt,
        );
        progress(0.5);
        const result = isSlow ? await new Promise((resolve) => atWork.add(resolve)) : 'done';
        if (result === 'broken') throw new Error('It broke.');
        return 'done';
      },
    });

  function open(): Tab {
    const client = createScriptedClient(() => answers[asked++ % answers.length] ?? [], { delay: () => () => {} });
    clients.push(client);
    const sendRequest = (request: LLMRequest): ReturnType<typeof client.sendRequest> => {
      const messageId = tab.agent.getSession(request.sessionId)?.getState().run?.openReply;
      if (messageId !== undefined) awaited.push({ messageId, request });
      return client.sendRequest(request);
    };
    const tab: Tab = browser.open({
      maxSteps: 5,
      ...more,
      client: { sendRequest },
      tools: names.map((name) => work(name, slow.has(name))),
    });
    tab.ports.pass(elapsed);
    return tab;
  }

  const tabs: [Tab, Tab] = [open(), open()];
  const id = tabs[0].agent.createSession();
  await settled();
  let said = 0;

  for (const { tab: index, what, pick, turns } of moves) {
    let tab = index === 0 ? tabs[0] : tabs[1];
    if (what === 'reload' || what === 'kill') {
      // A page that is left writes its pending events; a killed page does not.
      if (what === 'reload') tab.ports.hide(true);
      tab.kill();
      tabs[index] = tab = open();
    } else if (what === 'pass') {
      elapsed += 300;
      for (const { ports } of tabs) ports.pass(300);
    } else if (what === 'finish' || what === 'break') {
      const [one] = [...atWork].slice(pick % Math.max(atWork.size, 1));
      if (one) atWork.delete(one);
      one?.(what === 'finish' ? 'done' : 'broken');
    } else act(await tab.agent.openSession(id), what, pick, `message ${said++}`, run(pick));
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  }

  await rest();
  // A message that was sent while the other tab ran is sent again after the run of that tab.
  for (let open = true; open;) {
    for (const tab of tabs) (await tab.agent.openSession(id)).cancel();
    await rest();
    const sessions = await Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
    open = sessions.some((session) => ['running', 'waiting'].includes(session.getStatus()));
  }
  const states = await Promise.all(tabs.map(async ({ agent }) => (await agent.openSession(id)).getState()));
  const log = (await browser.store.read(id))?.events ?? [];
  for (const { agent } of tabs) agent.removeSession(id);
  return { ran, requests: clients.flatMap(({ requests }) => requests), asked: awaited, log, states };

  async function rest(): Promise<void> {
    for (let round = 0; round < 8; round++) {
      await vi.dynamicImportSettled();
      for (const resolve of atWork) resolve('done');
      atWork.clear();
      for (const { ports } of tabs) ports.pass(1_000);
      await settled();
    }
  }
}

/** Performs an action that a person may try at any time; a rejected action must reject with an `AgentError`. */
function act(session: AgentSession, what: Move['what'], pick: number, words: string, options: RunOptions): void {
  const calls = session.getMessages().flatMap(toolParts);
  const held = calls.filter(({ status }) => status === 'awaiting-approval');
  // Sometimes a call that has already been decided.
  const { callId = 'none' } = held[pick % Math.max(held.length, 1)] ?? calls.at(-1) ?? {};
  const attempt = (): unknown => {
    switch (what) {
      case 'send':
        return session.send(words, options);
      case 'queue':
      case 'steer':
      case 'interrupt':
        return session.send(words, { ...options, whenBusy: what });
      case 'resume':
        return session.resume();
      case 'regenerate':
        return session.regenerate();
      case 'cancel':
        return session.cancel();
      case 'approve':
        return session.approve(callId);
      case 'edit':
        return session.approve(callId, { input: { n: pick } });
      case 'reject':
        return session.reject(callId);
      case 'allow':
        return session.approve(callId, { remember: pick % 2 ? 'session' : 'agent' });
      case 'forbid':
        return session.reject(callId, { remember: pick % 2 ? 'session' : 'agent' });
      case 'revoke':
        return session.revokeApprovalRule(calls.at(-1)?.name ?? '');
      case 'answer':
        return session.answer(callId, pick);
      case 'take':
        return session.takeOver();
      default:
        return undefined;
    }
  };
  try {
    void Promise.resolve(attempt()).catch(refused);
  } catch (thrown) {
    refused(thrown);
  }
}

function refused(thrown: unknown): void {
  if (!(thrown instanceof Error) || thrown.name !== 'AgentError') throw thrown;
}
