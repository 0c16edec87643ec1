import { AgentError, type SessionEvent, type SessionStore } from 'brooklet';
import type { SessionLocks, SessionWrite } from 'brooklet/core';
import { Subject } from 'rxjs';
import { written } from '../support/normal-log.ts';
import type { Device } from './device.ts';
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

export function createDisk(time: VirtualTime, random: Random, note: (line: string) => void): Disk {
  const logs = new Map<string, readonly SessionEvent[]>();
  const armed = new Map<Device, readonly WriteFault[]>();
  const channels = new Map<Device, Subject<string>>();
  const problems: string[] = [];
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

  function attach(device: Device, inner: SessionStore, locks: SessionLocks): SessionStore {
    const channel = new Subject<string>();
    channels.set(device, channel);
    /** Requests on their way to the disk, in order. */
    let outbox: Request[] = [];
    let lastArrival = 0;
    let lastAnswer = 0;

    function send<T>(isRead: boolean, work: () => Promise<T>, delay: number, answered = (): void => {}): Promise<T> {
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
      if (isFull) {
        note(`${line}: full`);
        throw new AgentError('There is no space left.', { code: 'QUOTA_EXCEEDED' });
      }
      if (fault === 'refused') {
        note(`${line}: refused`);
        throw new AgentError('The write was refused.', { code: 'STORAGE_FAILED' });
      }
      try {
        await inner.write(write);
      } catch (thrown) {
        note(`${line}: ${thrown instanceof AgentError ? thrown.code : String(thrown)}`);
        throw thrown;
      }
      note(`${line}${fault === undefined ? '' : `: ${fault}`}`);
      keep(write);
      if (fault !== 'lied') return;
      if (random.chance(0.5)) broadcast(device, sessionId);
      throw new AgentError('The write is reported as failed.', { code: 'STORAGE_FAILED' });
    }

    return {
      ...inner,
      locks,
      changes$: channel,
      read: (sessionId, options) => send(true, () => inner.read(sessionId, options), 0),
      write(write) {
        const [fault, ...rest] = armed.get(device) ?? [];
        armed.set(device, rest);
        const { sessionId } = write;
        // A store announces a write that the page will not see ending.
        if (device.isLeaving()) time.after(1, () => broadcast(device, sessionId));
        return send(
          false,
          () => store(write, fault),
          fault === 'hung' ? random.between(2_000, 20_000) : 0,
          () => {
            channel.next(sessionId);
            broadcast(device, sessionId);
          },
        );
      },
    };
  }

  return {
    attach,
    arm: (device, faults) => void armed.set(device, faults),
    setFull: (value) => void (isFull = value),
    setPace: (factor) => void (pace = factor),
    heal() {
      isFull = false;
      pace = 1;
      armed.clear();
    },
    log: (sessionId) => logs.get(sessionId) ?? [],
    problems,
  };
}
