import type { AgentOptions } from '../core/agent/agent-options.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { Vault } from '../keys/vault-types.ts';
import type { PageKey } from './page-key.ts';

/** What `create` is given: where the agent will live, and the keys that pages hand over. */
export interface AgentPlace {
  /** `worker`: the agent drives the runs of all pages. `page`: it follows the worker, or drives where there is none. */
  readonly where: 'worker' | 'page';
  /**
   * Returns what a client takes as `apiKey`: the key of this name, from the `keys` of a page that is open. In a worker it goes by the port and stays
   * in memory, for requests while no page is open; it is never stored.
   */
  readonly keyOf: (name: string) => PageKey;
}

/** What `create` makes: the options of the agent, and the vault of its store. */
export interface SharedAgentOptions extends AgentOptions {
  /**
   * The vault that encrypts the sessions of `store` (`createVaultCodec`), made with `shared`: unlocked in one page, it is unlocked in the worker. Where the
   * worker needs it locked, a page calls its `onLocked`. The worker locks its own copy when a person signs out, and when neither a page is open nor a
   * run under way.
   */
  readonly vault?: Vault;
  /**
   * Wraps each tool that a page offers, in the worker: the rules of a tool that decide by the conversation do not cross the port. Returns a tool of the same
   * name: `(tool) => holdAfterUntrusted([tool])[0]`.
   */
  readonly wrapTool?: (tool: Tool) => Tool;
}

/**
 * Makes the options of the agent, in the worker and in each page, so that both see the same tools and limits. It sends no request. `ports` are those of
 * the place and are replaced.
 */
export type CreateOptions = (place: AgentPlace) => SharedAgentOptions;

/** Options of `hostAgent`. */
export interface HostOptions {
  /** ms that a call of a page's tool, or a request that needs a page's key, waits for such a page. Default 5 minutes. */
  readonly pageTimeout?: number;
}
