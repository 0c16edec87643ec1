import { Observable } from 'rxjs';
import { AgentError, fromErrorInfo, toErrorInfo } from '../error.ts';
import type { LLMClient, ToolSpec } from '../model/llm.ts';
import type { CompactionCause, EventBody } from '../model/event.ts';
import type { SessionState } from '../model/state.ts';
import { type Message, toMessage, type ZoneTokens } from '../model/message.ts';
import type { Ports } from '../ports.ts';
import { calibrationOf, sumOf } from './calibrate.ts';
import { compact } from './compact.ts';
import { createCounter } from './count.ts';
import { historyOf } from './history.ts';
import type { ContextAgentOptions, ContextRun, ContextRunOptions } from './options.ts';
import { planCompaction, type Plan } from './plan.ts';
import { type ContextReport, toReport } from './report.ts';
import { textMessage, newestTurns } from './request.ts';
import type { CompactionStrategy } from './strategy.ts';
import { summarize } from './summarize.ts';
import { createZoning, joinZones, type Zones } from './zones.ts';

/** What an agent's context is made of. */
export interface ContextSettings extends ContextAgentOptions {
  readonly client: LLMClient;
  readonly model?: string | undefined;
  readonly instructions?: string | undefined;
  readonly maxMessages?: number | undefined;
  readonly toolSpecs: () => readonly ToolSpec[];
  readonly ports: Pick<Ports, 'id' | 'delay'>;
}

/** Keeps the sessions of an agent within the model's window. Loaded when an agent first needs it. */
export interface Context {
  /** Whether the next request should not be sent before something is folded, or cannot be sent at all. */
  shouldCompact(state: SessionState, run: ContextRunOptions): boolean;
  /**
   * Folds where that is due, and tells what came of it. Errors with `CONTEXT_OVERFLOW` where the next request would be too long all the same, or
   * nothing may be folded.
   */
  compact(state: SessionState, run: ContextRun): Observable<EventBody>;
  toMessages(state: SessionState, run: ContextRunOptions): readonly Message[];
  /** What the next request holds, as estimated and not calibrated. */
  measure(state: SessionState, run: ContextRunOptions): ZoneTokens;
  /** The same one for the same state. */
  report(state: SessionState): ContextReport;
}

/** Share of the window that is left for an answer whose length nobody limits. */
const forAnswer = 0.1;
/** Share of the usable window that a summary may have, and tokens that it may have at most. */
const forSummary = 0.1;
const longestSummary = 4_000;
/** From so many failures in a row on nothing is folded any more until it has to be. */
const breaker = 2;

