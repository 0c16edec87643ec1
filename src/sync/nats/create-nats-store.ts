import { checkList } from '../../storage/cursor.ts';
import { named } from '../../core/model/shapes/named.ts';
import { Observable, Subject } from 'rxjs';
import { fail } from '../../core/error.ts';
import { browserPorts, type Ports } from '../../core/ports.ts';
import type { ListOptions, SessionLocks, SessionStore, SessionWrite } from '../../core/model/store.ts';
import type { StoreCodec } from '../../storage/store-codec.ts';
import type { StoreVerbs } from '../../storage/verbs.ts';
import { copyOf, loadCoder } from './coder.ts';
import type { NatsLink } from './connection.ts';
import { createFeed } from './feed.ts';
import { parseHead } from './head.ts';
import { createJetStream } from './jetstream.ts';
import { createLargeValues } from './large-values.ts';
import { createLiveChannel, type LiveChannel } from './live.ts';
import { createNatsLocks } from './locks.ts';
import { createLogs } from './logs.ts';
import { createNatsMeta } from './meta.ts';
import { failClosed } from './nats-errors.ts';
import { createRows } from './rows.ts';
import { checkName, createSubjects, sessionIdOf } from './subjects.ts';
import { current } from '../../core/log/current.ts';

/** Options of `createNatsStore`. */
export interface NatsStoreOptions {
  /** A connection of `wsconnect` (`@nats-io/nats-core`) or `connect` (`@nats-io/transport-node`), which the page closes itself. */
  readonly connection: NatsLink;
  /** Owner of the sessions, a person or a team. A part of the names of subjects: letters, digits, `_` and `-`. */
  readonly user: string;
  /** Name of the stream, which the operator of the server creates from `toStreamConfig`. Default `BROOKLET_<user>`. */
  readonly stream?: string;
  /** Encrypts events, rows, attachments and meta entries before they leave the page: `createVaultCodec` or `createAesCodec`. Ids, sizes and times stay in the clear. */
  readonly encrypt?: StoreCodec;
  /** ms to wait for an answer of the server. Default 5,000. */
  readonly timeout?: number;
  /** ms for which a removal can be undone. Default 10 minutes. */
  readonly undoWindow?: number;
  /** Replaces clock, ids and timers. */
  readonly ports?: Partial<Ports>;
}

/** What `createNatsStore` returns. */
export interface NatsStore extends StoreVerbs, Pick<SessionStore, 'changes$' | 'close'> {
  readonly locks: SessionLocks;
  /** Emits whether the connection is there: the present value first, then each change. */
  readonly online$: Observable<boolean>;
  /** Text and presence that are never stored. */
  readonly live: LiveChannel;
}

/**
 * Creates a store of sessions in a stream of NATS JetStream (nats-server 2.9 or later). Every page with the same user and stream has the same
 * sessions. The store cannot search, and works only while the server answers: a page also has a store of its own (`createSyncedStore`).
 *
 * Verbs reject with AgentError `STORAGE_FAILED` while the server does not answer, with `QUOTA_EXCEEDED` when the stream is full, and with
 * `STORAGE_LOCKED` where a session is not encrypted as `encrypt` states.
 *
 * @throws AgentError `INVALID_CONFIG` for a user or a stream whose name cannot be part of a subject
 * @example
 * const connection = await wsconnect({ servers: 'wss://nats.example.com', authenticator });
 * const store = createNatsStore({ connection, user: 'ann' });
 */
export function createNatsStore(options: NatsStoreOptions): NatsStore {
  const {
    connection: link,
    user,
    stream = `BROOKLET_${user}`,
    encrypt,
    timeout = 5000,
    undoWindow = 600_000,
  } = named(
    options,
    { connection: true, user: true, stream: true, encrypt: true, timeout: true, undoWindow: true, ports: true },
    'createNatsStore',
  );
  const ports: Ports = { ...browserPorts, ...options.ports };
  const subjects = createSubjects(checkName(user, 'user'));
  const js = createJetStream(link, checkName(stream, 'stream'), timeout, ports);
  const coder = loadCoder(encrypt);
  // An answer with a message is base64: a third longer than its data.
  const sizeOf = (): number => Math.floor((link.info?.max_payload ?? 1_048_576) / 2);
  const rows = createRows();
  const changes = new Subject<string>();
  let isClosed = false;

  const large = createLargeValues({ js, subjects, coder, sizeOf });
  const logs = createLogs({
    js,
    ports,
    subjects,
    coder,
    large,
    sizeOf,
    onStored(sessionId, head) {
      if (rows.apply(sessionId, head)) changes.next(sessionId);
    },
  });

  const feed = createFeed({
    js,
    ports,
    subject: subjects.logs,
    onMessage({ subject, head: text, storedAt }, isFirst) {
      const head = parseHead(text);
      if (head === undefined) return;
      const sessionId = sessionIdOf(subject);
      const isNews = rows.apply(sessionId, head);
      if (isNews && !isFirst) changes.next(sessionId);
      const isDue = head.isRemoved && !head.isErased && storedAt < ports.now() - undoWindow;
      // A page that opens the store erases what can no longer be restored.
      if (isFirst && isDue) logs.erase(sessionId, head.nth).catch(() => {});
    },
  });

  const online = createOnline(link, () => feed.renew());

  /** Returns a verb that rejects with AgentError `STORAGE_UNAVAILABLE` once the store is closed. */
  const whileOpen =
    <A extends readonly unknown[], R>(verb: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> =>
      isClosed ? failClosed() : verb(...args);

  return {
    online$: online.online$,
    live: createLiveChannel({ link, ports, subjects, coder }),
    meta: createNatsMeta({ js, subjects, coder }),
    locks: createNatsLocks({ js, link, ports, subjects, patience: 2 * timeout }),
    changes$: new Observable((subscriber) => {
      // A failure is repeated, and reported by `list`.
      if (!isClosed) feed.start().catch(() => {});
      return changes.subscribe(subscriber);
    }),

    list: whileOpen(async (options: ListOptions = {}) => {
      checkList(options);
      if (options.search?.trim())
        fail('INVALID_INPUT', 'A store over NATS cannot search: search in the local store of the page.');
      await feed.start();
      return rows.page(await coder(), options);
    }),

    read: whileOpen(logs.read),
    // What is stored is what the write contains now.
    write: whileOpen(async (write: SessionWrite) => logs.write({ ...write, events: write.events.map(copyOf) })),
    remove: whileOpen(logs.remove),
    restore: whileOpen(logs.restore),
    wasRemoved: whileOpen(logs.wasRemoved),

    close() {
      isClosed = true;
      feed.close();
      online.close();
      changes.complete();
    },
  };
}

/** Whether a connection is there. */
interface Online {
  /** The present value first, then each change. */
  readonly online$: Observable<boolean>;
  close(): void;
}

/** @param onReturn called when the connection is back */
function createOnline(link: NatsLink, onReturn: () => void): Online {
  const changes = new Subject<boolean>();
  let isOnline = !link.isClosed();
  let isClosed = false;

  function set(value: boolean): void {
    if (value === isOnline) return;
    isOnline = value;
    changes.next(value);
    if (value) onReturn();
  }

  async function watch(): Promise<void> {
    for await (const { type } of link.status()) {
      if (isClosed) return;
      if (type === 'disconnect') set(false);
      if (type === 'reconnect') set(true);
    }
    // The connection is closed for good.
    set(false);
  }
  watch().catch(() => {});

  return {
    online$: current(changes, () => isOnline),
    close() {
      isClosed = true;
      changes.complete();
    },
  };
}
