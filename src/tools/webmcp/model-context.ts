// WebMCP: https://webmachinelearning.github.io/webmcp, the draft of its community group as of July 2026 (commit 0023abd of its repository),
// which Chromium 156 has with `--enable-features=WebMCP`. Where the two differ, both are read. This file is the only one that knows the API.

/** What a page says about a tool. Untrusted hints: none of them is used without the consent of the page. */
interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly untrustedContentHint?: boolean;
}

/** A tool as a page registers it. */
interface ModelContextTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** The browser passes what the agent sent, unchecked, and loses the message of an error. */
  readonly execute: (input: unknown, client?: { readonly signal?: AbortSignal }) => Promise<unknown>;
}

/** A tool as an agent in the page finds it. */
export interface RegisteredTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** An object; text in earlier drafts. */
  readonly inputSchema?: unknown;
  readonly origin: string;
  readonly window?: unknown;
  readonly annotations?: ToolAnnotations;
}

/** `document.modelContext`. */
export interface ModelContext extends EventTarget {
  registerTool(
    tool: ModelContextTool,
    options?: { readonly signal?: AbortSignal; readonly exposedTo?: readonly string[] },
  ): Promise<void>;
  getTools(options?: { readonly fromOrigins?: readonly string[] }): Promise<readonly RegisteredTool[]>;
  /** Resolves with the result as text, and with `null` when the tool has navigated its document. */
  executeTool(
    tool: RegisteredTool,
    input: object,
    options?: { readonly signal?: AbortSignal },
  ): Promise<string | null | undefined>;
}

/** Returns the API of this browser; `undefined` where the browser has none, or an earlier one on `navigator`. */
export function findModelContext(): ModelContext | undefined {
  const page: unknown = globalThis.document;
  const found = typeof page === 'object' && page !== null && 'modelContext' in page ? page.modelContext : undefined;
  return isModelContext(found) ? found : undefined;
}

function isModelContext(value: unknown): value is ModelContext {
  return (
    value instanceof EventTarget &&
    ['registerTool', 'getTools', 'executeTool'].every((verb) => typeof Reflect.get(value, verb) === 'function')
  );
}

/** Whether the browser has WebMCP. */
export function isWebMCPSupported(): boolean {
  return findModelContext() !== undefined;
}
