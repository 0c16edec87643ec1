import { defined, isJsonObject, type Json } from '../json.ts';
import type { ApprovalRule } from '../model/state.ts';
import type { StoreMeta } from '../model/store.ts';

/** What a person has decided once for all sessions of an agent. */
export interface ApprovalRules {
  list(): Promise<readonly ApprovalRule[]>;
  /** In the place of an earlier one for the same tool. */
  remember(decision: ApprovalRule): Promise<void>;
  revoke(toolName: string): Promise<void>;
}

export function createApprovalRules(meta: StoreMeta, agentName: string): ApprovalRules {
  const key = `standing/${agentName}`;

  const change = (toolName: string, ...more: readonly ApprovalRule[]): Promise<void> =>
    meta.update(key, (stored) => [
      ...toRules(stored)
        .filter(({ name }) => name !== toolName)
        .map((decision) => ({ ...decision })),
      ...more.map((decision) => ({ ...decision })),
    ]);

  return {
    list: async () => toRules(await meta.get(key)),
    remember: (decision) => change(decision.name, decision),
    revoke: (toolName) => change(toolName),
  };
}

/** What is no rule is left out: what comes from a disk may be anything. */
function toRules(stored: Json | undefined): readonly ApprovalRule[] {
  const list: readonly Json[] = Array.isArray(stored) ? stored : [];
  const present: readonly unknown[] = list.map(toPresent);
  return present.filter(isRule);
}

/** Rules stored before version 2 of the events name the tool's version and the user otherwise. */
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
