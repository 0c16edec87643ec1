import type { Json } from '../core/json.ts';
import type { Part } from '../core/model/message.ts';

/** The start of a tool call in another agent. */
export interface ToolUse {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  /** ms since the epoch, or ISO 8601. Default: the time of arrival. */
  readonly timestamp?: number | string;
  /** Id of the call that started the sub-agent to which this call belongs. */
  readonly parentToolUseId?: string;
  /** Whether a sub-agent made the call, where the log does not name the call that started it. */
  readonly isSidechain?: boolean;
}

/** The result of a tool call in another agent. */
export interface ToolResult {
  readonly type: 'tool_result';
  readonly toolUseId: string;
  readonly output: Json | readonly Part[];
  readonly isError?: boolean;
  /** ms since the epoch, or ISO 8601. Default: the time of arrival. */
  readonly timestamp?: number | string;
  /** A result with name and input is complete: it becomes a `tool_execution` without a `tool_use`. */
  readonly name?: string;
  readonly input?: Json;
  /** Structured output, for example `{ stdout, stderr }`, if the agent sends it beside `output`. */
  readonly data?: Json;
}
