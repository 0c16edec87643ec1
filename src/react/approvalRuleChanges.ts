import type { Agent } from '../core/agent/agent.ts';
import { createEmitter, type Emitter } from '../core/emitter.ts';

const emitters = new WeakMap<Agent, Emitter<void>>();

/** Emits after a hook has changed the agent's approval rules in the store: a list of the rules is then read again. */
export function approvalRuleChanges(agent: Agent): Emitter<void> {
  const emitter = emitters.get(agent) ?? createEmitter<void>();
  emitters.set(agent, emitter);
  return emitter;
}
