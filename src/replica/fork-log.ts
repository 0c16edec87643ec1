import { eventVersion, type EventBody, type SessionEvent } from '../core/model/event.ts';
import { evolve } from '../core/model/evolve.ts';
import { sealCalls } from '../core/model/parts.ts';
import { foldLog } from '../core/model/fold.ts';
import { allMessages, openRun } from '../core/model/state.ts';
import { toSummary } from '../core/model/summary.ts';
import type { SessionSummary } from '../core/model/store.ts';

/**
 * Returns the log that keeps what this device had, as a session of its own. Pure.
 *
 * Invariant: no call of it can run, approved or not, begun or not: the other device may have run it. Whoever resumes the run has the model
 * asked again, and decides again.
 *
 * @param toTitle makes the title of the fork
 */
export function toForkLog(
  events: readonly SessionEvent[],
  forkId: string,
  toTitle: (title: string) => string,
): { readonly events: readonly SessionEvent[]; readonly summary: SessionSummary } {
  const log = events.map((event) => (event.type === 'session.started' ? { ...event, sessionId: forkId } : event));
  let state = foldLog(forkId, log);
  const closing: SessionEvent[] = [];
  const append = (body: EventBody): void => {
    const event: SessionEvent = { ...body, seq: state.seq + 1, at: state.updatedAt, v: eventVersion };
    closing.push(event);
    state = evolve(state, event);
  };
  const run = openRun(state);
  if (run) append({ type: 'run.ended', runId: run.id, outcome: 'interrupted' });
  if (
    allMessages(state)
      .concat(state.replaced)
      .some((message) => sealCalls(message) !== message)
  )
    append({ type: 'session.imported' });
  append({ type: 'session.renamed', title: toTitle(state.title) });
  return { events: [...log, ...closing], summary: toSummary(state) };
}
