import { verifyEvents } from '@ag-ui/client';
import { EventSchemas } from '@ag-ui/core/schemas';
import type { AGUIEvent } from 'brooklet/agui';
import { type Observable, of, toArray } from 'rxjs';
import { expect } from 'vitest';

/** Checks a list of events with the protocol's own schemas and its own verifier. */
export function verify(events: readonly AGUIEvent[]): void {
  for (const event of events) expect(EventSchemas.safeParse(event).error).toBeUndefined();
  let problem: unknown;
  let verified = 0;
  // Their client has its own copy of rxjs.
  const check = verifyEvents(false) as unknown as (source: unknown) => Observable<AGUIEvent>;
  check(of(...events))
    .pipe(toArray())
    .subscribe({ next: (all) => (verified = all.length), error: (error: unknown) => (problem = error) });
  expect([problem, verified]).toEqual([undefined, events.length]);
}
