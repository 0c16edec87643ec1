import { fail } from '../error.ts';
import { defined } from '../json.ts';
import type { RunSettings } from '../model/settings.ts';
import type { EventBody, QueueMode } from '../model/event.ts';
import { isOwnLimit } from '../model/state.ts';
import { statusOf } from '../model/status.ts';
import type { Message } from '../model/message.ts';
import { betweenRuns, nextDeadline, type Overdue, type Situation } from '../model/between-runs.ts';
import { recover } from '../model/recover.ts';
import type { RefusedPrompt } from '../model/refused.ts';
import { checkPrice } from './account.ts';
import { type AutoResume, createAutoResume } from './auto-resume.ts';
import { createRun, type Run } from './run.ts';
import { createRunResults, type RunResults } from './run-results.ts';
import { type Answerer, checkHandles, type RunHandles, toRunHandles, toRunSettings } from './run-settings.ts';
import { doWhenIdle } from './when-idle.ts';
import type { RunOptions, RunResult } from './session.ts';
import type { SessionEnv } from './session-env.ts';

/** The runs of one session that this tab drives, one at a time. `run-results.ts` has the promises that resolve with their results. */
export interface Runs {
  /** The session's last run, if this tab drives it. */
  current(): Run | undefined;
  /** Whether the session runs without a run of this tab: another tab drives the run, or was closed while it drove the run. */
  runsElsewhere(): boolean;
  /** Sends a message: adds the message and starts the run that answers it. Resolves with the result when the run has ended. */
  send(message: Message, options: RunOptions, more?: Edit): Promise<RunResult>;
  /** Starts a run with a message that has waited: in the queue, or because its write was refused. */
  admit(message: Admission): Promise<RunResult>;
  /** Starts a run with a planned message, which is due. */
  admitPlanned(message: Admission): Promise<RunResult>;
  /** Whether this tab has begun a run with this planned message. */
  wasPlanned(messageId: string): boolean;
  /** Starts a run that answers the last message, or resumes an earlier run. Resolves with the result when the run has ended. */
  start(options: RunOptions, more?: RunStart): Promise<RunResult>;
  /**
   * Checks that a run can be started with these options.
   *
   * @throws AgentError `INVALID_INPUT` for options that cannot be stored, `MISSING_OPTION` for options that this page lacks,
   * `MISSING_CLIENT` where no client can answer
   */
  check(options: RunOptions, base?: RunSettings, promptId?: string): void;
  /** Drives the run that is open in the log from this tab on. */
  drive(runId: string): Run;
  /** Joins the lock queue of the session. Called before an event lets other tabs read that this tab runs the session. */
  requestLease(): void;
  /** Queues a message. Resolves with the result of the run that answers the message, or as cancelled when it is removed. */
  queue(message: Message, mode: QueueMode, options: RunOptions): Promise<RunResult>;
  /** Starts a run with the oldest queued message. Returns `undefined` if that is not the next step. */
  startQueued(): Promise<RunResult> | undefined;
  /** Lets no step follow from the decision on a call until `release`: the decision is being stored. */
  hold(callId: string): void;
  release(callId: string): void;
  /** Performs the steps between runs. */
  advance(role?: Situation['role']): void;
  /** Aborts the run of this tab without an event: another tab runs the session. */
  abandonRun(): void;
  /** The run that was cut and continues by itself. */
  readonly autoResume: Pick<AutoResume, 'pending$' | 'getPending' | 'cancel'>;
  /** The promises of runs that are not in the log any more. */
  readonly results: Pick<RunResults, 'resolveLost' | 'waitForMessage'>;
  /** Resolves all remaining promises as cancelled. */
  close(): void;
}

/** How a message is sent in the place of another one. */
interface Edit {
  readonly supersedes?: string;
  /** Settings that the options override. */
  readonly base?: RunSettings | undefined;
}

/** A message that begins a run of its own, after it has waited. */
type Admission = Pick<RefusedPrompt, 'message' | 'supersedes' | 'settings'>;

