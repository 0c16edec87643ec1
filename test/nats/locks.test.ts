import type { Msg, MsgCallback, Payload } from '@nats-io/nats-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NatsLink } from '../../src/sync/nats/connection.ts';
import type { JetStream, StreamMessage } from '../../src/sync/nats/jetstream.ts';
import { browserPorts } from '../../src/core/ports.ts';
import { createNatsLocks } from '../../src/sync/nats/locks.ts';
import { createSubjects } from '../../src/sync/nats/subjects.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

/** What the stages of these tests use of a subscription. */
type Listener = MsgCallback<Msg> | undefined;

/** A cluster with one lease. Each claim is a message of one subject; the leader of the moment numbers it. */
function openCluster() {
  let claims: StreamMessage[] = [];
  /** What the numbers of the leader differ by from those that were told. */
  let drift = 0;
  /** Whether the leader has not got the last message yet. */
  let isBehind = false;
  /** Whether requests to pages time out. */
  let isCut = false;
  const listeners = new Map<string, Listener>();
  const leading = (): StreamMessage | undefined => {
    const last = claims.at(isBehind ? -2 : -1);
    return last && { ...last, at: last.at + drift };
  };
  const js: JetStream = {
    async append(subject, { data, expected }) {
      if (expected !== (leading()?.at ?? 0)) return undefined;
      const at = (leading()?.at ?? 0) + 1;
      const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : new Uint8Array(data);
      claims = [...claims, { subject, at: at - drift, previous: expected ?? 0, id: '', head: '', data: bytes }];
      return at;
    },
    last: async () => leading(),
    consume: () => expect.unreachable(),
    pull: () => expect.unreachable(),
    purge: () => expect.unreachable(),
    release: () => expect.unreachable(),
  };

  /** A page on this cluster. */
  function open() {
    const ask = (subject: string): boolean => {
      const listener = listeners.get(subject);
      void listener?.(null, { respond: () => true } as Msg);
      return listener !== undefined;
    };
    const link = {
      isClosed: () => false,
      async request(subject: string) {
        if (isCut) throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
        if (ask(subject)) return {} as Msg;
        throw Object.assign(new Error('nobody'), { name: 'NoResponders' });
      },
      publish: (subject: string, _data?: Payload) => void ask(subject),
      subscribe(subject: string, { callback }: { readonly callback?: Listener } = {}) {
        listeners.set(subject, callback);
        const end = (): void => void listeners.delete(subject);
        return { unsubscribe: end, drain: async () => end() };
      },
    } as unknown as NatsLink;
    return createNatsLocks({ js, link, ports: browserPorts, subjects: createSubjects('ann'), patience: 10_000 });
  }

  return {
    open,
    cut: (isNow: boolean) => void (isCut = isNow),
    lead: (its: { readonly drift?: number; readonly isBehind?: boolean }) =>
      ({ drift = drift, isBehind = isBehind } = its),
  };
}

describe('a lease of a cluster', () => {
  it.each([-2, -1, 0, 1, 2])('stays with its page where a new leader has numbers that differ by %i', async (drift) => {
    const { open, lead } = openCluster();
    const mine = await open().acquire('a', undefined);
    lead({ drift });
    expect(await open().isHeld('a')).toBe(true);
    await settle();
    expect(mine.signal.aborted).toBe(false);
  });

  it.each([-2, -1, 0, 1, 2])('is lost when it is taken where numbers differ by %i', async (drift) => {
    const { open, lead } = openCluster();
    const mine = await open().acquire('a', undefined);
    lead({ drift });
    const theirs = await open().take('a');
    await settle();
    expect(mine.signal.aborted).toBe(true);
    expect(theirs.signal.aborted).toBe(false);
  });

  it('stays with its page where a new leader answers with an earlier claim', async () => {
    const { open, lead } = openCluster();
    const earlier = await open().acquire('a', undefined);
    const mine = await open().take('a');
    await settle();
    expect(earlier.signal.aborted).toBe(true);
    const asked = open().isHeld('a');
    // From here on, when the page that has it looks.
    lead({ isBehind: true });
    expect(await asked).toBe(true);
    await settle();
    expect(mine.signal.aborted).toBe(false);
  });

  it('is free again where the request for it is called off while the claim is under way', async () => {
    const { open } = openCluster();
    const leaving = new AbortController();
    const told = open()
      .acquire('a', leaving.signal)
      .catch((thrown: unknown) => thrown);
    leaving.abort();
    await settle();
    expect(await open().isHeld('a')).toBe(false);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await told).toMatchObject({ code: 'SESSION_BUSY' });
    const next = await open().acquire('a', undefined);
    expect(next.signal.aborted).toBe(false);
  });

  it('leaves the queue where the request for it is called off while another page has it', async () => {
    const { open } = openCluster();
    const mine = await open().acquire('a', undefined);
    const leaving = new AbortController();
    const told = open()
      .acquire('a', leaving.signal)
      .catch((thrown: unknown) => thrown);
    await settle();
    leaving.abort();
    await settle();
    expect(await told).toMatchObject({ code: 'SESSION_BUSY' });
    mine.release();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await open().isHeld('a')).toBe(false);
  });

  it('is not taken for free where the page that has it cannot be asked', async () => {
    const { open, cut } = openCluster();
    const mine = await open().acquire('a', undefined);
    cut(true);
    await expect(open().isHeld('a')).rejects.toMatchObject({ code: expect.stringMatching(/^STORAGE_/) });
    const told = open()
      .acquire('a', undefined)
      .catch((thrown: unknown) => thrown);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await told).toMatchObject({ code: 'STORAGE_UNAVAILABLE', retryable: true });
    cut(false);
    expect(await open().isHeld('a')).toBe(true);
    expect(mine.signal.aborted).toBe(false);
  });
});
