import type { AgentOptions } from '../core/agent/agent-options.ts';

/** What `create` is given: where the agent will live, and the keys that pages hand over. */
export interface AgentPlace {
  /** `worker`: the agent drives the runs of all pages. `page`: it follows the worker, or drives where there is none. */
  readonly where: 'worker' | 'page';
  /**
   * Returns what a client takes as `apiKey`: the key of this name, from the `keys` of a page that is open. In a worker it goes by the port and stays
   * in memory, for requests while no page is open; it is never stored.
   */
  readonly keyOf: (name: string) => (origin: string) => Promise<string>;
}

/**
 * Makes the options of the agent, in the worker and in each page, so that both see the same tools and limits. It sends no request. `ports` are those of
 * the place and are replaced.
 */
export type CreateOptions = (place: AgentPlace) => AgentOptions;

/** Options of `hostAgent`. */
export interface HostOptions {
  /** ms that a call of a page's tool, or a request that needs a page's key, waits for such a page. Default 5 minutes. */
  readonly pageTimeout?: number;
}
