import { statusOf } from 'brooklet/core';
import type { Annotation, Review } from 'brooklet/review';
import { exportSession } from 'brooklet/storage';

/** Returns the session as a file, with the notes on it. */
export function toFile(review: Review, annotations: readonly Annotation[]): string {
  const state = review.stateAt(Infinity);
  const { id, title, createdAt, updatedAt, messages, usage, seq, metadata } = state;
  const summary = {
    id,
    title,
    createdAt,
    updatedAt,
    status: statusOf(state),
    messageCount: messages.length,
    usage,
    seq,
    ...(metadata && { metadata }),
  };
  return exportSession({ summary, events: review.events }, { annotations });
}
