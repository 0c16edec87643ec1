import { IDBFactory } from 'fake-indexeddb';
import type { Random } from '../../simulation/random.ts';
import { type FakeConnection, internalsOf } from './fake.ts';
import { guard, internal } from './guard.ts';
import { type EngineName, engineProfiles } from './profile.ts';
import { adoptTransaction, type EngineTransaction } from './transaction.ts';

/** The databases of one origin in one engine. */
export interface Engine {
  readonly name: EngineName;
  /** Opens a page. */
  open(options?: PageOptions): EnginePage;
  /** While the disk is full, puts and adds fail with `QuotaExceededError`. */
  setFull(isFull: boolean): void;
}

interface PageOptions {
  /** Calls code of the page. */
  readonly enter?: (task: () => void) => void;
  /** The engine has dropped the page from the page cache. */
  readonly onDropped?: () => void;
}

/** One page of the origin, as its engine sees it. */
export interface EnginePage {
  /** The database as the page has it in `globalThis`. */
  readonly indexedDB: IDBFactory;
  /** The page is being left: call it before its events (`pagehide`, `visibilitychange`, `unload`). */
  beginLeaving(): void;
  /** Ends a page after the events of its leaving: it is reloaded or closed. */
  leave(): void;
  /** Puts a page that was navigated away from into the page cache, after the events of its leaving. Returns whether it is kept; otherwise it has ended. */
  putAside(): boolean;
  /** Shows a page that was put aside: what happened meanwhile reaches it. */
  comeBack(): void;
  /** Ends a page at once and without an event: a crash, or a page that is dropped from the page cache. */
  kill(): void;
  /** Number of transactions that have not ended. */
  openTransactions(): number;
}

interface Opened {
  readonly connection: FakeConnection;
  /** Whether a full disk made it unusable. */
  isBroken: boolean;
}

/**
 * Creates an engine with an empty disk.
 *
 * @param random decides what the engine leaves open: whether a write in flight is stored, and where one is torn
 */
