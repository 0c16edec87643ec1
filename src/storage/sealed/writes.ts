import type { SessionWrite } from '../../core/model/store.ts';
import { mayHaveBlobs, type Packed } from '../indexeddb/blobs.ts';
import { pack } from '../indexeddb/pack.ts';
import { rejected } from '../storage-errors.ts';
import { type SealedWrite, type SealOptions, sealWrite } from './seal-write.ts';
import type { Sealer } from './sealer.ts';

/** Encrypts writes, and begins their transactions in the order of the calls. */
export interface Writes {
  /**
   * Begins the encryption within the call, unless attachments have to be hashed or stored rows to be encrypted before. Settles as `put` does, or
   * rejects as the codec does.
   */
  write(write: SessionWrite): Promise<void>;
  /** Resolves when the transaction of each write to the session that was called before has begun, or the write has failed. */
  begun(sessionId: string): Promise<void>;
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

/** A write whose transaction has begun. */
interface Begun {
  /** Settles with the transaction. */
  readonly stored: Promise<void>;
}

export function createWrites({ sealer, put, headOf, prepare }: WritesOptions): Writes {
  /** The last write, by session. Rejects where the write cannot be encrypted. */
  const last = new Map<string, Promise<Begun>>();

  async function seal(write: SessionWrite): Promise<SealedWrite> {
    const hasBlobs = anyHasBlobs(write);
    const preparing = prepare(write);
    // No `await` without a reason: the encryption of what a page writes as it is hidden begins within the call.
    if (preparing) await preparing;
    const packed = hasBlobs ? await packBlobs(sealer, write) : undefined;
    return sealWrite(sealer, write, { ...headOf(write), packed });
  }

  /** Begins the transaction after those of earlier writes: a write builds on the one before. */
  async function begin(write: SessionWrite): Promise<Begun> {
    const [sealed, earlier] = await Promise.allSettled([seal(write), last.get(write.sessionId)]);
    if (sealed.status === 'fulfilled') return { stored: put(sealed.value) };
    // Writes are answered in the order of the calls.
    if (earlier.status === 'fulfilled') await earlier.value?.stored.catch(() => {});
    throw sealed.reason;
  }

  return {
    async begun(sessionId) {
      await last.get(sessionId)?.catch(() => {});
    },
    async write(write) {
      const { sessionId } = write;
      const beginning = begin(write);
      last.set(sessionId, beginning);
      try {
        const { stored } = await beginning;
        await stored;
      } finally {
        if (last.get(sessionId) === beginning) last.delete(sessionId);
      }
    },
  };
}

/** Resolves with the write's big values apart, under other names: the hash of an attachment would prove the attachment. */
async function packBlobs({ nameOf }: Sealer, { events }: SessionWrite): Promise<Packed | undefined> {
  const packed = await pack(events);
  if (packed === undefined) return undefined;
  const { rows, refs, blobs } = packed;
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
