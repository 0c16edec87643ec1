import { useMemo, useState, useSyncExternalStore } from 'react';
import type { OpenSession, Review, ReviewedSession } from '../../../review/index.ts';
import { usePageEffect } from '../../base/usePageEffect.ts';
import { createOpenings } from './openings.ts';

/** One session on the path to the session that is shown. */
export interface PathSession {
  readonly id: string;
  /** Missing while it is read, and where it is not there. */
  readonly session: ReviewedSession | undefined;
  /** Why it is not there. */
  readonly error: unknown;
}

/** The place of a review within a tree of sessions. */
export interface Tree {
  /** From the root of the tree to the session that is shown. */
  readonly path: readonly PathSession[];
  /** The last of the path. */
  readonly shown: PathSession;
  /** Shows a session below the one that is shown, which is not of the path. */
  readonly open: (sessionId: string) => void;
  /** Shows a session of the path. */
  readonly goUp: (sessionId: string) => void;
}

/** Sessions above of which the path of a log may name that many: a forged log may name any number. */
const maxAbove = 32;

interface Chosen {
  readonly rootId: string;
  readonly ids: readonly string[];
}

/** Returns the session of the tree that is shown: at first that of `log`, below the sessions that its path names. */
export function useTree(log: Review, openSession: OpenSession | undefined): Tree {
  const rootId = useMemo(() => idOf(log), [log]);
  const [chosen, setChosen] = useState<Chosen>();
  const first = useMemo(() => (openSession ? pathOf(log) : [rootId]), [log, rootId, openSession]);
  // Another log begins at its own place.
  const ids = chosen?.rootId === rootId && openSession ? chosen.ids : first;
  const openings = useMemo(() => createOpenings(openSession), [openSession]);
  const all = useSyncExternalStore(openings.subscribe, openings.getAll, openings.getAll);
  const key = ids.join('\n');
  // The key stands for the ids.
  usePageEffect(() => openings.show(ids.filter((id) => id !== rootId)), [openings, key, rootId]);
  return useMemo(() => {
    const path = ids.map((id): PathSession => {
      if (id === rootId) return { id, session: { review: log }, error: undefined };
      return { id, session: all.get(id)?.session, error: all.get(id)?.error };
    });
    const show = (next: readonly string[]): void => {
      // At once: a session of a file is there with the next render.
      openings.show(next.filter((id) => id !== rootId));
      setChosen({ rootId, ids: next });
    };
    return {
      path,
      shown: path.at(-1) ?? { id: rootId, session: { review: log }, error: undefined },
      open: (id) => show([...ids, id]),
      goUp: (id) => show(ids.slice(0, ids.indexOf(id) + 1)),
    };
  }, [ids, rootId, log, all, openings]);
}

function idOf(review: Review): string {
  return review.stateAt(0).id;
}

/** Returns the ids of the sessions above and of the session itself, each once. */
function pathOf(review: Review): readonly string[] {
  const started = review.events.find((event) => event.type === 'session.started');
  const id = idOf(review);
  const above = (started?.path ?? []).map(({ sessionId }) => sessionId).filter((one) => one !== id);
  return [...new Set(above.slice(-maxAbove)), id];
}
