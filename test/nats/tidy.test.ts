import { beforeEach, describe, expect, it } from 'vitest';
import { loadCoder } from '../../src/sync/nats/coder.ts';
import { browserPorts } from '../../src/core/ports.ts';
import { createCommit } from '../../src/sync/nats/commit.ts';
import { type Head, parseHead } from '../../src/sync/nats/head.ts';
import type { JetStream, StreamMessage } from '../../src/sync/nats/jetstream.ts';
import type { LogData } from '../../src/sync/nats/log-data.ts';
import { createSubjects } from '../../src/sync/nats/subjects.ts';
import { createTidy } from '../../src/sync/nats/tidy.ts';

/** The messages of one log, as the leader of the moment numbers them. */
let messages: StreamMessage[];
/** What the numbers of the leader differ by from those of the first leader. */
let drift: number;
beforeEach(() => {
  messages = [];
  drift = 0;
});

const lastOf = (): StreamMessage | undefined => {
  const last = messages.at(-1);
  return last && { ...last, at: last.at + drift };
};
const js: JetStream = {
  async append(subject, { expected = 0, head = '', id = '', isRollup = false }) {
    const before = lastOf()?.at ?? 0;
    if (expected !== before) return undefined;
    const message = { subject, id, head, at: before + 1 - drift, previous: expected, data: new Uint8Array() };
    messages = isRollup ? [message] : [...messages, message];
    return before + 1;
  },
  last: async () => lastOf(),
  consume: () => expect.unreachable(),
  pull: () => expect.unreachable(),
  purge: () => expect.unreachable(),
  release: () => expect.unreachable(),
};
const data: LogData = {
  encode: async () => new Uint8Array(10),
  place: async (_sessionId, bytes) => ({ data: bytes }),
  drop: async () => {},
};

const coder = loadCoder(undefined);

function openPage() {
  const { commit } = createCommit({
    js,
    ports: browserPorts,
    subjects: createSubjects('ann'),
    coder,
    onStored: () => {},
  });
  return {
    ...createTidy(commit, data, coder),
    write: (seq: number) =>
      commit('a', () => ({ head: { seq, after: seq - 1, row: '', updatedAt: seq, size: 10_000 * seq, folded: 0 } })),
    remove: () => commit('a', ({ head }) => ({ head: { ...(head as Head), isRemoved: true } })),
  };
}

/** The log as a page has read it up to now. */
function logNow() {
  const head = parseHead(lastOf()?.head ?? '') as Head;
  return { at: lastOf()?.at ?? 0, id: '', head, rows: [], uploads: [], damage: [], hasGap: false };
}
const heads = (): readonly (Head | undefined)[] => messages.map(({ head }) => parseHead(head));

describe('a log whose numbers differ from server to server', () => {
  it('is compacted', async () => {
    const page = openPage();
    await page.write(1);
    const log = logNow();
    drift = -1;
    await page.compact('a', log);
    expect(heads()).toMatchObject([{ seq: 1, nth: 2, isCompaction: true, isWhole: true }]);
  });

  it('is not compacted where another page has gone on, and its message has the number of the last one that was read', async () => {
    const page = openPage();
    await page.write(1);
    const log = logNow();
    drift = -1;
    await openPage().write(2);
    expect(lastOf()?.at).toBe(log.at);
    await page.compact('a', log);
    expect(heads()).toMatchObject([
      { seq: 1, nth: 1 },
      { seq: 2, nth: 2 },
    ]);
  });

  it('is erased once it was removed', async () => {
    const page = openPage();
    await page.write(1);
    await page.remove();
    drift = 1;
    await page.erase('a', 2);
    expect(heads()).toMatchObject([{ nth: 3, isRemoved: true, isErased: true }]);
  });

  it('is not erased where it was restored and removed again', async () => {
    const page = openPage();
    for (const step of [() => page.write(1), page.remove, () => page.write(2), page.remove]) await step();
    drift = -2;
    await page.erase('a', 2);
    expect(heads().at(-1)).not.toHaveProperty('isErased');
    expect(heads()).toHaveLength(4);
  });
});
