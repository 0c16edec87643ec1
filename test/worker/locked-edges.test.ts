import { type AgentSession, extractTextContent } from 'brooklet';
import { BehaviorSubject, EMPTY, NEVER, Observable } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { say } from '../support/manual-client.ts';
import { createChannel } from '../../src/worker/channel.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld } from '../support/worker-world.ts';

const origin = 'https://api.example.com';
const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));

/** Pages and a worker whose client needs a key. */
function createLockedWorld(name = 'openai') {
  let keyOf: ((origin: string) => Promise<string>) | undefined;
  const world = createWorkerWorld({
    lockedOf(place) {
      const key = place.keyOf(name);
      if (place.where === 'worker') keyOf = key;
      return key.locked$;
    },
  });
  return { ...world, askKey: async () => keyOf?.(origin) };
}

type World = ReturnType<typeof createLockedWorld>;

const keyWith = (locked$: Observable<boolean>, release: () => string | Promise<string> = () => 'a-key') =>
  Object.assign(release, { locked$ });

async function createDue(world: World, page: ReturnType<World['openPage']>) {
  const session = await page.agent.openSession(page.agent.createSession());
  await page.agent.schedule(session.id, 'Good morning', Date.now() + 20);
  return session;
}

const waitsForKey = [{ text: 'Good morning', error: { code: 'AUTHENTICATION_LOCKED' } }];

/** A promise that a test resolves. */
const never = new Promise<never>(() => {});

describe('a key', () => {
  test('is asked of the next page where the first one dies while it is asked', async () => {
    const world = createLockedWorld();
    const asked = vi.fn();
    world.openPage({ keys: { openai: keyWith(new BehaviorSubject(false), () => 'of-the-first') } });
    const dying = world.openPage({
      keys: { openai: keyWith(new BehaviorSubject(false), () => (asked(), never)) },
    });
    await until(() => expect(dying.agent.getHost()).toMatchObject({ state: 'worker' }));
    const key = world.askKey();
    await until(() => expect(asked).toHaveBeenCalled());
    dying.kill();
    expect(await key).toBe('of-the-first');
  });

  test('of an odd name is locked and unlocked as any other', async () => {
    for (const name of ['__proto__', 'constructor', 'a key', '', '💐']) {
      const world = createLockedWorld(name);
      const locked$ = new BehaviorSubject(true);
      const keys = Object.fromEntries([[name, keyWith(locked$)]]);
      const page = world.openPage({ keys });
      await createDue(world, page);
      await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
      locked$.next(false);
      await until(() => expect(world.client.asked).toHaveLength(1));
      expect(await world.askKey()).toBe('a-key');
    }
  });

  test.each([
    ['emits nothing', NEVER],
    ['completes without a value', EMPTY],
  ])('whose `locked$` %s is locked', async (_what, locked$) => {
    const world = createLockedWorld();
    const page = world.openPage({ keys: { openai: keyWith(locked$) } });
    await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    expect(world.client.asked).toEqual([]);
  });

  test('is followed for as long as the page is connected, once', async () => {
    const world = createLockedWorld();
    let followers = 0;
    const locked$ = new Observable<boolean>((subscriber) => {
      followers++;
      subscriber.next(true);
      return () => void followers--;
    });
    const page = world.openPage({ keys: { openai: keyWith(locked$) } });
    // The agent of the page follows its client, and the connection reports to the worker.
    await until(() => expect([page.agent.getHost().state, followers]).toEqual(['worker', 2]));
    world.killWorker();
    await until(() => expect(world.workers()).toBe(2));
    await until(() => expect([page.agent.getHost().state, followers]).toEqual(['worker', 2]));
    await page.agent.disconnect();
    expect(followers).toBe(0);
  });
});

