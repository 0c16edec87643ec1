import type { Ports } from '../../core/ports.ts';
import type { Delivery, JetStream } from './jetstream.ts';

/** Delivers the last message of each log, then every message as it is stored. */
export interface Feed {
  /** Begins, unless it has begun. Resolves when the last messages were delivered; rejects where the engine does not answer. */
  start(): Promise<void>;
  /** Asks again at once, for example after the connection was lost. */
  renew(): void;
  close(): void;
}

interface FeedOptions {
  readonly js: JetStream;
  readonly ports: Pick<Ports, 'delay'>;
  /** The logs. */
  readonly subject: string;
  /** Messages may be repeated, in their order. @param isFirst whether the message is one of those that existed before */
  readonly onMessage: (message: Delivery, isFirst: boolean) => void;
}

/** ms between two attempts */
const pause = 1000;
/**
 * ms that are delivered again after an error: by so much the clocks of two servers may differ. A message has the same time on each server, but
 * perhaps another number.
 */
const overlap = 10_000;

export function createFeed({ js, ports, subject, onMessage }: FeedOptions): Feed {
  const closing = new AbortController();
  /** When the last message was stored. */
  let last = 0;
  /** Whether the last messages of all logs were delivered. */
  let isLoaded = false;
  /** The callers that wait for these messages. */
  const waiting: { readonly resolve: () => void; readonly reject: (thrown: unknown) => void }[] = [];
  let following: Promise<void> | undefined;
  let interrupt = (): void => {};
  /** Whether the next attempt begins without a pause. */
  let isRenewed = false;

  /** Delivers messages of one consumer until there is an error. */
  async function deliver(onLoaded: () => void): Promise<never> {
    const interrupted = new Promise<never>((_resolve, reject) => (interrupt = () => reject(new Error('interrupted'))));
    interrupted.catch(() => {});
    const consumer = await js.consume({ subject, isHeads: true, since: isLoaded ? last - overlap : undefined });
    let pending = isLoaded ? 0 : consumer.pending;
    let count = 0;
    if (pending === 0) onLoaded();
    try {
      for (;;) {
        const messages = js.pull(consumer)[Symbol.asyncIterator]();
        for (;;) {
          const next = await Promise.race([messages.next(), interrupted]);
          if (next.done === true) break;
          const message = next.value;
          if (message.count !== ++count) throw new Error('A message was lost.');
          last = message.storedAt;
          onMessage(message, pending > 0);
          if (pending > 0 && --pending === 0) onLoaded();
        }
      }
    } finally {
      js.release(consumer);
    }
  }

  /** Begins again after each error, with the last messages. */
  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await deliver(() => {
          isLoaded = true;
          for (const { resolve } of waiting.splice(0)) resolve();
        });
      } catch (thrown) {
        for (const { reject } of waiting.splice(0)) reject(thrown);
      }
      if (!closing.signal.aborted && !isRenewed)
        await new Promise<void>((resolve) => {
          interrupt = resolve;
          ports.delay(resolve, pause, true);
        });
      isRenewed = false;
    }
  }

  return {
    start() {
      following ??= follow();
      return new Promise((resolve, reject) => (isLoaded ? resolve() : waiting.push({ resolve, reject })));
    },
    renew() {
      isRenewed = true;
      interrupt();
    },
    close() {
      closing.abort();
      interrupt();
    },
  };
}
