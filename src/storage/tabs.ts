import { Observable } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';

/** Word that a session has changed, between the tabs of an origin. */
export interface Changes {
  readonly changes$: Observable<string>;
  /** Tells the subscribers here and those of the other tabs. */
  tell(sessionId: string): void;
  close(): void;
}

/** Where the browser has no `BroadcastChannel`, or does not give it to this page, only the subscribers here are told. */
export function createChanges(name: string): Changes {
  const changes = createEmitter<string>();
  let channel: BroadcastChannel | undefined;
  let isOpen = false;

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

  return {
    changes$: new Observable((subscriber) => {
      open();
      return changes.stream$.subscribe(subscriber);
    }),
    tell(sessionId) {
      open();
      changes.next(sessionId);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
      channel?.postMessage(sessionId);
    },
    close() {
      isOpen = true;
      channel?.close();
      channel = undefined;
      changes.complete();
    },
  };
}
