import { referenceOf } from './cap.ts';
import type { CompactionStrategy } from './strategy.ts';

/** Leaves older messages out and asks no model. Costs nothing, and remembers nothing but what is pinned. */
export const dropOldest: CompactionStrategy = {
  name: 'dropOldest',
  compress: ({ messages, start }) =>
    `(Nothing is known of messages m1 to ${referenceOf(start + messages.length - 1)}.)`,
};
