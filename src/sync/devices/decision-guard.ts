import type { SessionEvent } from '../../core/model/event.ts';
import type { Proof } from '../../core/model/message.ts';
import type { SessionStore, SessionWrite } from '../../core/model/store.ts';
import { withoutPosition } from '../../core/model/without-position.ts';
import { type Decision, type DecisionGuard, isDecision } from '../decision-guard.ts';
import { statementOf } from './statement.ts';
import { type Check, vet } from './vet.ts';

/** The keys of a guard. */
export interface Signer {
  readonly sign: (statement: string) => Promise<Proof>;
  readonly check: Check;
}

/** Events that are read to find the call of a decision, before the whole log is read. */
const near = 500;

export function createDecisionGuard({ sign, check }: Signer): DecisionGuard {
  /**
   * The signatures of this page, by session and decision. The core has its own events without their signatures, and stores them again when a
   * run has ended.
   */
  const signed = new Map<string, Proof>();

  async function signAll(
    write: SessionWrite,
    unsigned: readonly Decision[],
    local: SessionStore,
  ): Promise<SessionWrite> {
    const { sessionId, events, expectedSeq } = write;
    const read = async (after: number): Promise<readonly SessionEvent[]> =>
      (await local.read(sessionId, { after }))?.events.filter(({ seq }) => seq <= expectedSeq) ?? [];
    const after = Math.max(0, expectedSeq - near);
    let stored = expectedSeq > 0 ? await read(after) : [];
    const lacksCall = ({ callId }: Decision): boolean =>
      ![...stored, ...events].some((event) => event.type === 'call.requested' && event.callId === callId);
    if (after > 0 && unsigned.some(lacksCall)) stored = await read(0);
    const log = [...stored, ...events.filter(({ seq }) => seq > expectedSeq)];
    for (const decision of unsigned) {
      const statement = statementOf(sessionId, decision, log.slice(0, log.indexOf(decision)));
      if (statement !== undefined) signed.set(keyOf(sessionId, decision), await sign(statement));
    }
    return withProofs(write);
  }

  function withProofs(write: SessionWrite): SessionWrite {
    const { sessionId, events } = write;
    return {
      ...write,
      events: events.map((event) => {
        const proof = isUnsigned(event) ? signed.get(keyOf(sessionId, event)) : undefined;
        return proof === undefined ? event : { ...event, proof };
      }),
    };
  }

  return {
    sign(write, local) {
      const { sessionId, events, expectedSeq } = write;
      const mine = events.filter(isUnsigned);
      if (mine.length === 0) return write;
      // Invariant: only what this page has just decided is signed. The decisions of a file, or of a log that is stored again, are not.
      const isImported = events.some(({ type }) => type === 'session.imported');
      const fresh = mine.filter(({ seq }) => seq > expectedSeq && !isImported);
      const unsigned = fresh.filter((event) => !signed.has(keyOf(sessionId, event)));
      return unsigned.length === 0 ? withProofs(write) : signAll(write, unsigned, local);
    },
    vet: (vetting) => vet(vetting, check),
  };
}

function isUnsigned(event: SessionEvent): event is Decision {
  return isDecision(event) && event.proof === undefined;
}

/** What identifies a decision of this page. */
function keyOf(sessionId: string, decision: Decision): string {
  return JSON.stringify([sessionId, withoutPosition(decision)]);
}
