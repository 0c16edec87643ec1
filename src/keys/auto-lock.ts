import type { Ports } from '../core/ports.ts';

/** Locks keys some time after their last use. */
export interface AutoLock {
  /** Notes a use of the keys. */
  use(): void;
  /** Counts the time while the keys can be locked. */
  watch(canLock: boolean): void;
  /** Locks the keys if the time is over: the timer of a page that was frozen comes late. */
  check(): void;
}

/** @param ms time without a use after which `lock` is called; `Infinity`: never */
export function createAutoLock(ms: number, lock: () => void, { now, delay }: Pick<Ports, 'now' | 'delay'>): AutoLock {
  let usedAt = now();
  let isWatching = false;
  let stopTimer = (): void => {};

  function watch(canLock: boolean): void {
    isWatching = canLock;
    stopTimer();
    stopTimer = canLock && ms !== Infinity ? delay(check, usedAt + ms - now(), true) : () => {};
  }

  function check(): void {
    if (now() - usedAt >= ms) lock();
    else watch(isWatching);
  }

  return { use: () => void (usedAt = now()), watch, check };
}
