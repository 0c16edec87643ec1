import { referenceOf } from './cap.ts';
import type { CompactionStrategy } from './strategy.ts';

/** Drops older messages without a model request. The model keeps nothing of them but the pinned messages. */
export const dropOldest: CompactionStrategy = {
  name: 'dropOldest',
  compress: ({ messages, start }) =>
    `(Nothing is known of messages m1 to ${referenceOf(start + messages.length - 1)}.)`,
};
