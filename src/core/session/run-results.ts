import { fromErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { Log } from '../log/log.ts';
import type { SessionEvent } from '../model/event.ts';
import { openRun } from '../model/state.ts';
import { lastReply } from '../model/status.ts';
import type { RunResult } from './session.ts';

/** The promises that resolve with the results of runs, whichever tab drives them. */
export interface RunResults {
  /** Resolves with the result of this run when the run has ended. */
  ofRun(runId: string): Promise<RunResult>;
  /** Resolves with the result of the run that answers this queued message, or as cancelled when the message is removed. */
  ofMessage(messageId: string): Promise<RunResult>;
  /** Called when a run will not be in the log, and its message will be added again: its promises wait for the message. */
  waitForMessage(runId: string, messageId: string): void;
  /**
   * Called after the stored log replaced the log of this tab. Resolves the promises of every run but the session's last with this result:
   * the log will not contain the end of those runs.
   */
  resolveLost(result: RunResult): void;
  /** Resolves all remaining promises as cancelled. */
  close(): void;
}

type Resolve = (result: RunResult) => void;

/** @param isDriving whether this tab drives the session's last run */
export function createRunResults({ getState, events$ }: Log, isDriving: () => boolean): RunResults {
  /** Resolve functions by the id of the run whose end they wait for. */
  const awaited = new Map<string, Resolve[]>();
  /** Resolve functions by the id of the queued message that they belong to. */
  const waiting = new Map<string, Resolve>();
  /** Resolve functions of messages that have left the queue, for the run whose start or end is the next such event. */
  let admitted: Resolve[] = [];
  /** Id of the last reply that has begun since this tab opened the session. */
  let replyId: string | undefined;

  function expect(runId: string, ...more: readonly Resolve[]): void {
    awaited.set(runId, [...(awaited.get(runId) ?? []), ...more]);
  }

  function settle(runId: string, result: RunResult): void {
    for (const resolve of awaited.get(runId) ?? []) resolve(result);
    awaited.delete(runId);
  }

  function onEvent(event: SessionEvent): void {
    if (event.type === 'message.added') assignToRun(event.message.id);
    else if (event.type === 'message.unqueued') {
      waiting.get(event.messageId)?.({ outcome: 'cancelled' });
      waiting.delete(event.messageId);
    } else if (event.type === 'session.cleared') cancelWaiting();
    else if (event.type === 'reply.started') replyId = event.messageId;
    else if (event.type === 'run.started') expectAdmitted(event.runId);
    else if (event.type === 'run.ended') {
      // Events of another tab arrive together: a later run may have begun a reply.
      const { messages } = getState();
      const message = messages.findLast(({ id }) => id === replyId) ?? lastReply(messages);
      const error = event.error && fromErrorInfo(event.error);
      const finish = event.outcome === 'completed' ? message?.finish : undefined;
      // A run of another tab whose events arrived together: its steering messages were admitted before its end.
      expectAdmitted(event.runId);
      settle(event.runId, { outcome: event.outcome, ...defined({ message, finish, error }) });
    }
  }

  function expectAdmitted(runId: string): void {
    expect(runId, ...admitted);
    admitted = [];
  }

  function cancelWaiting(): void {
    for (const resolve of [...waiting.values(), ...admitted]) resolve({ outcome: 'cancelled' });
    waiting.clear();
    admitted = [];
  }

  function assignToRun(messageId: string): void {
    const resolve = waiting.get(messageId);
    if (resolve === undefined) return;
    waiting.delete(messageId);
    // The state is that of the event only where this tab drives the run; events of another tab arrive together.
    const open = isDriving() ? openRun(getState()) : undefined;
    if (open) expect(open.id, resolve);
    else admitted.push(resolve);
  }

  events$.subscribe(onEvent);

  return {
    ofRun: (runId) => new Promise((resolve) => expect(runId, resolve)),
    ofMessage: (messageId) => new Promise((resolve) => waiting.set(messageId, resolve)),
    waitForMessage(runId, messageId) {
      const resolvers = awaited.get(runId) ?? [];
      awaited.delete(runId);
      if (resolvers.length > 0) waiting.set(messageId, (result) => resolvers.forEach((resolve) => resolve(result)));
    },
    resolveLost(result) {
      for (const runId of awaited.keys()) if (getState().run?.id !== runId) settle(runId, result);
    },
    close() {
      for (const runId of awaited.keys()) settle(runId, { outcome: 'cancelled' });
      cancelWaiting();
    },
  };
}