export function createContext(settings: ContextSettings): Context {
  const { instructions, maxMessages, toolSpecs, ports, presets = [], context: options = {} } = settings;
  const { trigger = 0.85, target = 0.6, summarizer = {}, cost } = options;
  const counter = createCounter(options);
  const immutable = [
    ...(instructions ? [textMessage('system', 'instructions', instructions)] : []),
    ...presets.map((preset, index) =>
      toMessage({ id: `preset-${index + 1}`, timestamp: 0, ...preset }, { ...ports, now: () => 0 }),
    ),
  ];
  const tools = toolSpecs();
  const toolTokens = counter.tools(tools);
  const usableOf = ({ contextWindow, maxTokens }: ContextRunOptions): number | undefined =>
    contextWindow === undefined
      ? undefined
      : // An answer that may be as long as the window leaves a part of it all the same.
        Math.max(contextWindow / 4, contextWindow - (maxTokens ?? contextWindow * forAnswer));
  const limit = options.toolOutput ?? (usableOf(settings) ?? Infinity) / 4;
  const zoning = createZoning({ immutable, caps: { limit, counter } });
  const scratches = new WeakMap<SessionState, string>();

  const withDefaults = (run: ContextRunOptions): ContextRunOptions => ({ ...settings, ...run });

  /** A function is asked once for each state, so that what is counted is what is sent. */
  function scratchOf(state: SessionState, scratch: ContextRunOptions['scratch']): string {
    if (typeof scratch !== 'function') return scratch ?? '';
    const said = scratches.get(state) ?? scratch() ?? '';
    scratches.set(state, said);
    return said;
  }

  /** By state: a step looks at its zones several times. */
  const known = new WeakMap<SessionState, Zones>();

  function zonesOf(state: SessionState, run: ContextRunOptions): Zones {
    const scratch = scratchOf(state, withDefaults(run).scratch);
    const before = known.get(state);
    if (before?.scratch === scratch) return before;
    const all = zoning.zones(state, scratch);
    const zones = maxMessages === undefined ? all : { ...all, incremental: newestTurns(all.incremental, maxMessages) };
    known.set(state, zones);
    return zones;
  }

  function measureZones({ immutable, compressed, incremental, scratch }: Zones): ZoneTokens {
    return {
      immutable: counter.messages(immutable) + toolTokens,
      compressed: counter.messages(compressed),
      incremental: counter.messages(incremental),
      scratch: scratch === '' ? 0 : counter.text(scratch),
    };
  }

  const measure = (state: SessionState, run: ContextRunOptions): ZoneTokens => measureZones(zonesOf(state, run));
  const sizeOf = (state: SessionState, run: ContextRunOptions): number =>
    sumOf(measure(state, run)) * calibrationOf(state);

  /** Tokens that the next request may have. Of what the provider has just refused it is known that it was too much. */
  function usableIn(state: SessionState, run: ContextRunOptions): number | undefined {
    const usable = usableOf(withDefaults(run));
    return state.run?.isRefused ? Math.min(usable ?? Infinity, sizeOf(state, run)) : usable;
  }

  function planFor(state: SessionState, run: ContextRunOptions, usable: number): Plan | undefined {
    const factor = calibrationOf(state);
    return planCompaction(state, {
      zones: zonesOf(state, run),
      zoning,
      counter,
      target: (usable * target) / factor - toolTokens,
      summary: summaryTokens(usable) / factor,
      insists: state.run?.isCompaction === true,
    });
  }

  function strategy(): CompactionStrategy {
    const { strategy: own = summarize } = options;
    return typeof own === 'function' ? { name: 'own', compress: own } : own;
  }

  const version = hashOf(JSON.stringify([immutable, tools]));
  /** By state: whoever asks twice gets the same one. */
  const reports = new WeakMap<SessionState, ContextReport>();

  function shouldCompact(state: SessionState, run: ContextRunOptions): boolean {
    const usable = usableOf(withDefaults(run));
    if (usable === undefined) return false;
    const size = sizeOf(state, run);
    if (size > usable) return true;
    const { failures, isRestored } = historyOf(state);
    if (withDefaults(run).autoCompress === false || isRestored || failures >= breaker) return false;
    return size > usable * trigger && planFor(state, run, usable) !== undefined;
  }

  return {
    shouldCompact,
    compact(state, run) {
      return new Observable((subscriber) => {
        const { isCompaction, isRefused } = state.run ?? {};
        // It had to be loaded before anybody could say.
        if (!isCompaction && !isRefused && !shouldCompact(state, run)) return subscriber.complete();
        const cause: CompactionCause = isCompaction ? 'user' : isRefused ? 'overflow' : 'trigger';
        const { autoCompress } = withDefaults(run);
        const size = sizeOf(state, run);
        const usable = usableIn(state, run) ?? size;
        const plan = autoCompress === false && cause === 'trigger' ? undefined : planFor(state, run, usable);

        /** What a person asked for does not fail their run: the next request is not sent yet. */
        const tooLong = (of: number, why?: AgentError): void => {
          if (cause === 'user') return subscriber.complete();
          const message = `The next request would have about ${Math.round(of)} tokens, and ${Math.round(usable)} are free in the window. ${why?.message ?? ''}`;
          subscriber.error(new AgentError(message.trim(), { code: 'CONTEXT_OVERFLOW', cause: why }));
        };

        if (plan === undefined) {
          const nothing = new AgentError('There is nothing to fold yet.', { code: 'INVALID_INPUT' });
          if (cause === 'user')
            subscriber.next({ type: 'context.compaction-failed', cause, error: toErrorInfo(nothing) });
          return tooLong(size);
        }
        subscriber.add(
          compact(state, plan, cause, {
            client: summarizer.client ?? run.client ?? settings.client,
            // The agent's model is one of the agent's own client.
            model:
              summarizer.model ??
              (summarizer.client ? undefined : (run.model ?? (run.client ? undefined : settings.model))),
            strategy: strategy(),
            edit: options.editSummary,
            timeout: options.summaryTimeout ?? 120_000,
            counter,
            zoning,
            size: (of) => sizeOf(of, run),
            maxTokens: Math.floor(summaryTokens(usable)),
            askTokens: Math.floor((usable * 0.95) / calibrationOf(state)),
            ports,
          }).subscribe((event) => {
            subscriber.next(event);
            if (event.type === 'context.compacted' && event.tokens.after <= usable) subscriber.complete();
            else if (event.type === 'context.compacted') tooLong(event.tokens.after);
            else if (event.type === 'context.compaction-failed' && (cause === 'overflow' || size > usable))
              tooLong(size, fromErrorInfo(event.error));
            else subscriber.complete();
          }),
        );
      });
    },
    toMessages: (state, run) => joinZones(zonesOf(state, run)),
    measure,
    report(state) {
      const before = reports.get(state);
      if (before !== undefined) return before;
      const zones = zoning.zones(state, typeof settings.scratch === 'string' ? settings.scratch : '');
      const usable = usableOf(settings);
      const made = toReport({
        state,
        zones,
        tokens: measureZones(zones),
        version,
        calibration: calibrationOf(state),
        isPaused: historyOf(state).failures >= breaker,
        ...(usable !== undefined && { window: settings.contextWindow, usable, trigger: usable * trigger }),
        ...(cost && { cost }),
      });
      reports.set(state, made);
      return made;
    },
  };
}

/** FNV-1a, 32 bits: enough to see that something has changed. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

function summaryTokens(usable: number): number {
  return Math.min(longestSummary, usable * forSummary);
}
