import type { Agent } from '../core/agent/agent.ts';

const awake = new WeakSet<Agent>();

/**
 * Reads a little from the store of an agent, once, before there is anything to write. A store opens its database when it is first used, which takes tens of
 * milliseconds; a page that is left meanwhile loses what it has not yet written, and so a first message right before a reload.
 */
export function wakeStore(agent: Agent): void {
  if (awake.has(agent)) return;
  awake.add(agent);
  // The next use says what is wrong.
  agent.store?.list({ limit: 1 }).catch(() => {});
}
