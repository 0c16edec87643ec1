import { Observable } from 'rxjs';
import { fail } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import type { LLMClient } from '../../core/model/llm.ts';

/** Places for requests, so many to each origin. The clients that share a queue share its places. */
export interface RequestQueue {
  /** Begins as soon as there is a place, at once if there is one. Gives the function that gives the place back, or leaves the queue. */
  enter(origin: unknown, begin: () => void): () => void;
}

/**
 * @param max requests to one origin at a time
 * @throws AgentError `INVALID_CONFIG` for what is no whole number from 1 up
 */
export function createRequestQueue(max: number): RequestQueue {
  if (!Number.isInteger(max) || max < 1) fail('INVALID_CONFIG', 'One request, two, … must be allowed at a time.');
  /** Origin → who has a place, and who waits for one, in order. */
  const lines = new Map<unknown, Set<() => void>>();

  return {
    enter(origin, begin) {
      const line = lines.get(origin) ?? new Set();
      lines.set(origin, line);
      // Its own function, so that the same one may stand in line twice.
      const place = (): void => begin();
      line.add(place);
      if (line.size <= max) place();
      return () => {
        const index = [...line].indexOf(place);
        line.delete(place);
        if (line.size === 0 && lines.get(origin) === line) lines.delete(origin);
        // The first of those who wait moves up, if it was a place that came free.
        if (index >= 0 && index < max) [...line][max - 1]?.();
      };
    },
  };
}

/**
 * Wraps a client so that only so many of its requests run at a time; the others wait in order. With a queue several clients share the
 * places, counted for each origin: local models do one thing at a time, and providers refuse bursts. Unsubscribing leaves the queue.
 *
 * Stands inside `withRetry`, so that a request that waits for its next attempt takes no place.
 */
export function withConcurrency(client: LLMClient, max: number | RequestQueue): LLMClient {
  const queue = typeof max === 'number' ? createRequestQueue(max) : max;
  const key = client.origin ?? client;
  return {
    ...defined({ origin: client.origin }),
    sendRequest: (request) =>
      new Observable((subscriber) => {
        // First: whatever ends the answer gives the place back, also while it begins.
        let leave = (): void => {};
        subscriber.add(() => leave());
        leave = queue.enter(key, () => subscriber.add(client.sendRequest(request).subscribe(subscriber)));
        if (subscriber.closed) leave();
      }),
  };
}
