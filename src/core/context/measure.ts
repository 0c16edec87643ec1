import { fail, messageOf } from '../error.ts';
import type { ToolSpec } from '../model/settings.ts';
import type { SessionState } from '../model/state.ts';
import type { Message, ZoneTokens } from '../model/message.ts';
import { calibrationOf, sumOf } from './calibrate.ts';
import { estimatedCaps } from './cap.ts';
import { type Counter, createCounter } from './count.ts';
import { historyOf, liveRange } from './compaction-history.ts';
import type { ContextAgentOptions, ContextRunOptions } from './options.ts';
import { planCompaction, type Plan } from './plan.ts';
import { createZoning, joinZones, type Zones, type Zoning } from './zones.ts';

/** Settings that determine the size of an agent's requests. */
export interface MeasureSettings extends ContextAgentOptions {
  /** The first messages of every request: see `toImmutable`. */
  readonly immutable: readonly Message[];
  readonly maxMessages?: number | undefined;
  /** Returns the same array for as long as the tools are the same. */
  readonly toolSpecs: () => readonly ToolSpec[];
}

/** The messages of a request, and the values from which they were made. */
export interface Assembled {
  readonly messages: readonly Message[];
  /** Tokens by zone, estimated, not calibrated. */
  readonly context: ZoneTokens;
  /** Maximum tokens of the tool outputs of one message; missing without a limit. */
  readonly toolOutput?: number;
  /** Ids of the pinned messages; missing when no compaction is in effect. */
  readonly pinned?: readonly string[];
}

/** Measures requests before they are sent. Pure apart from its caches: the same state and options have the same result. */
export interface Measure {
  readonly counter: Counter;
  readonly zoning: Zoning;
  zonesOf(state: SessionState, run: ContextRunOptions): Zones;
  /** Returns the tokens by zone, estimated, not calibrated. */
  tokensOf(zones: Zones): ZoneTokens;
  /** Returns the tokens of the next request, calibrated. */
  sizeOf(state: SessionState, run: ContextRunOptions): number;
  /** Returns the maximum tokens of a request; `undefined` without a known window. */
  usableOf(run: ContextRunOptions): number | undefined;
  assemble(state: SessionState, run: ContextRunOptions): Assembled;
  planFor(state: SessionState, run: ContextRunOptions, usable: number): Plan | undefined;
  shouldCompact(state: SessionState, run: ContextRunOptions): boolean;
}

/** Share of the window that is reserved for an answer without `maxTokens`. */
const forAnswer = 0.1;
/** Maximum size of a summary: as a share of the usable window, and in tokens. */
const forSummary = 0.1;
const longestSummary = 4_000;
/** Number of consecutive failures after which a compaction is deferred until a request would not fit. */
export const breaker = 2;

export function createMeasure(settings: MeasureSettings): Measure {
  const { toolSpecs, immutable, maxMessages, context: options = {} } = settings;
  const { trigger = 0.85, target = 0.6 } = options;
  const counter = createCounter(options);
  const toolOutput = options.toolOutput ?? (usableOf(settings) ?? Infinity) / 4;
  const zoning = createZoning({ immutable, caps: estimatedCaps(toolOutput), maxMessages });
  const scratches = new WeakMap<SessionState, string>();
  /** Zones by state: each step reads the zones several times. */
  const known = new WeakMap<SessionState, Zones>();

  const withDefaults = (run: ContextRunOptions): ContextRunOptions => ({ ...settings, ...run });

  /** Invariant: a scratch function is called once for each state, so that the text that is counted is the text that is sent. */
  function scratchOf(state: SessionState, scratch: ContextRunOptions['scratch']): string {
    if (typeof scratch !== 'function') return scratch ?? '';
    const text = scratches.get(state) ?? callScratch(scratch);
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
      const { failures, lastCompactionUndone } = historyOf(state);
      if (withDefaults(run).autoCompress === false || lastCompactionUndone || failures >= breaker) return false;
      return size > usable * trigger && planFor(state, run, usable) !== undefined;
    },
  };
}

function callScratch(scratch: () => string | undefined): string {
  try {
    return scratch() ?? '';
  } catch (thrown) {
    return fail('INVALID_CONFIG', `The \`scratch\` function failed: ${messageOf(thrown)}`, thrown);
  }
}

/** Returns the maximum tokens of a summary. */
export function summaryTokens(usable: number): number {
  return Math.min(longestSummary, usable * forSummary);
}

/** Returns the window less the room for the answer, but at least a quarter of the window, even for an answer as long as the window. */
function usableOf({ contextWindow, maxTokens }: ContextRunOptions): number | undefined {
  if (contextWindow === undefined) return undefined;
  return Math.max(contextWindow / 4, contextWindow - (maxTokens ?? contextWindow * forAnswer));
}
