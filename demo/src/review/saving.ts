import type { Annotation, Review } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import { toTest } from 'brooklet/testing';

/** Returns the session with its notes as one HTML file, with a viewer: it opens by double click, and without the network. */
export function toHTML(review: Review, annotations: readonly Annotation[]): Promise<Blob> {
  return exportHTML(review.events, { annotations });
}

/** Returns the source of a test that replays the session. Throws a `ReplayError` for a session that cannot be replayed. */
export function toTestSource(review: Review): string {
  return toTest(review.events);
}
