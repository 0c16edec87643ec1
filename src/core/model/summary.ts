import { defined } from '../json.ts';
import type { SessionState } from './state.ts';
import { statusOf } from './status.ts';
import type { SessionSummary } from './store.ts';

/** Returns the row of a state in the list of sessions. */
export function toSummary(state: SessionState): SessionSummary {
  const { id, title, createdAt, updatedAt, messages, usage, seq, metadata } = state;
  const counted = { status: statusOf(state), messageCount: messages.length };
  return { id, title, createdAt, updatedAt, ...counted, usage, seq, ...defined({ metadata }) };
}
