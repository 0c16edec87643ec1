import type { LeftOut, Tally } from './tally.ts';
import { createTally } from './tally.ts';
import type { Transcript, Turn } from './transcript.ts';
import { createTranscript } from './transcript.ts';

/** A conversation of another program. */
export interface Conversation {
  /** Id in the program; where it has none, one that follows from the content. The same conversation has the same id in each export. */
  readonly id: string;
  readonly title?: string;
  /** The messages, each after the one before it. Several that follow the same message are versions. */
  readonly turns: readonly Turn[];
  /** Id of the last message of the versions that the program shows; missing: those that came last. */
  readonly current?: string;
  readonly leftOut: readonly LeftOut[];
}

/** A conversation while it is read. */
export interface Sketch {
  readonly transcript: Transcript;
  readonly tally: Tally;
  end(facts: Pick<Conversation, 'id' | 'title' | 'current'>): Conversation;
}

/** @param now time of messages that state none: ms since the epoch */
export function createSketch(now: number): Sketch {
  const transcript = createTranscript(now);
  const tally = createTally();
  return {
    transcript,
    tally,
    end: ({ id, title, current }) => ({
      id,
      ...(title && { title }),
      ...(current && { current }),
      turns: transcript.turns(),
      leftOut: tally.leftOut(),
    }),
  };
}
