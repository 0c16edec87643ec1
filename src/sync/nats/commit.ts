import { AgentError } from '../../core/error.ts';
import type { Ports } from '../../core/ports.ts';
import type { CodecBytes } from '../../storage/codec.ts';
import { conflict, rejected } from '../../storage/storage-errors.ts';
import type { Coder } from './coder.ts';
import { type Head, parseHead } from './head.ts';
import { type HeadDraft, sealHead } from './head-draft.ts';
import type { JetStream } from './jetstream.ts';
import { type Subjects, toToken } from './subjects.ts';

/** The last message of a session; `at` is 0 where there is none. */
export interface Last {
  readonly at: number;
  readonly head?: Head | undefined;
}

/** A message to store. */
interface Change {
  readonly head: HeadDraft;
  readonly data?: CodecBytes | undefined;
  readonly isRollup?: boolean | undefined;
}

/**
 * Stores the message of a plan. Resolves with whether there was one. Rejects with `STORAGE_CONFLICT` where the plan returns `conflict`.
 *
 * @param name identifies the message in its log
 */
export type Commit = (sessionId: string, plan: Plan, name?: string) => Promise<boolean>;

/** Returns what to store after the last message; `conflict` where the last message excludes it, `done` where there is nothing to store. */
export type Plan = (last: Last) => Planned | Promise<Planned>;
type Planned = Change | 'conflict' | 'done';

/** Bytes of a message beside its data: its subject and headers. */
export const overhead = 400;
/** Bytes: the engine accepts headers of 65,535. */
const longestHead = 60_000;
/** Times that a verb begins again because another client was first. */
const maxTries = 10;

export interface CommitOptions {
  readonly js: JetStream;
  readonly ports: Pick<Ports, 'id'>;
  readonly subjects: Subjects;
  readonly coder: () => Promise<Coder>;
  /** Called with each message that was stored. */
  readonly onStored: (sessionId: string, head: Head) => void;
}

/** Appends to logs under a compare-and-set. Invariant: calls for one session come one after another. */
interface Committing {
  readonly commit: Commit;
  /** Resolves with the last message of a session. Rejects with AgentError `STORAGE_CORRUPT` where this package has not written it. */
  look(sessionId: string): Promise<Last>;
  /** The last messages as they are known. */
  readonly known: Map<string, Last>;
}

export function createCommit({ js, ports, subjects, coder, onStored }: CommitOptions): Committing {
  const known = new Map<string, Last>();

  async function look(sessionId: string): Promise<Last> {
    const message = await js.last(subjects.log(sessionId));
    if (message === undefined) return { at: 0 };
    const head = parseHead(message.head);
    if (head === undefined)
      throw new AgentError(`The last message of session ${sessionId} was not written by this package.`, {
        code: 'STORAGE_CORRUPT',
      });
    return { at: message.at, head };
  }

  /** Stores a message behind the last one. Resolves with `false` where another message is the last one. */
  async function send(
    sessionId: string,
    last: Last,
    { head: draft, data: content, isRollup = false }: Change,
    name: string,
  ): Promise<boolean> {
    const subject = subjects.log(sessionId);
    const id = toToken(`${subject} ${name}`);
    const head = await sealHead(await coder(), sessionId, { ...draft, nth: (last.head?.nth ?? 0) + 1 });
    const text = JSON.stringify(head);
    if (new TextEncoder().encode(text).length > longestHead)
      throw rejected(new RangeError('The row of the list is larger than 60,000 bytes.'));
    known.delete(sessionId);
    let at: number | undefined;
    try {
      at = await js.append(subject, { data: content ?? '', head: text, expected: last.at, id, isRollup });
    } catch (thrown) {
      // The answer may be lost although the message is stored.
      const now = await js.last(subject).catch(() => undefined);
      if (now?.id !== id) throw thrown;
      ({ at } = now);
    }
    if (at === undefined) return false;
    known.set(sessionId, { at, head });
    onStored(sessionId, head);
    return true;
  }

  const commit: Commit = async (sessionId, plan, name = ports.id()) => {
    let last = known.get(sessionId);
    for (let tries = 0; tries < maxTries; tries++) {
      const isFresh = last === undefined;
      last ??= await look(sessionId);
      const change = await plan(last);
      if (typeof change === 'object') {
        // Numbers differ by server after a failure: what erases messages is compared with the last one as it is now.
        if ((isFresh || !change.isRollup) && (await send(sessionId, last, change, name))) return true;
      } else if (isFresh) {
        if (change === 'done') return false;
        throw conflict();
      }
      // Another client may have written since.
      last = undefined;
    }
    throw conflict();
  };

  return { commit, look, known };
}
