import { AgentError, type AgentSession, createAgent, extractTextContent, type LLMChunk } from 'brooklet';
import { createMemoryStore, createSessionLocks } from 'brooklet/storage';
import { Observable } from 'rxjs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { hostAgent } from 'brooklet/worker';
import { createChannel } from '../../src/worker/channel.ts';
import { canExtendLifetime, nameWorker } from '../../src/worker/naming.ts';
import { createManualClient, say, settled } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld, type WorldPage } from '../support/worker-world.ts';

const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));

async function openNew({ agent }: WorldPage): Promise<AgentSession> {
  return agent.openSession(agent.createSession());
}

/** A client that needs a key for each request, and notes the keys. */
function createKeyed(keyOf: (name: string) => (origin: string) => Promise<string>) {
  const manual = createManualClient();
  const used: string[] = [];
  return {
    manual,
    used,
    client: {
      sendRequest: (request: Parameters<typeof manual.sendRequest>[0]) =>
        new Observable<LLMChunk>((subscriber) => {
          keyOf('openai')('https://api.example.com').then(
            (key) => {
              used.push(key);
              subscriber.add(manual.sendRequest(request).subscribe(subscriber));
            },
            (error: unknown) => subscriber.error(error),
          );
        }),
    },
  };
}

describe('a key', () => {
  test('comes from a page that is open, for each request, and serves while none is', async () => {
    let keyed: ReturnType<typeof createKeyed> | undefined;
    const world = createWorkerWorld({
      clientOf: ({ keyOf }) => (keyed = createKeyed(keyOf)).client,
      agent: { maxSteps: 5 },
    });
    let key = 'first-key';
    const page = world.openPage({ keys: { openai: () => key } });
    const session = await openNew(page);
    const answer = async (count: number) => {
      await until(() => expect(keyed?.manual.asked).toHaveLength(count));
      if (keyed) say(keyed.manual.last(), 'Hi');
    };
    const first = session.send('One');
    await answer(1);
    await first;
    key = 'second-key';
    const queued = session.send('Two');
    await answer(2);
    await queued;
    expect(keyed?.used).toEqual(['first-key', 'second-key']);
    const blind = world.openPage();
    const { id } = session;
    page.kill();
    const again = await blind.agent.openSession(id);
    void again.send('Three');
    await answer(3);
    await until(() => expect(again.getStatus()).toBe('idle'));
    expect(keyed?.used).toEqual(['first-key', 'second-key', 'second-key']);
    expect(JSON.stringify(await world.store.read(id))).not.toContain('-key');
  });

  test('that a page refuses fails the request with the error of the page, and no older key is used', async () => {
    const world = createWorkerWorld({ clientOf: ({ keyOf }) => createKeyed(keyOf).client });
    const locked = new AgentError('The vault is locked.', { code: 'AUTHENTICATION_LOCKED' });
    const errors: string[] = [];
    const page = world.openPage({
      keys: {
        openai: () => {
          throw locked;
        },
      },
      onError: ({ code }) => errors.push(code),
    });
    const session = await openNew(page);
    expect(await session.send('One')).toMatchObject({
      outcome: 'failed',
      error: { code: 'AUTHENTICATION_LOCKED', message: 'The vault is locked.' },
    });
    expect(errors).toEqual(['AUTHENTICATION_LOCKED']);
  });
});

describe('the errors of a worker', () => {
  test('that happen while no page is open are reported to the next one', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    void session.send('Hello').catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    page.kill();
    await settled();
    world.client.last().chunks.error(new AgentError('Overloaded.', { code: 'OVERLOADED' }));
    const errors: string[] = [];
    const next = world.openPage({ onError: ({ code }, { sessionId }) => errors.push(`${code} ${sessionId}`) });
    await until(() => expect(errors).toEqual([`OVERLOADED ${session.id}`]));
    const opened = await next.agent.openSession(session.id);
    expect(opened.getState().run?.outcome).toBe('failed');
  });
});

