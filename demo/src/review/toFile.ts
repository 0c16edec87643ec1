import type { SessionStore } from 'brooklet';
import { childrenOf, parentOf, toSummary } from 'brooklet/core';
import { type Annotation, createReview, type Review } from 'brooklet/review';
import { exportAll, type ExportedSession, exportSession } from 'brooklet/storage';
import { isFile, type TreeSource } from './useReviewedTree.ts';

type Stored = NonNullable<Awaited<ReturnType<SessionStore['read']>>>;

/** Returns the session as it is under review. */
const toStored = (review: Review): Stored => ({ summary: toSummary(review.stateAt(Infinity)), events: review.events });

/** Returns the session as a file, with the notes on it. */
export function toFile(review: Review, annotations: readonly Annotation[]): string {
  return exportSession(toStored(review), { annotations });
}

/** Returns a store that has the session as it is under review: the store may have more of it by now, or have removed it. */
export function withShown(store: SessionStore, review: Review): SessionStore {
  const shown = toStored(review);
  return { ...store, read: async (id, options) => (id === shown.summary.id ? shown : store.read(id, options)) };
}

/** Returns the session and those that its calls have started, at any depth, as a file, with the notes on each. */
export async function toTreeFile(
  review: Review,
  annotations: readonly Annotation[],
  source: TreeSource,
): Promise<string> {
  if (isFile(source)) {
    const below = sessionsBelow(review, source);
    return (
      toFile(review, annotations) + below.map((one) => toFile(createReview(one.events), one.annotations ?? [])).join('')
    );
  }
  const parts: string[] = [];
  const sessionIds = [review.stateAt(0).id];
  for await (const part of exportAll(withShown(source, review), { sessionIds })) parts.push(part);
  return parts.join('');
}

/** Returns the sessions of a file that are below one of them, also by their own path. */
function sessionsBelow(review: Review, sessions: readonly ExportedSession[]): readonly ExportedSession[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const found = new Set<ExportedSession>();
  const start = review.stateAt(0).id;
  const queue = [{ id: start, events: review.events }];
  // The queue grows while it is read.
  for (const { id: parent, events } of queue)
    for (const id of childrenOf(events)) {
      const session = id === start ? undefined : byId.get(id);
      if (session === undefined || found.has(session) || parentOf(session.events) !== parent) continue;
      found.add(session);
      queue.push({ id, events: [...session.events] });
    }
  return [...found];
}
