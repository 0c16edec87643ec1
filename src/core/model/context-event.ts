import type { ErrorInfo } from '../error.ts';
import type { Usage } from './message.ts';

/**
 * Why older messages were compacted. `trigger`: the next request would have been too long. `overflow`: the provider refused a request as too
 * long. `user`: the user asked for it.
 */
export type CompactionCause = 'trigger' | 'overflow' | 'user';

/** A change of the model's view of a conversation. The messages that users see do not change. */
export type ContextEvent =
  /** In requests `summary` replaces the messages up to `through`, and placeholders replace the longer tool outputs up to `pruned`. */
  | {
      readonly type: 'context.compacted';
      readonly compactionId: string;
      readonly cause: CompactionCause;
      /** Name of the strategy that wrote `summary`; `prune` when only outputs were pruned. */
      readonly strategy: string;
      /** Id of the last compacted message. */
      readonly through?: string;
      /** Id of the last message whose outputs are pruned. */
      readonly pruned?: string;
      readonly summary?: string;
      /** Tokens of the next request before and after the compaction, estimated and calibrated. */
      readonly tokens: { readonly before: number; readonly after: number };
      /** Tokens of the summary requests; missing without a request. */
      readonly usage?: Usage;
      /** The model that wrote the summary, as the provider named it. */
      readonly model?: string;
      /** Cost of the summary requests, where money is limited. */
      readonly cost?: number;
    }
  /** The compaction has failed and changes nothing. */
  | {
      readonly type: 'context.compaction-failed';
      readonly cause: CompactionCause;
      readonly error: ErrorInfo;
      readonly usage?: Usage;
      readonly model?: string;
      readonly cost?: number;
    }
  /** A compaction was undone, and all later ones with it. */
  | { readonly type: 'context.restored'; readonly compactionId: string }
  /** A message was excluded from compaction (`pinned`), or included again. */
  | { readonly type: 'message.pinned'; readonly messageId: string; readonly pinned: boolean };
