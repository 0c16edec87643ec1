import { isJsonObject, type Json } from '../core/json.ts';
import type { StoreMeta } from '../core/model/store.ts';

/** What a device knows of one session on both sides, kept in `local.meta`. */
export interface Base {
  /** `seq` up to which both sides are the same. */
  readonly seq: number;
  /** `writeId` of the last write here, and of the last write there, when both sides were the same. */
  readonly mine?: string;
  readonly theirs?: string;
  /** The fork that is being made: its id, and the first event that only this device has, as JSON. */
  readonly forking?: { readonly id: string; readonly first: string };
  /** The session in which the part of this device was last kept. */
  readonly keptAs?: string;
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
    set: (sessionId, base) => meta.update(keyOf(sessionId), () => base && { ...base }),
  };
}

function isBase(value: Json | undefined): value is Json & Base {
  return isJsonObject(value) && typeof value.seq === 'number';
}
