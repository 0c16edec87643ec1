import { createStored } from '../base/stored.ts';

/** Minutes without a request after which stored keys are locked; 0: when the last page closes. */
export const autoLockChoices = [5, 15, 60, 0] as const;
export type AutoLockMinutes = (typeof autoLockChoices)[number];

/** The choice of the user, in all tabs. */
export const autoLock = createStored<AutoLockMinutes>('brooklet-studio:auto-lock', { read: toAutoLock, write: String });

/** Returns the choice that a text names; 15 minutes for any other text. */
export function toAutoLock(text: string | null): AutoLockMinutes {
  return autoLockChoices.find((minutes) => String(minutes) === text) ?? 15;
}

/** Returns the time as the vault takes it. */
export function toMs(minutes: AutoLockMinutes): number {
  return minutes === 0 ? Infinity : minutes * 60_000;
}
