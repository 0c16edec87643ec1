import type { SessionEvent, SessionStore } from 'brooklet';
import { createMemoryStore, exportSession, importSessions } from 'brooklet/storage';
import { usageReport, type UsageReportOptions } from 'brooklet/telemetry';
import { describe, expect, test } from 'vitest';
import { toEvents, toStored } from '../storage/arbitrary-log.ts';

const day = (text: string): number => Date.parse(text);

interface Answer {
  readonly at: string;
  readonly model?: string;
  readonly input?: number;
}

/** The log of a session with one answer for each entry. */
function sessionLog(id: string, answers: readonly Answer[]): readonly SessionEvent[] {
  const bodies = answers.flatMap(({ at, model, input = 10 }, index) =>
    [
      { type: 'run.started', runId: `r${index}` },
      { type: 'reply.started', messageId: `m${index}`, request: { model: 'asked' } },
      { type: 'reply.ended', finish: 'stop', usage: { input, output: 1 }, ...(model !== undefined && { model }) },
      { type: 'run.ended', runId: `r${index}`, outcome: 'completed' },
    ].map((body) => ({ body, at: day(at) })),
  );
  const events = toEvents(
    bodies.map(({ body }) => body),
    id,
  );
  return events.map((event, index) => ({ ...event, at: bodies[index - 1]?.at ?? event.at }));
}

async function storeOf(...logs: readonly (readonly SessionEvent[])[]): Promise<SessionStore> {
  const store = createMemoryStore();
  for (const [index, events] of logs.entries())
    await importSessions(store, exportSession(toStored(events, `s${index}`)));
  return store;
}

async function rowsOf(source: Parameters<typeof usageReport>[0], options: Omit<UsageReportOptions, 'format'>) {
  const { rows }: { rows: readonly Record<string, unknown>[] } = JSON.parse(
    await usageReport(source, { ...options, format: 'json' }),
  );
  return rows;
}

const late = '2026-01-31T23:30:00Z';

describe('a report of usage', () => {
  test('sums the tokens of all sessions of a store by day, in the time zone that it states', async () => {
    const store = await storeOf(
      sessionLog('s0', [{ at: late }, { at: '2026-02-01T12:00:00Z', input: 5 }]),
      sessionLog('s1', [{ at: late }]),
    );
    expect(await rowsOf(store, { by: 'day' })).toMatchObject([
      { day: '2026-01-31', sessions: 2, requests: 2, input: 20, output: 2 },
      { day: '2026-02-01', sessions: 1, requests: 1, input: 5, output: 1 },
    ]);
    expect(await rowsOf(store, { by: 'day', timeZone: 'Europe/Berlin' })).toMatchObject([
      { day: '2026-02-01', timeZone: 'Europe/Berlin', sessions: 2, requests: 3, input: 25 },
    ]);
    const csv = await usageReport(store, { by: 'day', format: 'csv' });
    expect(csv.split('\r\n').slice(0, 2)).toEqual([
      'day,timeZone,sessions,requests,compactions,input,output,cached,reasoning,cacheRead,cacheWritten',
      '2026-01-31,UTC,2,2,0,20,2,0,0,0,0',
    ]);
  });

  test('sums by the model that answered, else by the model that was asked', async () => {
    const rows = await rowsOf([sessionLog('s', [{ at: late, model: 'small' }, { at: late }])], { by: 'model' });
    expect(rows).toMatchObject([
      { model: 'asked', requests: 1 },
      { model: 'small', requests: 1 },
    ]);
  });

  test('adds costs, and leaves a cost empty that is not known', async () => {
    const log = sessionLog('s', [
      { at: late, model: 'a' },
      { at: late, model: 'b' },
    ]);
    const cost = ({ input }: { input: number }, model?: string) => (model === 'a' ? input * 2 : undefined);
    expect(await rowsOf([log], { by: 'model', cost })).toMatchObject([{ model: 'a', cost: 20 }, { model: 'b' }]);
    const csv = await usageReport([log], { by: 'model', format: 'csv', cost });
    expect(csv.split('\r\n').map((line) => line.split(',').at(-1))).toEqual(['cost', '20', '', '']);
  });

  test('counts the calls by tool', async () => {
    const calls = ['a', 'b', 'c'].map((callId) => ({
      type: 'call.requested',
      callId,
      name: 'pay',
      inputText: '{}',
      input: {},
    }));
    const decided = { type: 'approval.decided', callId: 'c', verdict: 'rejected', decidedBy: 'user' };
    const ended = (callId: string, outcome: string) => [
      { type: 'call.started', callId, attempt: 1 },
      { type: 'call.ended', callId, outcome },
    ];
    const log = toEvents([...calls, decided, ...ended('a', 'succeeded'), ...ended('b', 'failed')], 's');
    expect(await rowsOf([log], { by: 'tool' })).toEqual([
      { tool: 'pay', sessions: 1, requested: 3, started: 2, succeeded: 1, failed: 1, rejected: 1, durationMs: 2 },
    ]);
  });

  test('writes CSV in which no cell is a formula and no quote ends a cell', async () => {
    const models = ['=1+1', '+1', '-1', '@SUM(A1)', ' =1', '\t=1', 'a,"b"', 'a\nb', '＝1', 'plain'];
    const csv = await usageReport(
      [
        sessionLog(
          's',
          models.map((model) => ({ at: late, model })),
        ),
      ],
      {
        by: 'model',
        format: 'csv',
      },
    );
    const cells = parseCsv(csv);
    expect(cells[0]?.slice(0, 3)).toEqual(['model', 'sessions', 'requests']);
    const names = cells.slice(1).map(([name]) => name ?? '');
    expect(names.toSorted()).toEqual(
      ["'=1+1", "'+1", "'-1", "'@SUM(A1)", "' =1", "'\t=1", 'a,"b"', 'a\nb', "'＝1", 'plain'].toSorted(),
    );
    expect(new Set(cells.map(({ length }) => length)).size).toBe(1);
  });

  test('reads one session at a time, and reports the one that it cannot read', async () => {
    const store = await storeOf(
      sessionLog('s0', [{ at: late }]),
      sessionLog('s1', [{ at: late }]),
      sessionLog('s2', []),
    );
    let reading = 0;
    let most = 0;
    const skipped: unknown[] = [];
    const rows = await rowsOf(
      {
        list: store.list,
        async read(id) {
          most = Math.max(most, ++reading);
          const stored = await store.read(id);
          reading--;
          if (id === 's1') throw new Error('unreadable');
          return stored;
        },
      },
      { by: 'day', onSkip: (id, error) => skipped.push([id, error?.code]) },
    );
    expect([most, skipped]).toEqual([1, [['s1', 'STORAGE_FAILED']]]);
    expect(rows).toMatchObject([{ sessions: 1, requests: 1 }]);
  });

  test('refuses a time zone that does not exist', async () => {
    await expect(usageReport([], { by: 'day', format: 'csv', timeZone: 'Mars/Olympus' })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });
});

/** Reads CSV as RFC 4180 states. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [[]];
  for (const [, quoted, bare = '', end] of text.matchAll(cell)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\r\n') rows.push([]);
  }
  return rows.slice(0, -1);
}
