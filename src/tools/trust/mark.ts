import type { Message, ToolPart } from '../../core/model/message.ts';
import type { Tool } from '../../core/tools/tool.ts';

/** What this package knows of its own ready-made tools. */
export interface TrustMark {
  /** The results contain no untrusted content. */
  readonly trusted?: boolean;
  /** A call neither writes, sends nor spends; a function decides by the call and the messages before it. */
  readonly harmless?: boolean | ((call: ToolPart, messages: readonly Message[]) => boolean);
}

/** The key of the mark. A property of the tool and not its name: an untrusted tool may have any name. */
const key: unique symbol = Symbol.for('brooklet.trust');

interface MarkedTool extends Tool {
  readonly [key]: TrustMark;
}

export function mark(tool: Tool, trust: TrustMark): Tool {
  const marked: MarkedTool = { ...tool, [key]: trust };
  return marked;
}

export function markOf(tool: Tool): TrustMark {
  return isMarked(tool) ? tool[key] : {};
}

function isMarked(tool: Tool): tool is MarkedTool {
  return key in tool;
}
