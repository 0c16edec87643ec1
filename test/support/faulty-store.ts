import { AgentError, type SessionStore } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';

/** What goes wrong with a write. */
export type StoreFault =
  /** Nothing is written. */
  | 'refused'
  /** There is no space. */
  | 'full'
  /** It is written, and reported as failed. */
  | 'lied'
  /** It is written after a while. */
  | 'late'
  /** It is written when the faults are over, and not before. */
  | 'hung';

/** A store that fails when it is told to. */
export interface FaultyStore {
  readonly store: SessionStore;
  /** What goes wrong with the next writes, one each. */
  arm(faults: readonly StoreFault[]): void;
  /** Refuses as full what would make more than this many bytes of JSON, written all in all. */
  limit(bytes: number): void;
  /** From now on all goes well. */
  heal(): void;
}

export function createFaultyStore(inner: SessionStore): FaultyStore {
  let armed: readonly StoreFault[] = [];
  let left = Infinity;
  let heal = (): void => {};
  let healed = new Promise<void>((resolve) => (heal = resolve));

  /** As transactions do, writes wait for those before them. Those that wait for nobody begin within the call. */
  let last: Promise<void> | undefined;

  function write(its: SessionWrite): Promise<void> {
    const [fault, ...rest] = armed;
    armed = rest;
    const over = healed;
    const mine = last === undefined ? fulfil(its, fault, over) : last.then(() => fulfil(its, fault, over));
    if (last === undefined && fault !== 'late' && fault !== 'hung') return mine;
    const done = mine
      .catch(() => {})
      .then(() => {
        if (last === done) last = undefined;
      });
    last = done;
    return mine;
  }

  async function fulfil(its: SessionWrite, fault: StoreFault | undefined, over: Promise<void>): Promise<void> {
    const size = JSON.stringify(its).length;
    if (fault === 'full' || size > left) throw new AgentError('There is no space left.', { code: 'QUOTA_EXCEEDED' });
    if (fault === 'refused') throw new AgentError('It failed.', { code: 'STORAGE_FAILED' });
    if (fault === 'hung') await over;
    for (let turn = 0; turn < (fault === 'late' ? 40 : 0); turn++) await Promise.resolve();
    await inner.write(its);
    left -= size;
    if (fault === 'lied') throw new AgentError('It seems to have failed.', { code: 'STORAGE_FAILED' });
  }

  return {
    store: { ...inner, write },
    arm: (faults) => void (armed = faults),
    limit: (bytes) => void (left = bytes),
    heal() {
      armed = [];
      left = Infinity;
      heal();
      healed = new Promise((resolve) => (heal = resolve));
    },
  };
}
