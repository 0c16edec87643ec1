import { Observable, type Subscriber } from 'rxjs';

/** The sending end of a stream: like `Subject` of rxjs at a quarter of its size, with an observable that has no sending methods. */
export interface Emitter<T> {
  /** Emits every value from the subscription on. A subscriber after the end is notified of the end. */
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

  /** Notifies the subscribers at the start of the call; later changes of the set have no effect on the call. */
  function notify(each: (subscriber: Subscriber<T>) => void): void {
    Array.from(subscribers).forEach(each);
  }

  function close(notifyEnd: (subscriber: Subscriber<T>) => void): void {
    if (end !== undefined) return;
    end = notifyEnd;
    notify(notifyEnd);
  }

  return {
    stream$: new Observable((subscriber) => {
      if (end !== undefined) return end(subscriber);
      subscribers.add(subscriber);
      return () => subscribers.delete(subscriber);
    }),
    next: (value) => notify((subscriber) => subscriber.next(value)),
    error: (error) => close((subscriber) => subscriber.error(error)),
    complete: () => close((subscriber) => subscriber.complete()),
    isObserved: () => subscribers.size > 0,
  };
}
