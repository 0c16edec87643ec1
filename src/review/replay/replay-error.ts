/**
 * What differs: a `request` to the model, a `call` of a tool (its name, input, decision or result), a `message` or another `event`.
 * `unreplayable`: the log lacks what a replay needs.
 */
export type ReplayDifference = 'request' | 'call' | 'message' | 'event' | 'unreplayable';

/** The place of an error, and what was there. */
export interface ReplayErrorOptions {
  readonly what: ReplayDifference;
  /** `seq` of the recorded event; missing behind the end of the log. */
  readonly seq?: number | undefined;
  /** Number of the request, from 1, to which the event belongs; 0 before the first request. */
  readonly step?: number | undefined;
  readonly recorded?: unknown;
  readonly replayed?: unknown;
  readonly cause?: unknown;
}

/** Why a replay has ended: the first difference, or an event that cannot be replayed. `message` contains a readable diff. */
export class ReplayError extends Error {
  override readonly name: string = 'ReplayError';
  readonly what: ReplayDifference;
  declare readonly seq?: number;
  declare readonly step?: number;
  /** What the log contains. */
  readonly recorded: unknown;
  /** What happened in the replay. */
  readonly replayed: unknown;

  constructor(message: string, { what, seq, step, recorded, replayed, cause }: ReplayErrorOptions) {
    super(message, cause === undefined ? {} : { cause });
    this.what = what;
    if (seq !== undefined) this.seq = seq;
    if (step !== undefined) this.step = step;
    this.recorded = recorded;
    this.replayed = replayed;
  }
}
