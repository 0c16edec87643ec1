import 'fake-indexeddb/auto';
import { AgentError, type AgentOptions, createAgent, createChatCompletionsClient, type LLMClient } from 'brooklet';
import { createAnthropicClient } from 'brooklet/anthropic';
import type { Vault, VaultOptions } from 'brooklet/keys';
import { withConcurrency, withFallback, withRetry, withThinkTags, withTimeout } from 'brooklet/llm';
import { withMCPApps } from 'brooklet/mcp/apps';
import { createProviderClient, openai } from 'brooklet/providers';
import {
  BehaviorSubject,
  defer,
  EMPTY,
  firstValueFrom,
  NEVER,
  type Observable,
  type Observer,
  of,
  Subject,
  throwError,
} from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { createManualPorts } from '../support/ports.ts';
import { textsOf } from '../support/stage.ts';
import { createBrowser, passTime, type Tab } from '../support/tabs.ts';
import { untyped } from '../support/untyped.ts';
import { setVaults } from '../support/vaults.ts';

const minute = 60_000;
const passphrase = 'correct horse battery';
const baseURL = 'https://api.example.com/v1';
const origin = new URL(baseURL).origin;

const { openVault } = setVaults();

/** A tab whose client has a key that can be locked. */
function openTab(browser = createBrowser(), options: Omit<AgentOptions, 'client' | 'store'> = {}, isLocked = true) {
  const client = createManualClient();
  const locked$ = new BehaviorSubject(isLocked);
  const tab = browser.open({ client: { ...client, locked$ }, ...options });
  tab.agent.schedules$.subscribe();
  return { ...tab, browser, client, unlock: () => locked$.next(false), lock: () => locked$.next(true) };
}

/** A tab in which a prompt is due whose client is locked. */
async function createWaiting(options: { readonly missed?: 'run' | 'skip' } = {}) {
  const errors: string[] = [];
  const tab = openTab(createBrowser(), { onError: ({ code }) => errors.push(code) });
  const id = tab.agent.createSession();
  const session = await tab.agent.openSession(id);
  await session.flushed();
  const { id: promptId } = await tab.agent.schedule(id, 'Good morning', tab.ports.now() + minute, options);
  await passTime([tab], 3 * minute);
  return { ...tab, id, session, promptId, errors };
}

/** An agent whose client states by `locked$` whether it is locked. */
function createStated(locked$: Observable<boolean>) {
  const client = createManualClient();
  const ports = createManualPorts();
  const agent = createAgent({ client: { ...client, locked$ }, ports });
  agent.schedules$.subscribe();
  return { client, agent, ports };
}

const codesOf = ({ agent }: Pick<Tab, 'agent'>) => agent.getSchedules().map(({ error }) => error?.code);

