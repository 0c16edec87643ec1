import { browserPorts } from '../core/ports.ts';
import type { Delivery, JetStream } from './jetstream.ts';

/** Delivers the last message of each log once, then every message as it is stored. */
export interface Feed {
  /** Begins, unless it has begun. Resolves when the last messages were delivered; rejects where the engine does not answer. */
  start(): Promise<void>;
  /** Asks again at once, for example after the connection was away. */
  renew(): void;
  close(): void;
}

interface FeedOptions {
  readonly js: JetStream;
  /** The logs. */
  readonly subject: string;
  /** @param isFirst whether the message is one of those that existed before */
  readonly onMessage: (message: Delivery, isFirst: boolean) => void;
}

/** ms between two attempts */
const pause = 1000;

export function createFeed({ js, subject, onMessage }: FeedOptions): Feed {
  const closing = new AbortController();
  /** The number of the last message. */
  let last = 0;
  /** Whether the last messages of all logs were delivered. */
  let isLoaded = false;
  let loading = createGate();
  let following: Promise<void> | undefined;
  let interrupt = (): void => {};
  /** Whether the next attempt begins without a pause. */
  let isRenewed = false;

  /** Delivers messages of one consumer until there is an error. */
  async function deliver(onLoaded: () => void): Promise<never> {
    const interrupted = new Promise<never>((_resolve, reject) => (interrupt = () => reject(new Error('interrupted'))));
    interrupted.catch(() => {});
    const consumer = await js.consume({ subject, isHeads: true, from: isLoaded ? last + 1 : undefined });
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
          last = message.at;
          onMessage(message, pending > 0);
          if (pending > 0 && --pending === 0) onLoaded();
        }
      }
    } finally {
      js.release(consumer);
    }
  }

  /** Begins again after each error, behind the last message. */
  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await deliver(() => {
          isLoaded = true;
          loading.resolve();
        });
      } catch (thrown) {
        if (!isLoaded) {
          loading.reject(thrown);
          loading = createGate();
        }
      }
      if (!closing.signal.aborted && !isRenewed)
        await new Promise<void>((resolve) => {
          interrupt = resolve;
          browserPorts.delay(resolve, pause, true);
        });
      isRenewed = false;
    }
  }

  return {
    start() {
      following ??= follow();
      return loading.passed;
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

/** A promise with what settles it. */
interface Gate {
  readonly passed: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (thrown: unknown) => void;
}

function createGate(): Gate {
  let [resolve, reject]: [Gate['resolve'], Gate['reject']] = [() => {}, () => {}];
  const passed = new Promise<void>((...settle) => ([resolve, reject] = settle));
  // Perhaps nobody waits.
  passed.catch(() => {});
  return { passed, resolve, reject };
}