describe('a prompt that is held', () => {
  test('is held by the next worker, too, and sent once', async () => {
    const world = createLockedWorld();
    const locked$ = new BehaviorSubject(true);
    const page = world.openPage({ keys: { openai: keyWith(locked$) } });
    const session = await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    world.killWorker();
    await until(() => expect(world.workers()).toBe(2));
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    expect(world.client.asked).toEqual([]);
    locked$.next(false);
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Hello');
    await until(() => expect(texts(session)).toEqual(['Good morning', 'Hello']));
    expect([world.client.asked.length, page.client.asked.length]).toEqual([1, 0]);
  });

  test('states no error after a sign-out: the worker sends it no more', async () => {
    const world = createLockedWorld();
    const page = world.openPage({ keys: { openai: keyWith(new BehaviorSubject(true)) } });
    const other = world.openPage();
    await createDue(world, page);
    await until(() => expect(other.agent.getSchedules()).toMatchObject(waitsForKey));
    // The worker has heard all that this page has told it before: a plan that arrives after the sign-out would count again.
    const session = await other.agent.openSession(other.agent.createSession());
    const sent = session.send('Hi');
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Hello');
    await sent;
    await page.agent.disconnect({ everywhere: true });
    await until(() => expect(other.agent.getSchedules()).toMatchObject([{ text: 'Good morning' }]));
    await until(() => expect(other.agent.getSchedules()[0]?.error).toBeUndefined());
  });

  test('is the same object for React until it changes, and the stream ends with the agent', async () => {
    const world = createLockedWorld();
    const page = world.openPage({ keys: { openai: keyWith(new BehaviorSubject(true)) } });
    const emitted: unknown[] = [];
    const complete = vi.fn();
    page.agent.schedules$.subscribe({ next: (list) => emitted.push(list), complete });
    await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    expect(page.agent.getSchedules()).toBe(page.agent.getSchedules());
    expect(emitted.at(-1)).toBe(page.agent.getSchedules());
    expect(new Set(emitted).size).toBe(emitted.length);
    await page.agent.disconnect();
    expect(complete).toHaveBeenCalledTimes(1);
  });

  test('is sent by the page that drives once its worker cannot', async () => {
    const world = createLockedWorld();
    const locked$ = new BehaviorSubject(true);
    let starts = 0;
    const page = world.openPage({ keys: { openai: keyWith(locked$) } });
    await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    // A worker that ends again and again: the page drives.
    const isDriving = (): boolean => page.agent.getHost().state === 'page';
    while (!isDriving() && starts++ < 10) {
      const before = world.workers();
      world.killWorker();
      // A worker that ends before it has answered is waited for.
      await until(() => expect(isDriving() || world.workers() > before).toBe(true));
      await until(() => expect(page.agent.getHost().state).not.toBe('connecting'));
    }
    expect(page.agent.getHost()).toMatchObject({ state: 'page' });
    expect(page.client.asked).toEqual([]);
    locked$.next(false);
    await until(() => expect(page.client.asked).toHaveLength(1));
  });
});

describe('a build before `locked$`', () => {
  interface Frame {
    readonly verb?: string;
    readonly argument?: object;
  }

  /** Hands the frames of one port to another, changed; `undefined` drops a frame. */
  function pipe(from: MessagePort, to: MessagePort, change: (frame: Frame) => Frame | undefined): void {
    from.addEventListener('message', ({ data }: MessageEvent<Frame>) => {
      const frame = change(data);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has one other end
      if (frame) to.postMessage(frame);
    });
    from.start();
  }

  /** A port as an older page has it: it states no keys that can be locked, and knows none of the new verbs. */
  function asOlderPage(port: MessagePort): MessagePort {
    const { port1, port2 } = new MessageChannel();
    pipe(port1, port, (frame) => {
      if (frame.verb === 'locked') return undefined;
      return frame.verb === 'hello' ? { ...frame, argument: { ...frame.argument, lockable: undefined } } : frame;
    });
    pipe(port, port1, (frame) => (frame.verb === 'held' ? undefined : frame));
    return port2;
  }

  test('of a page holds no prompt: the worker asks for its key', async () => {
    const world = createLockedWorld();
    const page = world.openPage({ keys: { openai: keyWith(new BehaviorSubject(true)) }, through: asOlderPage });
    await createDue(world, page);
    await until(() => expect(world.client.asked).toHaveLength(1));
    expect(await world.askKey()).toBe('a-key');
  });

  test('of a worker is told of keys, and goes on', async () => {
    const heard: unknown[] = [];
    const connect = (): MessagePort => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', ({ data }: MessageEvent<Frame>) => heard.push(data.verb));
      createChannel(port1, { hello: () => ({ protocol: 1, workerId: 'older' }), planned: () => null }, true);
      return port2;
    };
    const world = createLockedWorld();
    const locked$ = new BehaviorSubject(true);
    const page = world.openPage({ keys: { openai: keyWith(locked$) }, connect });
    await createDue(world, page);
    await until(() => expect(heard).toContain('locked'));
    locked$.next(false);
    await until(() => expect(heard.filter((verb) => verb === 'locked')).toHaveLength(2));
    expect(page.agent.getHost()).toMatchObject({ state: 'worker' });
    expect(page.agent.getSchedules()[0]?.error).toBeUndefined();
    await page.agent.disconnect();
  });
});
