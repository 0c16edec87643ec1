import { Observable } from 'rxjs';
import { createEmitter } from '../core/emitter.ts';

/** A value that changes. Its stream emits the current value on subscription. */
export interface Value<T> {
  readonly stream$: Observable<T>;
  readonly get: () => T;
  set(value: T): void;
}

export function createValue<T>(initial: T): Value<T> {
  const changes = createEmitter<T>();
  let current = initial;
  return {
    stream$: new Observable((subscriber) => {
      subscriber.next(current);
      return changes.stream$.subscribe(subscriber);
    }),
    get: () => current,
    set(value) {
      current = value;
      changes.next(value);
    },
  };
}
