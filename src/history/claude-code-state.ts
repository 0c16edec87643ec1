import type { Tally } from './tally.ts';
import type { Draft } from './transcript.ts';

/** What must be known of earlier lines of Claude Code. */
export interface ClaudeCodeState {
  /** Whether the messages of sub-agents are the conversation: the file has no others. */
  readonly takesSideChains: boolean;
  /** Counts a call of a sub-agent. Its result will be counted, too. */
  leaveCall(id: string, tally: Tally): false;
  /** Whether a result belongs to a call of a sub-agent. Counts it. */
  leavesResult(id: string, tally: Tally): boolean;
  /** Replies by the id of their API message: each of their blocks is a line. */
  readonly replies: Map<string, Draft>;
  /** The place after each line, by its `uuid`, and the number of prompts up to it. */
  readonly lines: Map<string, { readonly place: Draft | undefined; readonly prompts: number }>;
  prompts: number;
}

export function createClaudeCodeState(takesSideChains: boolean): ClaudeCodeState {
  const sideCalls = new Set<string>();
  return {
    takesSideChains,
    leaveCall(id, tally) {
      sideCalls.add(id);
      tally.leave('call', 'side-chain');
      return false;
    },
    leavesResult(id, tally) {
      if (!sideCalls.has(id)) return false;
      tally.leave('result', 'side-chain');
      return true;
    },
    replies: new Map(),
    lines: new Map(),
    prompts: 0,
  };
}
