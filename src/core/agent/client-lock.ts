import { catchError, Observable, of, switchMap, tap } from 'rxjs';
import type { LLMClient } from '../model/llm.ts';

/** Whether the key of the agent's client is locked. */
export interface ClientLock {
  /** Emits at once where the client states it, and at each change. */
  readonly locked$: Observable<boolean>;
  /** Asks the client anew: a vault that was not used for long locks itself when it is asked. */
  isLocked(): boolean;
}

/** Invariant: a client that has stated nothing yet is locked. A client without `locked$`, or whose `locked$` errors, is not. */
export function createClientLock(client$: Observable<LLMClient | undefined>): ClientLock {
  /** What the present client has stated last. */
  let wasLocked = true;
  const statedBy = (client: LLMClient | undefined): Observable<boolean> =>
    lockOf(client).pipe(tap((isLocked) => void (wasLocked = isLocked)));

  return {
    locked$: client$.pipe(
      switchMap((client) => {
        wasLocked = true;
        return statedBy(client);
      }),
    ),
    isLocked() {
      client$.pipe(switchMap(statedBy)).subscribe().unsubscribe();
      return wasLocked;
    },
  };
}

function lockOf({ locked$ }: Partial<LLMClient> = {}): Observable<boolean> {
  if (!locked$) return of(false);
  // It may be of another copy of rxjs.
  return new Observable<boolean>((subscriber) => locked$.subscribe(subscriber)).pipe(catchError(() => of(false)));
}
