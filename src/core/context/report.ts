import type { SessionState } from '../model/state.ts';
import { lastReply } from '../model/status.ts';
import type { Message, Usage, ZoneTokens } from '../model/message.ts';
import { sumOf } from './calibrate.ts';
import type { ContextOptions } from './options.ts';
import { type Compaction, liveRange, historyOf } from './history.ts';
import type { Zones } from './zones.ts';

/** A part of the context, for a page to show. */
export interface ZoneReport {
  /** Calibrated. */
  readonly tokens: number;
  /** As the model sees them. */
  readonly messages: readonly Message[];
}

/** What the last request held. */
export interface LastRequest {
  /** Id of the reply that it led to. */
  readonly messageId: string;
  /** By zone, as estimated before it was sent; not calibrated. */
  readonly estimate: ZoneTokens;
  /** What the provider reported. */
  readonly usage?: Usage;
}

/** The context of a session as it stands: what the next request will hold, and what became of the rest. */
export interface ContextReport {
  /** Tokens that the model takes; missing where nobody said. */
  readonly window?: number;
  /** Without the room for the answer. */
  readonly usable?: number;
  /** Tokens from which on older messages are folded. */
  readonly trigger?: number;
  /** Tokens of the next request, calibrated. */
  readonly tokens: number;
  readonly zones: {
    /** With the tools. `version` changes when instructions, presets or tools do. */
    readonly immutable: ZoneReport & { readonly version: string };
    readonly compressed: ZoneReport;
    readonly incremental: ZoneReport;
    /** A text that is known beforehand; what a function will say, or was given for one run, is not in here. */
    readonly scratch: ZoneReport;
  };
  /** By how much this model's tokens are more than estimated. */
  readonly calibration: number;
  readonly lastRequest?: LastRequest;
  /** In effect, oldest first; the last one counts. `foldedMessages` are out of the model's sight. */
  readonly compactions: readonly Compaction[];
  readonly foldedMessages: number;
  /** Ids of messages. */
  readonly pinned: readonly string[];
  /** Whether folding has failed so often that it waits until it has to be. */
  readonly isPaused: boolean;
  /** Of the session and of its last run, compactions included. */
  readonly usage: Usage;
  readonly runUsage?: Usage;
  /** Of the session, where prices are known. */
  readonly cost?: number;
}

export interface ReportBasis {
  readonly state: SessionState;
  readonly zones: Zones;
  readonly tokens: ZoneTokens;
  readonly version: string;
  readonly calibration: number;
  readonly isPaused: boolean;
  readonly window?: number | undefined;
  readonly usable?: number;
  readonly trigger?: number;
  readonly cost?: ContextOptions['cost'];
}

export function toReport(basis: ReportBasis): ContextReport {
  const { state, zones, tokens, version, calibration, isPaused, window, usable, trigger } = basis;
  const { compactions, pinned } = historyOf(state);
  const zone = (name: keyof ZoneTokens, messages: readonly Message[]): ZoneReport => ({
    tokens: Math.round(tokens[name] * calibration),
    messages,
  });
  const reply = lastReply(state.messages.filter(({ context }) => context !== undefined));
  const cost = basis.cost && costOfSession(state, basis.cost);
  return {
    ...(window !== undefined && { window }),
    ...(usable !== undefined && { usable: Math.round(usable) }),
    ...(trigger !== undefined && { trigger: Math.round(trigger) }),
    tokens: Math.round(sumOf(tokens) * calibration),
    zones: {
      immutable: { ...zone('immutable', zones.immutable), version },
      compressed: zone('compressed', zones.compressed),
      incremental: zone('incremental', zones.incremental),
      scratch: zone('scratch', []),
    },
    calibration,
    ...(reply?.context && {
      lastRequest: { messageId: reply.id, estimate: reply.context, ...(reply.usage && { usage: reply.usage }) },
    }),
    compactions,
    foldedMessages: liveRange(state).start,
    pinned: [...pinned],
    isPaused,
    usage: state.usage,
    ...(state.run?.usage && { runUsage: state.run.usage }),
    ...(cost !== undefined && { cost }),
  };
}

/**
 * Each reply and each compaction at the price of its own model; what has left the conversation since (an answer that began anew, say) at
 * that of the newest. Missing where one is not known.
 */
function costOfSession(
  { messages, context, usage }: SessionState,
  costOf: (usage: Usage, model: string | undefined) => number | undefined,
): number | undefined {
  const spent = [...messages, ...context].flatMap((one) =>
    'usage' in one && one.usage !== undefined
      ? [{ usage: one.usage, model: 'model' in one ? one.model : undefined }]
      : [],
  );
  const rest: Usage = spent.reduce(
    (left, { usage: part }) => ({
      input: left.input - part.input,
      output: left.output - part.output,
      cached: (left.cached ?? 0) - (part.cached ?? 0),
    }),
    usage,
  );
  let cost = 0;
  for (const { usage: part, model } of [...spent, { usage: rest, model: spent.at(-1)?.model }]) {
    const one = part.input + part.output === 0 ? 0 : costOf(part, model);
    if (one === undefined) return undefined;
    cost += one;
  }
  return cost;
}
