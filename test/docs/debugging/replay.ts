import { rebuildRequest } from 'brooklet/context';
import { next } from 'brooklet/core';
import { createReview } from 'brooklet/review';

const review = createReview(stored.events);
const state = review.stateAt(12); // after the event with `seq` 12
const seen = review.stateAtTime(Date.parse('2026-05-01T10:00:00Z')); // streaming text included
const step = next(state, { maxSteps: 10 }); // what the agent did then
const request = rebuildRequest(stored.events, messageId); // the exact request that the reply answered

export { request, seen, step };

declare const stored: StoredSession;
declare const messageId: string;

// What the sample leaves to its page.
import type { StoredSession } from 'brooklet/core';
