import { named } from '../../core/model/shapes/named.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../core/json.ts';
import { hash } from '../../core/model/hash.ts';
import { defineTool } from '../../core/tools/define-tool.ts';
import type { Tool } from '../../core/tools/tool.ts';
import { withLetterFirst } from '../../core/tools/tool-name.ts';
import { versionOf } from '../../core/tools/version-of.ts';
import { withVersion } from '../../core/tools/with-version.ts';
import { findModelContext, type ModelContext, type RegisteredTool } from './model-context.ts';
import { offered } from './offer-tools.ts';

/** Characters that a tool of a page may take of a request. */
const maxDescription = 2_000;
const maxSchema = 50_000;

/** A tool that the page, or a document in one of its frames, offers. */
export interface PageTool {
  /** The tool, for an agent: its name begins with `page_`, or with the host of another origin. */
  readonly tool: Tool;
  /** The tool's name in its own document. */
  readonly name: string;
  /** Who offers it. Show it to the person who approves a call. */
  readonly origin: string;
  readonly title: string;
  /** What the tool says about itself. */
  readonly isReadOnly: boolean;
  /** What the tool says about its results: they contain untrusted content. */
  readonly isUntrusted: boolean;
}

/** Options of `listPageTools` and `followPageTools`. */
export interface PageToolsOptions {
  /** Other origins whose tools are listed, where their documents expose them to this one. Default: this origin only. */
  readonly fromOrigins?: readonly string[];
  /** Whether calls of a tool need approval. Default: all but those of tools of this origin that are read-only. */
  readonly needsApproval?: (tool: Omit<PageTool, 'tool'>) => boolean;
}

/** Returns the tools that the page and its frames offer, without those that `offerTools` offers. Empty where the browser has no WebMCP. */
export async function listPageTools(options: PageToolsOptions = {}): Promise<readonly PageTool[]> {
  named(options, { fromOrigins: true, needsApproval: true }, 'listPageTools');
  const context = findModelContext();
  if (context === undefined) return [];
  const { fromOrigins } = options;
  const registered = await context.getTools(fromOrigins && { fromOrigins });
  const tools = new Map<string, PageTool>();
  for (const one of registered) {
    const found = isOwn(one) ? undefined : await toPageTool(one, context, options);
    if (found && !tools.has(found.tool.name)) tools.set(found.tool.name, found);
  }
  return [...tools.values()];
}

function isOwn({ name, window }: RegisteredTool): boolean {
  return window === globalThis.window && offered.has(name);
}

/** Returns `undefined` for a tool that cannot be described to a model: its schema is not valid, or too large. */
async function toPageTool(
  registered: RegisteredTool,
  context: ModelContext,
  { needsApproval = isForeignOrWrites }: PageToolsOptions,
): Promise<PageTool | undefined> {
  const { name, origin, annotations = {}, title = '' } = registered;
  const facts = {
    name,
    origin,
    title,
    isReadOnly: annotations.readOnlyHint === true,
    isUntrusted: annotations.untrustedContentHint === true,
  };
  const input = toSchema(registered.inputSchema);
  if (input === undefined) return undefined;
  try {
    const tool = defineTool({
      name: toName(name, origin),
      description: `A tool of ${origin}. ${registered.description.slice(0, maxDescription)}`,
      input,
      needsApproval: () => needsApproval(facts),
      execute: async (value, { signal }) => toOutput(await context.executeTool(registered, value, { signal }), name),
      present: () => ({ summary: `${title || name} of ${origin}` }),
    });
    return { tool: withVersion(tool, await versionOf([facts, registered.description, input]), origin), ...facts };
  } catch {
    return undefined;
  }
}

function isForeignOrWrites({ origin, isReadOnly }: Omit<PageTool, 'tool'>): boolean {
  return !(isReadOnly && origin === globalThis.location?.origin);
}

function toSchema(stated: unknown): JsonObject | undefined {
  const text = typeof stated === 'string' ? stated : JSON.stringify(stated ?? {});
  const schema = text.length > maxSchema ? undefined : parseJson(text || '{}');
  return isJsonObject(schema) ? { type: 'object', ...schema } : undefined;
}

/**
 * Returns the name of a tool for a model. A name that had to be changed ends with a hash of the tool's own name and origin, so that an
 * approval rule for one tool never applies to another.
 */
function toName(name: string, origin: string): string {
  const isHere = origin === globalThis.location?.origin;
  const host = origin.replace(/^https?:\/\//, '');
  const owner = isHere ? 'page' : withLetterFirst(host, 'host_');
  const exact = `${owner}_${name}`;
  const fit = exact.replaceAll(/[^\w-]/g, '_');
  return isHere && fit === exact && fit.length <= 64 ? fit : `${fit.slice(0, 54)}_${hash(`${origin} ${name}`)}`;
}

function toOutput(result: string | null | undefined, name: string): Json {
  if (result === null || result === undefined) return 'The tool left the page that offered it.';
  const output = parseJson(result) ?? result;
  if (isJsonObject(output) && output.isError === true) throw new Error(`${name} failed: ${result}`);
  return output;
}
