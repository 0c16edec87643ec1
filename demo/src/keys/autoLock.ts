import { readLocal, writeLocal } from '../local.ts';

const key = 'brooklet-studio:auto-lock';

/** Minutes without a request after which stored keys are locked; 0: when the page closes. */
export const autoLockChoices = [5, 15, 60, 0] as const;
export type AutoLockMinutes = (typeof autoLockChoices)[number];

export const getAutoLock = (): AutoLockMinutes => toAutoLock(readLocal(key));

/** Returns the choice that a text names; 15 minutes for any other text. */
export function toAutoLock(text: string | null): AutoLockMinutes {
  return autoLockChoices.find((minutes) => String(minutes) === text) ?? 15;
}

export function storeAutoLock(minutes: AutoLockMinutes): void {
  writeLocal(key, String(minutes));
}

/** Returns the time as the vault takes it. */
export function toMs(minutes: AutoLockMinutes): number {
  return minutes === 0 ? Infinity : minutes * 60_000;
}
