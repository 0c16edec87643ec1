import type { Annotation, Review } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import { toTest } from 'brooklet/testing';
import { withShown } from './toFile.ts';
import { isFile, type TreeSource } from './useReviewedTree.ts';

/**
 * Returns the session with its notes, and the sessions that its calls have started, as one HTML file with a viewer: it opens by double click, and
 * without the network.
 */
export async function toHTML(review: Review, annotations: readonly Annotation[], source?: TreeSource): Promise<Blob> {
  const { id } = review.stateAt(0);
  const own = { id, events: review.events };
  if (source === undefined) return exportHTML(review.events, { annotations });
  if (isFile(source))
    return exportHTML({ sessions: [own, ...source.filter((session) => session.id !== id)] }, { annotations });
  return exportHTML({ store: withShown(source, review), sessionId: id }, { annotations });
}

/** Returns the source of a test that replays the session. Throws a `ReplayError` for a session that cannot be replayed. */
export function toTestSource(review: Review): string {
  return toTest(review.events);
}
