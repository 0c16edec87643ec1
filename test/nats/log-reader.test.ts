import { describe, expect, it } from 'vitest';
import { loadCoder } from '../../src/sync/nats/coder.ts';
import type { Head } from '../../src/sync/nats/head.ts';
import type { Delivery, JetStream, StreamMessage } from '../../src/sync/nats/jetstream.ts';
import { createLogReader } from '../../src/sync/nats/log-reader.ts';
import { createSubjects } from '../../src/sync/nats/subjects.ts';
import { textAt } from './support/writes.ts';

const subjects = createSubjects('ann');
const encoder = new TextEncoder();

/** The message of one event. Numbers of the stream are ten times `seq`. */
function messageAt(seq: number): Omit<Delivery, 'pending' | 'count'> {
  const head: Head = { seq, nth: seq, after: seq - 1, row: {} as Head['row'], updatedAt: seq, size: 0, folded: 0 };
  return {
    subject: subjects.log('a'),
    at: 10 * seq,
    previous: 10 * (seq - 1),
    id: `log/${seq}`,
    head: JSON.stringify(seq === 1 ? { ...head, isWhole: true } : head),
    data: encoder.encode(JSON.stringify({ events: [textAt(seq)], replaces: [], blobs: [] })),
    storedAt: 0,
  };
}

/**
 * A cluster whose leader has the messages 1 to `last`. Each consumer delivers the copy of the next server: the `seq` of its messages.
 *
 * @param drift what the numbers of these copies differ by from those of the leader
 */
function openCluster(last: number, copies: readonly (readonly number[])[], drift = 0) {
  const asked: string[] = [];
  let newest: StreamMessage = messageAt(last);
  const refuse = (): never => expect.unreachable();
  const js: JetStream = {
    append: refuse,
    last: async () => newest,
    async consume({ from = 0 }) {
      const copy = copies[asked.length] ?? refuse();
      const name = String(asked.push(copy.join()) - 1);
      return { name, pending: copy.filter((seq) => 10 * seq >= from).length };
    },
    async *pull({ name }, pending = 0) {
      const copy = (copies[Number(name)] ?? refuse()).slice(-pending);
      for (const [index, seq] of copy.entries())
        yield { ...messageAt(seq), at: 10 * seq + drift, count: index + 1, pending: copy.length - index - 1 };
    },
    purge: () => expect.unreachable(),
    release() {},
  };
  const reader = createLogReader({
    js,
    subjects,
    large: { take: refuse, putBack: refuse, pieces: { put: refuse, get: refuse, drop: refuse } },
    coder: loadCoder(undefined),
  });
  return { reader, asked, lead: (message: StreamMessage) => void (newest = message) };
}

describe('a log of a cluster', () => {
  it.each([
    ['begins late', [2, 3, 4]],
    ['has a gap', [1, 2, 4]],
    ['ends early', [1, 2, 3]],
    ['is empty', []],
  ])('is read from another server where the copy of the first one %s', async (_name, copy) => {
    const { reader, asked } = openCluster(4, [copy, [1, 2, 3, 4]]);
    const log = await reader.read('a');
    expect(log).toMatchObject({ at: 40, damage: [], rows: [1, 2, 3, 4].map((seq) => ({ seq })) });
    expect(asked).toHaveLength(2);
    expect(await reader.read('a')).toBe(log);
    expect(asked).toHaveLength(2);
  });

  it.each([-1, 1])('is read whole from a server whose numbers differ by %i', async (drift) => {
    const { reader, asked } = openCluster(4, [[1, 2, 3, 4]], drift);
    expect(await reader.read('a')).toMatchObject({ damage: [], rows: [1, 2, 3, 4].map((seq) => ({ seq })) });
    expect(asked).toHaveLength(1);
  });

  it('is read again where another message has the number of the last one', async () => {
    const { reader, asked, lead } = openCluster(4, [
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ]);
    expect(await reader.read('a')).toMatchObject({ at: 40, head: { seq: 4 } });
    // The new leader has lower numbers.
    lead({ ...messageAt(5), at: 40, previous: 30 });
    expect(await reader.read('a')).toMatchObject({ damage: [], rows: [1, 2, 3, 4, 5].map((seq) => ({ seq })) });
    expect(asked.length).toBeGreaterThan(1);
  });

  it('is damaged where no server has the whole of it', async () => {
    const { reader, asked } = openCluster(
      4,
      Array.from({ length: 6 }, () => [1, 2, 4]),
    );
    expect(await reader.read('a')).toMatchObject({ at: 40, damage: ['what was written before seq 3'] });
    expect(asked).toHaveLength(3);
  });

  it('is not read where no server has its end', async () => {
    const { reader, asked } = openCluster(
      4,
      Array.from({ length: 3 }, () => [1, 2]),
    );
    await expect(reader.read('a')).rejects.toMatchObject({ code: 'STORAGE_FAILED', retryable: true });
    expect(asked).toHaveLength(3);
  });
});
