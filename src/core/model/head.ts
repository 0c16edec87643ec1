import type { SessionState } from './state.ts';
import { statusOf } from './status.ts';
import type { SessionHead } from './store.ts';

/** The row of the session list that sums up a state. */
export function toHead(state: SessionState): SessionHead {
  const { id, title, createdAt, updatedAt, messages, usage, seq } = state;
  return { id, title, createdAt, updatedAt, status: statusOf(state), messageCount: messages.length, usage, seq };
}
