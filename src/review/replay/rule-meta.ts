import { defined, type Json } from '../../core/json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import type { Facts } from './facts.ts';
import type { Recording } from './recording.ts';

/** Returns a store of approval rules that has the rule with which the log decides the next call, if a rule decides it. */
export function createRuleMeta(recording: Recording, { requested, asked }: Facts): StoreMeta {
  function nextRule(): readonly Json[] {
    const decided = [recording.upcoming(), recording.afterNext()].find((event) => event?.type === 'approval.decided');
    if (decided?.type !== 'approval.decided' || decided.decidedBy !== 'rule') return [];
    const { callId, verdict, reason, userName, at } = decided;
    const toolVersion = decided.toolVersion ?? asked.get(callId)?.toolVersion;
    const name = requested.get(callId)?.name;
    return [{ ...defined({ name, toolVersion, reason, userName }), verdict, at }];
  }

  return { get: async () => nextRule(), update: async () => {} };
}
