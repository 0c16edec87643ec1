import { defined } from '../json.ts';
import type { SessionState } from './state.ts';
import { statusOf } from './status.ts';
import type { SessionSummary } from './store.ts';
import { mostWaiting, waitingCalls } from './waiting.ts';

/** Returns the row of a state in the list of sessions. */
export function toSummary(state: SessionState): SessionSummary {
  const { id, path, title, createdAt, updatedAt, messages, usage, seq, metadata } = state;
  const counted = { status: statusOf(state), messageCount: messages.length };
  const calls = waitingCalls(state).slice(0, mostWaiting);
  const waiting = calls.length > 0 ? calls : undefined;
  const children = state.children?.length;
  return { id, title, createdAt, updatedAt, ...counted, usage, seq, ...defined({ path, children, metadata, waiting }) };
}

/** Whether a call of the session waits for a person, as the row of the session states it. */
export function waitsForPerson({ status, waiting }: Pick<SessionSummary, 'status' | 'waiting'>): boolean {
  // A row of an older version does not list the calls.
  return status === 'waiting' || waiting !== undefined;
}
