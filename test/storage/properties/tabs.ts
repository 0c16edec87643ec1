import {
  type AgentSession,
  defineTool,
  evolve,
  extractTextContent,
  initialState,
  type SessionEvent,
  toolParts,
} from 'brooklet';
import { createScriptedClient, reply } from 'brooklet/testing';
import fc from 'fast-check';
import { openRun } from '../../../src/core/log/evolve.ts';
import { settled } from '../../support/manual-client.ts';
import { createBrowser, type Tab } from '../../support/tabs.ts';

interface Move {
  readonly tab: number;
  readonly what: (typeof verbs)[number];
  /** Turns of the event loop until the next move. */
  readonly turns: number;
}

const verbs = [
  'send',
  'send',
  'cancel',
  'approve',
  'approve',
  'reject',
  'reload',
  'kill',
  'add',
  'rename',
  'wait',
  'regenerate',
  'resume',
] as const;

const move: fc.Arbitrary<Move> = fc.record({
  tab: fc.nat({ max: 2 }),
  what: fc.constantFrom(...verbs),
  turns: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 300 })),
});

const heldIn = (session: AgentSession): readonly string[] =>
  session
    .getMessages()
    .flatMap(toolParts)
    .filter(({ status }) => status === 'held')
    .map(({ callId }) => callId);

/** Does what a person does; what the session refuses has to be refused with a typed error. */
function act(session: AgentSession, what: Move['what'], words: string): void {
  const ignore = (promise: Promise<unknown>): void => void promise.catch(expectTyped);
  const held = heldIn(session);
  try {
    if (what === 'send') ignore(session.send(words));
    if (what === 'add') session.addMessage({ role: 'user', content: words });
    if (what === 'rename') session.rename(words);
    if (what === 'cancel') session.cancel();
    if (what === 'regenerate') ignore(session.regenerate());
    if (what === 'resume') ignore(session.resume());
    if (what === 'approve') ignore(session.approve(held[0] ?? ''));
    if (what === 'reject') ignore(session.reject(held.at(-1) ?? ''));
  } catch (error) {
    expectTyped(error);
  }
}

function expectTyped(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AgentError')) throw error;
}

const twice = (list: readonly string[]): readonly string[] => list.filter((one, index) => list.indexOf(one) !== index);

/** What is wrong with a log whose tabs were never killed, but for `deaths` of them. */
function problemsOf(events: readonly SessionEvent[], deaths: number): readonly string[] {
  const problems: string[] = [];
  let state = initialState('s');
  for (const event of events) {
    if (event.type === 'run.started' && openRun(state))
      problems.push(`run ${event.runId} began in the middle of another`);
    state = evolve(state, event);
  }
  const ended = events.filter((event) => event.type === 'run.ended');
  const cut = ended.filter(({ outcome }) => outcome === 'interrupted');
  if (cut.length > deaths) problems.push(`${cut.length} runs were interrupted, and ${deaths} tabs died`);
  problems.push(...twice(ended.map(({ runId }) => runId)).map((runId) => `run ${runId} ended twice`));
  return problems;
}

/** Two or three tabs on one session: whatever they do and whoever dies, all end with the same, and nothing is there twice. */
export const tabsAgree = fc.asyncProperty(fc.array(move, { minLength: 3, maxLength: 14 }), async (moves) => {
  const ran: string[] = [];
  const tool = (name: string, needsApproval: boolean) =>
    defineTool({
      name,
      description: '',
      input: { type: 'object' },
      needsApproval,
      execute: (_input, { callId }) => ran.push(callId),
    });
  const tools = [tool('look', false), tool('pay', true)];
  const script = (_request: unknown, index: number) =>
    index % 3 === 0
      ? [reply.text('Let me see. '), reply.call('look'), reply.call('pay')]
      : [reply.text('That is all.')];
  const browser = createBrowser();
  const open = (): Tab => browser.open({ client: createScriptedClient(script), tools });
  const tabs = [open(), open(), open()];
  const id = tabs[0]?.agent.createSession() ?? '';
  await settled();
  let deaths = 0;
  for (const [nth, { tab: index, what, turns }] of moves.entries()) {
    let tab = tabs[index] ?? open();
    if (what === 'reload' || what === 'kill') {
      deaths++;
      // A reload lets what it has written be written; a kill does not.
      if (what === 'reload') tab.ports.hide(true);
      tab.kill();
      tabs[index] = tab = open();
    }
    act(await tab.agent.openSession(id), what, `word ${nth}`);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
  }

  const rest = async (): Promise<readonly AgentSession[]> => {
    for (let round = 0; round < 6; round++) {
      for (const tab of tabs) tab.ports.pass(200);
      await settled();
    }
    return Promise.all(tabs.map(({ agent }) => agent.openSession(id)));
  };
  // What still waits for a person gets its answer, so that what waits behind it can be said.
  let sessions = await rest();
  for (let round = 0; round < 10 && sessions.some((session) => session.getStatus() === 'waiting'); round++) {
    const [session] = sessions;
    for (const callId of session ? heldIn(session) : []) await session?.reject(callId).catch(expectTyped);
    sessions = await rest();
  }

  const stored = (await browser.store.read(id))?.events ?? [];
  const problems = [...problemsOf(stored, deaths)];
  const [first] = sessions;
  const messages = first?.getMessages() ?? [];
  for (const session of sessions) {
    if (JSON.stringify(session.getMessages()) !== JSON.stringify(messages))
      problems.push('two tabs do not show the same');
    if (session.getStatus() === 'running') problems.push('a tab shows a run that nobody runs');
    if (session.getStorage().state !== 'saved') problems.push(`a tab's storage is ${session.getStorage().state}`);
  }
  problems.push(
    ...twice(messages.map((message) => message.id)).map((messageId) => `message ${messageId} is there twice`),
  );
  const said = messages.filter(({ role }) => role === 'user').map((message) => extractTextContent(message));
  problems.push(...twice(said).map((words) => `"${words}" was said twice`));
  problems.push(...twice(ran).map((callId) => `call ${callId} ran twice`));
  if (problems.length > 0) throw new Error(problems.join('\n'));
});
