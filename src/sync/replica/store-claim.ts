import { toAgentError } from '../../core/error.ts';
import { defined } from '../../core/json.ts';
import { coalesce } from '../../core/model/coalesce.ts';
import { isConcurrent } from '../../core/model/rebase.ts';
import type { SessionStore, SessionWrite } from '../../core/model/store.ts';
import { lineageOf, toWriteId } from '../../core/model/write-id.ts';
import { type Base, type Bases, deviceOf, doubtsOf, toBase } from './base.ts';
import { type Claims, callsOf } from './claims.ts';
import { nameOf, stamp } from './origin.ts';
import { replacedBy } from './replaced-by.ts';

export interface ClaimEnv {
  readonly local: SessionStore;
  readonly remote: SessionStore;
  readonly bases: Bases;
  readonly device: string;
  readonly newId: () => string;
  /** Brings the session in step. @throws where the remote store cannot be reached */
  readonly syncNow: (sessionId: string) => Promise<Base | undefined>;
  /** Whether the failure of the claim was reported to the writer. */
  readonly isLate: () => boolean;
}

/** Resolves with whether the write has to be on the remote store before it is stored here. */
export async function isClaim(write: SessionWrite, local: SessionStore, claims: Claims): Promise<boolean> {
  if (typeof claims === 'string') return claims === 'remote';
  const calls = callsOf(write);
  const stored = (await local.read(write.sessionId))?.events ?? [];
  return [...stored, ...write.events].some(
    (event) => event.type === 'call.requested' && calls.includes(event.callId) && claims(event.name) === 'remote',
  );
}

/**
 * Stores a claim there, then here. Returns `false` when the remote store has refused it because another device was first.
 *
 * Invariant: a claim that the remote store has not acknowledged is not stored here, so that what `call.started` precedes has not begun.
 * A claim whose acknowledgement was lost is found on the remote store, as a write of this device.
 *
 * @throws the error of the store that could not be reached: whether the claim is stored there is not known
 */
export async function storeClaim(write: SessionWrite, env: ClaimEnv): Promise<boolean> {
  const { local, remote, bases, device, newId } = env;
  const { phase: _phase, ...content } = write;
  const { sessionId, expectedSeq, expectedWriteId, summary } = write;
  const base = await env.syncNow(sessionId);
  if (base?.mine !== undefined && base.mine === write.writeId) return true;
  const isNext = (base?.seq ?? 0) === expectedSeq && (expectedWriteId ?? base?.mine) === base?.mine;
  if (isNext) {
    const mine = write.writeId ?? toWriteId(newId(), newId());
    // A proposal is beside the run: the device that runs the session stays the same.
    const runner = (write.events.every(isConcurrent) ? deviceOf(base) : undefined) ?? device;
    const { writeId: theirs, origin } = stamp(lineageOf(base?.theirs) ?? lineageOf(mine) ?? newId(), nameOf(mine), {
      device: runner,
    });
    // What the write joins again is stored there in pieces.
    const events = coalesce(write.events.filter(({ seq }) => seq > expectedSeq));
    const replaces = replacedBy(events, expectedSeq);
    try {
      const row = { ...summary, ...defined({ origin }) };
      const claim = { ...content, summary: row, events, replaces, writeId: theirs };
      await remote.write({ ...claim, expectedWriteId: base?.theirs });
    } catch (thrown) {
      if (toAgentError(thrown).code !== 'STORAGE_CONFLICT') throw thrown;
      return false;
    }
    // The next comparison finds the claim there, as a write of this device.
    if (env.isLate()) return true;
    await local.write({ ...write, writeId: mine });
    const tip = { seq: summary.seq, mine, theirs, device: runner };
    await bases.set(sessionId, toBase(tip, base, doubtsOf(base, events)));
    return true;
  }
  // Something else was stored here meanwhile: the writer reads it and decides again.
  await local.write(write);
  return true;
}
