import { named } from '../../core/model/shapes/named.ts';
import { type AgentError, fail, toAgentError } from '../../core/error.ts';
import type { SessionEvent } from '../../core/model/event.ts';
import type { SessionStore } from '../../core/model/store.ts';
import type { CostOf } from '../usage.ts';
import { sessionIds } from '../../storage/files/session-ids.ts';
import { toCsv } from './csv.ts';
import { createTally, type UsageKey } from './tally.ts';

/** Where the sessions come from: a store, or the logs of sessions. */
export type UsageSource =
  | Pick<SessionStore, 'list' | 'read'>
  | Iterable<readonly SessionEvent[]>
  | AsyncIterable<readonly SessionEvent[]>;

/** Options of `usageReport`. */
export interface UsageReportOptions {
  /** What a row stands for. */
  readonly by: UsageKey;
  readonly format: 'csv' | 'json';
  /** Time zone of the days, as an IANA name. Default `UTC`. */
  readonly timeZone?: string;
  /** Adds the column `cost`, which is empty in a row with an unknown price. Not for `by: 'tool'`. */
  readonly cost?: CostOf;
  /** Called for each session that cannot be read (`error`) or was removed meanwhile (`undefined`); the others are counted. */
  readonly onSkip?: (sessionId: string, error: AgentError | undefined) => void;
}

/**
 * Returns the tokens of all sessions by day or model, or the calls by tool, as CSV (RFC 4180) or JSON (`{ by, rows }`). One session is
 * in memory at a time. A cell that a spreadsheet would take for a formula begins with `'`.
 *
 *     const csv = await usageReport(store, { by: 'day', format: 'csv', timeZone: 'Europe/Berlin' });
 *
 * Rejects with AgentError `INVALID_INPUT` for an unknown time zone, and with the store's error where the list cannot be read.
 */
export async function usageReport(source: UsageSource, options: UsageReportOptions): Promise<string> {
  const {
    by,
    format,
    timeZone = 'UTC',
    cost,
    onSkip,
  } = named(options, { by: true, format: true, timeZone: true, cost: true, onSkip: true }, 'usageReport');
  const tally = createTally({ by, timeZone, dayOf: dayIn(timeZone), cost });
  for await (const log of logsOf(source, onSkip)) tally.add(log);
  const { columns, rows } = tally.end();
  return format === 'csv' ? toCsv(columns, rows) : JSON.stringify({ by, rows });
}

/** Returns a function that returns the day of a time, such as `2026-01-31`. */
function dayIn(timeZone: string): (at: number) => string {
  try {
    const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', calendar: 'iso8601' });
    return (at) => format.format(at);
  } catch {
    return fail(
      'INVALID_INPUT',
      `\`timeZone\` is ${timeZone}, which is not an IANA time zone: pass a name such as Europe/Berlin.`,
    );
  }
}

async function* logsOf(
  source: UsageSource,
  onSkip: UsageReportOptions['onSkip'],
): AsyncGenerator<readonly SessionEvent[], void> {
  if (!('read' in source)) {
    yield* source;
    return;
  }
  for await (const id of sessionIds(source)) {
    const stored = await source.read(id).catch((thrown: unknown) => toAgentError(thrown, 'STORAGE_FAILED'));
    if (stored === undefined || stored instanceof Error) onSkip?.(id, stored);
    else yield stored.events;
  }
}
