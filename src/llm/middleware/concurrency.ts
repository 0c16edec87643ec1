import { Observable } from 'rxjs';
import { fail } from '../../core/error.ts';
import { traitsOf } from '../../core/client-traits.ts';
import type { LLMClient } from '../../core/model/llm.ts';

/** A queue of requests with a limit for each origin. Clients that share a queue share its limit. */
export interface RequestQueue {
  /** Calls `start` when a slot is free, synchronously if one is free now. Returns a function that releases the slot, or leaves the queue. */
  enter(origin: unknown, start: () => void): () => void;
}

/**
 * Creates a queue, for `withConcurrency` around several clients.
 *
 * @param max requests to one origin at a time
 * @throws AgentError `INVALID_CONFIG` if `max` is not a whole number of at least 1
 */
export function createRequestQueue(max: number): RequestQueue {
  if (!Number.isInteger(max) || max < 1)
    fail('INVALID_CONFIG', `The number of concurrent requests must be a whole number of at least 1, not ${max}.`);
  /** By origin: the running requests (the first `max`), then the waiting ones, in order. */
  const queues = new Map<unknown, Set<() => void>>();

  return {
    enter(origin, start) {
      const queue = queues.get(origin) ?? new Set();
      queues.set(origin, queue);
      // A function of its own, so that the same `start` may be queued twice.
      const entry = (): void => start();
      queue.add(entry);
      if (queue.size <= max) entry();
      return () => {
        const index = [...queue].indexOf(entry);
        queue.delete(entry);
        if (queue.size === 0 && queues.get(origin) === queue) queues.delete(origin);
        // If the entry was running, the first waiting one starts.
        if (index >= 0 && index < max) [...queue][max - 1]?.();
      };
    },
  };
}

/**
 * Wraps a client so that at most `max` of its requests run at a time; the others wait in order. Several clients with one queue share the
 * limit, counted for each origin: local models answer one request at a time, and providers refuse bursts. Unsubscribing leaves the queue.
 *
 * Place it inside `withRetry`, so that a request that waits for its next attempt occupies no slot.
 *
 * @throws AgentError `INVALID_CONFIG` if `max` is a number but not a whole number of at least 1
 */
export function withConcurrency(client: LLMClient, max: number | RequestQueue): LLMClient {
  const queue = typeof max === 'number' ? createRequestQueue(max) : max;
  const key = client.origin ?? client;
  return {
    ...traitsOf(client),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        // Registered first: any end of the answer releases the slot, also an end during the start.
        let leave = (): void => {};
        subscriber.add(() => leave());
        leave = queue.enter(key, () => subscriber.add(client.sendRequest(request).subscribe(subscriber)));
        if (subscriber.closed) leave();
      }),
  };
}
