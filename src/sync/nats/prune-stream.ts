import { named } from '../../core/model/shapes/named.ts';
import { browserPorts } from '../../core/ports.ts';
import type { NatsLink } from './connection.ts';
import { parseHead } from './head.ts';
import { createJetStream, type Delivery, type JetStream } from './jetstream.ts';
import { checkName, createSubjects, sessionIdOf, storedSubjects } from './subjects.ts';

/** Options of `pruneStream`. */
export interface PruneStreamOptions {
  /** A connection with the right to purge the stream, which no page has. */
  readonly connection: NatsLink;
  readonly user: string;
  /** Default `BROOKLET_<user>`. */
  readonly stream?: string;
  /** ms to wait for an answer of the server. Default 5,000. */
  readonly timeout?: number;
}

/**
 * Erases what pages have replaced or removed: messages before a compaction, sessions whose undo window has ended, old entries and leases. Reads
 * no data and needs no key. For the operator of the server, where `toStreamConfig` has no `rollUp`. Resolves with the number of subjects of which
 * something was erased.
 *
 * Invariant: only messages that no reader needs are erased, also while pages write.
 *
 * @throws AgentError `INVALID_CONFIG` for a user or a stream whose name cannot be part of a subject; rejects with `STORAGE_FAILED` where the server
 * refuses
 * @example
 * const operator = await connect({ servers, user: 'ann-operator', pass });
 * await pruneStream({ connection: operator, user: 'ann' });
 */
export async function pruneStream(options: PruneStreamOptions): Promise<number> {
  const {
    connection,
    user,
    stream = `BROOKLET_${user}`,
    timeout = 5000,
  } = named(options, { connection: true, user: true, stream: true, timeout: true }, 'pruneStream');
  const subjects = createSubjects(checkName(user, 'user'));
  const js = createJetStream(connection, checkName(stream, 'stream'), timeout, browserPorts);
  const isLog = (subject: string): boolean => subject.startsWith(subjects.logs.slice(0, -1));
  /** By subject: the first number, and the number from which on messages count. */
  const found = new Map<string, { readonly first: number; keepFrom: number }>();
  const erased = new Set<string>();

  for (const subject of storedSubjects(user))
    for await (const { subject: name, at, head: text } of everyHead(js, subject)) {
      const known = found.get(name) ?? { first: at, keepFrom: at };
      const head = isLog(name) ? parseHead(text) : undefined;
      if (!isLog(name) || head?.isWhole || head?.isErased) known.keepFrom = at;
      if (head?.isErased) erased.add(name);
      else erased.delete(name);
      found.set(name, known);
    }
  let count = 0;
  for (const [subject, { first, keepFrom }] of found) {
    if (first >= keepFrom) continue;
    await js.purge(subject, keepFrom);
    count++;
  }
  for (const subject of erased) await js.purge(subjects.parts(sessionIdOf(subject)));
  return count;
}

/** Emits the messages of subjects that exist now, without data. */
async function* everyHead(js: JetStream, subject: string): AsyncIterable<Delivery> {
  const consumer = await js.consume({ subject, from: 1, isHeads: true });
  try {
    for (let { pending } = consumer; pending > 0;) {
      const before = pending;
      for await (const message of js.pull(consumer, pending)) {
        ({ pending } = message);
        yield message;
        if (pending === 0) return;
      }
      if (pending === before) return;
    }
  } finally {
    js.release(consumer);
  }
}
