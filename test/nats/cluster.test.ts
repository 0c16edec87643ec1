import type { NatsConnection } from '@nats-io/nats-core';
import { AgentError } from 'brooklet';
import type { SessionStore } from 'brooklet/core';
import { createNatsStore } from 'brooklet/nats';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { until } from '../support/until.ts';
import { type NatsCluster, startNatsCluster } from './support/nats-cluster.ts';
import { natsServer } from './support/nats-server.ts';
import { addStream } from './support/streams.ts';
import { writeAt } from './support/writes.ts';

/** Times that the leader is killed. */
const kills = Number(process.env.LEADER_KILLS ?? 5);

/** A page that writes one event after the other. */
interface Writer {
  readonly sessionId: string;
  /** The texts of the events whose write was acknowledged. */
  readonly acknowledged: string[];
  /** Resolves when its last write was acknowledged. */
  stop(): Promise<void>;
  /** Ends it without an answer, after a failure of the test. */
  abandon(): void;
}

/** Repeats a write whose fate is not known, as the core does. */
function startWriter(store: SessionStore, sessionId: string): Writer {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  /** Ends the repetitions, too. */
  const failing = new AbortController();

  async function write(seq: number, text: string): Promise<void> {
    for (;;) {
      try {
        await store.write(writeAt(sessionId, seq, text));
        return;
      } catch (thrown) {
        const isUnknown = thrown instanceof AgentError && thrown.code !== 'STORAGE_CONFLICT';
        if (!isUnknown || failing.signal.aborted) throw thrown;
      }
    }
  }

  async function work(): Promise<void> {
    for (let seq = 0; !stopping.signal.aborted; seq++) {
      const text = `${sessionId} ${seq + 1}`;
      await write(seq, text);
      acknowledged.push(text);
    }
  }

  const working = work();
  working.catch(() => {});
  return {
    sessionId,
    acknowledged,
    async stop() {
      stopping.abort();
      await working;
    },
    abandon() {
      stopping.abort();
      failing.abort();
    },
  };
}

describe.skipIf(natsServer === undefined)('a cluster of three servers', { timeout: 60_000 + kills * 60_000 }, () => {
  let cluster: NatsCluster;
  let played = 0;
  const connections: NatsConnection[] = [];

  async function open(): Promise<SessionStore> {
    const connection = await cluster.connect({ pingInterval: 500, maxPingOut: 2 });
    connections.push(connection);
    return createNatsStore({ connection, user: 'ann', timeout: 2000 });
  }

  beforeAll(async () => {
    cluster = await startNatsCluster();
    const operator = await cluster.connect();
    connections.push(operator);
    // Until the servers have found each other they store nothing three times.
    await until(() => addStream(operator, { user: 'ann', replicas: 3 }));
  }, 60_000);
  afterAll(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await cluster?.stop();
  });

  /** Lets four pages write while something happens to the leader, then compares what was acknowledged with what is stored. */
  async function survive(name: string, times: number, happen: () => Promise<void>): Promise<void> {
    // Another try of a test writes sessions of its own.
    played += 1;
    const ids = [0, 1, 2, 3].map((index) => `${name}-${played}-${index}`);
    const writers = await Promise.all(ids.map(async (id) => startWriter(await open(), id)));
    const progress = async (): Promise<void> => {
      const before = writers.map(({ acknowledged }) => acknowledged.length);
      await until(() =>
        expect(writers.every(({ acknowledged }, index) => acknowledged.length > (before[index] ?? 0) + 5)).toBe(true),
      );
    };
    try {
      await progress();
      for (let time = 0; time < times; time++) {
        await happen();
        await progress();
        await cluster.settled('BROOKLET_ann');
      }
      for (const writer of writers) await writer.stop();
    } finally {
      for (const writer of writers) writer.abandon();
    }
    const store = await open();
    for (const { sessionId, acknowledged } of writers) {
      // A server that has just come back may not answer yet, or answer from what it has so far.
      const look = async () => {
        const stored = await store.read(sessionId);
        expect(stored?.damage).toBeUndefined();
        return stored?.events;
      };
      // Many kills leave a long log.
      const events = await vi.waitFor(look, { timeout: 20_000 + times * 2_000 });
      expect(events?.map((event) => ('text' in event ? event.text : ''))).toEqual(acknowledged);
    }
  }

  it('loses and doubles nothing that was acknowledged when its leader is killed', async () => {
    await survive('kill', kills, async () => {
      const leader = await cluster.leaderOf('BROOKLET_ann');
      await leader.kill();
      await until(async () => expect((await cluster.leaderOf('BROOKLET_ann')).name).not.toBe(leader.name));
      await cluster.restart(leader);
    });
  });

  it('loses and doubles nothing when its leader is cut off for a while', async () => {
    await survive('cut', 1, async () => {
      const leader = await cluster.leaderOf('BROOKLET_ann');
      leader.process.kill('SIGSTOP');
      try {
        await until(async () => expect((await cluster.leaderOf('BROOKLET_ann')).name).not.toBe(leader.name));
      } finally {
        leader.process.kill('SIGCONT');
      }
    });
  });
});
