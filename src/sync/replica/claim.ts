import { AgentError } from '../../core/error.ts';
import type { SessionWrite } from '../../core/model/store.ts';
import type { Claims } from './claims.ts';
import type { SyncHost } from './remote.ts';
import { isClaim } from './store-claim.ts';

/** ms until a claim that found no connection, or was refused again, is tried again; doubled with each try. */
const firstTry = 250;

/** Why the last try did not store a claim; `cause` where it found no connection. */
interface Failure {
  readonly isRefused: boolean;
  readonly cause?: unknown;
}

interface Trial {
  readonly write: SessionWrite;
  readonly isLate: () => boolean;
  readonly note: (failure: Failure) => void;
}

/**
 * Tries until a claim is stored. Resolves with whether it is: the claim may be late, or the store closed. The remote store may be another one with
 * each try, or none: what waits goes to the one that is connected.
 */
async function tryUntil({ write, isLate, note }: Trial, host: SyncHost): Promise<boolean> {
  let isFirstRefusal = true;
  for (let wait = firstTry; !isLate() && !host.signal.aborted;) {
    const outcome = await host.current()?.tryClaim(write, isLate);
    if (outcome?.is === 'stored') return true;
    if (outcome)
      note({ isRefused: outcome.is === 'refused', ...(outcome.is === 'unreached' && { cause: outcome.cause }) });
    // Another device was first. A remote store that refuses more than once is asked with pauses.
    if (outcome?.is === 'refused' && isFirstRefusal) {
      isFirstRefusal = false;
      continue;
    }
    const pause = wait;
    await new Promise<void>((resolve) => host.ports.delay(resolve, pause));
    wait *= 2;
  }
  return false;
}

/**
 * Returns what stores a write that may be a claim: on the remote store before it is stored here.
 *
 * @param timeout ms that a claim waits for the remote store
 */
export function createClaim(claims: Claims, timeout: number, host: SyncHost): (write: SessionWrite) => Promise<void> {
  const { local, ports, waiting, onSync } = host;
  return async (write) => {
    const { sessionId } = write;
    if (!(await isClaim(write, local, claims))) return local.write(write);
    let isLate = false;
    let failure: Failure | undefined;
    let cancelTimer = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancelTimer = ports.delay(() => {
        isLate = true;
        reject(notStored(failure));
      }, timeout);
    });
    waiting.set(sessionId, ports.now());
    onSync(sessionId);
    try {
      const trial: Trial = { write, isLate: () => isLate, note: (its) => void (failure = its) };
      if (!(await Promise.race([tryUntil(trial, host), late]))) throw notStored(failure);
    } finally {
      cancelTimer();
      waiting.delete(sessionId);
      onSync(sessionId);
    }
  };
}

/** The error of a claim that could not be stored in time. */
function notStored({ isRefused, cause }: Failure = { isRefused: false }): AgentError {
  const reason = isRefused
    ? 'The remote store has refused the claim of the call, since others were first'
    : 'The remote store could not be reached';
  return new AgentError(`${reason}: the call has not begun. Try again${isRefused ? '' : ' online'}.`, {
    code: 'STORAGE_UNAVAILABLE',
    retryable: true,
    cause,
  });
}
