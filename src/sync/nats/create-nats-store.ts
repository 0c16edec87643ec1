import { checkList } from '../../storage/cursor.ts';
import { named } from '../../core/model/shapes/named.ts';
import { Observable } from 'rxjs';
import { createEmitter } from '../../core/emitter.ts';
import { fail } from '../../core/error.ts';
import { lazy, lazyValues } from '../../core/lazy.ts';
import { browserPorts } from '../../core/ports.ts';
import type { ListOptions, SessionLocks, SessionStore } from '../../core/model/store.ts';
import { defineStore } from '../../storage/define-store.ts';
import type { StoreCodec } from '../../storage/store-codec.ts';
import type { StoreVerbs } from '../../storage/verbs.ts';
import { copyOf, loadCoder } from './coder.ts';
import type { NatsLink } from './connection.ts';
import { createFeed } from './feed.ts';
import { parseHead } from './head.ts';
import { createJetStream } from './jetstream.ts';
import type { LiveChannel } from './live.ts';
import { failClosed } from './nats-errors.ts';
import { createOnline } from './online.ts';
import { createRows } from './rows.ts';
import { checkName, createSubjects, sessionIdOf } from './subjects.ts';

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
    { connection: true, user: true, stream: true, encrypt: true, timeout: true, undoWindow: true },
    'createNatsStore',
  );
  const subjects = createSubjects(checkName(user, 'user'));
  const js = createJetStream(link, checkName(stream, 'stream'), timeout);
  const coder = loadCoder(encrypt);
  // An answer with a message is base64: a third longer than its data.
  const sizeOf = (): number => Math.floor((link.info?.max_payload ?? 1_048_576) / 2);
  const rows = createRows();
  const changes = createEmitter<string>();
  let isClosed = false;

  // A page loads the list first, and the rest when it is first used.
  const large = lazy(async () =>
    (await import('./large-values.ts')).createLargeValues({ js, subjects, coder, sizeOf }),
  );
  const locks = lazy(async () =>
    (await import('./locks.ts')).createNatsLocks({ js, link, subjects, patience: 2 * timeout }),
  );
  const live = lazy(async () => (await import('./live.ts')).createLiveChannel({ link, subjects, coder }));
  const meta = lazy(async () => (await import('./meta.ts')).createNatsMeta({ js, subjects, coder }));
  const logs = lazy(async () =>
    (await import('./logs.ts')).createLogs({
      js,
      subjects,
      coder,
      large,
      sizeOf,
      onStored(sessionId, head) {
        if (rows.apply(sessionId, head)) changes.next(sessionId);
      },
    }),
  );

  const feed = createFeed({
    js,
    subject: subjects.logs,
    onMessage({ subject, head: text, storedAt }, isFirst) {
      const head = parseHead(text);
      if (head === undefined) return;
      const sessionId = sessionIdOf(subject);
      const isNews = rows.apply(sessionId, head);
      if (isNews && !isFirst) changes.next(sessionId);
      const isDue = head.isRemoved && !head.isErased && storedAt < browserPorts.now() - undoWindow;
      // A page that opens the store erases what can no longer be restored.
      if (isFirst && isDue)
        logs()
          .then((its) => its.erase(sessionId, head.nth))
          .catch(() => {});
    },
  });

  const online = createOnline(link, () => feed.renew());

  /** Returns a verb that rejects with AgentError `STORAGE_UNAVAILABLE` once the store is closed. */
  const whileOpen =
    <A extends readonly unknown[], R>(verb: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> =>
      isClosed ? failClosed() : verb(...args);

  return defineStore<NatsStore>({
    online$: online.online$,
    live: {
      send: async (sessionId, value) => (await live()).send(sessionId, value),
      listen: (sessionId) => lazyValues(async () => (await live()).listen(sessionId)),
      announce: async (sessionId, who) => (await live()).announce(sessionId, who),
      present: async (sessionId) => (await live()).present(sessionId),
    },
    meta: {
      get: async (key) => (await meta()).get(key),
      update: async (key, change) => (await meta()).update(key, change),
    },
    locks: {
      async acquire(sessionId, signal, lease) {
        // A page with a lease writes next, perhaps in `pagehide`, when nothing can be loaded any more. The write reports a failure.
        logs().catch(() => {});
        return (await locks()).acquire(sessionId, signal, lease);
      },
      take: async (sessionId) => (await locks()).take(sessionId),
      isHeld: async (sessionId) => (await locks()).isHeld(sessionId),
    },
    changes$: new Observable((subscriber) => {
      // A failure is repeated, and reported by `list`.
      if (!isClosed) feed.start().catch(() => {});
      return changes.stream$.subscribe(subscriber);
    }),

    list: whileOpen(async (options: ListOptions = {}) => {
      checkList(options);
      if (options.search?.trim())
        fail('INVALID_INPUT', 'A store over NATS cannot search: search in the local store of the page.');
      await feed.start();
      return rows.page(await coder(), options);
    }),

    read: whileOpen(async (...args) => (await logs()).read(...args)),
    write: whileOpen(async (write) => {
      // What is stored is what the write contains now, also where the code is loaded first.
      const copied = { ...write, events: write.events.map(copyOf) };
      return (await logs()).write(copied);
    }),
    remove: whileOpen(async (sessionId) => (await logs()).remove(sessionId)),
    restore: whileOpen(async (sessionId) => (await logs()).restore(sessionId)),
    wasRemoved: whileOpen(async (sessionId) => (await logs()).wasRemoved(sessionId)),

    close() {
      isClosed = true;
      feed.close();
      online.close();
      changes.complete();
    },
  });
}
