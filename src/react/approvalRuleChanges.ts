import { Subject } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';

const emitters = new WeakMap<Agent, Subject<void>>();

/** Emits after a hook has changed the agent's approval rules in the store: a list of the rules is then read again. */
export function approvalRuleChanges(agent: Agent): Subject<void> {
  const emitter = emitters.get(agent) ?? new Subject<void>();
  emitters.set(agent, emitter);
  return emitter;
}
