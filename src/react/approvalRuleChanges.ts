import { Subject } from 'rxjs';
import type { Agent } from '../core/agent.ts';

const subjects = new WeakMap<Agent, Subject<void>>();

/** Emits after a hook has changed the agent's approval rules in the store: a list of the rules is then read again. */
export function approvalRuleChanges(agent: Agent): Subject<void> {
  const subject = subjects.get(agent) ?? new Subject<void>();
  subjects.set(agent, subject);
  return subject;
}
