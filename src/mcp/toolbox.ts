import { type AgentError, toAgentError } from '../core/error.ts';
import { defined, isJsonObject, type Json, toJson } from '../core/json.ts';
import { createMeta } from '../core/log/meta.ts';
import { toText } from '../core/model/read-json.ts';
import { versionOf } from '../core/tools/version-of.ts';
import type { LiveCalls } from './call.ts';
import { type MCPLeftOut, type MCPToolDefinition, type ReadTool, readTools, readUI } from './definition.ts';
import { listAll } from './list.ts';
import { toToolName } from './names.ts';
import type { Peer } from './peer.ts';
import type { Asker } from './question.ts';
import { createMCPTool } from './tool.ts';
import type { ToolEnv } from './tool-env.ts';
import type { MCPOptions, MCPServer, MCPTool } from './types.ts';
import { createValue, type Value } from './value.ts';

/** The tools of one server. */
export interface Toolbox {
  readonly tools: Value<readonly MCPTool[]>;
  /** Lists the tools again. */
  list(): Promise<readonly MCPTool[]>;
  readonly getLeftOut: () => readonly MCPLeftOut[];
  readonly addTo: MCPServer['addTo'];
}

export interface ToolboxEnv {
  readonly options: MCPOptions;
  readonly peer: Peer;
  readonly url: string;
  readonly asker: Asker;
}

export function createToolbox({ options, peer, url, asker }: ToolboxEnv): Toolbox {
  const { trusted = false, timeout = 300_000, filter = () => true, memory = createMeta() } = options;
  const { needsApproval = () => undefined } = options;
  const liveCalls: LiveCalls = new Map();
  const env: ToolEnv = { url, asker, peer, liveCalls, timeout, trusted, needsApproval };
  const tools = createValue<readonly MCPTool[]>([]);
  let leftOut: readonly MCPLeftOut[] = [];
  let listing = 0;
  /** The tools of the latest list by version: a tool keeps its identity for as long as it does not change. */
  let known = new Map<string, MCPTool>();

  const keyOf = ({ name }: MCPToolDefinition): string => `mcp/${JSON.stringify([url, name])}`;

  async function toTool(read: ReadTool): Promise<readonly [version: string, tool: MCPTool]> {
    const { definition } = read;
    const version = await versionOf([url, definition]);
    const existing = known.get(version);
    if (existing) return [version, existing];
    const before = toDefinition(await memory.get(keyOf(definition)).catch(() => undefined));
    const hasChanged = before !== undefined && (await versionOf([url, before])) !== version;
    let isNew = before === undefined || hasChanged;
    let isChanged = hasChanged;

    /** The person has seen this version: from now on it is the previous one. */
    async function onRun(): Promise<void> {
      if (!isNew) return;
      isNew = isChanged = false;
      await memory.update(keyOf(definition), () => toJson(definition)).catch(() => {});
      const { previous: _previous, ...seen } = made;
      known.set(version, seen);
      tools.set(tools.get().map((one) => (one === made ? seen : one)));
    }

    const toolName = toToolName(asker.name, definition.name);
    const tool = createMCPTool(env, { ...read, toolName, version, onRun, hasChanged: () => isChanged });
    const made: MCPTool = { tool, definition, ...(hasChanged && before ? { previous: before } : {}) };
    return [version, made];
  }

  return {
    tools,
    async list() {
      listing += 1;
      const mine = listing;
      const read = readTools(await listAll(peer, asker.host, 'tools'));
      const made = await Promise.all(read.tools.filter(({ definition }) => filter(definition)).map(toTool));
      // A later list has replaced this one.
      if (mine !== listing) return tools.get();
      known = new Map(made);
      leftOut = read.leftOut;
      tools.set([...known.values()]);
      return tools.get();
    },
    getLeftOut: () => leftOut,
    addTo(agent, wrap = (tool) => tool) {
      const added = new Map<string, MCPTool>();
      const remove = (name: string): void => {
        added.delete(name);
        agent.removeTool(name);
      };
      /** Returns why a tool was not added: its name is that of a tool of the page or of another server. */
      const add = (one: MCPTool): AgentError | undefined => {
        const { name } = one.tool;
        if (added.get(name)?.tool === one.tool) return undefined;
        try {
          agent.addTool(wrap(one.tool));
          added.set(name, one);
          return undefined;
        } catch (reason) {
          return toAgentError(reason, 'INVALID_CONFIG');
        }
      };
      const follow = (current: readonly MCPTool[]): readonly AgentError[] => {
        const names = new Set(current.map(({ tool }) => tool.name));
        for (const name of added.keys()) if (!names.has(name)) remove(name);
        return current.map(add).filter((reason) => reason !== undefined);
      };
      const [refused] = follow(tools.get());
      if (refused !== undefined) {
        [...added.keys()].forEach(remove);
        throw refused;
      }
      // A later list has no caller: a tool that cannot be added is reported, and the others are added.
      const subscription = tools.stream$.subscribe((current) => {
        for (const reason of follow(current)) globalThis.reportError?.(reason);
      });
      return () => {
        subscription.unsubscribe();
        [...added.keys()].forEach(remove);
      };
    },
  };
}

/** Reads a remembered definition. A damaged one counts as none. */
function toDefinition(value: Json | undefined): MCPToolDefinition | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, title, description, inputSchema, outputSchema, annotations, ui } = value;
  if (!isJsonObject(inputSchema) || !isJsonObject(annotations)) return undefined;
  return {
    name: toText(name),
    ...(typeof title === 'string' ? { title } : {}),
    description: toText(description),
    inputSchema,
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    annotations,
    ...defined({ ui: readUI({ ui }) }),
  };
}
