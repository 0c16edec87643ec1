import type { Observable } from 'rxjs';
import type { EventBody } from '../model/event.ts';
import type { RecentState, SessionState } from '../model/state.ts';
import { type Context, type ContextSettings, createContext } from './context.ts';
import type { Assembled } from './measure.ts';
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

export function createSessionContext(settings: ContextSettings): SessionContext {
  let created: Context | undefined;
  const context = (): Context => (created ??= createContext(settings));
  const hasOption = (options: object): boolean => contextOptions.some((name) => name in options);
  const isNeeded = (state: Needs, run: ContextRun = {}): boolean =>
    state.context.length > 0 || state.run?.isCompaction === true || hasOption(settings) || hasOption(run);

  return {
    isNeeded,
    report: (state) => context().report(state),
    forRun(run) {
      const { autoCompress = settings.autoCompress, contextWindow = settings.contextWindow } = run;
      return {
        shouldCompact: (state) => isNeeded(state, run) && context().shouldCompact(state, run),
        compact: (state) => context().compact(state, run),
        assemble: (state) => (isNeeded(state, run) ? context().assemble(state, run) : undefined),
        counting: () => created?.counting(),
        mayRetry: autoCompress ?? contextWindow !== undefined,
      };
    },
  };
}