describe('signing out', () => {
  test('ends the runs, forgets the keys, and lets the next page begin anew', async () => {
    const made: ReturnType<typeof createKeyed>[] = [];
    const world = createWorkerWorld({
      clientOf({ keyOf }) {
        const one = createKeyed(keyOf);
        made.push(one);
        return one.client;
      },
      pageTimeout: 20,
    });
    const page = world.openPage({ keys: { openai: 'a-key' } });
    const other = world.openPage();
    const session = await openNew(page);
    void session.send('Hello').catch(() => {});
    await until(() => expect(made[0]?.manual.asked).toHaveLength(1));
    await page.agent.disconnect({ everywhere: true });
    page.kill();
    expect(made[0]?.manual.last().aborted).toBe(true);
    await expect(session.send('More')).rejects.toThrow(/disconnected|deleted or closed/);
    const again = await other.agent.openSession(session.id);
    await until(() => expect(again.getState().run?.outcome).toBe('cancelled'));
    const { outcome, error } = await again.send('Who pays?');
    expect({ outcome, code: error?.code }).toEqual({ outcome: 'failed', code: 'AUTHENTICATION_LOCKED' });
    expect(made).toHaveLength(2);
    expect(page.agent.getHost()).toEqual({ state: 'disconnected' });
  });

  test('of one page alone leaves the run to the worker', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    const session = await openNew(page);
    const sent = session.send('Hello');
    sent.catch(() => {});
    await until(() => expect(world.client.asked).toHaveLength(1));
    await page.agent.disconnect();
    expect(world.client.last().aborted).toBe(false);
    await expect(sent).rejects.toThrow(AgentError);
    say(world.client.last(), 'Hi');
    const again = await world.openPage().agent.openSession(session.id);
    await until(() => expect(texts(again)).toEqual(['Hello', 'Hi']));
  });
});

describe('without a worker', () => {
  const drives = async (page: WorldPage, expected: object): Promise<void> => {
    const session = await openNew(page);
    const sent = session.send('Hello');
    await until(() => expect(page.client.asked).toHaveLength(1));
    say(page.client.last(), 'Hi');
    expect(await sent).toMatchObject({ outcome: 'completed' });
    expect(page.agent.getHost()).toMatchObject(expected);
  };

  test('the page drives: the browser has none, or refuses it', async () => {
    const world = createWorkerWorld();
    const refuse = (): never => {
      throw new TypeError('Refused by the policy.');
    };
    await drives(world.openPage({ connect: refuse }), {
      state: 'page',
      reason: 'no-shared-worker',
      error: { message: 'Refused by the policy.' },
    });
  });

  test('the page drives: the worker speaks another protocol', async () => {
    const world = createWorkerWorld();
    const connect = () => {
      const { port1, port2 } = new MessageChannel();
      createChannel(port1, { hello: () => ({ protocol: 0, workerId: 'old' }) });
      return port2;
    };
    await drives(world.openPage({ connect }), { state: 'page', reason: 'other-version' });
  });

  test('the page drives: the worker ends again and again', async () => {
    const world = createWorkerWorld();
    const page = world.openPage();
    for (let count = 1; count <= 4; count++) {
      await until(() => expect(page.agent.getHost().state).toBe('worker'));
      world.killWorker();
      await until(() => expect(count === 4 ? 'page' : world.workers()).toBe(count === 4 ? 'page' : count + 1));
    }
    await drives(page, { state: 'page', reason: 'failed' });
  });

  test('a message that was sent while the worker was being started is sent by the page', async () => {
    const world = createWorkerWorld();
    const { port1, port2 } = new MessageChannel();
    let answer = (_version: { protocol: number; workerId: string }): void => {};
    const asked = new Promise<{ protocol: number; workerId: string }>((resolve) => (answer = resolve));
    createChannel(port1, { hello: () => asked });
    const page = world.openPage({ connect: () => port2 });
    const session = await openNew(page);
    const sent = session.send('Hello');
    expect(page.agent.getHost()).toEqual({ state: 'connecting' });
    answer({ protocol: 0, workerId: 'old' });
    await until(() => expect(page.client.asked).toHaveLength(1));
    say(page.client.last(), 'Hi');
    expect(await sent).toMatchObject({ outcome: 'completed' });
    expect(texts(session)).toEqual(['Hello', 'Hi']);
  });
});

