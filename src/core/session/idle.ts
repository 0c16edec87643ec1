import type { Ports } from '../ports.ts';

interface Idler {
  readonly isIdle: () => boolean;
  readonly getState: () => { readonly seq: number };
}

/** Unloads sessions that have been idle, and have not changed, for at least `ms`. Returns a function that stops this. */
export function unloadIdle(
  sessions: ReadonlyMap<string, Idler>,
  unload: (sessionId: string) => void,
  ms: number,
  { delay }: Pick<Ports, 'delay'>,
): () => void {
  let cancel = (): void => {};
  /** `seq` by id of the sessions that were idle at the previous check. */
  let idle = new Map<string, number>();

  function check(): void {
    const before = idle;
    idle = new Map();
    for (const [id, session] of sessions) {
      const { seq } = session.getState();
      if (!session.isIdle()) continue;
      if (before.get(id) === seq) unload(id);
      else idle.set(id, seq);
    }
    schedule();
  }

  function schedule(): void {
    cancel = delay(check, ms, true);
  }

  schedule();
  return () => cancel();
}
