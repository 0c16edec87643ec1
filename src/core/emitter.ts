import { Observable, type Subscriber } from 'rxjs';

/** The sending end of a stream: half of rxjs' `Subject`, at a quarter of its size, and what is handed out cannot be sent into. */
export interface Emitter<T> {
  /** Every value from now on. Who comes after the end is told of the end. */
  readonly stream$: Observable<T>;
  next(value: T): void;
  error(error: unknown): void;
  complete(): void;
  /** Whether anything subscribes. */
  isObserved(): boolean;
}

export function createEmitter<T>(): Emitter<T> {
  const subscribers = new Set<Subscriber<T>>();
  let end: ((subscriber: Subscriber<T>) => void) | undefined;

  /** Those who come or go while the others are told are not counted. */
  function tell(each: (subscriber: Subscriber<T>) => void): void {
    Array.from(subscribers).forEach(each);
  }

  function close(how: (subscriber: Subscriber<T>) => void): void {
    if (end !== undefined) return;
    end = how;
    tell(how);
  }

  return {
    stream$: new Observable((subscriber) => {
      if (end !== undefined) return end(subscriber);
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    }),
    next: (value) => tell((subscriber) => subscriber.next(value)),
    error: (error) => close((subscriber) => subscriber.error(error)),
    complete: () => close((subscriber) => subscriber.complete()),
    isObserved: () => subscribers.size > 0,
  };
}
