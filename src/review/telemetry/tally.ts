import type { SessionEvent } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/message.ts';
import { upcastLog } from '../../core/model/upcast.ts';
import type { CostOf } from '../usage.ts';
import type { Row } from './csv.ts';

/** What a row of a report stands for. */
export type UsageKey = 'day' | 'model' | 'tool';

interface TallyOptions {
  readonly by: UsageKey;
  readonly timeZone: string;
  readonly dayOf: (at: number) => string;
  readonly cost: CostOf | undefined;
}

/** The sums of many sessions. */
export interface Tally {
  add(log: readonly SessionEvent[]): void;
  end(): { readonly columns: readonly string[]; readonly rows: readonly Row[] };
}

const tokens = ['input', 'output', 'cached', 'reasoning', 'cacheRead', 'cacheWritten'] as const;
const ofUsage = ['sessions', 'requests', 'compactions', ...tokens] as const;
const ofTool = ['sessions', 'requested', 'started', 'succeeded', 'failed', 'rejected', 'durationMs'] as const;

/** The sums of one row. */
type Sums = Map<string, number>;

export function createTally({ by, timeZone, dayOf, cost }: TallyOptions): Tally {
  const rows = new Map<string, Sums>();
  const columns = by === 'tool' ? ofTool : ofUsage;
  const hasCost = cost !== undefined && by !== 'tool';

  const startOf = (key: string): Row => (by === 'day' ? { day: key, timeZone } : { [by]: key });

  function addTo(key: string, column: string, amount = 1): void {
    const sums: Sums = rows.get(key) ?? new Map();
    rows.set(key, sums.set(column, (sums.get(column) ?? 0) + amount));
  }

  function addUsage(key: string, usage: Usage, model: string | undefined): void {
    for (const name of tokens) addTo(key, name, usage[name] ?? 0);
    // An unknown price makes the sum unknown.
    if (hasCost) addTo(key, 'cost', cost(usage, model) ?? NaN);
  }

  function addRequests(log: readonly SessionEvent[]): ReadonlySet<string> {
    const keys = new Set<string>();
    let asked: string | undefined;
    for (const event of log) {
      if (event.type === 'reply.started') asked = event.request?.model;
      const isReply = event.type === 'reply.ended';
      if (!isReply && (event.type === 'reply.started' || !('usage' in event))) continue;
      const model = event.model ?? (isReply ? asked : undefined);
      const key = by === 'day' ? dayOf(event.at) : (model ?? 'unknown');
      keys.add(key);
      addTo(key, isReply ? 'requests' : 'compactions');
      if (event.usage) addUsage(key, event.usage, model);
    }
    return keys;
  }

  return {
    add(log) {
      const events = upcastLog(log);
      const keys = by === 'tool' ? addCalls(events, addTo) : addRequests(events);
      for (const key of keys) addTo(key, 'sessions');
    },
    end: () => ({
      columns: [...Object.keys(startOf('')), ...columns, ...(hasCost ? ['cost'] : [])],
      rows: [...rows]
        .toSorted(([one], [other]) => (one < other ? -1 : Number(one > other)))
        .map(([key, sums]) => toRow(startOf(key), columns, sums)),
    }),
  };
}

function toRow(start: Row, columns: readonly string[], sums: Sums): Row {
  const cost = sums.get('cost');
  return {
    ...start,
    ...Object.fromEntries(columns.map((column) => [column, sums.get(column) ?? 0])),
    ...(cost !== undefined && !Number.isNaN(cost) && { cost }),
  };
}

type AddTo = (key: string, column: string, amount?: number) => void;

/** Adds the calls of a log by their tool. Returns the tools. */
function addCalls(log: readonly SessionEvent[], addTo: AddTo): ReadonlySet<string> {
  const names = new Map<string, string>();
  const startedAt = new Map<string, number>();
  for (const event of log) {
    if (event.type === 'call.requested' && !names.has(event.callId)) {
      names.set(event.callId, event.name);
      addTo(event.name, 'requested');
    }
    const name = 'callId' in event ? names.get(event.callId) : undefined;
    if (name === undefined) continue;
    if (event.type === 'call.started') {
      if (!startedAt.has(event.callId)) addTo(name, 'started');
      startedAt.set(event.callId, event.at);
    }
    if (event.type === 'approval.decided' && event.verdict === 'rejected') addTo(name, 'rejected');
    if (event.type === 'call.ended') {
      const { callId, outcome, at } = event;
      if (outcome === 'succeeded') addTo(name, 'succeeded');
      else if (outcome !== 'cancelled') addTo(name, 'failed');
      addTo(name, 'durationMs', at - (startedAt.get(callId) ?? at));
    }
  }
  return new Set(names.values());
}
