import { headers as createHeaders, type Msg, type MsgHdrs } from '@nats-io/nats-core';
import type { Ports } from '../../core/ports.ts';
import type { CodecBytes } from '../../storage/codec.ts';
import { fromBase64 } from './coder.ts';
import type { NatsLink } from './connection.ts';
import { type ApiError, isAboutLast, isAboutRollup, toLinkError, toRefusal } from './nats-errors.ts';

// The part of the JetStream API (https://docs.nats.io/reference/reference-protocols/nats_api_reference) that a store uses, as JSON requests:
// nats-server 2.9 has all of it, and no page has to load a client of JetStream.

/** A message of the stream. */
export interface StreamMessage {
  readonly subject: string;
  /** Its number in the stream. */
  readonly at: number;
  /** The number of the message that the writer expected to be the last of the subject; 0 for none. */
  readonly previous: number;
  /** The id that the writer gave it; empty without one. */
  readonly id: string;
  /** The header `Brooklet`: what a reader has to know without the data. Empty where it is missing. */
  readonly head: string;
  readonly data: CodecBytes;
}

/** A message to store. */
interface Draft {
  readonly data: Uint8Array | string;
  readonly head?: string;
  /** The number of the last message of the subject; 0: none. Without it the message is stored in any case. */
  readonly expected?: number;
  /** Identifies the message: the stream stores it once within its `duplicate_window`. */
  readonly id?: string;
  /** Whether the message replaces all messages of its subject. A stream that does not allow it keeps them below the message. */
  readonly isRollup?: boolean;
}

/** Which messages a consumer delivers. */
interface Selection {
  /** With `*` or `>` messages of several subjects. */
  readonly subject: string;
  /** From this number on; numbers of servers may differ. Default: all, or with `isHeads` the last one of each subject and all that follow. */
  readonly from?: number | undefined;
  /** From this time on, in ms since the epoch. */
  readonly since?: number | undefined;
  /** Without data. */
  readonly isHeads?: boolean;
}

/** A consumer of the engine: a place in the stream. */
interface Consumer {
  readonly name: string;
  /** Messages that it had to deliver when it was created. */
  readonly pending: number;
}

/** A message that a consumer has delivered. */
export interface Delivery extends StreamMessage {
  /** Number of messages that follow at this moment. */
  readonly pending: number;
  /** Counts the messages of the consumer from 1. A gap shows a lost message. */
  readonly count: number;
  /** ms since the epoch, by the clock of the leader at that time: the same on each server. */
  readonly storedAt: number;
}

/** Requests to one stream. Methods reject with AgentError `STORAGE_FAILED` where the engine does not answer, and with `QUOTA_EXCEEDED` where it is full. */
export interface JetStream {
  /**
   * Stores a message under a compare-and-set. Resolves with its number, or with `undefined` where another message is the last one. After a
   * rejection the message may be stored, also later.
   */
  append(subject: string, draft: Draft): Promise<number | undefined>;
  /** Resolves with the last message of a subject, as the leader of the stream has it. */
  last(subject: string): Promise<StreamMessage | undefined>;
  consume(selection: Selection): Promise<Consumer>;
  /** Delivers the next messages, as many as 256: of the `pending` ones, or without them also those to come within 30 s. */
  pull(consumer: Pick<Consumer, 'name'>, pending?: number): AsyncIterable<Delivery>;
  /** Erases the messages of a subject below a number; with `*` or `>` of several subjects. A page does not have the right to do so. */
  purge(subject: string, below?: number): Promise<void>;
  /** Deletes a consumer. The engine does so itself after a minute without a request. */
  release(consumer: Consumer): void;
}

const seconds = 1e9;
/** Messages in one request of a consumer: the flow control. */
const batchSize = 256;
/** ms; longer than any request of a consumer takes */
const longestPull = 120_000;

