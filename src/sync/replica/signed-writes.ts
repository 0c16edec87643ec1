import type { SessionStore, SessionWrite } from '../../core/model/store.ts';
import { type DecisionGuard, isDecision } from '../decision-guard.ts';
import type { Replication } from './remote.ts';

export interface SignedWritesEnv {
  readonly local: SessionStore;
  /** Signs while no remote store is connected. */
  readonly devices: DecisionGuard | undefined;
  readonly current: () => Replication | undefined;
}

/**
 * Returns the write of one tab: stored within the call, unless it is a claim or has a decision to be signed. Invariant: a write that follows
 * such a write waits for its end, since it builds on it.
 */
export function createSignedWrites(env: SignedWritesEnv): (write: SessionWrite) => Promise<void> {
  const { local } = env;
  /** The end of the last write of a session, for as long as a claim is under way. Never rejects. */
  const queues = new Map<string, Promise<void>>();
  const storeHere = (write: SessionWrite): Promise<void> => local.write(write);

  return (write) => {
    const { sessionId } = write;
    const replication = env.current();
    const devices = replication ? replication.devices : env.devices;
    // Without a remote store there is no other device that could run the same call.
    const store = replication?.mayClaim(write) ? replication.claim : storeHere;
    // The call of a decision may be in the write before.
    const storeSigned = (): Promise<void> => {
      const signed = devices?.sign(write, local) ?? write;
      return signed instanceof Promise ? signed.then(store) : store(signed);
    };
    const before = queues.get(sessionId);
    const isPlain = devices === undefined || !write.events.some(isDecision);
    if (before === undefined && store === storeHere && isPlain) return storeHere(write);
    const written = before === undefined ? storeSigned() : before.then(storeSigned);
    const end = written
      .catch(() => {})
      .then(() => {
        if (queues.get(sessionId) === end) queues.delete(sessionId);
      });
    queues.set(sessionId, end);
    return written;
  };
}
