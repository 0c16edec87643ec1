import type { Message, ToolPart } from '../../core/model/message.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { markOf } from './mark.ts';

/** Names of tools, or a function that decides by the call. A function that throws counts as `false`. */
export type CallFilter = readonly string[] | ((call: ToolPart) => boolean);

/**
 * What a page says about its tools. Whatever it says nothing about is untrusted, and may write, send or spend; but the package knows its own
 * ready-made tools.
 */
export interface TrustOptions {
  /** All tools of the agent: the package knows its own ready-made ones. Default: those that are passed to `holdAfterUntrusted`. */
  readonly tools?: readonly Tool[];
  /** Tools whose results the page trusts: they contain no untrusted content. */
  readonly trusted?: CallFilter;
  /** Tools that neither write, send nor spend. */
  readonly harmless?: CallFilter;
  /**
   * Whether a message of the person or the page contains untrusted content, a pasted page for example. Default: none does. A message that a
   * file, an interface, AG-UI or another device brought is untrusted whatever the function returns.
   */
  readonly isUntrustedMessage?: (message: Message) => boolean;
  /**
   * Whether the page trusts what the other devices of a replica write: all of them belong to the person. Default: `false`. Results of tools
   * stay untrusted, unless the page trusts the tool.
   */
  readonly trustsDevices?: boolean;
}

/** Whether the page trusts the result of a call. */
export function isTrusted(call: ToolPart, { tools = [], trusted }: TrustOptions): boolean {
  return tools.some((tool) => tool.name === call.name && markOf(tool).trusted === true) || fits(trusted, call);
}

/** Whether a call of a tool neither writes, sends nor spends. */
export function isHarmless(
  call: ToolPart,
  tool: Tool,
  messages: readonly Message[],
  { harmless }: TrustOptions,
): boolean {
  const known = markOf(tool).harmless;
  return known === true || (typeof known === 'function' && known(call, messages)) || fits(harmless, call);
}

function fits(filter: CallFilter | undefined, call: ToolPart): boolean {
  if (typeof filter !== 'function') return filter?.includes(call.name) === true;
  try {
    return filter(call);
  } catch {
    return false;
  }
}
