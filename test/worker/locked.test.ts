import { type AgentSession, extractTextContent } from 'brooklet';
import { BehaviorSubject, NEVER, type Observable, Subject, throwError } from 'rxjs';
import { describe, expect, test, vi } from 'vitest';
import { say } from '../support/manual-client.ts';
import { until } from '../support/until.ts';
import { createWorkerWorld } from '../support/worker-world.ts';

const origin = 'https://api.example.com';
const texts = (session: AgentSession): string[] => session.getMessages().map((message) => extractTextContent(message));

/** A key of a page, which the person locks and unlocks there. */
function createKey(locked$: Observable<boolean> = new BehaviorSubject(true)) {
  const release = vi.fn((_origin: string) => 'a-key');
  return { release, source: Object.assign(release, { locked$ }) };
}

/** Pages and a worker whose client needs the key `openai`. */
function createLockedWorld() {
  let keyOf: ((origin: string) => Promise<string>) | undefined;
  const world = createWorkerWorld({
    lockedOf(place) {
      const key = place.keyOf('openai');
      if (place.where === 'worker') keyOf = key;
      return key.locked$;
    },
  });
  return { ...world, askKey: () => keyOf?.(origin) };
}

/** A page with a prompt that is due. */
async function createDue(world: ReturnType<typeof createLockedWorld>, page: ReturnType<typeof world.openPage>) {
  const session = await page.agent.openSession(page.agent.createSession());
  await page.agent.schedule(session.id, 'Good morning', Date.now() + 20);
  return session;
}

const waitsForKey = [{ text: 'Good morning', error: { code: 'AUTHENTICATION_LOCKED' } }];

describe('a planned prompt whose key is locked in the page', () => {
  test('waits in the worker, says why in each page, and is sent once as soon as the key is unlocked', async () => {
    const world = createLockedWorld();
    const locked$ = new BehaviorSubject(true);
    const { release, source } = createKey(locked$);
    const errors: string[] = [];
    const page = world.openPage({ keys: { openai: source }, onError: ({ code }) => errors.push(code) });
    const other = world.openPage();
    const session = await createDue(world, page);
    await until(() => expect(errors).toEqual(['AUTHENTICATION_LOCKED']));
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    await until(() => expect(other.agent.getSchedules()).toMatchObject(waitsForKey));
    expect([world.client.asked.length, release.mock.calls.length, session.getStatus()]).toEqual([0, 0, 'idle']);

    locked$.next(false);
    await until(() => expect(world.client.asked).toHaveLength(1));
    say(world.client.last(), 'Hello');
    await until(() => expect(texts(session)).toEqual(['Good morning', 'Hello']));
    await until(() => expect(page.agent.getSchedules()).toEqual([]));
    expect([world.client.asked.length, page.client.asked.length, errors.length]).toEqual([1, 0, 1]);
  });

  test('is sent with the key of another page in which it is unlocked: the first is not asked', async () => {
    const world = createLockedWorld();
    const unlocked = createKey(new BehaviorSubject(false));
    const locked = createKey();
    const first = world.openPage({ keys: { openai: unlocked.source } });
    const page = world.openPage({ keys: { openai: locked.source } });
    await createDue(world, page);
    await until(() => expect(world.client.asked).toHaveLength(1));
    expect(await world.askKey()).toBe('a-key');
    expect([unlocked.release.mock.calls, locked.release.mock.calls]).toEqual([[[origin]], []]);
    // Once it is the only page, the person is asked there.
    first.kill();
    await until(async () => {
      await world.askKey();
      expect(locked.release).toHaveBeenCalled();
    });
  });

  test('waits while the page has not said yet whether the key is locked, and where no page has the key', async () => {
    const world = createLockedWorld();
    const locked$ = new Subject<boolean>();
    const page = world.openPage({ keys: { openai: createKey(locked$).source } });
    await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    expect(world.client.asked).toEqual([]);
    locked$.next(false);
    await until(() => expect(world.client.asked).toHaveLength(1));

    const bare = createLockedWorld();
    await createDue(bare, bare.openPage());
    const errors: string[] = [];
    const next = bare.openPage({ onError: ({ code }) => errors.push(code) });
    await until(() => expect(next.agent.getSchedules()).toMatchObject([{ text: 'Good morning' }]));
    bare.openPage({ keys: { openai: 'a-key' } });
    await until(() => expect(bare.client.asked).toHaveLength(1));
  });

  test('is sent with the key that a page has answered before it was closed', async () => {
    const world = createLockedWorld();
    const page = world.openPage({ keys: { openai: createKey(new BehaviorSubject(false)).source } });
    const other = world.openPage();
    const session = await other.agent.openSession(other.agent.createSession());
    const sent = session.send('Hi');
    await until(() => expect(world.client.asked).toHaveLength(1));
    expect(await world.askKey()).toBe('a-key');
    say(world.client.last(), 'Hello');
    await sent;
    page.kill();
    await createDue(world, other);
    await until(() => expect(world.client.asked).toHaveLength(2));
  });

  test('is not held up by a key without `locked$`, or whose `locked$` errors', async () => {
    for (const source of [() => 'a-key', createKey(throwError(() => new Error('It is broken.'))).source]) {
      const world = createLockedWorld();
      await createDue(world, world.openPage({ keys: { openai: source } }));
      await until(() => expect(world.client.asked).toHaveLength(1));
    }
  });

  test('waits in a page that drives without a worker', async () => {
    const world = createLockedWorld();
    const locked$ = new BehaviorSubject(true);
    const connect = (): never => {
      throw new Error('There is no worker.');
    };
    const page = world.openPage({ keys: { openai: createKey(locked$).source }, connect });
    await createDue(world, page);
    await until(() => expect(page.agent.getSchedules()).toMatchObject(waitsForKey));
    expect(page.client.asked).toEqual([]);
    locked$.next(false);
    await until(() => expect(page.client.asked).toHaveLength(1));
  });
});

test('a key whose `locked$` is no Observable is refused', () => {
  const world = createLockedWorld();
  const source = Object.assign(() => 'a-key', { locked$: Object(true) });
  expect(() => world.openPage({ keys: { openai: source } })).toThrow(
    expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining('`keys.openai.locked$`') }),
  );
  expect(() => world.openPage({ keys: { openai: createKey(NEVER).source } })).not.toThrow();
});
