import { statusOf } from 'brooklet/core';
import { type Annotation, createReview, type Review } from 'brooklet/review';
import { exportAll, type ExportedSession, exportSession } from 'brooklet/storage';
import { isFile, type TreeSource } from './useReviewedTree.ts';

/** Returns the session as a file, with the notes on it. */
export function toFile(review: Review, annotations: readonly Annotation[]): string {
  const state = review.stateAt(Infinity);
  const { id, title, createdAt, updatedAt, messages, usage, seq, metadata, path } = state;
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
    ...(path && { path }),
  };
  return exportSession({ summary, events: review.events }, { annotations });
}

/** Returns the session and those that its calls have started, at any depth, as a file, with the notes on each. */
export async function toTreeFile(
  review: Review,
  annotations: readonly Annotation[],
  source: TreeSource,
): Promise<string> {
  const own = toFile(review, annotations);
  if (isFile(source))
    return (
      own +
      sessionsBelow(review, source)
        .map((one) => toFile(createReview(one.events), one.annotations ?? []))
        .join('')
    );
  const { id } = review.stateAt(0);
  const parts: string[] = [];
  for await (const part of exportAll(source, { sessionIds: [id] })) parts.push(part);
  const all = parts.join('');
  // The session itself is as it is shown: the store may have more of it by now.
  const rest = all.indexOf('\n{"format":');
  return own + (rest === -1 ? '' : all.slice(rest + 1));
}

/** Returns the sessions of a file that are below one of them. */
function sessionsBelow(review: Review, sessions: readonly ExportedSession[]): readonly ExportedSession[] {
  const found = new Map<string, ExportedSession>([]);
  const start = review.stateAt(0).id;
  const queue = linksOf(review.events);
  // The queue grows while it is read.
  for (const id of queue) {
    const session = id === start || found.has(id) ? undefined : sessions.find((one) => one.id === id);
    if (session === undefined) continue;
    found.set(id, session);
    queue.push(...linksOf(session.events));
  }
  return [...found.values()];
}

function linksOf(events: ExportedSession['events']): string[] {
  return events.flatMap((event) => (event.type === 'call.started' ? (event.session ?? []) : []));
}
