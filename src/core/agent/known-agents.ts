import type { SessionStore } from '../model/store.ts';
import type { Kind } from './kind.ts';
import type { SessionConfig } from './session-config.ts';

/** An agent of this page, as another agent uses it that holds sessions for it. */
export interface KnownAgent {
  readonly kind: Kind;
  readonly store: SessionStore | undefined;
  /** Returns the configuration of a session without tools or instructions of its own. */
  readonly createConfig: () => SessionConfig;
}

/** By what `createAgent` has returned. */
const agents = new WeakMap<object, KnownAgent>();

export function addKnown<T extends object>(agent: T, known: KnownAgent): T {
  agents.set(agent, known);
  return agent;
}

/** Returns `undefined` for an object that `createAgent` of this copy of the package has not made. */
export function knownAgent(agent: object): KnownAgent | undefined {
  return agents.get(agent);
}
