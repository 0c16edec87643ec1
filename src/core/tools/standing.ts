import { isJsonObject, type Json } from '../json.ts';
import type { StandingDecision } from '../model/state.ts';
import type { StoreMeta } from '../model/store.ts';

/** What a person has decided once for all sessions of an agent. */
export interface Standing {
  list(): Promise<readonly StandingDecision[]>;
  /** In the place of an earlier one for the same tool. */
  remember(decision: StandingDecision): Promise<void>;
  revoke(toolName: string): Promise<void>;
}

export function createStanding(meta: StoreMeta, agentName: string): Standing {
  const key = `standing/${agentName}`;

  const change = (toolName: string, ...more: readonly StandingDecision[]): Promise<void> =>
    meta.update(key, (stored) => [
      ...toDecisions(stored)
        .filter(({ name }) => name !== toolName)
        .map((decision) => ({ ...decision })),
      ...more.map((decision) => ({ ...decision })),
    ]);

  return {
    list: async () => toDecisions(await meta.get(key)),
    remember: (decision) => change(decision.name, decision),
    revoke: (toolName) => change(toolName),
  };
}

/** What is no decision is left out: what comes from a disk may be anything. */
function toDecisions(stored: Json | undefined): readonly StandingDecision[] {
  const list: readonly unknown[] = Array.isArray(stored) ? stored : [];
  return list.filter(isDecision);
}

function isDecision(value: unknown): value is StandingDecision {
  return (
    isJsonObject(value) &&
    (value.verdict === 'approved' || value.verdict === 'rejected') &&
    typeof value.name === 'string' &&
    typeof value.binding === 'string'
  );
}
