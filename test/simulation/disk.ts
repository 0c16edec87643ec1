import { AgentError, type SessionEvent, type SessionStore } from 'brooklet';
import type { SessionLocks, SessionWrite } from 'brooklet/core';
import { Subject } from 'rxjs';
import { written } from '../support/normal-log.ts';
import type { Device } from './device.ts';
import type { EngineName } from '../support/engine-profiles/index.ts';
import type { Audit } from './audit.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

/** A fault of one write. `lied`: stored, and reported as failed. `hung`: the answer takes many seconds. */
type WriteFault = 'refused' | 'lied' | 'hung';

/** The disk that all tabs share, with an exact copy of what it has acknowledged. */
export interface Disk {
  /** Returns the store of a tab. @param inner the real store of this tab, without delays */
  attach(device: Device, inner: SessionStore, locks: SessionLocks): SessionStore;
  /** Sets the faults of the next writes of a tab, one each. */
  arm(device: Device, faults: readonly WriteFault[]): void;
  setFull(isFull: boolean): void;
  /** A tab has ended or was put aside: looks what has become of its writes. */
  lookAt(device: Device): void;
  /** Whether what is stored may be more than `log` returns. */
  isLooking(): boolean;
  /** What tabs wait for, a sentence each. */
  unsettled(): readonly string[];
  /** @param factor by which every request takes longer */
  setPace(factor: number): void;
  heal(): void;
  /** Returns the acknowledged events of a session. */
  log(sessionId: string): readonly SessionEvent[];
  /** The violations of the store's rules, one sentence each. */
  readonly problems: readonly string[];
}

interface Request {
  readonly isRead: boolean;
  /** Runs the request on the disk, and answers. */
  readonly perform: () => void;
  cancel: () => void;
}

/** What a disk is part of. */
export interface DiskOptions {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly note: (line: string) => void;
  readonly engine: EngineName;
  /** Where the stores are over the IndexedDB of an engine, which has delays and faults of its own, and may end a write with its page. */
  readonly database?: { readonly audit: Audit; readonly setFull: (isFull: boolean) => void };
}

const nothing: readonly SessionEvent[] = [];

