import type { SessionStore } from 'brooklet';
import { type Annotation, type Annotations, createAnnotations } from 'brooklet/review';
import { useObservable } from 'brooklet/react';
import { useMemo } from 'react';

const none: readonly Annotation[] = [];

/** The notes on the session under review, and what changes them. */
export interface Notes {
  readonly annotations: Annotations;
  readonly list: readonly Annotation[];
}

interface NotesSource {
  readonly store: SessionStore | undefined;
  readonly sessionId: string | undefined;
  /** The notes in a file. */
  readonly inFile: readonly Annotation[] | undefined;
}

/** Returns the notes of a stored session, or of a file: those last as long as the page. */
export function useAnnotations({ store, sessionId, inFile = none }: NotesSource): Notes {
  const annotations = useMemo(
    () => createAnnotations(store && sessionId !== undefined ? { store, sessionId } : inFile),
    [store, sessionId, inFile],
  );
  const list = useObservable(annotations.list$, annotations.getList);
  return { annotations, list };
}
