import type { Observable } from 'rxjs';
import type { EventBody } from '../model/event.ts';
import type { RecentState, SessionState } from '../model/state.ts';
import { type Context, type ContextSettings, createContext } from './context.ts';
import type { Assembled } from './measure.ts';
import { forClient } from './for-client.ts';
import type { ContextRun } from './options.ts';
import type { ContextReport } from './report.ts';

/** What decides whether a session needs the context. */
type Needs = Pick<RecentState, 'context'> & { readonly run?: RecentState['run'] };

/** The context, bound to the options of one run. */
export interface RunContext {
  /** Resolves when the run may take its first step; returns `undefined`, or is missing, where it may take the step at once. */
  ready?(): Promise<unknown> | undefined;
  /** Whether older messages have to be compacted before the next request. */
  shouldCompact(state: SessionState): boolean;
  compact(state: SessionState): Observable<EventBody>;
  /** Returns the messages of the next request; `undefined` when tokens are not counted. */
  assemble(state: SessionState): Assembled | undefined;
  /** Resolves when what was measured is counted exactly; `undefined` where it is. Rejects with `INVALID_CONFIG`: see `countTokens`. */
  counting?(): Promise<unknown> | undefined;
  /** Whether a request that the provider refused as too long may be compacted and sent again. */
  readonly mayRetry: boolean;
}

/** The context of the sessions with one configuration. */
export interface SessionContext {
  /** Whether an option or the log of this session needs the context. */
  isNeeded(state: SessionState): boolean;
  report(state: SessionState): ContextReport;
  forRun(run: ContextRun): RunContext;
}

/** Names of the options that require the context. */
const contextOptions = ['contextWindow', 'autoCompress', 'scratch', 'presets', 'context'];

/** @param present returns the settings that are in effect: the same reference for as long as they are the same */
export function createSessionContext(present: () => ContextSettings): SessionContext {
  let created: { readonly context: Context; readonly settings: ContextSettings } | undefined;

  /** Returns the context of the present settings: another one where the agent has changed its client. */
  function context(): Context {
    const settings = present();
    if (created?.settings !== settings) created = { context: createContext(settings), settings };
    return created.context;
  }

  const hasOption = (options: object): boolean => contextOptions.some((name) => name in options);
  const isNeeded = (state: Needs, run: ContextRun = {}): boolean =>
    state.context.length > 0 || state.run?.isCompaction === true || hasOption(present()) || hasOption(run);

  return {
    isNeeded,
    report: (state) => context().report(state),
    forRun(given) {
      const run = (): ContextRun => forClient(given, present().client);
      return {
        shouldCompact: (state) => isNeeded(state, run()) && context().shouldCompact(state, run()),
        compact: (state) => context().compact(state, run()),
        assemble: (state) => (isNeeded(state, run()) ? context().assemble(state, run()) : undefined),
        counting: () => created?.context.counting(),
        get mayRetry() {
          const { autoCompress, contextWindow } = { ...present(), ...run() };
          return autoCompress ?? contextWindow !== undefined;
        },
      };
    },
  };
}
