import { unref } from '../core/ports.ts';
import { Observable, Subject } from 'rxjs';
import { isJsonObject } from '../core/json.ts';

/** Notifications of changed sessions, between the tabs of one origin. */
export interface Changes {
  /** Ids of changed sessions, from this tab and others. Completes on `close`. */
  readonly changes$: Observable<string>;
  /** Listens from now on. Without this, from the first subscriber or notification on. */
  listen(): void;
  /** Notifies the subscribers of this tab and of the other tabs. */
  notify(sessionId: string): void;
  /**
   * Notifies the other tabs of a write that has begun, if this page is being hidden and will not see the write's end. A
   * read in another tab then waits in the database for the write that has begun.
   */
  announce(sessionId: string): void;
  /** Notifies the other stores of this database, of this tab too, that a person erases everything. */
  announceErasure(): void;
  close(): void;
}

/** What is posted where a person erases everything: no id of a session. */
const erasure = { type: 'erased' } as const;

/**
 * Where the browser has no `BroadcastChannel`, or denies it to this page, only subscribers of this tab are notified.
 *
 * @param onErased called when another store of this database, of this tab or another one, announces an erasure
 */
export function createChanges(name: string, onErased: () => void = () => {}): Changes {
  const changes = new Subject<string>();
  let channel: BroadcastChannel | undefined;
  let isOpen = false;
  let isHidden = false;
  const listening = new AbortController();
  const { signal } = listening;
  if (typeof document !== 'undefined') {
    addEventListener('pagehide', () => (isHidden = true), { signal });
    // The page may return from the back/forward cache.
    addEventListener('pageshow', () => (isHidden = false), { signal });
  }

  /** Deferred until the first subscriber or notification. */
  function open(): void {
    if (isOpen) return;
    isOpen = true;
    try {
      channel = new BroadcastChannel(`brooklet:${name}`);
      unref(channel);
      channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        // Any script of the origin can post here. A forged id only causes another read.
        if (typeof data === 'string') changes.next(data);
        else if (isJsonObject(data) && data.type === erasure.type) onErased();
      });
    } catch {
      // Without notifications a tab is still right about its own sessions, and the store refuses stale writes.
    }
  }

  function post(message: string | typeof erasure): void {
    open();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel never leaves its origin
    channel?.postMessage(message);
  }

  return {
    changes$: new Observable((subscriber) => {
      open();
      return changes.subscribe(subscriber);
    }),
    listen: open,
    notify(sessionId) {
      changes.next(sessionId);
      post(sessionId);
    },
    announce(sessionId) {
      if (isHidden) post(sessionId);
    },
    announceErasure: () => post(erasure),
    close() {
      listening.abort();
      isOpen = true;
      channel?.close();
      channel = undefined;
      changes.complete();
    },
  };
}
