import { isJsonObject, toJson } from '../../core/json.ts';
import { toObject } from '../../core/model/read-json.ts';
import type { StoreMeta } from '../../core/model/store.ts';
import type { LogEnd, RemovalGuard } from '../decision-guard.ts';
import { canonical } from './canonical.ts';
import type { Signer } from './decision-guard.ts';

/** Returns the `meta` entry with the statement on a session: the last device that has removed the session replaces the one before. */
const entryOf = (sessionId: string): string => `brooklet removal ${sessionId}`;

/** Returns the text that a device signs. The end of the log binds the statement to the time of the removal: a restored session is longer. */
const statementOf = (sessionId: string, { seq, writeId = '' }: LogEnd): string =>
  canonical(['brooklet removal', sessionId, seq, writeId]);

/** Creates the guard of removals. Invariant: a statement counts only for a log that ends where the statement says, or before. */
export function createRemovalGuard({ sign, check }: Signer, meta: StoreMeta): RemovalGuard {
  return {
    async note(sessionId, { seq, writeId = '' }) {
      const proof = await sign(statementOf(sessionId, { seq, writeId }));
      await meta.update(entryOf(sessionId), () => toJson({ seq, writeId, proof }));
    },
    async vet(sessionId, known) {
      const { seq, writeId, proof } = toObject(await meta.get(entryOf(sessionId)));
      if (!isJsonObject(proof)) return 'unsigned';
      const { device, signature } = proof;
      if (typeof seq !== 'number' || typeof writeId !== 'string') return 'invalid';
      if (typeof device !== 'string' || typeof signature !== 'string') return 'invalid';
      const { why } = await check(statementOf(sessionId, { seq, writeId }), { device, signature });
      if (why !== undefined) return why;
      const isCovered = seq > known.seq || (seq === known.seq && writeId === (known.writeId ?? ''));
      return isCovered ? undefined : 'replayed';
    },
  };
}
