import { AgentError } from '../../core/error.ts';
import type { SessionWrite } from '../../core/model/store.ts';
import type { Claims } from './claims.ts';
import type { SyncHost } from './remote.ts';
import { isClaim } from './store-claim.ts';

/** ms until a claim that found no connection, or was refused again, is tried again; doubled with each try. */
const firstTry = 250;

/** Tries until a claim is stored. The remote store may be another one with each try, or none: what waits goes to the one that is connected. */
async function tryUntil(write: SessionWrite, isLate: () => boolean, host: SyncHost): Promise<void> {
  let failure: unknown;
  let isFirstRefusal = true;
  for (let wait = firstTry; !isLate() && !host.signal.aborted;) {
    const outcome = await host.current()?.tryClaim(write, isLate);
    if (outcome?.is === 'stored') return;
    if (outcome?.is === 'unreached') failure = outcome.cause;
    // Another device was first. A remote store that refuses more than once is asked with pauses.
    if (outcome?.is === 'refused' && isFirstRefusal) {
      isFirstRefusal = false;
      continue;
    }
    const pause = wait;
    await new Promise<void>((resolve) => host.ports.delay(resolve, pause));
    wait *= 2;
  }
  throw noAnswer(failure);
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
    let cancelTimer = (): void => {};
    const late = new Promise<never>((_, reject) => {
      cancelTimer = ports.delay(() => {
        isLate = true;
        reject(noAnswer(undefined));
      }, timeout);
    });
    waiting.set(sessionId, ports.now());
    onSync(sessionId);
    try {
      await Promise.race([tryUntil(write, () => isLate, host), late]);
    } finally {
      cancelTimer();
      waiting.delete(sessionId);
      onSync(sessionId);
    }
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