describe('the worker of another build', () => {
  test('ends its run first, and no session is driven twice', async () => {
    const world = createWorkerWorld();
    const before = world.openPage();
    const session = await openNew(before);
    const first = session.send('One');
    await until(() => expect(world.client.asked).toHaveLength(1));
    world.deploy();
    const after = await world.openPage().agent.openSession(session.id);
    await until(() => expect(after.getStatus()).toBe('running'));
    const second = after.send('Two', { whenBusy: 'queue' });
    await until(() => expect(session.getState().queue).toHaveLength(1));
    expect(world.workers()).toBe(2);
    expect(world.client.asked).toHaveLength(1);
    say(world.client.last(), 'First.');
    expect(await first).toMatchObject({ outcome: 'completed' });
    await until(() => expect(world.client.asked).toHaveLength(2));
    say(world.client.last(), 'Second.');
    expect(await second).toMatchObject({ outcome: 'completed' });
    expect(texts(after)).toEqual(['One', 'First.', 'Two', 'Second.']);
    expect(world.client.asked).toHaveLength(2);
  });

  test('has a name of its own, and so has a worker of another lifetime', () => {
    const names = [
      nameWorker('chat', undefined, false),
      nameWorker('chat', undefined, true),
      nameWorker('chat', '1', false),
      nameWorker('chat', '1', true),
      nameWorker('chat', '2', true),
    ].map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(nameWorker('chat', '1', false)).not.toHaveProperty('extendedLifetime');
  });
});

describe('`hostAgent` and `connectAgent`', () => {
  afterEach(() => vi.unstubAllGlobals());

  test('refuse a wrong place and wrong options', () => {
    vi.stubGlobal('document', {});
    expect(() => hostAgent(() => ({ client: createManualClient() }))).toThrow(/script of a worker/);
    const world = createWorkerWorld();
    expect(() => world.openPage({ keys: Object({ openai: 7 }) })).toThrow(/`keys.openai`/);
    expect(() => world.openPage({ name: '' })).toThrow(/`name`/);
    const misspelt: object = { key: 'x' };
    expect(() => world.openPage(misspelt)).toThrow(/unknown option "key"/);
    expect(() => world.openPage({ tools: Object([{ name: 'x' }]) })).toThrow(/defineTool/);
  });

  test('know whether a browser extends the lifetime, by what it reads', () => {
    expect(canExtendLifetime()).toBe(false);
    vi.stubGlobal(
      'SharedWorker',
      function reads(_url: string, { extendedLifetime }: { readonly extendedLifetime?: boolean }) {
        return extendedLifetime;
      },
    );
    expect(canExtendLifetime()).toBe(true);
    vi.stubGlobal('SharedWorker', function ignores() {});
    expect(canExtendLifetime()).toBe(false);
  });
});

describe('a page that follows', () => {
  test('starts no queued message and lets no call expire by itself', async () => {
    const store = { ...createMemoryStore(), locks: createSessionLocks() };
    const [driver, follower] = [createManualClient(), createManualClient()];
    const driving = createAgent({ client: driver, store });
    const id = driving.createSession();
    const session = await driving.openSession(id);
    void session.send('One');
    await until(() => expect(driver.asked).toHaveLength(1));
    void session.send('Two', { whenBusy: 'queue' });
    const following = createAgent({ client: follower, store, ports: { drives: () => false } });
    const followed = await following.openSession(id);
    await until(() => expect(followed.getState().queue).toHaveLength(1));
    say(driver.last(), 'First.');
    await until(() => expect(driver.asked).toHaveLength(2));
    say(driver.last(), 'Second.');
    await until(() => expect(texts(followed)).toEqual(['One', 'First.', 'Two', 'Second.']));
    expect(follower.asked).toEqual([]);
  });
});
