import type { SessionStatus } from 'brooklet';
import type { RunOutcome, StoredSession } from 'brooklet/core';

/** The actions of a page until it is killed. Plain JSON: the test sends it to the page. */
export interface Plan {
  readonly baseURL: string;
  readonly question: string;
  /** ms that a tool takes after its effect is stored. */
  readonly toolTakes: number;
  /** ms before the person decides each call, in turn. */
  readonly thinks: readonly number[];
}

/** The reports of a page to the test. */
export type Report =
  /** A write was acknowledged: the write, as JSON. */
  | { readonly type: 'stored'; readonly sessionId: string; readonly write: string }
  /** A tool is about to act. */
  | { readonly type: 'acts'; readonly idempotencyKey: string };

/** The functions of a page that the test calls. */
export interface Victim {
  /** Starts a session that continues until the page is killed. Returns its id. */
  begin(plan: Plan): string;
  /** The stored session, and the session as a new page opens it. */
  find(sessionId: string): Promise<StoredSession | undefined>;
  /** Opens the session like a person who returns, and continues to its end. */
  comeBack(sessionId: string, plan: Plan, by: 'resume' | 'send'): Promise<Return>;
  /** The idempotency keys of all tool effects, once for each effect. */
  effects(): Promise<readonly string[]>;
  /** The ids of all sessions. */
  list(): Promise<readonly string[]>;
  /** The received text of the last reply. */
  received(sessionId: string): string;
}

export interface Return {
  /** The events as stored. */
  readonly found: SessionStatus;
  readonly outcome: RunOutcome | undefined;
  readonly messageIds: readonly string[];
}