export function createDisk({ time, random, note, engine, database }: DiskOptions): Disk {
  const logs = new Map<string, readonly SessionEvent[]>();
  const armed = new Map<Device, readonly WriteFault[]>();
  const channels = new Map<Device, Subject<string>>();
  const problems: string[] = [];
  /** Writes without an answer, by tab. */
  const waiting = new Map<SessionWrite, Device>();
  /** Of these, the ones of tabs that have ended or were put aside meanwhile: they are stored, or not. */
  const doubtful = new WeakSet<SessionWrite>();
  /** Writes that a page has handed over while it was left, by its name. Only WebKit may drop them. */
  const last = new Map<SessionWrite, string>();
  let wasFull = false;
  /** Verbs that have not settled. */
  const verbs = new Map<Promise<unknown>, { readonly name: string; readonly device: Device }>();
  let looks = 0;
  let isFull = false;
  let pace = 1;

  const latency = (): number => random.between(0, 6) * pace;

  function keep(write: SessionWrite): void {
    const { sessionId, events, expectedSeq, durability } = write;
    const begins = events.some(({ type, seq }) => type === 'call.started' && seq > expectedSeq);
    if (begins && durability !== 'strict') problems.push('a call began, and a loss of power may undo that');
    logs.set(sessionId, written(logs.get(sessionId) ?? [], write));
  }

  function broadcast(from: Device, sessionId: string): void {
    for (const [device, channel] of channels)
      if (device !== from) device.schedule(random.oneOf([1, 1, 5, 40, 300]), () => channel.next(sessionId));
  }

  const logOf = (sessionId: string): readonly SessionEvent[] => logs.get(sessionId) ?? nothing;

  /** Takes the events that are stored for those that were acknowledged. */
  async function lookFor(sessionId: string): Promise<void> {
    looks++;
    // A look does not see what is written after its beginning.
    const before = [...last];
    let known: readonly SessionEvent[];
    let events: readonly SessionEvent[] | undefined;
    do {
      known = logOf(sessionId);
      events = await database?.audit.look(sessionId, () => logOf(sessionId));
    } while (known !== logOf(sessionId));
    looks--;
    if (events === undefined) return;
    for (const [write, name] of before) {
      if (write.sessionId !== sessionId || !last.delete(write)) continue;
      // Unless another tab was first.
      if (events.at(-1)?.seq === write.expectedSeq) problems.push(`${name}: what it wrote while it was left is lost`);
    }
    logs.set(sessionId, events);
  }

  function lookAt(device: Device): void {
    if (database === undefined) return;
    for (const [write, its] of waiting) if (its === device) doubtful.add(write);
    const ids = new Set([...logs.keys(), ...[...waiting.keys()].map(({ sessionId }) => sessionId)]);
    for (const id of ids) void lookFor(id);
  }

  function attach(device: Device, inner: SessionStore, locks: SessionLocks): SessionStore {
    const channel = new Subject<string>();
    channels.set(device, channel);
    /** Requests on their way to the disk, in order. */
    let outbox: Request[] = [];
    /** Sessions whose fence this tab knows, so that its last write needs no read. */
    const known = new Set<string>();
    let lastArrival = 0;
    let lastAnswer = 0;

    /** The tab's requests pass, and its answers come as the database gives them, those after a hung one after it. */
    async function pass<T>(work: () => Promise<T>, delay: number, answered: () => void): Promise<T> {
      const value = await work();
      const at = Math.max(lastAnswer, time.now() + delay + (pace > 1 ? latency() : 0));
      if (at > time.now()) {
        lastAnswer = at;
        await new Promise<void>((resolve) => device.schedule(at - time.now(), resolve));
      }
      answered();
      return value;
    }

    /** WebKit drops what a page writes while it is left: its store hears so when the page comes back. */
    const dropLast = (): Promise<never> =>
      new Promise((_resolve, reject) => {
        const dropped = new AgentError('The last write of a page was dropped.', { code: 'STORAGE_FAILED' });
        device.schedule(0, () => reject(dropped));
      });

    function send<T>(isRead: boolean, work: () => Promise<T>, delay: number, answered = (): void => {}): Promise<T> {
      if (database) return pass(work, delay, answered);
      if (engine === 'webkit' && device.isLeaving() && !isRead) return dropLast();
      return new Promise((resolve, reject) => {
        const answer = (settle: () => void): void => {
          const at = Math.max(lastAnswer, time.now() + latency() + delay);
          lastAnswer = at;
          device.schedule(at - time.now(), settle);
        };
        const request: Request = {
          isRead,
          cancel: () => {},
          perform() {
            outbox = outbox.filter((one) => one !== request);
            request.cancel();
            work().then(
              (value) => answer(() => (answered(), resolve(value))),
              (error: unknown) => answer(() => reject(error)),
            );
          },
        };
        outbox.push(request);
        if (device.isLeaving()) {
          for (const earlier of outbox) earlier.perform();
          return;
        }
        lastArrival = Math.max(lastArrival, time.now() + latency());
        request.cancel = time.after(lastArrival - time.now(), request.perform);
      });
    }

    device.onEnd(() => {
      channels.delete(device);
      // What a killed tab has sent arrives, or not; never a later request without an earlier one.
      const arriving = device.isLeaving() || random.chance(0.5) ? outbox : [];
      for (const request of outbox) if (!arriving.includes(request)) request.cancel();
    });

    async function store(write: SessionWrite, fault: WriteFault | undefined): Promise<void> {
      const { events, expectedSeq, sessionId } = write;
      const line = `${device.name} writes ${events.map(({ type, seq }) => `${seq} ${type}`).join(', ')} upon ${expectedSeq}`;
      if (isFull && !database) {
        note(`${line}: full`);
        throw new AgentError('There is no space left.', { code: 'QUOTA_EXCEEDED' });
      }
      if (fault === 'refused') {
        note(`${line}: refused`);
        throw new AgentError('The write was refused.', { code: 'STORAGE_FAILED' });
      }
      waiting.set(write, device);
      try {
        await inner.write(write);
      } catch (thrown) {
        note(`${line}: ${thrown instanceof AgentError ? thrown.code : String(thrown)}`);
        throw thrown;
      } finally {
        waiting.delete(write);
      }
      note(`${line}${fault === undefined ? '' : `: ${fault}`}`);
      known.add(sessionId);
      // A doubtful write before this one may not be in the copy yet.
      const follows = (logOf(sessionId).at(-1)?.seq ?? 0) === expectedSeq;
      if (database && (doubtful.has(write) || !follows)) await lookFor(sessionId);
      else keep(write);
      if (fault !== 'lied') return;
      if (random.chance(0.5)) broadcast(device, sessionId);
      throw new AgentError('The write is reported as failed.', { code: 'STORAGE_FAILED' });
    }

    /** Whether nothing is in the way of a write of a page that is left. */
    function isSureToLast({ sessionId, expectedSeq, expectedWriteId }: SessionWrite): boolean {
      if (!database || engine === 'webkit' || !device.isLeaving() || wasFull) return false;
      const isAlone = ![...waiting.keys()].some((other) => other.sessionId === sessionId);
      const isNext = expectedSeq > 0 && logOf(sessionId).at(-1)?.seq === expectedSeq;
      return isAlone && isNext && known.has(sessionId) && expectedWriteId !== undefined;
    }

    /** Notes that a tab waits for an answer. */
    function watch<T>(name: string, verb: Promise<T>): Promise<T> {
      verbs.set(verb, { name, device });
      const settle = (): void => void verbs.delete(verb);
      verb.then(settle, settle);
      return verb;
    }

    return {
      ...inner,
      locks,
      changes$: channel,
      read: (sessionId, options) =>
        watch(
          'read',
          send(true, () => inner.read(sessionId, options), 0),
        ),
      write(write) {
        const [fault, ...rest] = armed.get(device) ?? [];
        armed.set(device, rest);
        const { sessionId } = write;
        if (fault === undefined && isSureToLast(write)) last.set(write, device.name);
        // A store announces a write that the page will not see ending.
        if (device.isLeaving()) time.after(1, () => broadcast(device, sessionId));
        const answered = (): void => {
          channel.next(sessionId);
          broadcast(device, sessionId);
        };
        const delay = fault === 'hung' ? random.between(2_000, 20_000) : 0;
        return watch(
          'write',
          send(false, () => store(write, fault), delay, answered),
        );
      },
    };
  }

  return {
    attach,
    arm: (device, faults) => void armed.set(device, faults),
    lookAt,
    isLooking: () => looks > 0,
    unsettled: () =>
      [...verbs.values()].flatMap(({ name, device }) =>
        device.isAlive() ? [`${device.name}: a ${name} of the store does not settle`] : [],
      ),
    setFull(value) {
      isFull = value;
      wasFull ||= value;
      database?.setFull(value);
    },
    setPace: (factor) => void (pace = factor),
    heal() {
      isFull = false;
      database?.setFull(false);
      pace = 1;
      armed.clear();
    },
    log: logOf,
    problems,
  };
}
