import type { SessionEvent } from '../core/model/event.ts';
import type { Proposal } from '../core/model/message.ts';
import type { SessionStore, SessionSummary, SessionWrite } from '../core/model/store.ts';

/** What a known device signs: a decision, or a proposal of one. */
export type Decision = Extract<SessionEvent, { readonly type: 'approval.decided' | 'approval.proposed' }>;

export function isDecision(event: SessionEvent): event is Decision {
  return event.type === 'approval.decided' || event.type === 'approval.proposed';
}

/**
 * Why a decision does not count. `unsigned`: it has no signature. `unknown-device`, `removed-device`: the device that has signed is not, or no
 * longer, in the list. `invalid`: the signature is not that of the device, or belongs to another call, session, input or decision.
 * `replayed`: the call was over, or had begun, and what followed the decision was taken out of the log.
 */
export type HeldReason = 'unsigned' | 'unknown-device' | 'removed-device' | 'invalid' | 'replayed';

/** A decision of another device that does not count, on a call without any other decision. The person here may make the same one. */
export interface HeldDecision {
  readonly callId: string;
  readonly why: HeldReason;
  /** Name of the device that has decided, as far as a signature proves it. */
  readonly device?: string;
  /** What was decided. `verdict` and `input` are for `approve` and `reject`, `answer` is for `answer`. */
  readonly decision: Proposal;
}

/** The part of a remote log that counts. */
export interface Vetted {
  /** The events that were to be checked. A decision that does not count is `event.dropped`. */
  readonly events: readonly SessionEvent[];
  /** Row of the log, where it differs from that of the remote store. */
  readonly summary?: SessionSummary;
  /** The decisions that do not count, on calls that await one. */
  readonly held: readonly HeldDecision[];
  /** Whether a call is open whose decision does not count: what follows in the log may show that the call has ended elsewhere. */
  readonly isOpen: boolean;
  /** Ids of calls that were over, or had begun, and are open in the remote log: what was decided on them does not count any more. */
  readonly spent: readonly string[];
}

/** What is checked. */
export interface Vetting {
  readonly sessionId: string;
  /** The remote log above `from`. */
  readonly theirs: readonly SessionEvent[];
  /** The whole log of this device. */
  readonly mine: readonly SessionEvent[];
  /** Up to this `seq` both logs are the same; 0 where `theirs` is the whole log. */
  readonly from: number;
  /** Up to this `seq` both logs were the same when they were last compared. */
  readonly agreed: number;
  /** `spent` of the last check. */
  readonly spent: readonly string[];
}

/** The end of a remote log: `seq` of its last event, and the id of its last write. */
export interface LogEnd {
  readonly seq: number;
  readonly writeId?: string | undefined;
}

/** Signs the removals of this device, and checks those of others. */
export interface RemovalGuard {
  /** Stores a signed statement that this device removes a session with this end. Rejects with the error of the store. */
  note(sessionId: string, end: LogEnd): Promise<void>;
  /**
   * Resolves with the reason why the removal of a session does not count; `undefined` where a known device has signed it. `replayed`: the
   * statement is older than what this device has of the session. Rejects with the error of the store.
   *
   * @param known the end of the remote log as this device last read it
   */
  vet(sessionId: string, known: LogEnd): Promise<HeldReason | undefined>;
}

/**
 * Signs the decisions and removals of this device, and checks those of others, for `createSyncedStore`. `openDevices` of `brooklet/sync`
 * makes one.
 */
export interface DecisionGuard {
  /** Returns a write with the signatures of the decisions that this device makes in it: within the call if there is nothing to sign. */
  sign(write: SessionWrite, local: SessionStore): SessionWrite | Promise<SessionWrite>;
  /** Rejects with the error of the store that has the list of devices. */
  vet(vetting: Vetting): Promise<Vetted>;
  /** Without it, every removal in the remote store counts. */
  readonly removals?: RemovalGuard;
}
