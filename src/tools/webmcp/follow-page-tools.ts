import { named } from '../../core/model/shapes/named.ts';
import type { Agent } from '../../core/agent/agent.ts';
import { atMostEvery } from '../../core/at-most-every.ts';
import { browserPorts } from '../../core/ports.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { findModelContext } from './model-context.ts';
import { listPageTools, type PageTool, type PageToolsOptions } from './page-tools.ts';

/** ms between two reads of the tools: a frame of another origin may say a thousand times a second that its tools have changed. */
const pause = 250;

/** Options of `followPageTools`. */
export interface FollowPageToolsOptions extends PageToolsOptions {
  /** Prepares a tool for the agent, with `holdAfterUntrusted` for example. */
  readonly wrap?: (tool: Tool) => Tool;
  /** Called with the tools when they have changed, so that the page can show who offers them. */
  readonly onChange?: (tools: readonly PageTool[]) => void;
}

/** An agent that has the tools of its page. */
export interface FollowedPageTools {
  /** Whether the browser has WebMCP. */
  readonly isSupported: boolean;
  /** Removes the tools from the agent. */
  stop(): void;
}

/**
 * Gives an agent the tools that its page and the frames of the page offer (WebMCP), as they come and go. Does nothing where the browser has no
 * WebMCP.
 *
 *     const { isSupported, stop } = followPageTools(agent, { fromOrigins: ['https://shop.example'] });
 */
export function followPageTools(
  agent: Pick<Agent, 'addTool' | 'removeTool'>,
  given: FollowPageToolsOptions = {},
): FollowedPageTools {
  const {
    onChange,
    wrap = (tool: Tool) => tool,
    ...options
  } = named(given, { onChange: true, wrap: true, fromOrigins: true, needsApproval: true }, 'followPageTools');
  const context = findModelContext();
  let added: readonly PageTool[] = [];
  let round = 0;

  /** Adds a tool; reports one whose name the page, or another document, has. */
  function isAdded(tool: Tool): boolean {
    try {
      agent.addTool(wrap(tool));
      return true;
    } catch (reason) {
      globalThis.reportError?.(reason);
      return false;
    }
  }

  async function update(): Promise<void> {
    const own = ++round;
    const tools = await listPageTools(options);
    if (own !== round) return;
    for (const { tool } of added) if (!tools.some((one) => one.tool.name === tool.name)) agent.removeTool(tool.name);
    added = tools.filter(({ tool }) => isAdded(tool));
    onChange?.(added);
  }

  const updates = atMostEvery(
    pause,
    () => void update().catch((error: unknown) => globalThis.reportError?.(error)),
    browserPorts,
  );
  const listen = (): void => updates.ask();
  context?.addEventListener('toolchange', listen);
  if (context) listen();
  return {
    isSupported: context !== undefined,
    stop() {
      round = Infinity;
      updates.stop();
      context?.removeEventListener('toolchange', listen);
      for (const { tool } of added) agent.removeTool(tool.name);
      added = [];
    },
  };
}
