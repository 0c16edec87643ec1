import type { Observable } from 'rxjs';
import type { AgentError } from '../error.ts';
import type { CallPlace } from '../model/event.ts';
import type { Spending } from '../model/message.ts';
import type { Stop } from '../model/next.ts';
import type { Budget } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';
import type { SessionStatus } from '../model/status.ts';

/** A session that works on a call, as the tool of the call drives it: see `AgentSession`. */
export interface ChildSession {
  readonly id: string;
  readonly status$: Observable<SessionStatus>;
  readonly getState: () => SessionState;
  /** @param id of the message: the same for every attempt at the call, so that a session has its prompt once */
  send(
    input: { readonly id: string; readonly content: string },
    options?: { readonly budget?: Budget },
  ): Promise<ChildResult>;
  resume(): Promise<ChildResult>;
  cancel(): void;
  /** Resolves when all events so far are stored. */
  flushed(): Promise<void>;
  /** Ends the run of this tab as interrupted: a run that resumes it continues. */
  interrupt(): void;
}

interface ChildResult {
  readonly error?: Pick<AgentError, 'code'>;
}

/** The place of a session that works on a call, and the agent whose client, tools and instructions it has. */
export interface ChildPlace {
  readonly id: string;
  readonly path: readonly CallPlace[];
  /** Made by `createAgent`. */
  readonly agent: object;
}

/** What the tools of a session know of the sessions above and below it. They live in the memory of one agent, that of the root. */
export interface Family {
  /** The calls that led to this session, that of the root first; empty for a root. */
  readonly path: readonly CallPlace[];
  /** Returns the session from memory or from the store, else creates it. */
  open(place: ChildPlace): Promise<ChildSession>;
  /** Opens the sessions of all calls of the tree that have not ended: what they have used counts. */
  openTree(): Promise<void>;
  /** What the last run of a session in memory, and of those below it, has used; and when a user last decided in it. */
  spendingOf(sessionId: string): Spending & { readonly decidedAt?: number };
  /** Unloads a session whose call has ended, where it is stored and not watched. */
  leave(sessionId: string): void;
  /** Returns when the call is no longer running, with whether it can still be continued. */
  whenLeft(callId: string): Promise<'ended' | 'open'>;
}

/** What the run that executes a call offers to a tool whose calls have sessions. */
export interface FamilyEnv {
  readonly family?: Family | undefined;
  /** Notes that the session of a call has stopped before its end: the run ends when nothing else is under way. */
  readonly stop?: (callId: string, stop: Stop) => void;
}
