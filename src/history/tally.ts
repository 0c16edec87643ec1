/** Why a part of a file of another program is in no session. */
export type LeftOutReason =
  /** The file only names it: a picture, a sound or a document that is stored elsewhere. */
  | 'not-in-file'
  /** Instructions and context that the program does not show. */
  | 'hidden'
  /** A record of the program about itself: progress, totals, errors, summaries, settings. */
  | 'note'
  /** A message of a sub-agent, which answered another agent. */
  | 'side-chain'
  /** The file has it twice. */
  | 'duplicate'
  /** A result whose call is not in the file. */
  | 'without-call'
  /** Nothing is in it. */
  | 'empty'
  /** Only its provider can read it. */
  | 'encrypted'
  /** A kind of content that messages do not have here. */
  | 'unknown';

/** A kind of part that was left out, and how often. */
export interface LeftOut {
  /** `message`, `text`, `image`, `audio`, `video`, `file`, `source`, `call`, `result`, `reasoning`, or the program's own name. */
  readonly part: string;
  readonly reason: LeftOutReason;
  readonly count: number;
}

/** Counts what is left out. */
export interface Tally {
  readonly leave: (part: string, reason: LeftOutReason, count?: number) => void;
  /** Returns the counts, in the order in which each kind came first. */
  readonly leftOut: () => readonly LeftOut[];
}

/** Longest name of a part: names come from the file. */
const maxName = 60;

export function createTally(): Tally {
  const counts = new Map<string, LeftOut>();
  return {
    leave(name, reason, count = 1) {
      if (count === 0) return;
      const part = name.slice(0, maxName) || 'message';
      const key = `${reason} ${part}`;
      counts.set(key, { part, reason, count: (counts.get(key)?.count ?? 0) + count });
    },
    leftOut: () => [...counts.values()],
  };
}
