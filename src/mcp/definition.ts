import { defined, isJsonObject, type JsonObject } from '../core/json.ts';
import { toObject, toText } from '../core/model/read-json.ts';
import { danglingRef } from '../core/tools/json-schema.ts';
import { excerpt } from './errors.ts';
import { type ParamHeader, paramHeadersOf } from './param-headers.ts';

/** What a server says about one of its tools. None of it is verified. */
export interface MCPToolDefinition {
  /** The name at the server. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  /** The hints of the server: `readOnlyHint`, `destructiveHint`, `idempotentHint`, `openWorldHint`. */
  readonly annotations: JsonObject;
  /** The interface of the tool, and who may call it (MCP Apps). */
  readonly ui?: MCPToolUI;
}

/** What a server says about the interface of a tool: see `brooklet/mcp/apps`. */
export interface MCPToolUI {
  /** Address of the interface, `ui://…`. */
  readonly resourceUri?: string;
  /** Who may call the tool: the model, the interfaces of the same server. Default: both. */
  readonly visibility?: readonly ('model' | 'app')[];
}

/** Whether the model, or an interface of the server, may call a tool. */
export function isFor(caller: 'model' | 'app', { ui }: MCPToolDefinition): boolean {
  return ui?.visibility?.includes(caller) ?? true;
}

/** A tool of a server that is not offered, and why. */
export interface MCPLeftOut {
  readonly name: string;
  readonly reason: string;
}

export interface ReadTool {
  readonly definition: MCPToolDefinition;
  readonly paramHeaders: readonly ParamHeader[];
}

/** Characters of one definition, as JSON. */
const maxDefinition = 65_536;
/** Characters that the model reads. */
const maxDescription = 4_000;

/** Reads the tools of a list. A tool that cannot be offered is left out; the others are offered. */
export function readTools(items: readonly JsonObject[]): {
  readonly tools: readonly ReadTool[];
  readonly leftOut: readonly MCPLeftOut[];
} {
  const tools = new Map<string, ReadTool>();
  const leftOut: MCPLeftOut[] = [];
  for (const item of items) {
    const name = toText(item.name);
    const read = readTool(item, name);
    const reason = typeof read === 'string' ? read : tools.has(name) ? 'another tool has the same name' : undefined;
    if (reason !== undefined) leftOut.push({ name: excerpt(name, 128), reason });
    else if (typeof read !== 'string') tools.set(name, read);
  }
  return { tools: [...tools.values()], leftOut };
}

/** Returns the tool, or the reason why it cannot be offered. */
function readTool(item: JsonObject, name: string): ReadTool | string {
  if (name === '' || name.length > 256) return 'its name is missing or too long';
  if (JSON.stringify(item).length > maxDefinition) return `its definition is longer than ${maxDefinition} characters`;
  const { inputSchema, outputSchema } = item;
  if (!isJsonObject(inputSchema) || (inputSchema.type ?? 'object') !== 'object')
    return 'its input schema is not an object schema';
  const dangling = danglingRef(inputSchema, inputSchema);
  if (dangling !== undefined) return `its input schema refers to ${excerpt(dangling, 128)}, which is not in it`;
  const paramHeaders = paramHeadersOf(inputSchema);
  if (typeof paramHeaders === 'string') return paramHeaders;
  const annotations = toObject(item.annotations);
  const title = excerpt(item.title ?? annotations.title, 200);
  const definition: MCPToolDefinition = {
    name,
    ...(title ? { title } : {}),
    description: toText(item.description),
    inputSchema: { ...inputSchema, type: 'object' },
    ...(isJsonObject(outputSchema) ? { outputSchema } : {}),
    annotations,
    ...defined({ ui: readUI(toObject(item._meta)) }),
  };
  return { definition, paramHeaders };
}

/** Returns what `_meta` says about the interface of a tool; `undefined` where it says nothing. */
export function readUI({ ui }: JsonObject): MCPToolUI | undefined {
  const { resourceUri, visibility } = toObject(ui);
  const uri = toText(resourceUri);
  const read = defined({
    resourceUri: uri.startsWith('ui://') ? uri : undefined,
    visibility: Array.isArray(visibility) ? callers.filter((caller) => visibility.includes(caller)) : undefined,
  });
  return Object.keys(read).length > 0 ? read : undefined;
}

const callers = ['model', 'app'] as const;

/** Returns the description for the model. */
export function modelDescription({ name, title, description }: MCPToolDefinition): string {
  const text = description || title || name;
  return text.length > maxDescription ? `${text.slice(0, maxDescription)}…` : text;
}
