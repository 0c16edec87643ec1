import { type Agent, createAgent, defineTool, type Tool } from '../index.ts';
import { createProviderClient } from '../llm/providers/index.ts';
import { createIndexedDBStore } from '../storage/index.ts';
import type { OwnAgentSettings } from './settings.ts';
import type { BrookletChatProps, ChatTool } from './types.ts';

/** The agent of an element that has no agent of the page. */
export interface OwnAgent {
  readonly agent: Agent;
  readonly settings: OwnAgentSettings;
  /** Replaces the tools, from the next request on. @throws AgentError `INVALID_CONFIG` */
  readonly setTools: (tools: readonly ChatTool[]) => void;
  /** Stores what is not stored, closes the sessions and the database. */
  readonly close: () => Promise<void>;
}

interface OwnAgentEnv {
  readonly settings: OwnAgentSettings;
  readonly tools: readonly ChatTool[];
  /** The key at the time of a request. */
  readonly getKey: () => BrookletChatProps['apiKey'];
}

/**
 * Creates the agent of an element, with the sessions of the page in IndexedDB.
 *
 * @throws AgentError `INVALID_CONFIG` for an address that is refused, and for a tool that `defineTool` refuses
 */
export function createOwnAgent({ settings, tools, getKey }: OwnAgentEnv): OwnAgent {
  const { provider, model, instructions } = settings;
  const apiKey = (origin: string): string | Promise<string> => {
    const key = getKey();
    return typeof key === 'function' ? key(origin) : (key ?? '');
  };
  const client = createProviderClient(provider, { model, apiKey });
  let shown = tools;
  let defined = tools.map(toTool);
  const store = createIndexedDBStore();
  const agent: Agent = createAgent({
    client,
    store,
    tools: defined,
    ...(instructions !== undefined && { instructions }),
  });
  return {
    agent,
    settings,
    setTools(next) {
      if (next === shown) return;
      const tools = next.map(toTool);
      for (const { name } of defined) if (!tools.some((tool) => tool.name === name)) agent.removeTool(name);
      for (const tool of tools) agent.addTool(tool);
      [shown, defined] = [next, tools];
    },
    async close() {
      try {
        await agent.dispose();
      } finally {
        store.close();
      }
    },
  };
}

const isTool = (tool: ChatTool): tool is Tool => 'inputSchema' in tool;
const toTool = (tool: ChatTool): Tool => (isTool(tool) ? tool : defineTool(tool));

/** Whether an agent of these settings is the same agent. */
export const isSameAgent = (one: OwnAgentSettings, other: OwnAgentSettings): boolean =>
  one.model === other.model &&
  one.instructions === other.instructions &&
  one.provider.baseURL === other.provider.baseURL &&
  one.provider.createClient === other.provider.createClient &&
  one.provider.options === other.provider.options;
