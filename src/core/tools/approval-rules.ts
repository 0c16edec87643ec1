import { defined, isJsonObject, type Json } from '../json.ts';
import type { ApprovalRule } from '../model/state.ts';
import type { StoreMeta } from '../model/store.ts';

/** The approval rules of an agent, which apply to all its sessions. */
export interface ApprovalRules {
  list(): Promise<readonly ApprovalRule[]>;
  /** Stores a rule. Replaces an earlier rule for the same tool. */
  remember(rule: ApprovalRule): Promise<void>;
  revoke(toolName: string): Promise<void>;
}

export function createApprovalRules(meta: StoreMeta, agentName: string): ApprovalRules {
  const key = `standing/${agentName}`;

  const change = (toolName: string, ...added: readonly ApprovalRule[]): Promise<void> =>
    meta.update(key, (stored) => [
      ...toRules(stored)
        .filter(({ name }) => name !== toolName)
        .map((rule) => ({ ...rule })),
      ...added.map((rule) => ({ ...rule })),
    ]);

  return {
    list: async () => toRules(await meta.get(key)),
    remember: (rule) => change(rule.name, rule),
    revoke: (toolName) => change(toolName),
  };
}

/** Returns the valid rules of a stored list. A stored value may be damaged, so that invalid entries are left out. */
function toRules(stored: Json | undefined): readonly ApprovalRule[] {
  const list: readonly Json[] = Array.isArray(stored) ? stored : [];
  const present: readonly unknown[] = list.map(toPresent);
  return present.filter(isRule);
}

/** Converts a rule that was stored before version 2 of the events, with other names for the tool's version and the user. */
function toPresent(value: Json): Json {
  if (!isJsonObject(value) || value.toolVersion !== undefined) return value;
  const { binding, who, ...rule } = value;
  return { ...rule, ...defined({ toolVersion: binding, userName: who }) };
}

function isRule(value: unknown): value is ApprovalRule {
  return (
    isJsonObject(value) &&
    (value.verdict === 'approved' || value.verdict === 'rejected') &&
    typeof value.name === 'string' &&
    typeof value.toolVersion === 'string'
  );
}
