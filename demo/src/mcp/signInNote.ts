import { filter, fromEvent } from 'rxjs';
import { writeLocal } from '../base/local.ts';

const noteKey = 'brooklet-studio:signing-in';
const doneKey = 'brooklet-studio:signed-in';

/** Emits in the other tabs when the window of a sign-in has an answer. */
export const signedIn$ = fromEvent<StorageEvent>(window, 'storage').pipe(filter(({ key }) => key === doneKey));

/** Writes a value that was never there: a number that is counted up could be that of another window, and dispatch no event. */
export function announceSignIn(): void {
  writeLocal(doneKey, crypto.randomUUID());
}

/** Notes in this tab, across a reload, that the user signs in at a server. */
export function noteSignIn(serverName: string): void {
  try {
    sessionStorage.setItem(noteKey, serverName);
  } catch {
    // Without the note a reloaded page needs another click.
  }
}

export function notedSignIn(): string | undefined {
  try {
    return sessionStorage.getItem(noteKey) ?? undefined;
  } catch {
    return undefined;
  }
}

export function forgetSignIn(serverName: string): void {
  if (notedSignIn() === serverName) sessionStorage.removeItem(noteKey);
}
