import type { LiveCalls } from './call.ts';
import type { ReadTool } from './definition.ts';
import type { Peer } from './peer.ts';
import { toObject } from '../core/model/read-json.ts';
import { interfaceKey } from '../core/model/interface-of.ts';
import type { ToolDetails, ToolPart } from '../core/model/message.ts';
import type { Asker } from './question.ts';
import type { MCPOptions } from './types.ts';

/** What a tool of a server needs of its server. */
export interface ToolEnv {
  /** Address of the server. */
  readonly url: string;
  readonly asker: Asker;
  readonly peer: Peer;
  readonly liveCalls: LiveCalls;
  /** ms */
  readonly timeout: number;
  /** Whether the page trusts the hints of the server. */
  readonly trusted: boolean;
  readonly needsApproval: NonNullable<MCPOptions['needsApproval']>;
}

/** One version of a tool. */
export interface ToolVersion extends ReadTool {
  /** The name that the model calls. */
  readonly toolName: string;
  readonly version: string;
  /** Whether the definition differs from the one under which the tool last ran. */
  readonly hasChanged: () => boolean;
  /** Called before the tool runs. */
  readonly onRun: () => Promise<void>;
}

/** One execution of a call. */
export interface Execution {
  /** The call as the log has it: with the answer to the question of an earlier execution. */
  readonly call: ToolPart;
  /** What else the end of the call states. */
  ending?: { readonly details?: ToolDetails; readonly requiresFollowUp?: false };
}

/** Whether the interface of a tool asked for a call, and not the model: see `brooklet/mcp/apps`. */
export function isOfApp(call: ToolPart | undefined): boolean {
  return toObject(call?.provider)[interfaceKey] !== undefined;
}
