import type { AgentErrorCode, ErrorInfo } from '../error.ts';
import { toolParts } from './message.ts';
import type { RunState, SessionState } from './state.ts';
import { lastReply } from './status.ts';

/** When a run continues by itself after a cut: see `AgentOptions.autoResume`. */
export interface AutoResumeRule {
  /** Largest number of automatic resumes of one run, until a person sends or resumes. */
  readonly attempts: number;
  /** ms from the cut to the first resume, doubled for each later one. */
  readonly firstDelay: number;
  /** ms. A run that was cut longer ago when the page opens its session waits for a person. */
  readonly within: number;
}

/** The next automatic resume of a run. */
export interface NextResume {
  readonly runId: string;
  /** Number of the resume; the first one is 1. */
  readonly attempt: number;
  /** ms to wait before it. */
  readonly ms: number;
}

/** A run that was cut and will continue by itself: "connection lost, continuing in 2 s (1 of 2)". */
export interface PendingResume {
  /** Id of the run that was cut. */
  readonly runId: string;
  /** Number of the resume; the first one is 1. */
  readonly attempt: number;
  /** All automatic resumes that are allowed. */
  readonly attempts: number;
  /** ms from the cut to the resume. */
  readonly ms: number;
  /** What the resume waits for after that time: the network, or that the page is visible. Missing while the time runs. */
  readonly until?: 'online' | 'visible';
}

/** The largest delay between two resumes, in ms. */
const longestDelay = 30_000;

/** The errors of a connection that was lost. */
const lostConnection: ReadonlySet<AgentErrorCode> = new Set(['STREAM_INTERRUPTED', 'NETWORK_ERROR', 'OFFLINE']);

/**
 * Whether the last run was cut: the connection was lost, or the page was left, closed or suspended. The service has reported no error, the
 * text so far is in the log, and `resume` continues the run. `false` for a run that is open, was cancelled, or failed otherwise.
 *
 *     if (isCut(session.getState())) show('The connection was lost.', { action: () => session.resume() });
 */
export function isCut({ run }: { readonly run?: RunState | undefined }): boolean {
  if (run === undefined || run.isCompaction) return false;
  if (run.outcome === 'interrupted') return run.error === undefined || isLost(run.error);
  return run.outcome === 'failed' && run.error !== undefined && isLost(run.error);
}

/** A response that stops without an end is also noticed by the time limit for silence: a page that wakes up reads nothing more. */
function isLost({ code, timeout }: ErrorInfo): boolean {
  return lostConnection.has(code) || timeout === 'idle';
}

/**
 * Returns the next automatic resume of the last run, or `undefined` where a person has to resume it. Pure. Invariant: no run is resumed
 * automatically while a call is uncertain, because the call may have had its effect; nor more often than the rule states, which the
 * events count.
 *
 * @param now ms since the epoch, when the cut was noticed
 */
export function nextResume(state: SessionState, rule: AutoResumeRule, now: number): NextResume | undefined {
  const { run, updatedAt } = state;
  if (run === undefined || !isCut(state) || now - updatedAt > rule.within) return undefined;
  const { id: runId, autoResumes = 0 } = run;
  if (autoResumes >= rule.attempts) return undefined;
  const reply = lastReply(state.messages);
  // The session of a call has its own log: the call continues there, and is not repeated.
  if (reply && toolParts(reply).some(({ status, session }) => status === 'uncertain' && session === undefined))
    return undefined;
  return { runId, attempt: autoResumes + 1, ms: Math.min(longestDelay, rule.firstDelay * 2 ** autoResumes) };
}
