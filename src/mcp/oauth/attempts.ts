import { toAgentError } from '../../core/error.ts';
import type { Pending } from './mailbox.ts';

/** A sign-in of this page that waits for the answer of its window. */
interface Attempt {
  readonly url: string;
  /** What the page notes of it; `undefined` until its address is known. */
  pending?: Pending;
  /** Resolves when the page has tokens. Rejects with what ends it without, and with the reason of its signal. */
  readonly over: Promise<void>;
  readonly isOver: () => boolean;
  /** @param error why it has no tokens */
  readonly end: (error?: unknown) => void;
}

/** The sign-ins of this page that wait. */
export interface Attempts {
  begin(url: string, signal: AbortSignal | undefined): Attempt;
  /** Ends those that fit. */
  end(fits: (attempt: Attempt) => boolean, error?: unknown): void;
}

export function createAttempts(): Attempts {
  const waiting = new Set<Attempt>();
  return {
    begin(url, signal) {
      let settle = (_error?: unknown): void => {};
      const over = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      const attempt: Attempt = { url, over, isOver: () => !waiting.has(attempt), end };
      const abort = (): void => end(toAgentError(signal?.reason, 'ABORTED'));
      function end(error?: unknown): void {
        waiting.delete(attempt);
        signal?.removeEventListener('abort', abort);
        settle(error);
      }
      waiting.add(attempt);
      signal?.addEventListener('abort', abort);
      return attempt;
    },
    end(fits, error) {
      for (const attempt of waiting) if (fits(attempt)) attempt.end(error);
    },
  };
}
