import type { Agent } from 'brooklet';

/** The agent, and what loads the rest of it. */
export interface Parts {
  readonly agent: Agent;
  readonly toolsAdded: (all?: boolean) => Promise<void>;
  readonly clientSet: () => Promise<void>;
}
