import type { Observable } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import type { JsonObject } from '../core/json.ts';
import type { Part, Role } from '../core/model/message.ts';
import type { StoreMeta } from '../core/model/store.ts';
import type { Ports } from '../core/ports.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { MCPLeftOut, MCPToolDefinition } from './definition.ts';
import type { AgentError } from '../core/error.ts';
import type { MCPAuth } from './wire.ts';

/** Options of `connectMCP`. Only `url` is required. */
export interface MCPOptions {
  /** Address of the MCP endpoint: https, or http on this machine. */
  readonly url: string;
  /** Name of the server, in the names of its tools: letters, digits, `-` and single `_`. Default: the host. */
  readonly name?: string;
  /**
   * Access to the server: a token, a function that returns one (`vault.keyFor('notes')` for example), or `createMCPSignIn`. Default: none.
   */
  readonly auth?: string | ((origin: string) => string | Promise<string>) | MCPAuth;
  /** Further headers of each request. The server must allow them (CORS). Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether the page trusts what the server says about its tools: calls of tools that the server calls read-only then need no approval, and
   * calls that it calls idempotent are repeated after they were cut off. Default: `false`.
   */
  readonly trusted?: boolean;
  /**
   * Returns whether calls of a tool need approval: asked at each call, so that a person may change the decision. `undefined` leaves it at the default:
   * every call needs approval, unless the page trusts the server and the server calls the tool read-only. A tool that has changed since it last ran
   * needs approval in any case.
   */
  readonly needsApproval?: (tool: MCPToolDefinition) => boolean | undefined;
  /** Returns whether a tool is offered to the model. Default: every tool. */
  readonly filter?: (tool: MCPToolDefinition) => boolean;
  /**
   * Remembers the definitions under which tools have run, so that a changed one is noticed: `store.meta` for example. Default: for as long as the page
   * lives.
   */
  readonly memory?: StoreMeta | undefined;
  /** ms that a call may take, without the time that a person takes to answer. Default: 300,000. */
  readonly timeout?: number;
  /** Largest answer of the server. Default: 16,000,000. */
  readonly maxBytes?: number;
  /** Whether the page shows the interfaces of tools with `mountMCPApp` of `brooklet/mcp/apps`: the server is notified. Default: `false`. */
  readonly apps?: boolean;
  /** Whether changes of the server's lists are followed over a connection of their own. Default: `true`. */
  readonly listen?: boolean;
  /** Ends the attempt to connect. */
  readonly signal?: AbortSignal;
  /** Default: the browser's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Replaces timers, for tests. */
  readonly ports?: Partial<Pick<Ports, 'delay'>>;
}

/** A tool of a server, as the page may show it. */
export interface MCPTool {
  /** The tool for `createAgent` and `addTool`. `tool.name` is the name that the model calls. */
  readonly tool: Tool;
  /** What the server says about it now. */
  readonly definition: MCPToolDefinition;
  /** What the server said when the tool last ran, if that was something else: show both before a person approves. */
  readonly previous?: MCPToolDefinition;
}

/** A prompt that a server offers to the person. */
export interface MCPPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description?: string;
    readonly required: boolean;
  }[];
}

/** A message of a prompt. */
export interface MCPPromptMessage {
  readonly role: Role;
  readonly content: readonly Part[];
}

/** Something that a page may attach to a message. */
export interface MCPResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Whether a server answers: `failed` until it answers again. */
export type MCPStatus =
  | { readonly state: 'connected' | 'closed'; readonly error?: undefined }
  | { readonly state: 'failed'; readonly error: AgentError };

/** A connected server. Methods reject with `MCPError`. */
export interface MCPServer {
  readonly name: string;
  readonly url: string;
  /** Version of the protocol that both speak. */
  readonly version: string;
  /** Name and version of the server's software, as the server says. */
  readonly serverInfo: JsonObject;
  /** Hints of the server for the model. Untrusted: nothing uses them by itself. */
  readonly instructions: string;
  /** Lists the tools again. */
  tools(): Promise<readonly Tool[]>;
  /** The tools of the latest list. Emits the current value on subscription. */
  readonly tools$: Observable<readonly MCPTool[]>;
  readonly getTools: () => readonly MCPTool[];
  /** The tools of the latest list that are not offered, and why. */
  readonly getLeftOut: () => readonly MCPLeftOut[];
  /**
   * Adds the tools to an agent, and keeps them in step with the server: a changed list takes effect with the next request to the model.
   * Returns a function that removes them.
   *
   * @param wrap returns the tool that the agent gets: one of `holdAfterUntrusted`, for example
   * @throws AgentError `INVALID_CONFIG` where the page, or another server, has a tool of the same name: two endpoints of one host have the same
   * default name, so that one of them needs `name`. No tool is added then. A tool of a later list is reported with `reportError`, and left out.
   */
  addTo(agent: Pick<Agent, 'addTool' | 'removeTool'>, wrap?: (tool: Tool) => Tool): () => void;
  prompts(): Promise<readonly MCPPrompt[]>;
  /** Returns the messages of a prompt. */
  getPrompt(name: string, input?: Readonly<Record<string, string>>): Promise<readonly MCPPromptMessage[]>;
  resources(): Promise<readonly MCPResource[]>;
  /** Returns what a resource contains, as parts for a message. */
  readResource(uri: string): Promise<readonly Part[]>;
  /** Returns what a resource contains as the server sent it: `uri`, `mimeType`, `text` or `blob`, `_meta`. Untrusted. */
  readContents(uri: string): Promise<readonly JsonObject[]>;
  /** Emits the current value on subscription. */
  readonly status$: Observable<MCPStatus>;
  readonly getStatus: () => MCPStatus;
  /** Ends all calls and closes the connection. The tools stay in the agents: see `addTo`. */
  close(): void;
}
