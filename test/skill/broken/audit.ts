import type { SessionStore } from 'brooklet';
import { createReview } from 'brooklet/review';

export interface Entry {
  readonly tool: string;
  readonly verdict: string | undefined;
  readonly userName: string | undefined;
}

/** Lists only the calls that have run. */
export async function audit(store: SessionStore, sessionId: string): Promise<readonly Entry[]> {
  const stored = await store.read(sessionId);
  const { calls } = createReview(stored?.events ?? []);
  return calls
    .filter(({ outcome }) => outcome === 'succeeded')
    .map(({ name, decision }) => ({ tool: name, verdict: decision?.verdict, userName: decision?.userName }));
}
