import type { SessionWrite } from '../../core/model/store.ts';
import { mayHaveBlobs, type Packed } from '../indexeddb/blobs.ts';
import { pack } from '../indexeddb/pack.ts';
import { rejected } from '../storage-errors.ts';
import { type SealedWrite, type SealOptions, sealWrite, sealWriteNow } from './seal-write.ts';
import type { Sealer } from './sealer.ts';

/** Encrypts writes, and begins them in the order in which they were called. */
export interface Writes {
  /** Begins within the call where the codec can encrypt within it. Settles as `put` does. */
  write(write: SessionWrite): Promise<void>;
}

interface WritesOptions {
  readonly sealer: Sealer;
  /** Begins a transaction within its call. */
  readonly put: (sealed: SealedWrite) => Promise<void>;
  /** What is known of the session of a write, for its row of the list. */
  readonly headOf: (write: SessionWrite) => Pick<SealOptions, 'needsHead' | 'mark'>;
  /** Encrypts the rows that the session of a write has without encryption; `undefined` where it is known to have none. */
  readonly prepare: (write: SessionWrite) => Promise<void> | undefined;
}

/** A write that is being encrypted. */
interface Waiting {
  readonly earlier: Waiting | undefined;
  /** Begins the write without its blobs, after the earlier writes; no effect where the codec cannot encrypt within the call. */
  readonly beginNow: () => void;
  /** Resolves when the write has begun, or cannot begin. */
  readonly begun: Promise<void>;
  readonly hasBegun: () => boolean;
}

export function createWrites({ sealer, put, headOf, prepare }: WritesOptions): Writes {
  /** The last write that has not begun, by session. */
  const waiting = new Map<string, Waiting>();

  function sealNow(write: SessionWrite): SealedWrite | undefined {
    return sealWriteNow(sealer, write, headOf(write));
  }

  async function packBlobs(write: SessionWrite): Promise<Packed | undefined> {
    const packed = await pack(write.events);
    return packed && renamed(sealer, packed);
  }

  async function sealLater(
    write: SessionWrite,
    hasBlobs: boolean,
    preparing: Promise<void> | undefined,
  ): Promise<SealedWrite> {
    await preparing;
    const packed = hasBlobs ? await packBlobs(write) : undefined;
    return sealWrite(sealer, write, { ...headOf(write), packed });
  }

  function later(write: SessionWrite, hasBlobs: boolean, preparing: Promise<void> | undefined): Promise<void> {
    const { sessionId } = write;
    const earlier = waiting.get(sessionId);
    return new Promise((resolve) => {
      const listening = new AbortController();
      const { signal } = listening;
      let settle = (): void => {};
      const begin = (begun: () => Promise<void>): void => {
        if (signal.aborted) return;
        listening.abort();
        if (waiting.get(sessionId) === own) waiting.delete(sessionId);
        resolve(begun());
        settle();
      };
      const own: Waiting = {
        earlier,
        beginNow() {
          earlier?.beginNow();
          if (signal.aborted || earlier?.hasBegun() === false) return;
          try {
            const sealed = sealNow(write);
            if (sealed) begin(() => put(sealed));
          } catch {
            // The encryption that is under way reports the reason.
          }
        },
        begun: new Promise((resolveBegun) => (settle = resolveBegun)),
        hasBegun: () => signal.aborted,
      };
      waiting.set(sessionId, own);
      // A page that is being unloaded does not resume after a promise.
      for (const type of ['pagehide', 'visibilitychange'])
        globalThis.addEventListener?.(type, own.beginNow, { signal });
      const sealing = sealLater(write, hasBlobs, preparing);
      Promise.all([sealing, earlier?.begun]).then(
        ([sealed]) => begin(() => put(sealed)),
        (thrown: unknown) => begin(() => Promise.reject(thrown)),
      );
    });
  }

  return {
    async write(write) {
      const { sessionId } = write;
      // This write builds on the one that is being encrypted.
      waiting.get(sessionId)?.beginNow();
      const hasBlobs = anyHasBlobs(write);
      const preparing = prepare(write);
      const sealed = hasBlobs || preparing || waiting.has(sessionId) ? undefined : sealNow(write);
      return sealed ? put(sealed) : later(write, hasBlobs, preparing);
    },
  };
}

/** Gives blobs other names: the hash of an attachment would prove the attachment. */
async function renamed({ nameOf }: Sealer, { rows, refs, blobs }: Packed): Promise<Packed> {
  const names = new Map<string, string>();
  for (const [hash, value] of blobs) names.set(hash, await nameOf(value));
  const nameIn = (hash: string): string => names.get(hash) ?? hash;
  return {
    rows,
    refs: refs.map((ref) => ({ ...ref, hash: nameIn(ref.hash) })),
    blobs: new Map(Array.from(blobs, ([hash, value]) => [nameIn(hash), value])),
  };
}

/** @throws AgentError `STORAGE_REJECTED` for an event that is not JSON: a BigInt, a cycle */
function anyHasBlobs({ events }: SessionWrite): boolean {
  try {
    return events.some(mayHaveBlobs);
  } catch (thrown) {
    throw rejected(thrown);
  }
}
