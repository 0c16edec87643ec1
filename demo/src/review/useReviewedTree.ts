import type { SessionStore } from 'brooklet';
import {
  type Annotation,
  type Annotations,
  createAnnotations,
  createFileOpener,
  createStoreOpener,
  type OpenSession,
} from 'brooklet/review';
import type { ExportedSession } from 'brooklet/storage';
import { useMemo } from 'react';
import { catchError, combineLatest, map, of } from 'rxjs';

/** What a tree under review is read from: the store, or the sessions of a file. */
export type TreeSource = SessionStore | readonly ExportedSession[];

/** The sessions of a tree under review, and the notes on each. */
export interface ReviewedTree {
  readonly openSession: OpenSession;
  /** Returns the notes on a session: always the same object. */
  readonly notesOf: (sessionId: string) => Annotations;
}

const none: readonly Annotation[] = [];

export const isFile = (source: TreeSource): source is readonly ExportedSession[] => Array.isArray(source);

/** Returns the sessions of a store or a file. A note that is added to one of them is shown at once. @param root the notes on the root */
export function useReviewedTree(source: TreeSource, rootId: string, root: Annotations): ReviewedTree {
  return useMemo(() => toReviewedTree(source, rootId, root), [source, rootId, root]);
}

function toReviewedTree(source: TreeSource, rootId: string, root: Annotations): ReviewedTree {
  const open = isFile(source) ? createFileOpener(source) : createStoreOpener(source);
  const notes = new Map([[rootId, root]]);
  const notesOf = (sessionId: string): Annotations => {
    const known = notes.get(sessionId);
    if (known) return known;
    const made = createAnnotations(
      isFile(source) ? (source.find(({ id }) => id === sessionId)?.annotations ?? none) : { store: source, sessionId },
    );
    notes.set(sessionId, made);
    return made;
  };
  return {
    notesOf,
    openSession: (sessionId) =>
      // Notes that cannot be read are left out: the session matters more.
      combineLatest([open(sessionId), notesOf(sessionId).list$.pipe(catchError(() => of(none)))]).pipe(
        map(([opened, annotations]) => ({ ...opened, annotations })),
      ),
  };
}
