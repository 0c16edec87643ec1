import {
  AgentError,
  type AgentSession,
  createAgent,
  defineTool,
  extractTextContent,
  type JsonObject,
  type SessionEvent,
  type Tool,
} from 'brooklet';
import { createMemoryStore } from 'brooklet/storage';
import { firstValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { call, createManualClient, say, settled } from '../support/manual-client.ts';
import { ask, callIdOf, recorded, sessionOf, stage, textsOf } from '../support/stage.ts';
import { until } from '../support/until.ts';
import { untyped } from '../support/untyped.ts';

type On = ReturnType<typeof stage> & { readonly runs: ReturnType<typeof recorded>['runs'] };

/** An argument that the caller changes as soon as the verb has returned. */
interface Changed {
  readonly verb: string;
  /** Calls the verb, then changes what was passed. Resolves with what the session shows of it in the end. */
  readonly play: () => Promise<unknown>;
  /** What the session shows where it has taken what was passed at the time of the call. */
  readonly taken: unknown;
}

const gated = () => recorded('pay', { needsApproval: true });
const question = () => recorded('choose', { answer: { type: 'object' } });

/** A session in which a call waits. */
async function waiting({ tool, runs }: ReturnType<typeof recorded>, options: object = {}): Promise<On> {
  const on = { ...stage({ tools: [tool], ...options }), runs };
  await ask(on, [tool.name, '{"n":1}']);
  return on;
}

const decided = (events: readonly SessionEvent[]) => events.filter(({ type }) => type === 'approval.decided').at(-1);
const lastRequest = ({ client }: Pick<On, 'client'>) => client.last().request;
const askedIn = (session: AgentSession): readonly string[] =>
  session.getMessages().flatMap((message) => (message.role === 'user' ? [extractTextContent(message)] : []));
const metadataOf = (session: AgentSession) => session.getMessages().findLast(({ role }) => role === 'user')?.metadata;

/** Content with a text, metadata, and the change of both. */
function draft() {
  const part = { type: 'text' as const, text: 'as sent' };
  const content = [part];
  const metadata = { tags: ['as sent'] };
  return {
    input: { content, metadata },
    change() {
      part.text = 'changed';
      content.push({ type: 'text', text: 'more' });
      metadata.tags.push('changed');
    },
  };
}

/** Options of a run, and the change of all of them. */
function runOptions() {
  const providerParams: Record<string, number[]> = { stops: [1] };
  const tools = ['look'];
  const budget = { tokens: 1_000_000 };
  const options = { model: 'as sent', maxSteps: 9, budget, tools, providerParams };
  return {
    options,
    change() {
      Object.assign(options, { model: 'changed', maxSteps: 1, client: undefined, scratch: 'changed' });
      budget.tokens = 1;
      tools.length = 0;
      providerParams.stops?.push(2);
    },
  };
}

const settingsAsSent = {
  model: 'as sent',
  maxSteps: 9,
  budget: { tokens: 1_000_000 },
  tools: ['look'],
  providerParams: { stops: [1] },
};
const settingsOf = ({ session }: Pick<On, 'session'>) => session.getState().run?.settings;

async function answered(on: On): Promise<On> {
  void on.session.send('First');
  await settled();
  say(on.client.last(), 'Answer');
  await settled();
  return on;
}

const plain = (): On => ({ ...stage({ tools: [recorded('look').tool] }), runs: [] });

const table: readonly Changed[] = [
  {
    verb: 'approve: the edited input',
    async play() {
      const on = await waiting(gated());
      const form = { n: 50, to: ['Ada'] };
      const approving = on.session.approve(callIdOf(on.session), { input: form });
      form.n = 99_999;
      form.to.push('Eve');
      await approving;
      await settled();
      return on.runs.map(([input]) => input);
    },
    taken: [{ n: 50, to: ['Ada'] }],
  },
  {
    verb: 'approve: the options',
    async play() {
      const on = await waiting(gated());
      const options = { userName: 'Ada', remember: 'once' as 'once' | 'session', input: { n: 1 } };
      const approving = on.session.approve(callIdOf(on.session), options);
      Object.assign(options, { userName: 'Eve', remember: 'session', input: { n: 2 }, fingerprint: 'other' });
      await approving;
      const { userName, remember, input }: JsonObject = untyped({ ...decided(on.events) });
      return [userName, remember, input, on.session.getState().approvalRules];
    },
    taken: ['Ada', undefined, { n: 1 }, []],
  },
  {
    verb: 'approve in a page that does not drive the run: the edited input',
    async play() {
      const store = createMemoryStore();
      const driving = await waiting(gated(), { store });
      await driving.session.flushed();
      const other = createAgent({ client: createManualClient(), store, tools: [gated().tool] });
      const session = await other.openSession(driving.session.id);
      const form = { n: 50 };
      const approving = session.approve(callIdOf(session), { input: form, drive: false });
      form.n = 99_999;
      await approving;
      return session
        .getMessages()
        .at(-1)
        ?.content.map((part) => part.type === 'tool' && part.approval?.proposal?.input);
    },
    taken: [{ n: 50 }],
  },
  {
    verb: 'reject: the options',
    async play() {
      const on = await waiting(gated());
      const options = { reason: 'Too much.', userName: 'Ada', remember: 'session' as const };
      const rejecting = on.session.reject(callIdOf(on.session), options);
      Object.assign(options, { reason: 'changed', userName: 'Eve', remember: 'once' });
      await rejecting;
      const { reason, userName, remember }: JsonObject = untyped({ ...decided(on.events) });
      return [reason, userName, remember];
    },
    taken: ['Too much.', 'Ada', 'session'],
  },
  {
    verb: 'answer: the answer and the options',
    async play() {
      const on = await waiting(question());
      const answer = { choice: ['tea'] };
      const options = { userName: 'Ada' };
      const answering = on.session.answer(callIdOf(on.session), answer, options);
      answer.choice.push('coffee');
      options.userName = 'Eve';
      await answering;
      await settled();
      const { userName }: JsonObject = untyped({ ...decided(on.events) });
      return [on.runs.map(([, context]) => context.answer), userName];
    },
    taken: [[{ choice: ['tea'] }], 'Ada'],
  },
  {
    verb: 'send: the message',
    async play() {
      const on = plain();
      const { input, change } = draft();
      void on.session.send(input);
      change();
      await settled();
      return [askedIn(on.session), metadataOf(on.session), lastRequest(on).messages.map(extractTextContent)];
    },
    taken: [['as sent'], { tags: ['as sent'] }, ['as sent']],
  },
  {
    verb: 'send: the options',
    async play() {
      const on = plain();
      const { options, change } = runOptions();
      void on.session.send('Hello', options);
      change();
      await settled();
      const { model, providerParams, tools } = lastRequest(on);
      return [settingsOf(on), model, providerParams, tools?.map(({ name }) => name)];
    },
    taken: [settingsAsSent, 'as sent', { stops: [1] }, ['look']],
  },
  {
    verb: 'send to the queue: message and options',
    async play() {
      const on = plain();
      void on.session.send('First');
      await settled();
      const { input, change } = draft();
      const { options, change: changeOptions } = runOptions();
      void on.session.send(input, { ...options, whenBusy: 'queue' });
      change();
      changeOptions();
      say(on.client.last(), 'Answer');
      await settled();
      return [askedIn(on.session).at(-1), metadataOf(on.session), settingsOf(on)];
    },
    taken: ['as sent', { tags: ['as sent'] }, settingsAsSent],
  },
  {
    verb: 'send to a running session (steer): the message',
    async play() {
      const on = plain();
      void on.session.send('First');
      await settled();
      const { input, change } = draft();
      void on.session.send(input, { whenBusy: 'steer' });
      change();
      call(on.client.last(), ['look', '{}']);
      await settled();
      return [askedIn(on.session).at(-1), metadataOf(on.session)];
    },
    taken: ['as sent', { tags: ['as sent'] }],
  },
  {
    verb: 'edit: message and options',
    async play() {
      const on = await answered(plain());
      const { input, change } = draft();
      const { options, change: changeOptions } = runOptions();
      void on.session.edit(on.session.getMessages()[0]?.id ?? '', input, options);
      change();
      changeOptions();
      await settled();
      return [askedIn(on.session), metadataOf(on.session), settingsOf(on), lastRequest(on).model];
    },
    taken: [['as sent'], { tags: ['as sent'] }, settingsAsSent, 'as sent'],
  },
  {
    verb: 'regenerate: the options',
    async play() {
      const on = await answered(plain());
      const { options, change } = runOptions();
      void on.session.regenerate(undefined, options);
      change();
      await settled();
      return [settingsOf(on), lastRequest(on).model];
    },
    taken: [settingsAsSent, 'as sent'],
  },
  {
    verb: 'resume: the options',
    async play() {
      const on = plain();
      void on.session.send('First');
      await settled();
      on.client.last().chunks.error(new AgentError('Busy.', { code: 'OVERLOADED' }));
      await settled();
      const { options, change } = runOptions();
      void on.session.resume(options);
      change();
      await settled();
      return [settingsOf(on), lastRequest(on).model];
    },
    taken: [settingsAsSent, 'as sent'],
  },
  {
    verb: 'chat: message and options, before the first subscription',
    async play() {
      const on = plain();
      const { input, change } = draft();
      const { options, change: changeOptions } = runOptions();
      const output$ = on.agent.chat(on.session.id, input, options);
      change();
      changeOptions();
      output$.subscribe();
      await settled();
      return [askedIn(on.session), metadataOf(on.session), settingsOf(on)];
    },
    taken: [['as sent'], { tags: ['as sent'] }, settingsAsSent],
  },
  {
    verb: 'chat: what is sent again after an error',
    async play() {
      const on = plain();
      const { input, change } = draft();
      void on.session.send('First');
      await settled();
      const output$ = on.agent.chat(on.session.id, input);
      // Refused: the session is busy.
      output$.subscribe({ error: () => {} });
      change();
      say(on.client.last(), 'Answer');
      await settled();
      output$.subscribe();
      await settled();
      return [askedIn(on.session).at(-1), metadataOf(on.session)];
    },
    taken: ['as sent', { tags: ['as sent'] }],
  },
  {
    verb: 'addMessage',
    async play() {
      const on = plain();
      const { input, change } = draft();
      on.session.addMessage({ role: 'user', ...input });
      change();
      return [askedIn(on.session), metadataOf(on.session)];
    },
    taken: [['as sent'], { tags: ['as sent'] }],
  },
  {
    verb: 'updateMessage: what the updater returned',
    async play() {
      const on = plain();
      const { input, change } = draft();
      on.session.addMessage({ id: 'm', role: 'user', content: 'Before' });
      on.session.updateMessage('m', (message) => ({ ...message, ...input }));
      change();
      return [askedIn(on.session), metadataOf(on.session)];
    },
    taken: [['as sent'], { tags: ['as sent'] }],
  },
  {
    verb: 'setMetadata',
    async play() {
      const { session } = plain();
      const metadata = { tags: ['as sent'] };
      session.setMetadata(metadata);
      metadata.tags.push('changed');
      return session.getState().metadata;
    },
    taken: { tags: ['as sent'] },
  },
  {
    verb: 'createSession: metadata and tools',
    async play() {
      const { agent, client } = plain();
      const metadata = { tags: ['as sent'] };
      const tools = [recorded('own').tool];
      const setup = { metadata, tools, instructions: 'as sent' };
      const session = sessionOf(agent, agent.createSession(setup));
      metadata.tags.push('changed');
      tools.push(recorded('other').tool);
      setup.instructions = 'changed';
      void session.send('Hello');
      await settled();
      const { messages, tools: offered } = client.last().request;
      return [session.getState().metadata, extractTextContent(messages[0] ?? ''), offered?.map(({ name }) => name)];
    },
    taken: [{ tags: ['as sent'] }, 'as sent', ['look', 'own']],
  },
  {
    verb: 'openSession: instructions and tools, which are used when the session is read',
    async play() {
      const store = createMemoryStore();
      const { session } = stage({ store });
      session.addMessage({ role: 'user', content: 'Before' });
      await session.flushed();
      const client = createManualClient();
      const agent = createAgent({ client, store });
      const tools: Tool[] = [recorded('own').tool];
      const setup = { tools, instructions: 'as sent' };
      const opening = agent.openSession(session.id, setup);
      tools.push(recorded('other').tool);
      setup.instructions = 'changed';
      void (await opening).send('Hello');
      await settled();
      const { messages, tools: offered } = client.last().request;
      return [extractTextContent(messages[0] ?? ''), offered?.map(({ name }) => name)];
    },
    taken: ['as sent', ['own']],
  },
  {
    verb: 'forkSession: the message',
    async play() {
      const { agent, session } = plain();
      for (const id of ['a', 'b', 'c']) session.addMessage({ id, role: 'user', content: id });
      const options = { messageId: 'b' };
      const forking = agent.forkSession(session.id, options);
      options.messageId = 'a';
      return textsOf(sessionOf(agent, await forking));
    },
    taken: ['a', 'b'],
  },
  {
    verb: 'createAgent: every option that a later request uses',
    async play() {
      const client = createManualClient();
      const tools: Tool[] = [recorded('look').tool];
      const budget = { tokens: 1_000_000 };
      const providerParams = { stops: [1] };
      const presets = [{ role: 'user' as const, content: 'as sent' }];
      const options = { client, model: 'as sent', temperature: 1, maxTokens: 5, instructions: 'as sent' };
      const all = { ...options, tools, budget, providerParams, presets, maxSteps: 2 };
      const agent = createAgent(all);
      Object.assign(all, { model: 'changed', temperature: 0, maxTokens: 9, instructions: 'changed', maxSteps: 1 });
      tools.push(recorded('other').tool);
      budget.tokens = 1;
      providerParams.stops.push(2);
      presets.push({ role: 'user', content: 'changed' });
      const session = sessionOf(agent, agent.createSession());
      void session.send('Hello');
      // The code of the context is loaded first.
      await until(() => expect(client.asked).toHaveLength(1));
      call(client.last(), ['look', '{}']);
      await settled();
      const { model, temperature, maxTokens, tools: offered, providerParams: params, messages } = client.last().request;
      return [
        client.asked.length,
        [model, temperature, maxTokens, params],
        offered?.map(({ name }) => name),
        messages.slice(0, 3).map(extractTextContent),
      ];
    },
    taken: [2, ['as sent', 1, 5, { stops: [1] }], ['look'], ['as sent', 'as sent', 'Hello']],
  },
  {
    verb: 'defineTool: every option that a later call uses',
    async play() {
      const schema = { type: 'object', properties: { n: { type: 'number' } } };
      const output = { type: 'object', required: ['sum'] };
      const options = {
        name: 'pay',
        description: 'as sent',
        input: schema,
        output,
        needsApproval: false,
        execute: (): object => ({ sum: 'as sent' }),
      };
      const tool = defineTool(options);
      Object.assign(options, { needsApproval: true, description: 'changed', execute: () => ({ sum: 'changed' }) });
      Object.assign(schema.properties, { n: { type: 'string' } });
      output.required.push('more');
      const on = await waiting({ tool, runs: [] });
      const part = on.session.getMessages().findLast(({ role, content }) => role === 'assistant' && content.length > 0);
      return part?.content.map((one) => one.type === 'tool' && [one.status, one.output]);
    },
    taken: [['succeeded', { sum: 'as sent' }]],
  },
  {
    verb: 'a tool whose schema the page changes: its check, and what the log has of it',
    async play() {
      const { tool, runs } = recorded('pay', {
        input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      });
      const on = { ...stage({ tools: [tool] }), runs };
      void on.session.send('go');
      await settled();
      Object.assign(tool.inputSchema.properties ?? {}, { n: { type: 'string' } });
      call(on.client.last(), ['pay', '{"n":1}']);
      await settled();
      const logged = on.session.getState().tools?.tools[0]?.inputSchema.properties;
      return [on.runs.map(([input]) => input), logged];
    },
    taken: [[{ n: 1 }], { n: { type: 'number' } }],
  },
];

describe('what is changed directly after the call does not change what was called for:', () => {
  test.each(table)('$verb', async ({ play, taken }) => {
    expect(await play()).toEqual(taken);
  });
});

/** What no options object, message or answer is. */
const hostile: readonly (readonly [name: string, make: () => unknown])[] = [
  ['null', () => null],
  ['a number', () => 5],
  ['a symbol', () => Symbol('s')],
  ['a function', () => () => {}],
  ['a list', () => [Symbol('s')]],
  [
    'a proxy that was revoked',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  ['a proxy that throws for each field', () => new Proxy({ content: 'Hi', input: {} }, { get: refuse })],
  ['a proxy that throws for its keys', () => new Proxy({}, { ownKeys: refuse })],
  ['an object with getters that throw', () => withGetters(() => refuse())],
  [
    'an object with fields that are proxies that throw',
    () => withGetters(() => new Proxy({}, { ownKeys: refuse, get: refuse })),
  ],
];

function refuse(): never {
  throw new TypeError('no');
}

/** An object that has each field that any verb reads. */
function withGetters(get: () => unknown): object {
  const names = [
    'content role metadata input reason userName model tools client signal scratch instructions messageId id name',
    'description execute timestamp output providerParams',
  ].flatMap((line) => line.split(' '));
  const descriptors = names.map((name) => [name, { get, enumerable: true }] as const);
  return Object.defineProperties({}, Object.fromEntries(descriptors));
}

/** The verbs by the argument that is wrong. Each throws, rejects, or errors on subscription. */
const verbs: readonly (readonly [name: string, verb: (on: On, wrong: never) => unknown])[] = [
  ['approve(id, options)', ({ session }, wrong) => session.approve(callIdOf(session), wrong)],
  ['approve(id, { input })', ({ session }, wrong) => session.approve(callIdOf(session), { input: wrong })],
  ['reject(id, options)', ({ session }, wrong) => session.reject(callIdOf(session), wrong)],
  ['answer(id, answer, options)', ({ session }, wrong) => session.answer(callIdOf(session), 'yes', wrong)],
  ['send(input)', ({ session }, wrong) => session.send(wrong)],
  ['send(input, options)', ({ session }, wrong) => session.send('Hi', wrong)],
  ['send(input, { providerParams })', ({ session }, wrong) => session.send('Hi', { providerParams: wrong })],
  ['send(input, { tools })', ({ session }, wrong) => session.send('Hi', { tools: [wrong] })],
  ['send(input, { client })', ({ session }, wrong) => session.send('Hi', { client: wrong })],
  ['send(input, { signal })', ({ session }, wrong) => session.send('Hi', { signal: wrong })],
  ['send(input, { output })', ({ session }, wrong) => session.send('Hi', { output: wrong })],
  ['edit(id, input)', ({ session }, wrong) => session.edit('m', wrong)],
  ['edit(id, input, options)', ({ session }, wrong) => session.edit('m', 'Hi', wrong)],
  ['chat(id, input)', ({ agent, session }, wrong) => firstValueFrom(agent.chat(session.id, wrong))],
  ['chat(id, input, options)', ({ agent, session }, wrong) => firstValueFrom(agent.chat(session.id, 'Hi', wrong))],
  ['addMessage(message)', ({ session }, wrong) => session.addMessage(wrong)],
  ['updateMessage(id, updater): result', ({ session }, wrong) => session.updateMessage('m', () => wrong)],
  ['setMetadata(metadata)', ({ session }, wrong) => session.setMetadata(wrong)],
  ['createSession(options)', ({ agent }, wrong) => agent.createSession(wrong)],
  ['createSession({ metadata })', ({ agent }, wrong) => agent.createSession({ metadata: wrong })],
  ['createSession({ tools })', ({ agent }, wrong) => agent.createSession({ tools: [wrong] })],
  ['openSession(id, setup)', ({ agent, session }, wrong) => agent.openSession(session.id, wrong)],
  ['forkSession(id, options)', ({ agent, session }, wrong) => agent.forkSession(session.id, wrong)],
  ['createAgent(options)', (_on, wrong) => createAgent(wrong)],
  ['createAgent({ tools })', ({ client }, wrong) => createAgent({ client, tools: [wrong] })],
  ['createAgent({ context })', ({ client }, wrong) => createAgent({ client, context: wrong })],
  ['addTool(tool)', ({ agent }, wrong) => agent.addTool(wrong)],
  ['defineTool(options)', (_on, wrong) => defineTool(wrong)],
];
/** What these verbs take of the above. */
const accepted: Readonly<Record<string, readonly string[]>> = {
  'selectAlternative(id, version)': ['a number'],
  'createAgent({ context })': [
    'an object with getters that throw',
    'an object with fields that are proxies that throw',
  ],
};
const ids: typeof verbs = [
  ['approve(id)', ({ session }, wrong) => session.approve(wrong)],
  ['reject(id)', ({ session }, wrong) => session.reject(wrong)],
  ['answer(id)', ({ session }, wrong) => session.answer(wrong, 'yes')],
  ['edit(id)', ({ session }, wrong) => session.edit(wrong, 'Hi')],
  ['selectAlternative(id)', ({ session }, wrong) => session.selectAlternative(wrong, 0)],
  ['selectAlternative(id, version)', ({ session }, wrong) => session.selectAlternative('m', wrong)],
  ['updateMessage(id)', ({ session }, wrong) => session.updateMessage(wrong, (message) => message)],
  ['unqueue(id)', ({ session }, wrong) => session.unqueue(wrong)],
  ['pin(id)', ({ session }, wrong) => session.pin(wrong)],
  ['rename(title)', ({ session }, wrong) => session.rename(wrong)],
  ['restoreContext(id)', ({ session }, wrong) => session.restoreContext(wrong)],
  ['revokeApprovalRule(name)', ({ session }, wrong) => session.revokeApprovalRule(wrong)],
  ['agent.revokeApprovalRule(name)', ({ agent }, wrong) => agent.revokeApprovalRule(wrong)],
];
/** The verbs of a session at rest. */
const atRest: typeof verbs = [
  ['resume(options)', ({ session }, wrong) => session.resume(wrong)],
  ['regenerate(id, options)', ({ session }, wrong) => session.regenerate(undefined, wrong)],
  ['regenerate(id)', ({ session }, wrong) => session.regenerate(wrong)],
  ['removeMessage(id)', ({ session }, wrong) => session.removeMessage(wrong)],
];

/** The code of the `AgentError` that a verb throws or rejects with. */
async function refusalOf(verb: () => unknown): Promise<string> {
  try {
    await verb();
  } catch (thrown) {
    return thrown instanceof AgentError ? thrown.code : `no AgentError: ${String(thrown)}`;
  }
  return 'accepted';
}

describe('a wrong argument is refused with a typed error, and nothing is recorded:', () => {
  const cases = (list: typeof verbs) =>
    list.flatMap(([name, verb]) =>
      hostile
        .filter(([what]) => !accepted[name]?.includes(what))
        .map(([what, make]) => [name, what, verb, make] as const),
    );

  test.each(cases([...verbs, ...ids]))('%s, given %s', async (name, _what, verb, make) => {
    const on = await waiting(/answer/.test(name) ? question() : gated());
    on.session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
    const { seq } = on.session.getState();
    expect(await refusalOf(() => verb(on, untyped(make())))).toMatch(/^INVALID_(INPUT|CONFIG)$/);
    await settled();
    expect(on.session.getState().seq).toBe(seq);
    expect(on.runs).toEqual([]);
  });

  test.each(cases(atRest))('%s, given %s', async (_name, _what, verb, make) => {
    const on = plain();
    void on.session.send('First');
    await settled();
    on.client.last().chunks.error(new AgentError('Busy.', { code: 'OVERLOADED' }));
    await settled();
    const { seq } = on.session.getState();
    // Some have names that the verb does not have.
    expect(await refusalOf(() => verb(on, untyped(make())))).toMatch(/^INVALID_(INPUT|CONFIG)$/);
    expect(on.session.getState().seq).toBe(seq);
  });

  test('an updater that throws is refused with its error as the cause', () => {
    const { session } = plain();
    session.addMessage({ id: 'm', role: 'user', content: 'Hello' });
    const bug = new TypeError('no');
    const update = () =>
      session.updateMessage('m', () => {
        throw bug;
      });
    expect(update).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', cause: bug }));
  });
});
