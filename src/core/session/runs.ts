import type { RunContext } from '../context/lazy.ts';
import { fromErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { RunSettings } from '../model/settings.ts';
import type { QueueMode, SessionEvent } from '../model/event.ts';
import { openRun, type QueuedMessage } from '../model/state.ts';
import { lastReply, statusOf } from '../model/status.ts';
import type { Message } from '../model/message.ts';
import { next, nextDeadline, type Overdue, type Situation } from '../model/next.ts';
import { recover } from '../model/recover.ts';
import { createRun, type Run } from './run.ts';
import { checkHandles, type RunHandles, toRunHandles, toRunSettings } from './run-settings.ts';
import type { RunOptions, RunResult } from './session.ts';
import type { SessionEnv } from './session-env.ts';

/** The runs of one session that this tab drives, one at a time, and who waits for what becomes of them. */
export interface Runs {
  /** The session's last run, if this tab drives it. */
  current(): Run | undefined;
  /** Whether another tab runs the session, or did when it was closed. */
  runsElsewhere(): boolean;
  /** Starts a run that answers what has just been appended, or goes on with an earlier run. */
  start(options: RunOptions, more?: RunStart): Promise<RunResult>;
  /**
   * Checks that a run can be started with these options.
   *
   * @throws AgentError `INVALID_INPUT` for options that cannot be stored, `MISSING_OPTION` for some that are not at hand
   */
  check(options: RunOptions, base?: RunSettings, promptId?: string): void;
  /** Takes the wheel of the run that is open in the log. */
  drive(runId: string): Run;
  /** Gets in line for the session, before anybody can read that it runs. */
  claim(): void;
  /** A decision has been made: whoever runs goes on, and if the run's owner is gone, the run is taken up. */
  goOn(): void;
  /** Lets a message wait for its turn; gives the result of the run that answers it. */
  queue(message: Message, mode: QueueMode, options: RunOptions): Promise<RunResult>;
  /** Starts a run with the message that has waited longest, where nothing else is to be done. */
  startQueued(): Promise<RunResult> | undefined;
  /** Asks what is due between runs, and does it. */
  advance(role?: Situation['role']): void;
  /** Aborts what goes on and says nothing: another tab has the word. */
  letGo(): void;
  /** Tells those who wait for a run that is not the session's last, and will not end any more. */
  giveUp(result: RunResult): void;
  close(): void;
}

interface RunStart {
  /** Id of the run that this one goes on with. */
  readonly resumes?: string;
  readonly isCompaction?: boolean;
  /** Settings that the options are laid over. Default: those of the run that is resumed. */
  readonly base?: RunSettings | undefined;
}

type Resolve = (result: RunResult) => void;

/** ms; browsers take a longer delay for none at all. */
const longestDelay = 2 ** 31 - 1;

/** @param expire decides a call that no person has decided in time */
export function createRuns(env: SessionEnv, expire: (call: Overdue) => void): Runs {
  const { log, replica, ports, policy, context, toRequest } = env;
  const { append, getState } = log;
  let run: Run | undefined;
  /** Who waits for the end of which run. */
  const awaited = new Map<string, Resolve[]>();
  /** Messages whose turn is to come. */
  const waiting = new Map<string, Resolve>();
  /** What cannot be stored of the options of runs, by the message that they answer. */
  const handles = new Map<string, RunHandles>();
  /** Those whose turn has come, for the run that is about to begin. */
  let admitted: Resolve[] = [];
  const openedAt = ports.now();
  let cancelTimer = (): void => {};

  function start(options: RunOptions, { resumes, isCompaction, base }: RunStart = {}): Promise<RunResult> {
    const { run: last, messages } = getState();
    const isResumed = resumes !== undefined && last?.id === resumes;
    const settings = toRunSettings(options, base ?? (isResumed ? last.settings : undefined));
    const promptId = isResumed ? last.promptId : messages.at(-1)?.id;
    keep(options, promptId);
    const runId = ports.id();
    const result = new Promise<RunResult>((resolve) => expect(runId, resolve));
    const here = driveWith(runId, settings, promptId);
    claim();
    append({ type: 'run.started', runId, ...defined({ resumes, isCompaction, settings }) });
    here.advance();
    return result;
  }

  function keep(options: RunOptions, promptId: string | undefined): void {
    if (promptId === undefined || (options.client === undefined && options.scratch === undefined)) return;
    handles.set(promptId, toRunHandles(options, handles.get(promptId)));
  }

  function check(options: RunOptions, base?: RunSettings, promptId = ''): void {
    checkHandles(toRunSettings(options, base), toRunHandles(options, handles.get(promptId)));
  }

  function drive(runId: string): Run {
    const { run: open } = getState();
    return driveWith(runId, open?.settings, open?.promptId);
  }

  function driveWith(runId: string, settings: RunSettings | undefined, promptId: string | undefined): Run {
    const { own } = replica;
    const atHand: RunHandles = (settings?.needs && promptId && handles.get(promptId)) || {};
    const options: RunOptions = { ...settings, ...atHand };
    const { client = env.client } = options;
    const ofRun = context.forRun(options);
    const ready: RunContext['ready'] = (state) => {
      try {
        checkHandles(settings, atHand);
      } catch (error) {
        return Promise.reject(error);
      }
      return ofRun.ready(state);
    };
    run = createRun(
      runId,
      log,
      {
        ...env,
        sessionId: getState().id,
        now: ports.now,
        flush: replica.flush,
        client,
        own,
        context: { ...ofRun, ready },
        toRequest: (state) => toRequest(state, options, ofRun),
      },
      { ...policy, shouldCompact: ofRun.shouldCompact },
      advance,
    );
    return run;
  }

  function claim(): void {
    // Who waits for it hears of it; here nobody does yet.
    replica.own().catch(() => {});
  }

  function expect(runId: string, ...more: readonly Resolve[]): void {
    awaited.set(runId, [...(awaited.get(runId) ?? []), ...more]);
  }

  function settle(runId: string, result: RunResult): void {
    for (const resolve of awaited.get(runId) ?? []) resolve(result);
    awaited.delete(runId);
  }

  /** Performs the steps between runs, until the next one is due to somebody else. */
  function advance(role: Situation['role'] = run === undefined ? 'follower' : 'owner'): void {
    for (;;) {
      const before = getState();
      const step = next(before, policy, situation(role));
      if (step.do === 'start') void admit(step.queued);
      else if (step.do === 'recover') for (const event of recover(before)) append(event);
      else if (step.do === 'expire') step.calls.forEach(expire);
      if (getState() === before) break;
    }
    // What is due now is being done, or another tab does it: it is not asked for again before something happens.
    if (nextDeadline(getState()) > ports.now()) watchClock();
  }

  function situation(role: Situation['role']): Situation {
    return { now: ports.now(), role, openedAt };
  }

  /** Asks again at the next deadline. */
  function watchClock(): void {
    cancelTimer();
    const ms = nextDeadline(getState()) - ports.now();
    if (ms < Infinity) cancelTimer = ports.delay(() => advance(), Math.min(Math.max(ms, 0), longestDelay));
  }

  function startQueued(): Promise<RunResult> | undefined {
    const step = next(getState(), policy, situation('owner'));
    return step.do === 'start' ? admit(step.queued) : undefined;
  }

  function admit({ message, settings }: QueuedMessage): Promise<RunResult> {
    append({ type: 'message.added', message });
    return start({}, { base: settings });
  }

  function note(event: SessionEvent): void {
    if (event.type === 'message.added') haveTurn(event.message.id);
    else if (event.type === 'message.unqueued') {
      waiting.get(event.messageId)?.({ outcome: 'cancelled' });
      waiting.delete(event.messageId);
    } else if (event.type === 'session.cleared') callOffWaiting();
    else if (event.type === 'run.started') {
      expect(event.runId, ...admitted);
      admitted = [];
    } else if (event.type === 'run.ended') {
      const message = lastReply(getState().messages);
      const error = event.error && fromErrorInfo(event.error);
      settle(event.runId, { outcome: event.outcome, ...defined({ message, error }) });
    }
  }

  function callOffWaiting(): void {
    for (const resolve of waiting.values()) resolve({ outcome: 'cancelled' });
    waiting.clear();
  }

  function haveTurn(messageId: string): void {
    const resolve = waiting.get(messageId);
    if (resolve === undefined) return;
    waiting.delete(messageId);
    const open = openRun(getState());
    if (open) expect(open.id, resolve);
    else admitted.push(resolve);
  }

  log.events$.subscribe(note);
  log.viewTurns(nextDeadline).subscribe({ next: watchClock, complete: () => cancelTimer() });

  return {
    current: () => run,
    runsElsewhere: () => run === undefined && statusOf(getState()) === 'running',
    start,
    check,
    drive,
    claim,
    goOn() {
      const { run: last } = getState();
      if (last?.outcome === 'interrupted' || last?.outcome === 'failed') void start({}, { resumes: last.id });
      else if (last && openRun(getState())) (run ?? drive(last.id)).advance();
    },
    queue(message, mode, options) {
      const settings = toRunSettings(options);
      keep(options, message.id);
      return new Promise((resolve) => {
        waiting.set(message.id, resolve);
        append({ type: 'message.queued', message, mode, ...defined({ settings }) });
      });
    },
    startQueued,
    advance,
    letGo() {
      run?.abandon();
      run = undefined;
    },
    giveUp(result) {
      for (const runId of awaited.keys()) if (getState().run?.id !== runId) settle(runId, result);
    },
    close() {
      for (const runId of awaited.keys()) settle(runId, { outcome: 'cancelled' });
      callOffWaiting();
    },
  };
}
