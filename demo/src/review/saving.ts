import { AgentError } from 'brooklet';
import type { Annotation, Review } from 'brooklet/review';
import { exportHTML } from 'brooklet/review/html';
import { toTest } from 'brooklet/testing';
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
  try {
    return await exportHTML({ store: source, sessionId: id }, { annotations });
  } catch (thrown) {
    // Removed since it was opened: the page still has its log.
    if (thrown instanceof AgentError && thrown.code === 'SESSION_NOT_FOUND')
      return exportHTML(review.events, { annotations });
    throw thrown;
  }
}

/** Returns the source of a test that replays the session. Throws a `ReplayError` for a session that cannot be replayed. */
export function toTestSource(review: Review): string {
  return toTest(review.events);
}
