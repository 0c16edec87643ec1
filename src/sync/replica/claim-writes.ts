import { AgentError } from '../../core/error.ts';
import type { SessionStore, SessionWrite } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';
import { type DecisionGuard, isDecision } from '../decision-guard.ts';
import { type Claims, mayClaim } from './claims.ts';
import { type ClaimEnv, isClaim, storeClaim } from './store-claim.ts';

/** What claims need of the connection to a remote store. */
export interface ClaimLink extends Pick<ClaimEnv, 'remote' | 'bases' | 'syncNow'> {
  readonly devices: DecisionGuard | undefined;
  readonly exclusively: <T>(sessionId: string, work: () => Promise<T>) => Promise<T>;
  /** Whether the remote store could not be reached. */
  readonly isFailure: (thrown: unknown) => boolean;
  /** The remote store has refused a claim, or has not answered: it may have more than is known here. */
  readonly onDoubt: (sessionId: string) => void;
  readonly isClosed: () => boolean;
}

export interface ClaimWritesEnv {
  readonly local: SessionStore;
  readonly device: string;
  readonly ports: Pick<Ports, 'id' | 'delay' | 'now'>;
  readonly claims: Claims;
  /** Signs while no remote store is connected. */
  readonly devices: DecisionGuard | undefined;
  /** Returns the connection to the remote store; `undefined` where none is connected. */
  readonly link: () => ClaimLink | undefined;
  /** ms that a claim waits for the remote store. */
  readonly timeout: number;
  /** A claim begins to wait, or waits no longer. */
  readonly onWait: (sessionId: string) => void;
  /** Aborts when the synced store is closed. */
  readonly signal: AbortSignal;
}

/** The writes of one tab, of which some have to be on the remote store before they are stored here. */
export interface ClaimWrites {
  /**
   * Stores a write: within this call, unless it is a claim or has a decision to be signed. Invariant: a write that follows such a write waits
   * for its end, since it builds on it.
   */
  write(write: SessionWrite): Promise<void>;
  /** Since when the session has a claim that waits: ms since the epoch. */
  since(sessionId: string): number | undefined;
}

/** ms until a claim that found no connection is tried again; doubled with each try. */
const firstTry = 250;

export function createClaimWrites(env: ClaimWritesEnv): ClaimWrites {
  const { local, device, ports, claims, timeout, onWait, signal } = env;
  const waiting = new Map<string, number>();
  /** The end of the last write of a session, for as long as a claim is under way. Never rejects. */
  const queues = new Map<string, Promise<void>>();

  async function tryUntil(write: SessionWrite, isLate: () => boolean): Promise<void> {
    const { sessionId } = write;
    let failure: unknown;
    for (let wait = firstTry; !isLate() && !signal.aborted;) {
      // The remote store may be another one with each try, or none: what waits goes to the one that is connected.
      const link = env.link();
      try {
        if (link !== undefined) {
          const claimEnv: ClaimEnv = { ...link, local, device, newId: ports.id, isLate };
          if (await link.exclusively(sessionId, () => storeClaim(write, claimEnv))) return;
          link.onDoubt(sessionId);
          continue;
        }
      } catch (thrown) {
        const isReplaced = link?.isClosed() === true && !signal.aborted;
        if (!link?.isFailure(thrown) && !isReplaced) throw thrown;
        failure = thrown;
        link?.onDoubt(sessionId);
      }
      const pause = wait;
      await new Promise<void>((resolve) => ports.delay(resolve, pause));
      wait *= 2;
    }
    throw noAnswer(failure);
  }

  const storeHere = (write: SessionWrite): Promise<void> => local.write(write);

  async function claim(write: SessionWrite): Promise<void> {
    const { sessionId } = write;
    if (!(await isClaim(write, local, claims))) return local.write(write);
    let isLate = false;
    let cancelTimer = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancelTimer = ports.delay(() => {
        isLate = true;
        reject(noAnswer(undefined));
      }, timeout);
    });
    waiting.set(sessionId, ports.now());
    onWait(sessionId);
    try {
      await Promise.race([tryUntil(write, () => isLate), late]);
    } finally {
      cancelTimer();
      waiting.delete(sessionId);
      onWait(sessionId);
    }
  }

  return {
    write(write) {
      const { sessionId } = write;
      const link = env.link();
      const devices = link?.devices ?? env.devices;
      // Without a remote store there is no other device that could run the same call.
      const store = link !== undefined && mayClaim(write, claims) ? claim : storeHere;
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
    },
    since: (sessionId) => waiting.get(sessionId),
  };
}

/** The error of a claim that could not be stored in time. */
function noAnswer(cause: unknown): AgentError {
  return new AgentError('The remote store could not be reached: the call has not begun. Try again online.', {
    code: 'STORAGE_UNAVAILABLE',
    retryable: true,
    cause,
  });
}
