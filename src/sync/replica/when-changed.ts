import type { SessionStore } from '../../core/model/store.ts';
import type { Ports } from '../../core/ports.ts';

/** ms until a tab asks again whether another device still runs a session. */
const askAgain = 2_000;

/** Resolves when a session may have changed, and after some seconds. Resolves with whether the session may have changed. */
export function whenChanged(
  id: string,
  signal: AbortSignal,
  { changes$ }: Pick<SessionStore, 'changes$'>,
  ports: Pick<Ports, 'delay'>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const subscription = changes$.subscribe((changed) => changed === id && done(true));
    const cancel = ports.delay(() => done(false), askAgain);
    const onAbort = (): void => done(false);
    signal.addEventListener('abort', onAbort);
    function done(hasChanged: boolean): void {
      cancel();
      signal.removeEventListener('abort', onAbort);
      subscription.unsubscribe();
      resolve(hasChanged);
    }
  });
}