export function createEngine(name: EngineName, random: Pick<Random, 'chance' | 'below'>): Engine {
  const profile = engineProfiles[name];
  const disk = new IDBFactory();
  let isFull = false;

  /** Drop a page that is in the way of a transaction over these stores. */
  const yields = new Set<(stores: ReadonlySet<string>) => void>();

  function open({ enter = (task) => task(), onDropped = () => {} }: PageOptions = {}): EnginePage {
    let phase: 'shown' | 'leaving' | 'aside' | 'gone' = 'shown';
    /** In the order of their beginning. */
    let transactions: EngineTransaction[] = [];
    const begunInLeaving = new WeakSet<EngineTransaction>();
    const connections: Opened[] = [];
    /** What the page hears when it comes back. */
    let held: (() => void)[] = [];

    function deliver(handle: () => void): void {
      if (phase === 'gone') return;
      if (phase !== 'aside') return enter(handle);
      if (profile.aside !== 'unheard') held.push(handle);
    }

    function adopt(db: IDBDatabase): void {
      const connection = internalsOf(db);
      if (connections.some((one) => one.connection === connection)) return;
      const opened: Opened = { connection, isBroken: false };
      connections.push(opened);
      if (phase === 'gone') return close(connection);
      const begin = db.transaction.bind(db);
      internal(connection._rawDatabase.processTransactions);
      Object.assign(db, {
        transaction: (...args: Parameters<typeof begin>) => watch(begin(...args), opened),
        close() {
          connection._closePending = true;
          closeEnded();
        },
      });
      guard(db, (_target, handle) => deliver(handle));
    }

    function watch(transaction: IDBTransaction, opened: Opened): IDBTransaction {
      const { connection } = opened;
      const scope = internalsOf(transaction)._scope;
      for (const makeWay of yields) makeWay(scope);
      const its = adoptTransaction(transaction, {
        deliver,
        waits: () => phase === 'aside' && profile.aside !== 'unheard',
        isDropping: (kind) => phase === 'leaving' && profile.dropsLastPuts && kind === 'put',
        refusalOf(kind) {
          if (opened.isBroken) return 'UnknownError';
          if (!isFull || kind !== 'put') return undefined;
          opened.isBroken = profile.breaksWhenFull;
          return 'QuotaExceededError';
        },
        lookAgain: () => connection._rawDatabase.processTransactions(),
        onEnd() {
          transactions = transactions.filter((one) => one !== its);
          closeEnded();
        },
      });
      transactions.push(its);
      if (phase === 'leaving') begunInLeaving.add(its);
      return transaction;
    }

    /** A connection is closed when its transactions have ended. */
    function closeEnded(): void {
      if (transactions.some((one) => !one.isEnded())) return;
      for (const { connection } of connections) if (connection._closePending) close(connection);
    }

    /** Takes committed transactions in flight as far as the engine does. @param mayBeAbsent whether the last ones may not have reached it */
    function settle(committed: readonly EngineTransaction[], mayBeAbsent: boolean, mayTear: boolean): void {
      let isAbsent = false;
      for (const one of committed) {
        const kinds = one.kinds();
        if (mayTear && kinds.has('put') && kinds.has('delete')) {
          if (random.chance(0.5)) one.dropPuts(random.below(one.waiting() + 1));
          continue;
        }
        // Never a later one without an earlier one.
        isAbsent ||= mayBeAbsent && random.chance(0.3);
        if (isAbsent) one.abort();
      }
    }

    const inFlight = (): readonly EngineTransaction[] => transactions.filter((one) => !one.isEnded());
    const canFinish = (one: EngineTransaction): boolean => one.isCommitted() && !one.isUpgrade();

    /** Whether a transaction that waits for the page to come back is in the way of one over these stores. */
    function isInTheWay(stores: ReadonlySet<string>): boolean {
      return inFlight().some((one) => !canFinish(one) && one.overlaps(stores));
    }

    function makeWay(stores: ReadonlySet<string>): void {
      if (phase !== 'aside' || !isInTheWay(stores)) return;
      end('killed');
      onDropped();
    }

    /** Ends the page: what it has not committed is undone. */
    function end(how: 'left' | 'killed'): void {
      if (phase === 'gone') return;
      const wasAside = phase === 'aside';
      phase = 'gone';
      yields.delete(makeWay);
      held = [];
      for (const one of inFlight()) if (!canFinish(one)) one.abort();
      const earlier = inFlight().filter((one) => !begunInLeaving.has(one));
      if (how === 'killed') settle(earlier, !wasAside, false);
      else settle(earlier, profile.tears, profile.tears);
      for (const { connection } of connections) connection._closePending = true;
      closeEnded();
    }

    function opening(asked: IDBOpenDBRequest): IDBOpenDBRequest {
      const meet = (): void => {
        adopt(asked.result);
        const opened = connections.find(({ connection }) => connection === asked.result);
        if (asked.transaction && opened) watch(asked.transaction, opened);
      };
      asked.addEventListener('upgradeneeded', internal(meet));
      asked.addEventListener('success', internal(meet));
      return heard(asked);
    }

    function heard(asked: IDBOpenDBRequest): IDBOpenDBRequest {
      guard(asked, (_target, handle) => deliver(handle));
      return asked;
    }

    if (profile.aside === 'yields') yields.add(makeWay);
    return {
      indexedDB: Object.assign(Object.create(IDBFactory.prototype), {
        open: (...args: Parameters<IDBFactory['open']>) => opening(disk.open(...args)),
        deleteDatabase: (...args: Parameters<IDBFactory['deleteDatabase']>) => heard(disk.deleteDatabase(...args)),
        databases: () => disk.databases(),
        cmp: (...args: Parameters<IDBFactory['cmp']>) => disk.cmp(...args),
      }),
      beginLeaving: () => void (phase = 'leaving'),
      leave: () => end('left'),
      kill: () => end('killed'),
      putAside() {
        const open = inFlight().filter((one) => !canFinish(one));
        if (open.some((one) => one.isUpgrade())) {
          end('left');
          return false;
        }
        phase = 'aside';
        settle(
          inFlight().filter((one) => canFinish(one) && !begunInLeaving.has(one)),
          false,
          profile.tears,
        );
        return true;
      },
      comeBack() {
        if (phase !== 'aside') return;
        phase = 'shown';
        const missed = held;
        held = [];
        for (const handle of missed) globalThis.setImmediate(() => deliver(handle));
        for (const one of transactions) one.resume();
      },
      openTransactions: () => inFlight().length,
    };
  }

  return { name, open, setFull: (value) => void (isFull = value) };
}

function close(connection: FakeConnection): void {
  connection._closePending = true;
  connection._closed = true;
  const database = connection._rawDatabase;
  database.connections = database.connections.filter((one) => one !== connection);
}
