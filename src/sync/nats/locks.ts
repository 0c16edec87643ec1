import { AgentError, fail } from '../../core/error.ts';
import type { Ports } from '../../core/ports.ts';
import type { SessionLock, SessionLocks } from '../../core/model/store.ts';
import type { NatsLink } from './connection.ts';
import type { JetStream, StreamMessage } from './jetstream.ts';
import { isNobody, toLinkError } from './nats-errors.ts';
import type { Subjects } from './subjects.ts';

interface NatsLocksOptions {
  readonly js: JetStream;
  readonly link: NatsLink;
  readonly ports: Pick<Ports, 'now' | 'id' | 'delay'>;
  readonly subjects: Subjects;
  /** ms for which a request for a lease waits while the engine does not answer. */
  readonly patience: number;
}

/** ms between two reads of a lease, where no change is reported */
const interval = 2000;

/** The wait for a change of a lease. */
interface Watch {
  readonly changed: Promise<void>;
  /** Ends the wait. */
  stop(): void;
}

/**
 * Leases between pages. A claim is a message under a compare-and-set, so that at most one page has the lease; a page that has it answers
 * requests. If these have no subscriber, the page is gone, and the next claim succeeds.
 */
export function createNatsLocks({ js, link, ports, subjects, patience }: NatsLocksOptions): Required<SessionLocks> {
  /** Resolves with whether the page that has claimed the lease answers. Rejects where that is unknown. */
  async function isAlive(sessionId: string, holder: string): Promise<boolean> {
    try {
      await link.request(subjects.own(sessionId, holder), '', { timeout: interval });
      return true;
    } catch (thrown) {
      if (isNobody(thrown)) return false;
      throw toLinkError(thrown);
    }
  }

  /** Whether the next claim succeeds: no page has the lease, or the page that had it is gone. */
  async function isClaimable(sessionId: string): Promise<boolean> {
    const holder = holderOf(await js.last(subjects.lock(sessionId)));
    return holder === '' || !(await isAlive(sessionId, holder));
  }

  /** Resolves with the lease; with `undefined` where a page that answers has it. */
  async function claim(sessionId: string, isForced: boolean): Promise<SessionLock | undefined> {
    const subject = subjects.lock(sessionId);
    for (;;) {
      const last = await js.last(subject);
      const other = holderOf(last);
      if (other && !isForced && (await isAlive(sessionId, other))) return undefined;
      const lock = await claimAfter(sessionId, last?.at ?? 0);
      // Otherwise another page was first.
      if (lock && other) link.publish(subjects.own(sessionId, other));
      if (lock) return lock;
    }
  }

  /** Claims the lease unless the last message of its subject has another number. */
  async function claimAfter(sessionId: string, before: number): Promise<SessionLock | undefined> {
    const subject = subjects.lock(sessionId);
    const holder = ports.id();
    const lost = new AbortController();
    // Answers before the claim is stored, so that no other page treats this page as gone.
    const answering = link.subscribe(subjects.own(sessionId, holder), {
      callback(_error, message) {
        message.respond();
        look().catch(() => {});
      },
    });
    /** The page that asks may have taken the lease. The claim itself may have another number now, since numbers differ by server. */
    async function look(): Promise<void> {
      const now = await js.last(subject);
      const other = holderOf(now);
      // A server that has just become the leader may return an earlier claim: no page answers for that one.
      const isTaken = now && at !== undefined && other !== holder && (now.at > at || (await isAlive(sessionId, other)));
      if (!isTaken || at === undefined || lost.signal.aborted) return;
      answering.unsubscribe();
      lost.abort(busy(sessionId));
    }
    let at: number | undefined;
    try {
      at = await js.append(subject, { data: holder, expected: before, isRollup: true });
    } finally {
      if (at === undefined) answering.unsubscribe();
    }
    if (at === undefined) return undefined;
    const expected = at;
    return {
      isExclusive: true,
      signal: lost.signal,
      release() {
        if (lost.signal.aborted || at === undefined) return;
        at = undefined;
        // This page answers no request from now on, so that the lease is free also where the message below is lost. Requests under way are answered.
        answering.drain().catch(() => {});
        js.append(subject, { data: '', expected, isRollup: true }).catch(() => {});
      },
    };
  }

  /** Waits until the lease may have changed, or `signal` aborts. */
  function watch(sessionId: string, signal: AbortSignal | undefined): Watch {
    let stop = (): void => {};
    const changed = new Promise<void>((resolve) => {
      const cancel = ports.delay(() => stop(), interval);
      const watching = link.subscribe(subjects.lock(sessionId), { callback: () => stop() });
      stop = () => {
        cancel();
        watching.unsubscribe();
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      signal?.addEventListener('abort', stop);
    });
    return { changed, stop };
  }

  return {
    async acquire(sessionId, signal, { isWatch = false } = {}) {
      let since = ports.now();
      // Invariant: a page that has just begun a run does not count as gone. Its claim may be stored later than its events, on a slow connection.
      let wasClaimable = !isWatch;
      for (;;) {
        if (signal?.aborted) throw busy(sessionId);
        const { changed, stop } = watch(sessionId, signal);
        try {
          const lock = wasClaimable ? await claim(sessionId, false) : undefined;
          wasClaimable = !isWatch || (!wasClaimable && (await isClaimable(sessionId)));
          if (lock) stop();
          if (lock && signal?.aborted) lock.release();
          else if (lock) return lock;
          since = ports.now();
        } catch (thrown) {
          if (ports.now() - since < patience) continue;
          stop();
          throw cannotTell(sessionId, thrown);
        } finally {
          await changed;
        }
      }
    },

    async take(sessionId) {
      const lock = await claim(sessionId, true);
      return lock ?? fail('SESSION_BUSY', `Session ${sessionId} cannot be taken.`);
    },

    isHeld: async (sessionId) => !(await isClaimable(sessionId)),
  };
}

/** Returns the name of the page that has claimed the lease; empty where it was released. */
function holderOf(message: StreamMessage | undefined): string {
  return new TextDecoder().decode(message?.data);
}

function busy(sessionId: string): AgentError {
  return new AgentError(`Session ${sessionId} is running in another page.`, { code: 'SESSION_BUSY' });
}

function cannotTell(sessionId: string, cause: unknown): AgentError {
  return new AgentError(
    `Whether another page runs session ${sessionId} is unknown: the NATS server does not answer. Try again later.`,
    {
      code: 'STORAGE_UNAVAILABLE',
      retryable: true,
      cause,
    },
  );
}