/** How a run starts, beside its options. */
interface RunStart {
  /** Id of the run that this run resumes. */
  readonly resumes?: string;
  readonly isCompaction?: boolean;
  /** Whether no person has resumed the run: see `auto-resume.ts`. */
  readonly isAutomatic?: boolean;
  /** The event that the run answers, appended together with the start. */
  readonly cause?: Extract<EventBody, { readonly type: 'message.added' | 'session.rewound' }> | undefined;
  /** Settings that the options override. Default: the settings of the resumed run. */
  readonly base?: RunSettings | undefined;
}

/**
 * @param expire records that a call has expired: no person decided the call in time
 * @param goOn resumes the last run, which was cut, where the session allows it
 */
export function createRuns(env: SessionEnv, expire: (call: Overdue) => void, goOn: () => void = () => {}): Runs {
  const { log, link, ports } = env;
  const { append, peek } = log;
  let run: Run | undefined;
  /** Run options that cannot be stored, by the id of the message that the run answers. */
  const handles = new Map<string, RunHandles>();
  /** Ids of the calls whose decisions are being stored. */
  const held = new Set<string>();
  const planned = new Set<string>();
  const isHeld = (callId: string): boolean => held.has(callId);
  const openedAt = ports.now();
  let cancelTimer = (): void => {};
  const results = createRunResults(log, () => run !== undefined);
  const autoResume = createAutoResume(env, env.autoResume, () => {
    // What was asked with a client of its own reaches another service only by a person.
    const { promptId = '', settings } = peek().run ?? {};
    if (handles.get(promptId)?.client || !settings?.needs?.includes('client')) goOn();
  });

  function start(
    options: RunOptions,
    { resumes, isAutomatic, isCompaction, cause, base }: RunStart = {},
  ): Promise<RunResult> {
    const { run: last, newest } = peek();
    const resumed = last?.id === resumes ? last : undefined;
    const promptId = resumed ? resumed.promptId : cause ? promptOf(cause) : newest?.id;
    const from = cause?.type === 'message.added' ? (cause.supersedes ?? promptId) : promptId;
    const settings = toRunSettings(options, base ?? resumed?.settings, answererOf(from));
    keepHandles(options, promptId, from);
    const runId = ports.id();
    const result = results.ofRun(runId);
    const started = driveWith(runId, settings, promptId);
    requestLease();
    const carried = isOwnLimit(resumed) ? env.tree?.spentBelow() : undefined;
    const event: EventBody = {
      type: 'run.started',
      runId,
      ...defined({ resumes, isAutomatic, isCompaction, settings, carried }),
    };
    // Invariant: a message and its run begin as one: a subscriber that is notified of the message cannot start another run.
    log.appendAll(cause ? [cause, event] : [event]);
    started.advance();
    return result;
  }

  /** @param from id of the message whose options apply again */
  function answererOf(from = ''): Answerer {
    return { client: env.client, handles: handles.get(from) };
  }

  /** @param from id of the message whose options apply where the run has none of its own */
  function keepHandles(options: RunOptions, promptId = '', from = promptId): void {
    const kept = toRunHandles(options, handles.get(from));
    if (Object.keys(kept).length > 0) handles.set(promptId, kept);
  }

  function check(options: RunOptions, base?: RunSettings, promptId = ''): void {
    const settings = toRunSettings(options, base, answererOf(promptId));
    checkHandles(settings, toRunHandles(options, handles.get(promptId)), env.client);
    const unknown = options.tools && settings?.tools?.find((name) => !env.tools.has(name));
    if (unknown !== undefined) fail('INVALID_INPUT', `The session has no tool ${JSON.stringify(unknown)}.`);
    const { tree, cost, getModel } = env;
    const model = settings?.model ?? (options.client ? undefined : getModel?.());
    if (tree) checkPrice(peek().id, { find: tree.find, cost }, settings?.budget, model);
  }

  function drive(runId: string): Run {
    const { run: open } = peek();
    return driveWith(runId, open?.settings, open?.promptId);
  }

  function driveWith(runId: string, settings: RunSettings | undefined, promptId: string | undefined): Run {
    autoResume.noteRun(runId);
    const available = (settings?.needs && promptId && handles.get(promptId)) || {};
    return (run = createRun(runId, env, { settings, handles: available, isHeld }, advance));
  }

  function requestLease(): void {
    // A step that needs the lease awaits `own` itself and reports the rejection.
    link.acquireLease().catch(() => {});
  }

  /** Performs the steps between runs until the next step belongs to a run or to another tab. */
  function advance(role: Situation['role'] = run === undefined ? 'follower' : 'owner'): void {
    for (;;) {
      const before = peek();
      const step = betweenRuns(before, situation(role));
      // Invariant: a page that follows closes the run of a vanished owner, as every tab does, and takes no other step.
      if (ports.drives?.() === false && step?.do !== 'recover') break;
      if (step?.do === 'start') void admit(step.queued);
      else if (step?.do === 'recover') for (const event of recover(before)) append(event);
      else if (step?.do === 'expire') step.calls.forEach(expire);
      if (peek() === before) break;
    }
    // Invariant: the timer is set only for a deadline in the future. An expiry that is due is being recorded, here or in another tab.
    if (nextDeadline(peek()) > ports.now()) watchClock();
  }

  function situation(role: Situation['role']): Situation {
    return { now: ports.now(), role, openedAt };
  }

  /** Sets the timer that advances the session at the next deadline. */
  function watchClock(): void {
    cancelTimer();
    const ms = nextDeadline(peek()) - ports.now();
    if (ms < Infinity) cancelTimer = ports.delay(() => advance(), Math.max(ms, 0));
  }

  function startQueued(): Promise<RunResult> | undefined {
    const step = betweenRuns(peek(), situation('owner'));
    return step?.do === 'start' ? admit(step.queued) : undefined;
  }

  function admit({ message, settings, supersedes }: Admission): Promise<RunResult> {
    return start({}, { base: settings, cause: { type: 'message.added', message, ...defined({ supersedes }) } });
  }

  async function send(message: Message, options: RunOptions, { base, supersedes }: Edit = {}): Promise<RunResult> {
    const running = start(options, { base, cause: { type: 'message.added', message, ...defined({ supersedes }) } });
    const ownId = peek().run?.id;
    const result = await running;
    if (result.outcome !== 'failed' || result.error?.code !== 'STORAGE_CONFLICT') return result;
    await link.catchUp();
    // A message of this id is that of another tab where another run answers it: see `drive.ts` of agents.
    const { run: last } = peek();
    const isAnswered = last?.promptId === message.id && last.id !== ownId;
    // The run was lost and the message was not: the browser had erased the session, which has been stored again.
    const isLost = !isAnswered && link.getStatus().state !== 'stale' && log.hasMessage(message.id);
    return isLost ? doWhenIdle(log, () => (link.isClosed() ? { outcome: 'cancelled' } : start(options))) : result;
  }

  log.viewTurns(nextDeadline).subscribe({ next: watchClock, complete: () => cancelTimer() });

  return {
    current: () => run,
    runsElsewhere: () => run === undefined && statusOf(peek()) === 'running',
    send,
    admit,
    admitPlanned(admission) {
      planned.add(admission.message.id);
      return admit(admission);
    },
    wasPlanned: (messageId) => planned.has(messageId),
    start,
    check,
    drive,
    requestLease,
    queue(message, mode, options) {
      const settings = toRunSettings(options, {}, answererOf());
      keepHandles(options, message.id);
      const result = results.ofMessage(message.id);
      append({ type: 'message.queued', message, mode, ...defined({ settings }) });
      return result;
    },
    startQueued,
    hold: (callId) => void held.add(callId),
    release: (callId) => void held.delete(callId),
    advance,
    abandonRun() {
      // Another tab continues, or the session is closed.
      autoResume.cancel();
      run?.abandon();
      run = undefined;
    },
    results,
    autoResume,
    close() {
      autoResume.close();
      results.close();
    },
  };
}

function promptOf(cause: NonNullable<RunStart['cause']>): string {
  return cause.type === 'message.added' ? cause.message.id : cause.messageId;
}
