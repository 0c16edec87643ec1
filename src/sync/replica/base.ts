import type { SessionEvent } from '../../core/model/event.ts';
import { defined, isJsonObject, type Json, toJson } from '../../core/json.ts';
import type { StoredSession, StoreMeta } from '../../core/model/store.ts';
import type { HeldDecision, Vetted } from '../decision-guard.ts';
import { upcastFacts } from './origin.ts';

/** What a device knows of one session on both sides, kept in `local.meta`. */
export interface Base {
  /** `seq` up to which both sides are the same. */
  readonly seq: number;
  /** `writeId` of the last write here, and of the last write there, when both sides were the same. */
  readonly mine?: string;
  readonly theirs?: string;
  /** The device that ran the session when both sides were the same, as the remote store states it. Missing in bases of older versions. */
  readonly device?: string;
  /** The fork that is being made: its id, and the first event that only this device has, as JSON. */
  readonly forking?: { readonly id: string; readonly first: string };
  /** The session in which the part of this device was last kept. */
  readonly keptAs?: string;
  /** Decisions of other devices that do not count. */
  readonly held?: readonly HeldDecision[];
  /** Whether a call is open whose decision does not count: its log is read whole with each change of the remote store. */
  readonly isOpen?: true;
  /** Ids of calls whose decisions do not count any more: see `Vetted`. */
  readonly spent?: readonly string[];
}

/** The part of a base that concerns the decisions of other devices. */
export type Doubts = Pick<Base, 'held' | 'isOpen' | 'spent'>;

/** Returns this part of a base, without what is held on calls that these events decide. */
export function doubtsOf(base: Doubts | undefined, events: readonly SessionEvent[] = []): Doubts {
  const decided = new Set(events.map((event) => event.type === 'approval.decided' && event.callId));
  const held = base?.held?.filter(({ callId }) => !decided.has(callId)) ?? [];
  return {
    ...(held.length > 0 && { held }),
    ...(base?.isOpen && { isOpen: true }),
    ...(base?.spent?.length && { spent: base.spent }),
  };
}

/** Returns the doubts about the decisions of a remote log: those of its check, where it was checked. */
export function doubtsNow(base: Base | undefined, vetted: Vetted | undefined): Doubts {
  if (vetted === undefined) return doubtsOf(base);
  const { held, isOpen, spent } = vetted;
  return doubtsOf({ held, ...(isOpen && { isOpen }), spent });
}

/** Whether a log ends where both sides were the same. */
export function isTip({ summary, writeId }: StoredSession, base: Base | undefined, side: 'mine' | 'theirs'): boolean {
  return base !== undefined && summary.seq === base.seq && writeId === base[side];
}

/** The ends of both sides where they are the same. */
interface Tip {
  readonly seq: number;
  readonly mine: string | undefined;
  readonly theirs: string | undefined;
  /** The device that runs the session, as the remote store states it. */
  readonly device: string | undefined;
}

/** Returns the base of two sides that are the same. What was kept, or is being kept, stays noted. */
export function toBase({ seq, ...ends }: Tip, before: Base | undefined, doubts: Doubts): Base {
  return { seq, ...defined({ ...ends, keptAs: before?.keptAs, forking: before?.forking }), ...doubts };
}

/** Returns the device that ran the session when both sides were the same. */
export function deviceOf(base: Base | undefined): string | undefined {
  return base?.device ?? upcastFacts(base?.theirs).device;
}

/** The bases of all sessions. */
export interface Bases {
  get(sessionId: string): Promise<Base | undefined>;
  /** Replaces the base; `undefined` forgets the session. */
  set(sessionId: string, base: Base | undefined): Promise<void>;
}

/** @param name of the remote store: a device may be in step with several */
export function createBases(meta: StoreMeta, name: string): Bases {
  const keyOf = (sessionId: string): string => `replica:${name}:${sessionId}`;
  return {
    async get(sessionId) {
      const value = await meta.get(keyOf(sessionId));
      return isBase(value) ? value : undefined;
    },
    set: (sessionId, base) => meta.update(keyOf(sessionId), () => base && toJson(base)),
  };
}

function isBase(value: Json | undefined): value is Json & Base {
  return isJsonObject(value) && typeof value.seq === 'number';
}
