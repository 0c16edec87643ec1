import type { ToolSpec } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';
import type { Message, ZoneTokens } from '../model/message.ts';
import { calibrationOf, sumOf } from './calibrate.ts';
import { estimatedCaps } from './cap.ts';
import { type Counter, createCounter } from './count.ts';
import { historyOf, liveRange } from './history.ts';
import type { ContextAgentOptions, ContextRunOptions } from './options.ts';
import { planCompaction, type Plan } from './plan.ts';
import { createZoning, joinZones, type Zones, type Zoning } from './zones.ts';

/** What an agent's requests are measured by. */
export interface MeasureSettings extends ContextAgentOptions {
  /** What begins every request: see `toImmutable`. */
  readonly immutable: readonly Message[];
  readonly maxMessages?: number | undefined;
  /** Returns the same array for as long as the tools are the same. */
  readonly toolSpecs: () => readonly ToolSpec[];
}

/** The messages of a request, and what they were made by. */
export interface Assembled {
  readonly messages: readonly Message[];
  /** By zone, estimated, not calibrated. */
  readonly context: ZoneTokens;
  /** Tokens that the tool outputs of one message could have; missing where they were not limited. */
  readonly toolOutput?: number;
  /** Ids of the pinned messages, where a compaction is in effect. */
  readonly pinned?: readonly string[];
}

/** Measures requests before they are sent. Pure but for what it remembers: the same state and options give the same result. */
export interface Measure {
  readonly counter: Counter;
  readonly zoning: Zoning;
  zonesOf(state: SessionState, run: ContextRunOptions): Zones;
  /** By zone, estimated, not calibrated. */
  tokensOf(zones: Zones): ZoneTokens;
  /** Tokens of the next request, calibrated. */
  sizeOf(state: SessionState, run: ContextRunOptions): number;
  /** Tokens that a request may have; `undefined` without a known window. */
  usableOf(run: ContextRunOptions): number | undefined;
  assemble(state: SessionState, run: ContextRunOptions): Assembled;
  planFor(state: SessionState, run: ContextRunOptions, usable: number): Plan | undefined;
  shouldCompact(state: SessionState, run: ContextRunOptions): boolean;
}

/** Share of the window that is reserved for an answer without a limit of its own. */
const forAnswer = 0.1;
/** Share of the usable window that a summary may have, and the tokens that a summary may have at most. */
const forSummary = 0.1;
const longestSummary = 4_000;
/** Failures in a row after which a compaction waits until a request would not fit. */
export const breaker = 2;

export function createMeasure(settings: MeasureSettings): Measure {
  const { toolSpecs, immutable, maxMessages, context: options = {} } = settings;
  const { trigger = 0.85, target = 0.6 } = options;
  const counter = createCounter(options);
  const toolOutput = options.toolOutput ?? (usableOf(settings) ?? Infinity) / 4;
  const zoning = createZoning({ immutable, caps: estimatedCaps(toolOutput), maxMessages });
  const scratches = new WeakMap<SessionState, string>();
  /** By state: each step needs the zones several times. */
  const known = new WeakMap<SessionState, Zones>();

  const withDefaults = (run: ContextRunOptions): ContextRunOptions => ({ ...settings, ...run });

  /** Invariant: a scratch function is called once for each state, so that the text that is counted is the text that is sent. */
  function scratchOf(state: SessionState, scratch: ContextRunOptions['scratch']): string {
    if (typeof scratch !== 'function') return scratch ?? '';
    const text = scratches.get(state) ?? scratch() ?? '';
    scratches.set(state, text);
    return text;
  }

  function zonesOf(state: SessionState, run: ContextRunOptions): Zones {
    const scratch = scratchOf(state, withDefaults(run).scratch);
    const before = known.get(state);
    if (before?.scratch === scratch) return before;
    const zones = zoning.zones(state, { scratch });
    known.set(state, zones);
    return zones;
  }

  function tokensOf({ immutable: first, compressed, incremental, scratch }: Zones): ZoneTokens {
    return {
      immutable: counter.messages(first) + counter.tools(toolSpecs()),
      compressed: counter.messages(compressed),
      incremental: counter.messages(incremental),
      scratch: scratch === '' ? 0 : counter.text(scratch),
    };
  }

  function sizeOf(state: SessionState, run: ContextRunOptions): number {
    return sumOf(tokensOf(zonesOf(state, run))) * calibrationOf(state);
  }

  function planFor(state: SessionState, run: ContextRunOptions, usable: number): Plan | undefined {
    const factor = calibrationOf(state);
    return planCompaction(state, {
      zones: zonesOf(state, run),
      zoning,
      counter,
      target: (usable * target) / factor - counter.tools(toolSpecs()),
      summary: summaryTokens(usable) / factor,
      insists: state.run?.isCompaction === true,
    });
  }

  return {
    counter,
    zoning,
    zonesOf,
    tokensOf,
    sizeOf,
    usableOf: (run) => usableOf(withDefaults(run)),
    assemble(state, run) {
      const zones = zonesOf(state, run);
      const pinned = liveRange(state).start > 0 ? [...historyOf(state).pinned] : [];
      return {
        messages: joinZones(zones),
        context: tokensOf(zones),
        ...(Number.isFinite(toolOutput) && { toolOutput }),
        ...(pinned.length > 0 && { pinned }),
      };
    },
    planFor,
    shouldCompact(state, run) {
      const usable = usableOf(withDefaults(run));
      if (usable === undefined) return false;
      const size = sizeOf(state, run);
      if (size > usable) return true;
      const { failures, isRestored } = historyOf(state);
      if (withDefaults(run).autoCompress === false || isRestored || failures >= breaker) return false;
      return size > usable * trigger && planFor(state, run, usable) !== undefined;
    },
  };
}

/** Tokens that a summary may have. */
export function summaryTokens(usable: number): number {
  return Math.min(longestSummary, usable * forSummary);
}

/** An answer that may be as long as the window still leaves a quarter of the window to the request. */
function usableOf({ contextWindow, maxTokens }: ContextRunOptions): number | undefined {
  if (contextWindow === undefined) return undefined;
  return Math.max(contextWindow / 4, contextWindow - (maxTokens ?? contextWindow * forAnswer));
}
