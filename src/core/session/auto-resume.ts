import { type Observable, Subject } from 'rxjs';
import { current } from '../log/current.ts';
import { type AutoResumeRule, nextResume, type PendingResume } from '../model/auto-resume.ts';
import { whenOnline } from '../ports.ts';
import { createOwnRun } from './own-run.ts';
import type { SessionEnv } from './session-env.ts';

/** Resumes the runs of this tab after a cut. */
export interface AutoResume {
  readonly pending$: Observable<PendingResume | undefined>;
  getPending(): PendingResume | undefined;
  /** Notes that this tab drives a run. */
  noteRun(runId: string): void;
  /** Leaves the run that waits to the person. */
  cancel(): void;
  close(): void;
}

/** ms after which a run continues in a hidden page. The timers of a page that the system suspends stand still: it continues when it is shown. */
const longestHidden = 60_000;

/**
 * Creates what resumes the runs of one session. Invariant: only the tab that drove a run resumes it by itself, also after a reload.
 *
 * @param rule `undefined`: nothing is resumed
 * @param resume resumes the last run; must not throw
 */
export function createAutoResume(
  { log, ports }: Pick<SessionEnv, 'log' | 'ports'>,
  rule: AutoResumeRule | undefined,
  resume: () => void,
): AutoResume {
  const changes = new Subject<void>();
  let pending: PendingResume | undefined;
  let stopWaiting = (): void => {};
  if (rule === undefined)
    return {
      pending$: current(changes, () => pending),
      getPending: () => pending,
      noteRun() {},
      cancel() {},
      close: () => changes.complete(),
    };

  const allowed: AutoResumeRule = rule;
  const own = createOwnRun(log.peek().id);
  let isHidden = false;
  const stopHide = ports.onHide(() => (isHidden = true));
  const stopShow = ports.onShow(() => (isHidden = false));

  function set(value: PendingResume | undefined): void {
    if (value === pending) return;
    pending = value;
    changes.next();
  }

  function stop(): void {
    stopWaiting();
    stopWaiting = () => {};
    set(undefined);
  }

  /** Begins to wait where the last run of this tab has been cut; ends the wait where another run has begun. */
  function look(): void {
    const { run } = log.peek();
    if (pending && pending.runId === run?.id && run.outcome !== undefined) return;
    stop();
    if (run?.outcome === undefined || own.get() !== run.id) return;
    const next = nextResume(log.getState(), allowed, ports.now());
    // Forgotten, so that no later visit of the session resumes it.
    if (next === undefined) return own.set(undefined);
    set({ ...next, attempts: allowed.attempts });
    stopWaiting = ports.delay(whenShown, next.ms);
  }

  function whenShown(): void {
    if (!isHidden) return whenConnected();
    wait(
      'visible',
      (done) => {
        const stops = [ports.onShow(done), ports.delay(done, longestHidden)];
        return () => stops.forEach((stopOne) => stopOne());
      },
      whenConnected,
    );
  }

  function whenConnected(): void {
    const online = ports.whenOnline ?? whenOnline();
    if (online) wait('online', online, go);
    else go();
  }

  /** Calls `then` once, when `begin` calls back. A callback within the call does not report a wait. */
  function wait(until: 'online' | 'visible', begin: (done: () => void) => () => void, then: () => void): void {
    let isDone = false;
    let end = (): void => {};
    const once = (): void => {
      if (isDone) return;
      isDone = true;
      end();
      then();
    };
    end = begin(once);
    if (isDone) return end();
    stopWaiting = () => {
      isDone = true;
      end();
    };
    if (pending) set({ ...pending, until });
  }

  function go(): void {
    stopWaiting = () => {};
    set(undefined);
    resume();
  }

  const looking = log.viewTurns(({ run }) => run).subscribe(look);

  return {
    pending$: current(changes, () => pending),
    getPending: () => pending,
    noteRun: own.set,
    cancel() {
      own.set(undefined);
      stop();
    },
    close() {
      looking.unsubscribe();
      stopHide();
      stopShow();
      stop();
      changes.complete();
    },
  };
}
