// @vitest-environment jsdom
import { AgentError } from 'brooklet';
import type { NatsStore } from 'brooklet/nats';
import { BehaviorSubject, Subject } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problemWith, toEngine } from '../../demo/src/base/engine.ts';
import { createReconnecting, type OpenedRemote } from '../../demo/src/devices/reconnecting.ts';
import { parseLink, toLink } from '../../demo/src/review/shared/link.ts';

const key = 'k'.repeat(43);

describe('the address of an engine', () => {
  it.each([
    ['wss://nats.example.com', undefined],
    ['ws://localhost:8443', undefined],
    ['ws://127.0.0.1:8443', undefined],
    ['ws://nats.example.com', 'insecure'],
    ['https://nats.example.com', 'invalid'],
    ['nats.example.com', 'invalid'],
    ['', 'invalid'],
  ])('%s is judged: %s', (url, problem) => expect(problemWith(url)).toBe(problem));

  it.each([
    undefined,
    {},
    { url: 'ws://example.com', user: 'ann', device: 'Phone' },
    { url: 'wss://example.com', user: 'a.b', device: 'Phone' },
    { url: 'wss://example.com', user: 'ann', device: '' },
  ])('is not read from %j', (value) => expect(toEngine(value)).toBeUndefined());

  it('is read without what else another device has sent', () => {
    const engine = { url: 'wss://example.com', user: 'ann', signIn: 'token', device: 'Phone' };
    expect(toEngine({ ...engine, credential: 'secret' })).toEqual(engine);
  });
});

describe('a link to a shared conversation', () => {
  it.each([undefined, 'https://files.example.com/a b/ü?x=1#y', 'http://localhost:1/a'])(
    'is read as made: %s',
    (address) => {
      const link = { key, ...(address !== undefined && { address }) };
      const [, path = ''] = toLink(link).split('#/shared/');
      expect(parseLink(path)).toEqual(link);
    },
  );

  it.each([
    '',
    key.slice(1),
    `${key}/`,
    `${key}/%E0%A4%A`,
    `${key}/javascript%3Aalert(1)`,
    `${key}/http%3A%2F%2Fa.example`,
  ])('is not read from %s', (path) => expect(parseLink(path)).toBeUndefined());
});

describe('a remote store that connects by itself', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** An engine that answers as told. */
  function setUp(answers: (AgentError | 'open')[]) {
    const opened: {
      online: BehaviorSubject<boolean>;
      changes: Subject<string>;
      end: (reason?: AgentError) => void;
      isClosed: boolean;
    }[] = [];
    const refused: AgentError[] = [];
    let tries = 0;
    const store = createReconnecting({
      async open(): Promise<OpenedRemote> {
        tries += 1;
        const answer = answers.shift();
        if (answer !== 'open') throw answer ?? new AgentError('away', { code: 'NETWORK_ERROR' });
        const own = {
          online: new BehaviorSubject(true),
          changes: new Subject<string>(),
          end: (_reason?: AgentError) => {},
          isClosed: false,
        };
        opened.push(own);
        const closed = new Promise<AgentError | undefined>((resolve) => (own.end = resolve));
        const verbs = { list: async () => ({ sessions: [] }), online$: own.online, changes$: own.changes };
        return { store: verbs as unknown as NatsStore, closed, close: () => void (own.isClosed = true) };
      },
      onRefused: (error) => refused.push(error),
    });
    const online: boolean[] = [];
    store.online$.subscribe((isOnline) => online.push(isOnline));
    return { store, opened, refused, online, tries: () => tries };
  }
  const away = new AgentError('away', { code: 'NETWORK_ERROR' });
  const refusal = new AgentError('refused', { code: 'AUTHENTICATION_FAILED' });

  it('tries again after 1 s, 2 s and 4 s, and rejects in between', async () => {
    const { store, online, tries } = setUp([away, away, away, 'open']);
    await expect(store.list()).rejects.toMatchObject({ code: 'NETWORK_ERROR' });
    await vi.advanceTimersByTimeAsync(6_999);
    expect([tries(), online]).toEqual([3, [false]]);
    await vi.advanceTimersByTimeAsync(1);
    expect([tries(), online]).toEqual([4, [false, true]]);
    expect(await store.list()).toEqual({ sessions: [] });
  });

  it('waits no longer when the network is back', async () => {
    const { tries } = setUp([away, 'open']);
    await vi.advanceTimersByTimeAsync(0);
    dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(tries()).toBe(2);
  });

  it('stops where the engine refuses the sign-in', async () => {
    const { store, refused, tries } = setUp([refusal]);
    await expect(store.list()).rejects.toBe(refusal);
    await vi.advanceTimersByTimeAsync(100_000);
    expect([refused, tries()]).toEqual([[refusal], 1]);
  });

  it('connects again when the connection is gone for good, and hears of changes once', async () => {
    const { store, opened, online } = setUp(['open', 'open']);
    const changes: string[] = [];
    store.changes$.subscribe((id) => changes.push(id));
    await vi.advanceTimersByTimeAsync(0);
    opened[0]?.end();
    await vi.advanceTimersByTimeAsync(1_000);
    opened[0]?.changes.next('old');
    opened[1]?.changes.next('new');
    expect([changes, online]).toEqual([['new'], [false, true, false, true]]);
  });

  it('ends for good when it is closed, also during a try', async () => {
    const { store, opened, tries } = setUp(['open']);
    store.close();
    await vi.advanceTimersByTimeAsync(100_000);
    expect([opened[0]?.isClosed, tries()]).toEqual([true, 1]);
  });
});
