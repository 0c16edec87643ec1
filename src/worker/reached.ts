import { when } from '../core/log/current.ts';
import type { Ports } from '../core/ports.ts';
import type { AgentSession } from '../core/session/session.ts';

/** ms after which the other side is not waited for any longer: it may have events that its store does not take. */
const longest = 3_000;

/** Resolves when the log of a session has been read as far as `seq`, or its session is closed, or after `longest`. */
export async function reached(
  { state$ }: Pick<AgentSession, 'state$'>,
  seq: number,
  { delay }: Pick<Ports, 'delay'>,
): Promise<void> {
  let cancelTimer = (): void => {};
  const late = new Promise<void>((resolve) => (cancelTimer = delay(resolve, longest)));
  await Promise.race([when(state$, (state) => state.seq >= seq), late]);
  cancelTimer();
}
