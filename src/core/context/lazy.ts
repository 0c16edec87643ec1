import type { Observable } from 'rxjs';
import { lazyValues, loadable } from '../lazy.ts';
import type { EventBody } from '../model/event.ts';
import type { RecentState, SessionState } from '../model/state.ts';
import type { Context, ContextSettings } from './context.ts';
import type { Assembled } from './measure.ts';
import type { ContextRun } from './options.ts';

/** What decides whether a session needs the context. */
type Needs = Pick<RecentState, 'context'> & { readonly run?: RecentState['run'] };

/** The context, bound to the options of one run. */
export interface RunContext {
  /**
   * Resolves when the context that this run needs is loaded; returns `undefined` when nothing has to be loaded. A run awaits it before
   * its first step. Rejects with `MODULE_UNAVAILABLE`.
   */
  ready(state: Needs): Promise<unknown> | undefined;
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

/** The context of an agent, loaded when an option needs it: a page without a context window does not carry it. */
export interface LazyContext {
  /** Returns the context if it is loaded and this session needs it. */
  get(state: SessionState): Context | undefined;
  /** Rejects with `MODULE_UNAVAILABLE` when the context cannot be loaded. */
  load(): Promise<Context>;
  forRun(run: ContextRun): RunContext;
}

/** Names of the options that require the context. */
const contextOptions = ['contextWindow', 'autoCompress', 'scratch', 'presets', 'context'];

export function createLazyContext(settings: ContextSettings): LazyContext {
  const context = loadable(async () => (await import('./context.ts')).createContext(settings));
  const needs = (options: object): boolean => contextOptions.some((name) => name in options);
  const isNeeded = (state: Needs, run: ContextRun): boolean =>
    state.context.length > 0 || state.run?.isCompaction === true || needs(settings) || needs(run);
  const get = (state: SessionState, run: ContextRun = {}): Context | undefined =>
    isNeeded(state, run) ? context.get() : undefined;

  if (needs(settings)) context.load().catch(() => {});

  return {
    get,
    load: context.load,
    forRun(run) {
      const { autoCompress = settings.autoCompress, contextWindow = settings.contextWindow } = run;
      return {
        ready: (state) => (isNeeded(state, run) && context.get() === undefined ? context.load() : undefined),
        shouldCompact: (state) => get(state, run)?.shouldCompact(state, run) ?? false,
        compact: (state) => lazyValues(async () => (await context.load()).compact(state, run)),
        assemble: (state) => get(state, run)?.assemble(state, run),
        counting: () => context.get()?.counting(),
        mayRetry: autoCompress ?? contextWindow !== undefined,
      };
    },
  };
}
