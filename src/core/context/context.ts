import { Observable, type Subscriber } from 'rxjs';
import { AgentError, fromErrorInfo, toErrorInfo } from '../error.ts';
import type { LLMClient } from '../model/llm.ts';
import type { CompactionCause } from '../model/context-event.ts';
import type { EventBody } from '../model/event.ts';
import { contentIdOf } from '../model/hash.ts';
import type { ToolSpec } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';
import type { Ports } from '../ports.ts';
import { calibrationOf } from './calibrate.ts';
import { compact } from './compact.ts';
import { historyOf } from './compaction-history.ts';
import { type Assembled, breaker, createMeasure, type MeasureSettings, summaryTokens } from './measure.ts';
import type { ContextRun, ContextRunOptions } from './options.ts';
import { type ContextReport, toReport } from './report.ts';
import type { CompactionStrategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import type { ZoneTokens } from '../model/message.ts';
import type { Zones } from './zones.ts';

/** Settings of an agent's context. */
export interface ContextSettings extends MeasureSettings {
  readonly client: LLMClient;
  readonly model?: string | undefined;
  readonly ports: Pick<Ports, 'id' | 'delay'>;
}

/** Keeps the sessions of an agent within the window of the model. */
export interface Context {
  /** Whether the next request needs a compaction first: it exceeds the trigger and a cut is possible, or it does not fit the window. */
  shouldCompact(state: SessionState, run: ContextRunOptions): boolean;
  /**
   * Compacts older messages and emits the outcome. Errors with `CONTEXT_OVERFLOW` when the next request would still be too long, or
   * nothing can be compacted. A compaction that the user asked for errors with the reason when it fails, and never with `CONTEXT_OVERFLOW`.
   */
  compact(state: SessionState, run: ContextRun): Observable<EventBody>;
  /** Returns the messages of the next request, with their tokens. */
  assemble(state: SessionState, run: ContextRunOptions): Assembled;
  /** Resolves when what was measured is counted exactly; `undefined` where it is. Rejects with `INVALID_CONFIG`: see `countTokens`. */
  counting(): Promise<unknown> | undefined;
  /** Returns the report of a state: the same reference for the same state and tools. */
  report(state: SessionState): ContextReport;
}

export function createContext(settings: ContextSettings): Context {
  const { ports, context: options = {}, immutable, toolSpecs } = settings;
  const { trigger = 0.85, summarizer = {}, cost } = options;
  const measure = createMeasure(settings);
  /** Reports by state and tools, so that all callers get the same reference. */
  const reports = new WeakMap<SessionState, { readonly tools: readonly ToolSpec[]; readonly report: ContextReport }>();

  function strategy(): CompactionStrategy {
    const { strategy: chosen = summarize } = options;
    return typeof chosen === 'function' ? { name: 'own', compress: chosen } : chosen;
  }

  /** Returns the tokens by zone. A counter that fails ends the next run: a view shows estimates then, and does not fail. */
  function tokensForReport(zones: Zones): ZoneTokens {
    try {
      return measure.tokensOf(zones);
    } catch {
      const { countTokens: _count, mediaTokens: _media, ...rest } = options;
      return createMeasure({ ...settings, context: rest }).tokensOf(zones);
    }
  }

  /** Returns the tokens that the next request may have. After a refusal they are at most the size of the refused request. */
  function usableIn(state: SessionState, run: ContextRunOptions): number | undefined {
    const usable = measure.usableOf(run);
    return state.run?.isRefused ? Math.min(usable ?? Infinity, measure.sizeOf(state, run)) : usable;
  }

  return {
    shouldCompact: measure.shouldCompact,
    assemble: measure.assemble,
    counting: measure.counter.counting,
    compact(state, run) {
      return new Observable((subscriber) => begin(subscriber));

      function begin(subscriber: Subscriber<EventBody>): void {
        const { isCompaction, isRefused } = state.run ?? {};
        const cause: CompactionCause = isCompaction ? 'user' : isRefused ? 'overflow' : 'trigger';
        const { autoCompress } = { ...settings, ...run };
        const size = measure.sizeOf(state, run);
        const usable = usableIn(state, run) ?? size;
        const plan = autoCompress === false && cause === 'trigger' ? undefined : measure.planFor(state, run, usable);
        const counting = measure.counter.counting();
        if (counting !== undefined)
          return void counting.then(
            () => subscriber.closed || begin(subscriber),
            (error: unknown) => subscriber.error(error),
          );

        /** A compaction that the user asked for needs no room for a request: none is sent. */
        const tooLong = (tokens: number, reason?: AgentError): void => {
          if (cause === 'user') return reason ? subscriber.error(reason) : subscriber.complete();
          const message = `The next request needs about ${Math.round(tokens)} tokens, but only ${Math.round(usable)} fit the window. ${reason?.message ?? ''}`;
          subscriber.error(new AgentError(message.trim(), { code: 'CONTEXT_OVERFLOW', cause: reason }));
        };

        if (plan === undefined) {
          const noPlan = new AgentError('There is nothing to compact yet.', { code: 'INVALID_INPUT' });
          if (cause === 'user')
            subscriber.next({ type: 'context.compaction-failed', cause, error: toErrorInfo(noPlan) });
          return tooLong(size, cause === 'user' ? noPlan : undefined);
        }
        subscriber.add(
          compact(state, plan, cause, {
            client: summarizer.client ?? run.client ?? settings.client,
            // The agent's model belongs to the agent's own client.
            model:
              summarizer.model ??
              (summarizer.client ? undefined : (run.model ?? (run.client ? undefined : settings.model))),
            strategy: strategy(),
            edit: options.editSummary,
            timeout: options.summaryTimeout ?? 120_000,
            counter: measure.counter,
            zoning: measure.zoning,
            size: (of) => measure.sizeOf(of, run),
            maxTokens: Math.floor(summaryTokens(usable)),
            askTokens: Math.floor((usable * 0.95) / calibrationOf(state)),
            ports,
          }).subscribe((event) => {
            subscriber.next(event);
            if (event.type === 'context.compacted' && event.tokens.after <= usable) subscriber.complete();
            else if (event.type === 'context.compacted') tooLong(event.tokens.after);
            else if (event.type === 'context.compaction-failed' && (cause !== 'trigger' || size > usable))
              tooLong(size, fromErrorInfo(event.error));
            else subscriber.complete();
          }),
        );
      }
    },
    report(state) {
      const tools = toolSpecs();
      const before = reports.get(state);
      if (before?.tools === tools) return before.report;
      const scratch = typeof settings.scratch === 'string' ? settings.scratch : '';
      const zones = measure.zoning.zones(state, { scratch });
      const usable = measure.usableOf({});
      const report = toReport({
        state,
        zones,
        tokens: tokensForReport(zones),
        version: `${contentIdOf(immutable)}-${contentIdOf(tools)}`,
        calibration: calibrationOf(state),
        isPaused: historyOf(state).failures >= breaker,
        ...(usable !== undefined && { window: settings.contextWindow, usable, trigger: usable * trigger }),
        ...(cost && { cost }),
      });
      // An estimate is replaced by the exact count.
      if (measure.counter.counting() === undefined) reports.set(state, { tools, report });
      return report;
    },
  };
}