/** @param timeout ms to wait for an answer */
export function createJetStream(
  link: NatsLink,
  stream: string,
  timeout: number,
  { delay }: Pick<Ports, 'delay'>,
): JetStream {
  const api = (verb: string): string => `$JS.API.${verb}.${stream}`;
  /** Whether the stream lets a message erase those that it replaces, as far as is known. */
  let mayErase = true;

  /**
   * Resolves with an answer that has the field; with `undefined` where the last message of a subject is another one than the request states, or
   * there is none.
   */
  async function request<K extends keyof Answer>(
    field: K,
    subject: string,
    data: Uint8Array | string,
    headers?: MsgHdrs,
  ): Promise<AnswerWith<K> | undefined> {
    try {
      const answer: Answer = (await link.request(subject, data, { timeout, ...(headers && { headers }) })).json();
      const { error = {} } = answer;
      if (isAboutLast(error)) return undefined;
      // A refusal has a `seq`, too: 0.
      if (!answer.error && has(answer, field)) return answer;
      throw toRefusal(error);
    } catch (thrown) {
      throw toLinkError(thrown);
    }
  }

  /** Stores a message. Resolves with `not permitted` where the stream does not let it erase others. */
  async function publish(
    subject: string,
    { data, head, expected, id }: Draft,
    isRollup: boolean,
  ): Promise<AnswerWith<'seq'> | 'not permitted' | undefined> {
    const headers = createHeaders();
    headers.set('Nats-Expected-Stream', stream);
    if (expected !== undefined) headers.set('Nats-Expected-Last-Subject-Sequence', String(expected));
    if (head !== undefined) headers.set('Brooklet', head);
    if (id !== undefined) headers.set('Nats-Msg-Id', id);
    if (isRollup) headers.set('Nats-Rollup', 'sub');
    try {
      return await request('seq', subject, data, headers);
    } catch (thrown) {
      if (isRollup && isAboutRollup(thrown)) return 'not permitted';
      throw thrown;
    }
  }

  async function last(subject: string): Promise<StreamMessage | undefined> {
    const body = JSON.stringify({ last_by_subj: subject });
    const { message } = (await request('message', api('STREAM.MSG.GET'), body)) ?? {};
    return (
      message && {
        subject,
        at: message.seq,
        ...readHeaders(fromBase64(message.hdrs ?? '')),
        data: fromBase64(message.data ?? ''),
      }
    );
  }

  async function append(subject: string, draft: Draft): Promise<number | undefined> {
    const { isRollup = false } = draft;
    const answer = await publish(subject, draft, isRollup && mayErase);
    if (answer === 'not permitted') {
      mayErase = false;
      return append(subject, draft);
    }
    const { seq, duplicate } = answer ?? {};
    // The message was stored by an earlier request, and others may have followed it.
    if (duplicate && (await last(subject))?.at !== seq) return undefined;
    return seq;
  }

  return {
    last,

    append,

    async consume({ subject, from, since, isHeads = false }) {
      const name = crypto.getRandomValues(new Uint32Array(3)).join('-');
      const start =
        from !== undefined
          ? { deliver_policy: 'by_start_sequence', opt_start_seq: from }
          : since !== undefined
            ? { deliver_policy: 'by_start_time', opt_start_time: new Date(since).toISOString() }
            : { deliver_policy: isHeads ? 'last_per_subject' : 'all' };
      const config = {
        name,
        filter_subject: subject,
        ...start,
        ack_policy: 'none',
        headers_only: isHeads,
        max_waiting: 4,
        inactive_threshold: 60 * seconds,
        mem_storage: true,
        num_replicas: 1,
      };
      const create = `${api('CONSUMER.CREATE')}.${name}.${subject}`;
      const answer = await request('num_pending', create, JSON.stringify({ stream_name: stream, config }));
      return { name, pending: answer?.num_pending ?? 0 };
    },

    async *pull({ name }, pending) {
      const batch = Math.min(batchSize, pending ?? batchSize);
      // A pending message may be erased before it is delivered.
      const wait =
        pending === undefined ? { expires: 30 * seconds, idle_heartbeat: 4 * seconds } : { expires: 2 * seconds };
      const body = JSON.stringify({ batch, ...wait });
      // Messages keep their subject, by which the inbox that requests share cannot distinguish them.
      const options = { strategy: 'timer', maxWait: longestPull, noMux: true } as const;
      try {
        const answers = await link.requestMany(`${api('CONSUMER.MSG.NEXT')}.${name}`, body, options);
        let received = 0;
        for await (const message of endWhenSilent(answers, timeout, delay)) {
          const status = message.headers?.code ?? 0;
          // A heartbeat.
          if (status === 100) continue;
          // 404: there are no messages; 408: the request has expired. Any other status means that the consumer is gone.
          if (status === 404 || status === 408) return;
          if (status > 0) throw new Error(message.headers?.description);
          yield toDelivery(message);
          if (++received === batch) return;
        }
      } catch (thrown) {
        throw toLinkError(thrown);
      }
      throw toLinkError(new Error('it sent no more messages'));
    },

    async purge(subject, below) {
      await request('purged', api('STREAM.PURGE'), JSON.stringify({ filter: subject, seq: below }));
    },

    release({ name }) {
      if (!link.isClosed()) link.publish(`${api('CONSUMER.DELETE')}.${name}`);
    },
  };
}

