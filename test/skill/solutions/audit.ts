import type { SessionStore } from 'brooklet';
import { createReview } from 'brooklet/review';

export interface Entry {
  readonly tool: string;
  readonly verdict: string | undefined;
  readonly userName: string | undefined;
}

export async function audit(store: SessionStore, sessionId: string): Promise<readonly Entry[]> {
  const stored = await store.read(sessionId);
  const { calls } = createReview(stored?.events ?? []);
  return calls.map(({ name, decision }) => ({
    tool: name,
    verdict: decision?.verdict,
    userName: decision?.userName,
  }));
}
