// Logs of one session on two sides, for tests of what is decided by them.

import type { EventBody, SessionEvent } from '../../src/core/model/event.ts';
import type { LogState } from '../../src/sync/replica/classify.ts';
import { untyped } from '../support/untyped.ts';

export const at = (seq: number, body: EventBody, since?: number): SessionEvent => ({
  ...body,
  seq,
  at: seq,
  v: 2,
  ...(since !== undefined && { since }),
});
export const started = at(1, { type: 'session.started', sessionId: 's' });
export const says = (seq: number, text: string): SessionEvent =>
  at(seq, {
    type: 'message.added',
    message: { id: text, role: 'user', timestamp: 1, content: [{ type: 'text', text }] },
  });
export const moved = (event: SessionEvent, seq: number): SessionEvent => ({ ...event, seq });
/** What stays the same event at another place has the same time. */
export const named = (seq: number, title: string): SessionEvent => ({
  ...at(seq, { type: 'session.renamed', title }),
  at: 3,
});
export const ended = (seq: number, outcome: 'interrupted' | 'completed'): SessionEvent =>
  at(seq, untyped({ type: 'run.ended', runId: 'r', outcome }));
export const delta = (seq: number, text: string, since?: number): SessionEvent =>
  at(seq, untyped({ type: 'text.delta', text }), since);
export const decided = (seq: number, decidedBy: 'user' | 'timeout'): SessionEvent =>
  at(seq, { type: 'approval.decided', callId: 'c', verdict: 'rejected', decidedBy });

export const shared = [started, says(2, 'one')];

export interface LogOptions {
  readonly seq?: number;
  readonly writeId?: string;
  readonly device?: string;
  readonly damage?: string;
  readonly isUntouchedFork?: boolean;
}

/** The log of a side. The write `a/1` is the last one that both sides have. */
export function log(events: readonly SessionEvent[], options: LogOptions = {}): LogState {
  const { seq = events.at(-1)?.seq ?? 2, writeId = `a/${seq}`, device, damage, isUntouchedFork = false } = options;
  const stored = { summary: { id: 's', seq, updatedAt: seq }, events, writeId, ...(damage && { damage }) };
  return { is: 'log', stored: untyped(stored), device, isUntouchedFork };
}
