/**
 * Whether a key belongs to an input method, for example the Enter that confirms Chinese characters. Safari ends the composition before it
 * reports the key, and marks the key with the code 229 only.
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari has no other mark
  return event.isComposing || event.keyCode === 229;
}
