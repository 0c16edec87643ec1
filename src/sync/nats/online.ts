import { type Observable, Subject } from 'rxjs';
import { current } from '../../core/log/current.ts';
import type { NatsLink } from './connection.ts';

/** Whether a connection is there. */
interface Online {
  /** The present value first, then each change. */
  readonly online$: Observable<boolean>;
  close(): void;
}

/** @param onReturn called when the connection is back */
export function createOnline(link: NatsLink, onReturn: () => void): Online {
  const changes = new Subject<boolean>();
  let isOnline = !link.isClosed();
  let isClosed = false;

  function set(value: boolean): void {
    if (value === isOnline) return;
    isOnline = value;
    changes.next(value);
    if (value) onReturn();
  }

  async function watch(): Promise<void> {
    for await (const { type } of link.status()) {
      if (isClosed) return;
      if (type === 'disconnect') set(false);
      if (type === 'reconnect') set(true);
    }
    // The connection is closed for good.
    set(false);
  }
  watch().catch(() => {});

  return {
    online$: current(changes, () => isOnline),
    close() {
      isClosed = true;
      changes.complete();
    },
  };
}
