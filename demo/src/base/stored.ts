import { BehaviorSubject, type Observable } from 'rxjs';
import { readLocal, writeLocal } from './local.ts';

/** A setting in localStorage. All tabs of the page have the same value. */
export interface Stored<T> {
  /** Emits the current value on subscription. */
  readonly value$: Observable<T>;
  readonly get: () => T;
  /** Replaces the value by one that is made of the stored value, which another tab may have just changed. */
  readonly change: (next: (before: T) => T) => void;
}

interface StoredFormat<T> {
  /** Reads a stored text; `null` if there is none. Never throws: a stored text may be damaged. */
  readonly read: (text: string | null) => T;
  /** Returns `undefined` for a value that needs no entry. */
  readonly write: (value: T) => string | undefined;
}

/** Creates a setting that is stored under a key. */
export function createStored<T>(key: string, { read, write }: StoredFormat<T>): Stored<T> {
  const subject = new BehaviorSubject(read(readLocal(key)));
  // Only other tabs receive this event. Its key is `null` when everything was cleared.
  addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) subject.next(read(readLocal(key)));
  });
  return {
    value$: subject.asObservable(),
    get: () => subject.value,
    change(next) {
      const stored = readLocal(key);
      const value = next(stored === null ? subject.value : read(stored));
      writeLocal(key, write(value));
      subject.next(value);
    },
  };
}