describe('a planned prompt whose key is locked when it is due', () => {
  test('stays, says why once, and is sent once as soon as the key is unlocked', async () => {
    const { agent, client, session, errors, unlock, ports } = await createWaiting();
    expect([client.asked.length, codesOf({ agent })]).toEqual([0, ['AUTHENTICATION_LOCKED']]);
    expect(errors).toEqual(['AUTHENTICATION_LOCKED']);
    expect(session.getState().queue).toMatchObject([{ message: { role: 'user' } }]);
    expect(session.getStatus()).toBe('idle');
    unlock();
    await settled();
    expect(client.asked).toHaveLength(1);
    say(client.last(), 'Hello');
    await settled();
    expect([textsOf(session), agent.getSchedules()]).toEqual([['Good morning', 'Hello'], []]);
    await passTime([{ ports }], 5 * minute);
    expect(client.asked).toHaveLength(1);
  });

  test('is sent by the tab that is unlocked, and not again by one that is unlocked later', async () => {
    const one = await createWaiting();
    const other = openTab(one.browser);
    await passTime([one, other], minute);
    expect([codesOf(one), codesOf(other)]).toEqual([['AUTHENTICATION_LOCKED'], ['AUTHENTICATION_LOCKED']]);
    other.unlock();
    await settled();
    say(other.client.last(), 'Hello');
    await settled();
    one.unlock();
    await passTime([one, other], 3 * minute);
    expect([one.client.asked.length, other.client.asked.length]).toEqual([0, 1]);
    expect([one.agent.getSchedules(), other.agent.getSchedules(), textsOf(one.session)]).toEqual([
      [],
      [],
      ['Good morning', 'Hello'],
    ]);
  });

  test('is sent once where both tabs are unlocked together', async () => {
    const one = await createWaiting();
    const other = openTab(one.browser);
    await passTime([one, other], minute);
    one.unlock();
    other.unlock();
    await passTime([one, other], 3 * minute);
    expect(one.client.asked.length + other.client.asked.length).toBe(1);
  });

  test('waits in a page that is loaded again, too', async () => {
    const { kill, browser, id } = await createWaiting();
    kill();
    const next = openTab(browser);
    await passTime([next], 3 * minute);
    expect([next.client.asked.length, codesOf(next)]).toEqual([0, ['AUTHENTICATION_LOCKED']]);
    next.unlock();
    await settled();
    expect(next.client.asked).toHaveLength(1);
    expect(textsOf(await next.agent.openSession(id))[0]).toBe('Good morning');
  });

  test('is not sent when it is cancelled meanwhile, or its session is removed', async () => {
    const cancelled = await createWaiting();
    await expect(cancelled.agent.unschedule(cancelled.promptId)).resolves.toBe(true);
    const removed = await createWaiting();
    removed.agent.removeSession(removed.id);
    for (const { agent, unlock, client, ports } of [cancelled, removed]) {
      unlock();
      await passTime([{ ports }], 3 * minute);
      expect([client.asked.length, agent.getSchedules()]).toEqual([0, []]);
    }
  });

  test('returns with its session, and still waits', async () => {
    const { agent, id, client, unlock, ports } = await createWaiting();
    agent.removeSession(id);
    await agent.restoreSession(id);
    await passTime([{ ports }], minute);
    expect(codesOf({ agent })).toEqual(['AUTHENTICATION_LOCKED']);
    unlock();
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test('is left out where the person chose so, when it is more than five minutes late', async () => {
    const { agent, session, client, unlock, ports } = await createWaiting({ missed: 'skip' });
    expect(codesOf({ agent })).toEqual(['AUTHENTICATION_LOCKED']);
    await passTime([{ ports }], 5 * minute);
    unlock();
    await settled();
    expect([client.asked.length, agent.getSchedules(), session.getState().queue]).toEqual([0, [], []]);
  });

  test('waits as well where its key is locked again before', async () => {
    const tab = openTab(createBrowser(), {}, false);
    const id = tab.agent.createSession();
    await tab.agent.schedule(id, 'Later', tab.ports.now() + 2 * minute);
    tab.lock();
    await passTime([tab], 3 * minute);
    expect([tab.client.asked.length, codesOf(tab)]).toEqual([0, ['AUTHENTICATION_LOCKED']]);
    // Another model, whose client needs no key.
    const client = createManualClient();
    tab.agent.setClient(client);
    await settled();
    expect(client.asked).toHaveLength(1);
  });

  test.each<readonly [what: string, locked$: Observable<boolean>, isSent: boolean]>([
    ['locked and unlocked within the subscription', of(true, false), true],
    ['unlocked and locked within the subscription', of(false, true), false],
    ['an error', throwError(() => new Error('Unknown.')), true],
    ['unlocked some time after each subscription', defer(async () => false), true],
    ['nothing, ever', NEVER, false],
    ['nothing, and an end', EMPTY, false],
    ['by an observable of another library', untyped({ subscribe: (to: Observer<boolean>) => to.next(false) }), true],
  ])('is sent by what the client states: %s', async (_what, locked$, isSent) => {
    const { client, agent, ports } = createStated(locked$);
    const id = agent.createSession();
    await agent.openSession(id);
    await agent.schedule(id, 'Now', ports.now() + minute);
    await passTime([{ ports }], 3 * minute);
    const codes = isSent ? [] : ['AUTHENTICATION_LOCKED'];
    expect([client.asked.length, codesOf({ agent })]).toEqual([isSent ? 1 : 0, codes]);
    // Of a client that states nothing, nothing is left over for the next one.
    const next = createManualClient();
    agent.setClient(next);
    await settled();
    expect(next.asked).toHaveLength(isSent ? 0 : 1);
    await agent.dispose();
  });

  test('is not sent by a client that has stated nothing yet, after one that was unlocked', async () => {
    const { agent, ports } = createStated(of(false));
    const id = agent.createSession();
    await agent.openSession(id);
    await agent.schedule(id, 'Now', ports.now() + minute);
    const locked$ = new Subject<boolean>();
    const client = createManualClient();
    agent.setClient({ ...client, locked$ });
    await passTime([{ ports }], 3 * minute);
    expect([client.asked.length, codesOf({ agent })]).toEqual([0, ['AUTHENTICATION_LOCKED']]);
    locked$.next(false);
    await settled();
    expect(client.asked).toHaveLength(1);
    await agent.dispose();
    expect(locked$.observed).toBe(false);
  });

  test('fails as any message where the key is locked after the check, and goes on with `resume`', async () => {
    const refused = new AgentError('The keys are locked.', { code: 'AUTHENTICATION_LOCKED' });
    const ports = createManualPorts();
    let client: LLMClient = { sendRequest: () => throwError(() => refused), locked$: EMPTY };
    const agent = createAgent({ client: { sendRequest: (request) => client.sendRequest(request) }, ports });
    const session = await agent.openSession(agent.createSession());
    await agent.schedule(session.id, 'Now', ports.now() + minute);
    await passTime([{ ports }], 2 * minute);
    expect(session.getState().run).toMatchObject({ outcome: 'failed', error: { code: 'AUTHENTICATION_LOCKED' } });
    expect(agent.getSchedules()).toEqual([]);
    const answers = createManualClient();
    client = answers;
    void session.resume();
    await settled();
    say(answers.last(), 'Here');
    await settled();
    expect(textsOf(session)).toEqual(['Now', 'Here']);
  });

  test('waits for its encrypted session, and is sent once its key is unlocked', async () => {
    const browser = createBrowser();
    const before = openTab(browser, {}, false);
    const id = before.agent.createSession();
    await before.agent.schedule(id, 'Sealed', before.ports.now() + minute);
    before.kill();
    let isLocked = true;
    const client = createManualClient();
    const locked$ = new BehaviorSubject(true);
    const { agent, ports } = browser.open({ client: { ...client, locked$ } }, (store) => ({
      ...store,
      async read(...args) {
        if (isLocked) throw new AgentError('The session is encrypted.', { code: 'STORAGE_LOCKED' });
        return store.read(...args);
      },
    }));
    agent.schedules$.subscribe();
    await passTime([{ ports }], 3 * minute);
    expect([client.asked.length, codesOf({ agent })]).toEqual([0, ['STORAGE_LOCKED']]);
    isLocked = false;
    locked$.next(false);
    await settled();
    expect(client.asked).toHaveLength(1);
  });
});

describe('a key of a vault', () => {
  async function createVaultOf(options?: VaultOptions): Promise<Vault> {
    const vault = openVault(options);
    await vault.add('example', 'sk-0123456789abcdefghij', { baseURL });
    await vault.protect(passphrase);
    return vault;
  }

  test('lets a planned prompt wait, asks for no passphrase, and sends it with the key when it is unlocked', async () => {
    const onLocked = vi.fn();
    const vault = await createVaultOf({ onLocked });
    vault.lock();
    const sent: string[] = [];
    const answer: typeof fetch = async (_url, init) => {
      sent.push(new Headers(init?.headers).get('authorization') ?? '');
      const chunk = { choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] };
      return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      });
    };
    const apiKey = vault.keyFor('example');
    const ports = createManualPorts();
    const client = withRetry(createChatCompletionsClient({ baseURL, model: 'm', apiKey, fetch: answer }));
    const agent = createAgent({ client, ports });
    const session = await agent.openSession(agent.createSession());
    await agent.schedule(session.id, 'Are you there?', ports.now() + minute);
    await passTime([{ ports }], 5 * minute);
    expect([sent, codesOf({ agent }), onLocked.mock.calls]).toEqual([[], ['AUTHENTICATION_LOCKED'], []]);
    await vault.unlock(passphrase);
    await expect.poll(() => textsOf(session)).toEqual(['Are you there?', 'Yes.']);
    expect([sent, agent.getSchedules()]).toEqual([['Bearer sk-0123456789abcdefghij'], []]);
  });

  test('is locked after a sleep that was longer than `autoLock`, whose timer has not fired yet', async () => {
    let time = 0;
    const vault = await createVaultOf({ autoLock: minute, ports: { now: () => time, delay: () => () => {} } });
    const { locked$ } = vault.keyFor('example');
    expect(await firstValueFrom(locked$)).toBe(false);
    time = 2 * minute;
    expect(await firstValueFrom(locked$)).toBe(true);
  });

  test.each([
    ['createChatCompletionsClient', (apiKey) => createChatCompletionsClient({ baseURL, model: 'm', apiKey })],
    ['createAnthropicClient', (apiKey) => createAnthropicClient({ model: 'm', apiKey })],
    ['createProviderClient', (apiKey) => createProviderClient(openai, { model: 'm', apiKey })],
    ['withRetry', (apiKey) => withRetry(createAnthropicClient({ model: 'm', apiKey }))],
    ['withTimeout', (apiKey) => withTimeout(createAnthropicClient({ model: 'm', apiKey }), 1_000)],
    ['withConcurrency', (apiKey) => withConcurrency(createAnthropicClient({ model: 'm', apiKey }), 1)],
    ['withThinkTags', (apiKey) => withThinkTags(createAnthropicClient({ model: 'm', apiKey }))],
    ['withFallback', (apiKey) => withFallback([createAnthropicClient({ model: 'm', apiKey }), createManualClient()])],
    ['withMCPApps', (apiKey) => withMCPApps(createAnthropicClient({ model: 'm', apiKey }))],
  ] satisfies readonly (readonly [string, (apiKey: ReturnType<Vault['keyFor']>) => LLMClient])[])(
    'tells the client of %s that it is locked',
    async (_name, create) => {
      const vault = await createVaultOf();
      const client = create(vault.keyFor('example'));
      const seen: boolean[] = [];
      client.locked$?.subscribe((isLocked) => seen.push(isLocked));
      vault.lock();
      expect(seen).toEqual([false, true]);
    },
  );
});

test('a client without a key, or with a fixed one, is never locked', () => {
  const clients = [
    createChatCompletionsClient({ baseURL, model: 'm', apiKey: 'sk-fixed' }),
    createChatCompletionsClient({ baseURL, model: 'm', apiKey: async () => origin }),
    withRetry(createManualClient()),
  ];
  expect(clients.map((client) => 'locked$' in client)).toEqual([false, false, false]);
});

test.each([true, {}, 'no'])('a `locked$` that is no Observable is refused where it is given: %j', (wrong) => {
  const locked$ = untyped(wrong);
  const client = createManualClient();
  expect(() => createAgent({ client: { ...client, locked$ } })).toThrow('`client.locked$` of the agent has no method');
  const agent = createAgent({ client });
  expect(() => agent.setClient({ ...client, locked$ })).toThrow('`client.locked$` of the agent has no method');
  const apiKey = Object.assign(() => 'sk', { locked$ });
  expect(() => createChatCompletionsClient({ baseURL, model: 'm', apiKey })).toThrow('`apiKey.locked$`');
});
