import { AgentError, type SessionStore } from 'brooklet';
import type { SessionWrite } from 'brooklet/core';

/** A fault of one write. */
export type StoreFault =
  /** Nothing is written, and the write rejects. */
  | 'refused'
  /** Nothing is written for lack of space. */
  | 'full'
  /** The write is stored, and reported as failed. */
  | 'lied'
  /** The write is stored after a delay. */
  | 'late'
  /** The write is stored when the faults are over. */
  | 'hung';

/** A store that can be made to fail. */
export interface FaultyStore {
  readonly store: SessionStore;
  /** Sets the faults of the next writes, one each. */
  arm(faults: readonly StoreFault[]): void;
  /** Rejects writes as `full` above this many bytes of JSON in total. */
  limit(bytes: number): void;
  /** Removes all faults. */
  heal(): void;
}

export function createFaultyStore(inner: SessionStore): FaultyStore {
  let armed: readonly StoreFault[] = [];
  let left = Infinity;
  let heal = (): void => {};
  let healed = new Promise<void>((resolve) => (heal = resolve));

  /** As with transactions, a write waits for earlier ones. A write without earlier ones begins within its call. */
  let last: Promise<void> | undefined;

  function write(wanted: SessionWrite): Promise<void> {
    const [fault, ...rest] = armed;
    armed = rest;
    const over = healed;
    const written = last === undefined ? perform(wanted, fault, over) : last.then(() => perform(wanted, fault, over));
    if (last === undefined && fault !== 'late' && fault !== 'hung') return written;
    const done = written
      .catch(() => {})
      .then(() => {
        if (last === done) last = undefined;
      });
    last = done;
    return written;
  }

  async function perform(wanted: SessionWrite, fault: StoreFault | undefined, over: Promise<void>): Promise<void> {
    const size = JSON.stringify(wanted).length;
    if (fault === 'full' || size > left) throw new AgentError('There is no space left.', { code: 'QUOTA_EXCEEDED' });
    if (fault === 'refused') throw new AgentError('The write was refused.', { code: 'STORAGE_FAILED' });
    if (fault === 'hung') await over;
    for (let turn = 0; turn < (fault === 'late' ? 40 : 0); turn++) await Promise.resolve();
    await inner.write(wanted);
    left -= size;
    if (fault === 'lied') throw new AgentError('The write is reported as failed.', { code: 'STORAGE_FAILED' });
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
