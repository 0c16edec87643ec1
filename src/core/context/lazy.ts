import type { Observable } from 'rxjs';
import { lazy, lazyValues } from '../lazy.ts';
import type { EventBody } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import type { ZoneTokens } from '../model/message.ts';
import type { Context, ContextSettings } from './context.ts';
import type { ContextRun } from './options.ts';

/** What a run needs of the context. */
export interface RunContext {
  /** Whether older messages have to be folded before the next request. */
  shouldCompact(state: SessionState): boolean;
  compact(state: SessionState): Observable<EventBody>;
  /** What the next request holds, where somebody counts. */
  measure(state: SessionState): ZoneTokens | undefined;
  /** Whether a request that the provider calls too long is worth a second try. */
  readonly mayRetry: boolean;
}

/** The context of an agent, which is loaded only where something asks for it: a page without a window does not carry it. */
export interface LazyContext {
  /** It, where this session or this run wants it and it has come. */
  get(state: SessionState, run?: ContextRun): Context | undefined;
  /** Rejects with AgentError where it cannot be had. */
  load(): Promise<Context>;
  forRun(run: ContextRun): RunContext;
}

const wishes = ['contextWindow', 'autoCompress', 'scratch', 'presets', 'context'];

export function createLazyContext(settings: ContextSettings): LazyContext {
  let context: Context | undefined;
  const load = lazy(async () => (context = (await import('./context.ts')).createContext(settings)));
  const wants = (options: object): boolean => wishes.some((name) => name in options);
  const isWanted = (state: SessionState, run: ContextRun): boolean =>
    state.context.length > 0 || wants(settings) || wants(run);
  const get = (state: SessionState, run: ContextRun = {}): Context | undefined =>
    isWanted(state, run) ? context : undefined;

  if (wants(settings)) load().catch(() => {});

  return {
    get,
    load,
    forRun(run) {
      const { autoCompress = settings.autoCompress, contextWindow = settings.contextWindow } = run;
      return {
        // Before it is here nobody can say: looking is the first step.
        shouldCompact: (state) => isWanted(state, run) && (context?.shouldCompact(state, run) ?? true),
        compact: (state) => lazyValues(async () => (await load()).compact(state, run)),
        measure: (state) => get(state, run)?.measure(state, run),
        mayRetry: autoCompress ?? contextWindow !== undefined,
      };
    },
  };
}
