import { fail } from '../core/error.ts';
import type { Ports } from '../core/ports.ts';

/** Locks keys some time after their last use. */
export interface AutoLock {
  /** Notes a use of the keys; `at` (ms since the epoch): one in another tab. */
  use(at?: number): void;
  /** Counts from this use on: ms since the epoch. */
  countFrom(at: number): void;
  /** Returns when the keys were used last: ms since the epoch. */
  usedAt(): number;
  /** Counts the time while the keys can be locked. */
  watch(canLock: boolean): void;
  /** Locks the keys if the time is over: the timer of a page that was frozen comes late. */
  check(): void;
  /** Replaces the time without a use; locks the keys if it is over already. */
  setTime(ms: number): void;
  /** ms without a use. */
  getTime(): number;
}

/** @param ms time without a use after which `lock` is called; `Infinity`: never. @throws AgentError `INVALID_CONFIG` */
export function createAutoLock(ms: number, lock: () => void, { now, delay }: Pick<Ports, 'now' | 'delay'>): AutoLock {
  let time = checkTime(ms);
  let lastUse = now();
  let isWatching = false;
  let stopTimer = (): void => {};

  function watch(canLock: boolean): void {
    isWatching = canLock;
    stopTimer();
    stopTimer = canLock && time !== Infinity ? delay(check, lastUse + time - now(), true) : () => {};
  }

  function check(): void {
    if (now() - lastUse >= time) lock();
    else watch(isWatching);
  }

  function setTime(next: number): void {
    time = checkTime(next);
    check();
  }

  return {
    use: (at) => void (lastUse = at === undefined ? now() : Math.max(lastUse, at)),
    countFrom: (at) => void (lastUse = at),
    usedAt: () => lastUse,
    watch,
    check,
    setTime,
    getTime: () => time,
  };
}

function checkTime(ms: number): number {
  return ms > 0 ? ms : fail('INVALID_CONFIG', `autoLock must be a positive number of ms, not ${ms}.`);
}
