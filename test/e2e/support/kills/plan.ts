import type { SessionStatus } from 'brooklet';
import type { RunOutcome, StoredSession } from 'brooklet/core';

/** What a page does until it is killed. Plain JSON: it goes from the test to the page. */
export interface Plan {
  readonly baseURL: string;
  readonly question: string;
  /** ms that a tool takes after what it did is on disk. */
  readonly toolTakes: number;
  /** ms that the person thinks about each call, in turn. */
  readonly thinks: readonly number[];
}

/** What a page tells the test while it lives. */
export type Report =
  /** A write was acknowledged: what it wrote, as JSON. */
  | { readonly type: 'stored'; readonly sessionId: string; readonly write: string }
  /** A tool is about to act. */
  | { readonly type: 'acts'; readonly idempotencyKey: string };

/** What a page does for the test. */
export interface Victim {
  /** Begins a session that goes on until the page is gone. Gives its id. */
  begin(plan: Plan): string;
  /** What lies on the disk, and what a new page makes of it. */
  find(sessionId: string): Promise<StoredSession | undefined>;
  /** Opens the session as a person would who comes back, and goes on to its end. */
  comeBack(sessionId: string, plan: Plan, by: 'resume' | 'send'): Promise<Return>;
  /** The idempotency keys of all that tools have done, once for each time. */
  effects(): Promise<readonly string[]>;
  /** The ids of all sessions. */
  list(): Promise<readonly string[]>;
  /** Text of the last reply, as it was received. */
  received(sessionId: string): string;
}

export interface Return {
  /** As it was found. */
  readonly found: SessionStatus;
  readonly outcome: RunOutcome | undefined;
  readonly messageIds: readonly string[];
}
