import { when } from '../log/current.ts';
import { eventVersion } from '../model/event.ts';
import { foldLog } from '../model/fold.ts';
import { type Salvage, salvage } from '../model/salvage.ts';
import { statusOf } from '../model/status.ts';
import type { SessionStore, StoredSession } from '../model/store.ts';
import type { Ports } from '../ports.ts';
import type { AgentSession } from './session.ts';

/** ms that opening a session waits at most for the end of a run that no tab drives. */
const longestRecovery = 1_000;

/**
 * Opens a session as a store has it. Resolves after the run that a vanished tab left open is closed.
 *
 * @param load returns the session with this state in memory
 */
export async function openStored<T extends Pick<AgentSession, 'status$'>>(
  sessionId: string,
  stored: StoredSession,
  locks: SessionStore['locks'],
  ports: Pick<Ports, 'delay'>,
  load: (state: Salvage) => T,
): Promise<T> {
  const loaded = toState(sessionId, stored);
  const isLeft = statusOf(loaded.state) === 'running' && (await locks?.isHeld?.(sessionId).catch(() => true)) === false;
  const session = load(loaded);
  if (isLeft) await whenRecovered(session, ports);
  return session;
}

/** Reduces a log to a state. */
function toState(sessionId: string, stored: StoredSession): Salvage {
  const { events, damage } = stored;
  try {
    if (damage === undefined && events.every(({ v }) => v === eventVersion))
      return { state: foldLog(sessionId, events) };
  } catch {
    // A log that passed the store's checks may still be malformed.
  }
  return salvage(sessionId, stored);
}

/** Resolves when the run is closed, or another tab has been faster, or after `longestRecovery`. */
async function whenRecovered(
  { status$ }: Pick<AgentSession, 'status$'>,
  { delay }: Pick<Ports, 'delay'>,
): Promise<void> {
  let cancelTimer = (): void => {};
  const late = new Promise<void>((resolve) => (cancelTimer = delay(resolve, longestRecovery)));
  await Promise.race([when(status$, (status) => status !== 'running'), late]);
  cancelTimer();
}
