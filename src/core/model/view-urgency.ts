import type { EventBody } from './event.ts';

/**
 * Events whose change views show with the next frame: after such an event the run continues by itself, mostly within the same turn, so that
 * the event is shown together with the events that follow. Views are notified of every other event within the call that appends the event.
 * Subscribers of `events$` are notified of each event at once.
 */
export const frameEvents: ReadonlySet<EventBody['type']> = new Set<EventBody['type']>([
  'text.delta',
  'reasoning.delta',
  'call.delta',
  'call.requested',
  'reply.ended',
  'call.started',
  'call.progress',
]);
