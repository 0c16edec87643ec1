import type { AgentEvent } from '../core/agent/agent.ts';
import type { DevtoolsAgent } from './mount-devtools.ts';

/** What the agent has done since the devtools were mounted, and where the rest is. */
export interface LogSource {
  readonly agent: DevtoolsAgent;
  /** It grows. */
  readonly recorded: readonly AgentEvent[];
}

/** Where the drawer is, and what it shows. */
export interface DrawerEnv extends LogSource {
  readonly root: ShadowRoot;
  /** See `DevtoolsOptions`. */
  readonly language: string | undefined;
  readonly onClose: () => void;
}
