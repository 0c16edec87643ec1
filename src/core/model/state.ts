import type { ErrorInfo } from '../error.ts';
import type { Message, Usage } from './message.ts';
import type { RunSettings, ToolSpec } from './settings.ts';
import type { ContextEvent, QueueMode, RunLimit, RunOutcome, SessionEvent } from './event.ts';

/** The run in progress, or the last one. */
export interface RunState {
  readonly id: string;
  /** Replies asked for so far, those of the runs it resumes included. */
  readonly steps: number;
  /** Tokens of those replies, and of compactions. */
  readonly usage: Usage;
  /** When it began, or a person last decided something in it: ms since the epoch. */
  readonly since: number;
  /** Id of the message that it answers, and that the runs it resumes answered; what comes before belongs to earlier runs. */
  readonly promptId?: string;
  /** Id of the reply that is being streamed. */
  readonly openReply?: string;
  /** It folds older messages and asks nothing. */
  readonly isCompaction?: boolean;
  /** Whether the provider has just called its request too long. */
  readonly isRefused?: boolean;
  /** `steps` when it last folded, or tried to. */
  readonly compactedAtStep?: number;
  /** Missing while the run goes on. */
  readonly outcome?: RunOutcome;
  /** Which one, where `outcome` is `limit`. */
  readonly limit?: RunLimit;
  readonly error?: ErrorInfo;
  /** What it was asked to do beside the agent's own options. */
  readonly settings?: RunSettings;
}

/** Instructions and presets, as the latest request had them. */
export interface Instructions {
  readonly contentId: string;
  readonly messages: readonly Message[];
}

/** Tools, as the latest request had them. */
export interface ToolList {
  readonly contentId: string;
  readonly tools: readonly ToolSpec[];
}

/** A message that waits for its turn. */
export interface QueuedMessage {
  readonly message: Message;
  readonly mode: QueueMode;
  /** Of the run that answers it. */
  readonly settings?: RunSettings;
}

/** What a person has decided once for all later calls of a tool, for as long as the tool stays what it is. */
export interface ApprovalRule {
  /** The tool's. */
  readonly name: string;
  readonly verdict: 'approved' | 'rejected';
  /** Version of the tool that it was decided for. */
  readonly toolVersion: string;
  readonly reason?: string;
  /** The person's name, where the page gave one. */
  readonly userName?: string;
  /** ms since the epoch */
  readonly at: number;
}

/** A session as the fold of its events. Plain data; what has not changed keeps its identity. */
export interface SessionState {
  readonly id: string;
  /** The given title, else the beginning of the first user message, else empty. */
  readonly title: string;
  /** ms since the epoch */
  readonly createdAt: number;
  /** ms since the epoch */
  readonly updatedAt: number;
  /** `seq` of the last event. */
  readonly seq: number;
  readonly messages: readonly Message[];
  readonly run?: RunState;
  /** What was said while a run went on, and not admitted yet; oldest first. */
  readonly queue: readonly QueuedMessage[];
  /** Those for this session. */
  readonly approvalRules: readonly ApprovalRule[];
  /** What a new answer took out of view, until something has come in its place. */
  readonly replaced: readonly Message[];
  /** Id of the message that is being answered anew. */
  readonly rewoundTo?: string;
  /** What has been done to the context since the conversation began. */
  readonly context: readonly (SessionEvent & ContextEvent)[];
  /** Tokens of all replies and compactions together. */
  readonly usage: Usage;
  /** Missing before the first request. */
  readonly instructions?: Instructions;
  /** Missing before the first request with tools. */
  readonly tools?: ToolList;
}

/** Before anything has been asked. */
export const noUsage: Usage = { input: 0, output: 0 };

/** Returns the state of a session before its first event. */
export function initialState(id: string): SessionState {
  return {
    id,
    title: '',
    createdAt: 0,
    updatedAt: 0,
    seq: 0,
    messages: [],
    queue: [],
    approvalRules: [],
    replaced: [],
    context: [],
    usage: noUsage,
  };
}

/** The run that goes on, if one does. */
export function openRun({ run }: SessionState): RunState | undefined {
  return run?.outcome === undefined ? run : undefined;
}
