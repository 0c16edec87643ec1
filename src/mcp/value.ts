import { type Observable, Subject } from 'rxjs';
import { current } from '../core/log/current.ts';

/** A value that changes. Its stream emits the current value on subscription. */
export interface Value<T> {
  readonly stream$: Observable<T>;
  readonly get: () => T;
  set(value: T): void;
}

export function createValue<T>(initial: T): Value<T> {
  const changes = new Subject<void>();
  let value = initial;
  const get = (): T => value;
  return {
    stream$: current(changes, get),
    get,
    set(next) {
      value = next;
      changes.next();
    },
  };
}
