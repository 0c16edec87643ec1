import type { Agent } from '../core/agent.ts';

/** Agents may share one QueryClient, but not what they have in it. */
const numbers = new WeakMap<Agent, number>();
let count = 0;

/** Where things of this agent are in the query cache: `['brooklet', agent, …path]`. */
export function queryKey(agent: Agent, ...path: readonly string[]): readonly (string | number)[] {
  let number = numbers.get(agent);
  if (number === undefined) numbers.set(agent, (number = ++count));
  return ['brooklet', number, ...path];
}