/** Emits values until there has been none for `ms`. */
async function* endWhenSilent<T>(values: AsyncIterable<T>, ms: number, delay: Ports['delay']): AsyncGenerator<T> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    for (;;) {
      let cancel = (): void => {};
      const silence = new Promise<undefined>((resolve) => (cancel = delay(() => resolve(undefined), ms)));
      const result = await Promise.race([iterator.next(), silence]).finally(cancel);
      if (result === undefined || result.done) return;
      yield result.value;
    }
  } finally {
    // Ends with the iterator: it is not awaited.
    void iterator.return?.();
  }
}

/** What the engine answers: to a stored message, to the request for one, and to a new consumer. */
interface Answer {
  readonly error?: ApiError;
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly num_pending?: number;
  readonly purged?: number;
  readonly message?: { readonly seq: number; readonly hdrs?: string; readonly data?: string };
}

/** An answer that has a field. */
type AnswerWith<K extends keyof Answer> = Answer & Required<Pick<Answer, K>>;

function has<K extends keyof Answer>(answer: Answer, field: K): answer is AnswerWith<K> {
  return answer[field] !== undefined;
}

/**
 * The subject for an acknowledgement counts: `$JS.ACK.<stream>.<consumer>.<delivered>.<stream seq>.<consumer seq>.<time>.<pending>`. Two more
 * tokens, the domain and the account, may follow `ACK`.
 */
function toDelivery({ subject, headers, data, reply = '' }: Msg): Delivery {
  const tokens = reply.split('.');
  const [at = 0, count = 0, time = 0, pending = 0] = tokens.slice(tokens.length > 9 ? 7 : 5).map(Number);
  const known = toHeaders((name) => headers?.get(name) ?? '');
  return { subject, at, ...known, data: data.slice(), count, pending, storedAt: time / 1e6 };
}

function readHeaders(bytes: Uint8Array): Pick<StreamMessage, 'head' | 'id' | 'previous'> {
  const text = new TextDecoder().decode(bytes);
  return toHeaders((name) => new RegExp(`\\r\\n${name}: ?([^\\r]*)`).exec(text)?.[1] ?? '');
}

function toHeaders(valueOf: (name: string) => string): Pick<StreamMessage, 'head' | 'id' | 'previous'> {
  const previous = Number(valueOf('Nats-Expected-Last-Subject-Sequence'));
  return { head: valueOf('Brooklet'), id: valueOf('Nats-Msg-Id'), previous };
}
