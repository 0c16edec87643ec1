import type { Agent } from '../../core/agent/agent.ts';

/** Several agents may share one QueryClient, but not their entries in the query cache. */
const numbers = new WeakMap<Agent, number>();
let count = 0;

/** Returns the key of an agent's entry in the query cache: `['brooklet', number of the agent, …path]`. */
export function queryKey(agent: Agent, ...path: readonly string[]): readonly (string | number)[] {
  let number = numbers.get(agent);
  if (number === undefined) numbers.set(agent, (number = ++count));
  return ['brooklet', number, ...path];
}
