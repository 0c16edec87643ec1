import { Observable } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';

/** Word that a session has changed, between the tabs of an origin. */
export interface Changes {
  readonly changes$: Observable<string>;
  /** Tells the subscribers here and those of the other tabs. */
  tell(sessionId: string): void;
  /**
   * Tells the other tabs before it is done, if this page is going away and will not see the end: who looks now waits in the database
   * for what has begun there.
   */
  foretell(sessionId: string): void;
  close(): void;
}

/** Where the browser has no `BroadcastChannel`, or does not give it to this page, only the subscribers here are told. */
export function createChanges(name: string): Changes {
  const changes = createEmitter<string>();
  let channel: BroadcastChannel | undefined;
  let isOpen = false;
  let isLeaving = false;
  const listening = new AbortController();
  const { signal } = listening;
  if (typeof document !== 'undefined') {
    addEventListener('pagehide', () => (isLeaving = true), { signal });
    // It may come back as it was.
    addEventListener('pageshow', () => (isLeaving = false), { signal });
  }

  /** Not before somebody listens or speaks: in Node an open channel keeps the process alive. */
  function open(): void {
    if (isOpen) return;
    isOpen = true;
    try {
      channel = new BroadcastChannel(`brooklet:${name}`);
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        // Any script of the origin can write here: no more is believed than that a row may be worth another look.
        if (typeof data === 'string') changes.next(data);
      });
    } catch {
      // A tab that hears nothing of the others is still right about itself, and the store refuses stale writes.
    }
  }

  function post(sessionId: string): void {
    open();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    channel?.postMessage(sessionId);
  }

  return {
    changes$: new Observable((subscriber) => {
      open();
      return changes.stream$.subscribe(subscriber);
    }),
    tell(sessionId) {
      changes.next(sessionId);
      post(sessionId);
    },
    foretell(sessionId) {
      if (isLeaving) post(sessionId);
    },
    close() {
      listening.abort();
      isOpen = true;
      channel?.close();
      channel = undefined;
      changes.complete();
    },
  };
}
