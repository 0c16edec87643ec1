import type { RefObject } from 'react';

/** Characters that a passphrase has at least. */
export const leastPassphrase = 8;

/** Returns what a field contains, and empties it. */
export function takeText({ current }: RefObject<HTMLInputElement | null>): string {
  const text = current?.value ?? '';
  if (current) current.value = '';
  return text;
}
