import { readFileSync } from 'node:fs';
import { AgentError, createAgent, type SessionEvent, type SessionStore } from 'brooklet';
import type { StoredSession } from 'brooklet/core';
import { createMemoryStore, exportSession, toMarkdown } from 'brooklet/storage';
import { createReview } from 'brooklet/review';
import { createScriptedClient } from 'brooklet/testing';
import { expect, test } from 'vitest';
import { toLog } from '../../src/storage/rows/to-log.ts';
import { toSearchText } from '../../src/storage/search-text.ts';
import { writeOf } from './raw.ts';

// A row that does not fit its type: written by another script, by a version with a bug, or on a broken disk.

const golden = readFileSync(new URL('golden/v2.jsonl', import.meta.url), 'utf8');
const log: readonly SessionEvent[] = golden
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const event: SessionEvent = JSON.parse(line);
    return event;
  });

/** What the IndexedDB store reads from these rows. */
function stored(values: readonly unknown[]): StoredSession {
  const { events, unread } = toLog(values);
  const { summary } = writeOf('s', log.length);
  return { summary, events, ...(unread.length > 0 && { damage: `${unread.length} of its events` }) };
}

/** Copies of a value in which one field, at any depth, is another value or missing. */
function* spoiled(value: unknown): Generator<unknown, void> {
  for (const odd of [null, 7, 'x', [], {}, [null], undefined]) yield odd;
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) for (const odd of spoiled(item)) yield value.with(index, odd);
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) for (const odd of spoiled(item)) yield { ...value, [key]: odd };
}

/** One event of each type, and its spoiled copies with the right envelope. */
const rows = [...new Map(log.map((event) => [event.type, event])).values()].flatMap(({ seq, at, v, type, ...body }) =>
  [...spoiled(body)]
    .filter((odd): odd is object => typeof odd === 'object' && odd !== null && !Array.isArray(odd))
    .map((odd) => ({ ...odd, type, seq, at, v })),
);

/** Does what a page does with a stored session. */
async function use(session: StoredSession): Promise<void> {
  exportSession(session);
  createReview(session.events).stateAt(Infinity);
  toSearchText('s', '', session.events);
  const memory = createMemoryStore();
  const store: SessionStore = { ...memory, read: async () => session, write: async () => {} };
  const agent = createAgent({ client: createScriptedClient([]), store });
  const { getState, getStatus, rename, updateMessage } = await agent.openSession('s');
  toMarkdown(getState());
  getStatus();
  for (const verb of [() => updateMessage('m1', (message) => message), () => rename('x')]) {
    try {
      verb();
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(AgentError);
    }
  }
}

test('a row that does not fit its type never throws but an AgentError', async () => {
  const failures: string[] = [];
  for (const row of rows) {
    const values = log.map((event) => (event.seq === row.seq ? row : event));
    await use(stored(values)).catch((thrown: unknown) => failures.push(`${String(thrown)} for ${JSON.stringify(row)}`));
  }
  expect(rows.length).toBeGreaterThan(500);
  expect(failures).toEqual([]);
});

test('a log without odd rows is read as a whole', () => {
  expect(stored(log)).toMatchObject({ events: log });
  expect(stored(log)).not.toHaveProperty('damage');
});
