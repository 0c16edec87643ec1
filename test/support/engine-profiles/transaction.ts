import { setImmediate } from 'node:timers';
import { internalsOf, kindOf, type RequestKind, type Wanted } from './fake.ts';
import { type Deliver, guard, internal } from './guard.ts';

/** What a transaction asks of the page that began it. */
export interface Surroundings {
  /** Calls listeners of the page, now, later or never. */
  readonly deliver: (handle: () => void) => void;
  /** Whether the requests of a transaction without `commit()` wait for the page to come back. */
  waits(): boolean;
  /** Whether a request of this kind that begins now is dropped. */
  isDropping(kind: RequestKind): boolean;
  /** Returns the name of the error with which a request that begins now fails. */
  refusalOf(kind: RequestKind): string | undefined;
  /** Called when transactions may be able to start. */
  lookAgain(): void;
  onEnd(): void;
}

/** One transaction of a page, as its engine treats it. */
export interface EngineTransaction {
  /** Whether `commit()` was called: no callback is needed any more. */
  isCommitted(): boolean;
  isUpgrade(): boolean;
  isEnded(): boolean;
  /** Whether it is over one of these stores. */
  overlaps(stores: ReadonlySet<string>): boolean;
  /** The kinds of all its requests. */
  kinds(): ReadonlySet<RequestKind>;
  /** Drops the puts and adds among its waiting requests, from the nth of these on. */
  dropPuts(from: number): void;
  /** Number of requests that are not executed yet. */
  waiting(): number;
  abort(): void;
  /** Goes on where its page was put aside. */
  resume(): void;
}

/** Makes a transaction of fake-indexeddb behave as in an engine. */
export function adoptTransaction(transaction: IDBTransaction, page: Surroundings): EngineTransaction {
  const fake = internalsOf(transaction);
  const isUpgrade = fake.mode === 'versionchange';
  const kinds = new Map<IDBRequest, RequestKind>();
  let isCommitted = false;
  let isParked = false;
  const active = createActivity();

  const deliver: Deliver = (target, handle) =>
    page.deliver(() => {
      if (target instanceof IDBRequest) active.begin();
      handle();
    });

  const [start, execute, commit, abort] = [
    fake._start.bind(fake),
    fake._execRequestAsync.bind(fake),
    fake.commit.bind(fake),
    fake.abort.bind(fake),
  ];

  Object.assign(fake, {
    _start() {
      if (page.waits() && !isCommitted && !isUpgrade && fake._state !== 'finished') {
        // It occupies its stores, and no callback runs.
        fake._started = true;
        isParked = true;
        return;
      }
      const begins = !fake._started;
      start();
      if (begins) page.lookAgain();
    },
    _execRequestAsync(wanted: Wanted) {
      if (!active.is()) throw new DOMException('The transaction is not active.', 'TransactionInactiveError');
      const kind = kindOf(wanted.operation);
      const isDropped = page.isDropping(kind);
      const refusal = isDropped ? dropped : page.refusalOf(kind);
      const request = execute(refusal === undefined ? wanted : { ...wanted, operation: failWith(refusal) });
      kinds.set(request, kind);
      if (isDropped) outlive(request);
      guard(request, deliver);
      return request;
    },
    commit() {
      if (!active.is()) throw new DOMException('The transaction is not active.', 'InvalidStateError');
      commit();
      isCommitted = true;
    },
    abort() {
      abort();
      page.lookAgain();
    },
  });

  /** A request that WebKit drops fails when its page comes back, and does not undo a transaction that was committed. */
  function outlive(request: IDBRequest): void {
    request.addEventListener(
      'error',
      internal((event) => {
        if (isCommitted) event.preventDefault();
      }),
    );
  }

  for (const end of ['complete', 'abort']) fake.addEventListener(end, page.onEnd);
  guard(fake, deliver);
  active.begin();

  return {
    isCommitted: () => isCommitted,
    isUpgrade: () => isUpgrade,
    isEnded: () => fake._state === 'finished',
    overlaps: (stores) => [...stores].some((store) => fake._scope.has(store)),
    kinds: () => new Set(kinds.values()),
    waiting: () => fake._requests.length,
    dropPuts(from) {
      fake._requests = fake._requests.map((one, index) => {
        if (index < from || kinds.get(one.request) !== 'put') return one;
        outlive(one.request);
        return { ...one, operation: failWith(dropped) };
      });
    },
    abort() {
      if (fake._state === 'finished') return;
      // A transaction that commits cannot be aborted by its page; its engine can.
      fake._state = 'active';
      fake.abort();
    },
    resume() {
      if (!isParked) return;
      isParked = false;
      globalThis.setImmediate(() => fake._start());
    },
  };
}

/** The name of the error of a request that WebKit has dropped, as its page hears it after coming back. */
const dropped = 'InvalidStateError';

const failWith = (name: string) => (): never => {
  throw new DOMException('The engine refuses the request.', name);
};

/** Whether requests may be made: in the task that began the transaction, or in a callback, until its promises have settled. */
function createActivity(): { begin(): void; is(): boolean } {
  let turns = 0;
  let isActive = false;
  return {
    begin() {
      const turn = ++turns;
      isActive = true;
      // Node settles all promises before the next immediate.
      setImmediate(() => {
        if (turn === turns) isActive = false;
      });
    },
    is: () => isActive,
  };
}
