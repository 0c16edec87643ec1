import type { ErrorInfo } from '../error.ts';
import { defined } from '../json.ts';
import type { SessionState } from '../model/state.ts';
import { lastReply } from '../model/status.ts';
import type { Message, Usage, ZoneTokens } from '../model/message.ts';
import { sumOf } from './calibrate.ts';
import type { ContextOptions } from './options.ts';
import { type Compaction, liveRange, historyOf } from './compaction-history.ts';
import type { Zones } from './zones.ts';

/** One zone of the context, for display. */
export interface ZoneReport {
  /** Estimated tokens of the zone, calibrated. */
  readonly tokens: number;
  /** Messages of the zone, as the model sees them. */
  readonly messages: readonly Message[];
}

/** The size of the last request. */
export interface LastRequest {
  /** Id of the reply to the request. */
  readonly messageId: string;
  /** Tokens by zone, estimated before the request was sent; not calibrated. */
  readonly estimate: ZoneTokens;
  /** Tokens as the provider reported them. */
  readonly usage?: Usage;
}

/** The context of a session: the content of the next request by zone, and the compactions of the other messages. */
export interface ContextReport {
  /** Tokens that the model accepts; missing without a `contextWindow`. */
  readonly window?: number;
  /** Tokens of the window without the room for the answer. */
  readonly usable?: number;
  /** Tokens of a request above which older messages are compacted. */
  readonly trigger?: number;
  /** Tokens of the next request, calibrated. */
  readonly tokens: number;
  readonly zones: {
    /** Instructions and presets; `tokens` includes the tools. `version` changes when instructions, presets or tools change. */
    readonly immutable: ZoneReport & { readonly version: string };
    /** System messages among the compacted messages, then the message with the summary and the pinned messages. */
    readonly compressed: ZoneReport;
    /** Messages that are not compacted. */
    readonly incremental: ZoneReport;
    /** Tokens of the agent's scratch if the scratch is a string; without the text of a function, and without the scratch of one run. */
    readonly scratch: ZoneReport;
  };
  /** Ratio of the tokens that the model's provider reports to the estimated tokens. */
  readonly calibration: number;
  readonly lastRequest?: LastRequest;
  /** Compactions that were not undone, oldest first; each integrates the one before. */
  readonly compactions: readonly Compaction[];
  /** Number of compacted messages: those at the start of the session that the model does not see any more. */
  readonly foldedMessages: number;
  /** Ids of the pinned messages. */
  readonly pinned: readonly string[];
  /** Whether compaction has failed repeatedly and is deferred until a request would not fit. */
  readonly isPaused: boolean;
  /** The error of the last compaction, if that compaction failed. */
  readonly failure?: ErrorInfo;
  /** Tokens of the session, compactions included. */
  readonly usage: Usage;
  /** Tokens of the last run, compactions included. */
  readonly runUsage?: Usage;
  /** Cost of the session; missing without `ContextOptions.cost`, or when a price is unknown. */
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
  const { compactions, failure, pinned } = historyOf(state);
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
    ...defined({ failure }),
    usage: state.usage,
    ...(state.run?.usage && { runUsage: state.run.usage }),
    ...(cost !== undefined && { cost }),
  };
}

/**
 * Returns the cost of each reply and each compaction at the price of its own model. Usage of replies that have left the conversation (for
 * example by regenerating an answer) is priced by the newest model. Returns `undefined` when a price is unknown.
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
