/** A note of a reviewer on one moment of a session. Kept beside the session: the log does not change. */
export interface Annotation {
  readonly id: string;
  /** `seq` of the event that the note is on. */
  readonly seq: number;
  /** Not empty, 10,000 characters at most. */
  readonly text: string;
  /** When the note was written or last changed: ms since the epoch. */
  readonly at: number;
  /** Name of the reviewer. */
  readonly userName?: string;
}

/** Maximum number of annotations of one session. */
export const maxAnnotations = 1_000;

/** Returns the key of a session's annotations in `SessionStore.meta`. */
export function annotationsKey(sessionId: string): string {
  return `annotations:${sessionId}`;
}
