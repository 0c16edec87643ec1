import type { NatsConnection } from '@nats-io/nats-core';
import { AgentError } from 'brooklet';
import type { SessionStore } from 'brooklet/core';
import { createNatsStore } from 'brooklet/nats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type NatsCluster, startNatsCluster } from './support/nats-cluster.ts';
import { natsServer } from './support/nats-server.ts';
import { addStream } from './support/streams.ts';
import { writeAt } from './support/writes.ts';

/** Times that the leader is killed. */
const kills = Number(process.env.LEADER_KILLS ?? 5);

const stream = 'BROOKLET_ann';
/** Where the operator stores what nobody reads. */
const probe = 'brooklet.ann.meta.probe';

/** A page that writes one event after the other. */
interface Writer {
  readonly sessionId: string;
  /** The texts of the events whose write was acknowledged. */
  readonly acknowledged: string[];
  /** Rejects when a write is refused, which no failure of a server excuses. */
  readonly refused: Promise<never>;
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
  const refused = new Promise<never>((_resolve, reject) => void working.catch(reject));
  refused.catch(() => {});
  return {
    sessionId,
    acknowledged,
    refused,
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

  /** Prints what the operator did, and what the servers said before; what they say at last, where the work fails. */
  async function reported(work: () => Promise<string>): Promise<void> {
    const begin = performance.now();
    const before = cluster.interventions.length;
    const since = (): readonly string[] => cluster.interventions.slice(before);
    try {
      const done = await work();
      const seconds = ((performance.now() - begin) / 1000).toFixed(0);
      console.info(
        [...since(), `${done}; interventions of the operator: ${since().length}; ${seconds} s`].join('\n\n'),
      );
    } catch (thrown) {
      console.error([...since(), 'At last:', await cluster.report()].join('\n\n'));
      throw thrown;
    }
  }

  /** Lets four pages write while something happens to the leader, then compares what was acknowledged with what is stored. Returns the number of events. */
  async function survive(name: string, times: number, happen: () => Promise<void>): Promise<number> {
    const ids = [0, 1, 2, 3].map((index) => `${name}-${index}`);
    const writers = await Promise.all(ids.map(async (id) => startWriter(await open(), id)));
    const progress = async (): Promise<void> => {
      const before = writers.map(({ acknowledged }) => acknowledged.length);
      const refused = writers.map((writer) => writer.refused);
      const look = () =>
        Promise.race([
          ...refused,
          until(() =>
            expect(writers.every(({ acknowledged }, index) => acknowledged.length > (before[index] ?? 0) + 5)).toBe(
              true,
            ),
          ),
        ]);
      // Where the servers store what the operator sends, nothing is restarted: then the pages have to write.
      await Promise.race([...refused, look().catch(() => cluster.works(stream, probe).then(look))]);
    };
    try {
      await progress();
      for (let time = 0; time < times; time++) {
        await happen();
        await progress();
        await cluster.settled(stream);
      }
      await Promise.all([cluster.works(stream, probe), ...writers.map((writer) => writer.stop())]);
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
      const events = await until(look, 20_000 + times * 2_000);
      expect(events?.map((event) => ('text' in event ? event.text : ''))).toEqual(acknowledged);
    }
    return writers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  it('loses and doubles nothing that was acknowledged when its leader is killed', () =>
    reported(async () => {
      const events = await survive('kill', kills, async () => {
        const leader = await cluster.leaderOf(stream);
        await leader.kill();
        await cluster.leaderOf(stream, leader);
        await cluster.restart(leader);
      });
      return `${kills} kills of the leader: ${events} acknowledged events, each stored once`;
    }));

  it('loses and doubles nothing when its leader is cut off for a while', () =>
    reported(async () => {
      const events = await survive('cut', 1, async () => {
        const leader = await cluster.leaderOf(stream);
        leader.process.kill('SIGSTOP');
        try {
          await cluster.leaderOf(stream, leader);
        } finally {
          leader.process.kill('SIGCONT');
        }
      });
      return `a leader that was cut off: ${events} acknowledged events, each stored once`;
    }));
});
