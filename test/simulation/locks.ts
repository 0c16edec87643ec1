import type { Device } from './device.ts';

/** Web Locks of one origin: a queue per name, shared by its tabs. */
export interface Locks {
  /** Returns what `navigator.locks` is in a tab. */
  connect(device: Device): { readonly request: Request };
  /** Whether a tab has a lock, or waits for one. */
  concerns(device: Device): boolean;
}

type Request = (
  name: string,
  options: { readonly steal?: boolean; readonly signal?: AbortSignal },
  callback: () => Promise<void>,
) => Promise<void>;

interface Place {
  readonly device: Device;
  readonly grant: () => void;
  /** Rejects the request: another tab has stolen the lock. */
  readonly lose: () => void;
}

/** @param latency returns the ms until a tab hears of its lock */
export function createLocks(latency: () => number): Locks {
  /** By name; the first place has the lock. */
  const queues = new Map<string, Place[]>();
  const stolen = (): DOMException => new DOMException('The lock was stolen or not granted.', 'AbortError');

  function queueOf(name: string): Place[] {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  }

  function leave(name: string, place: Place): void {
    const queue = queueOf(name);
    const index = queue.indexOf(place);
    if (index < 0) return;
    queue.splice(index, 1);
    if (index === 0) queue[0]?.grant();
  }

  function request(device: Device, ...[name, { steal, signal }, callback]: Parameters<Request>): Promise<void> {
    return new Promise((resolve, reject) => {
      // A page that has ended runs no code: a promise that settles here afterwards must not take a place that is never left.
      if (!device.isAlive()) return;
      let isGranted = false;
      const place: Place = {
        device,
        grant() {
          isGranted = true;
          signal?.removeEventListener('abort', withdraw);
          device.schedule(latency(), () => {
            if (!queueOf(name).includes(place)) return;
            void callback().then(() => {
              leave(name, place);
              resolve();
            }, reject);
          });
        },
        lose: () => void device.schedule(latency(), () => reject(stolen())),
      };
      device.onEnd(() => leave(name, place));
      const withdraw = (): void => {
        if (isGranted) return;
        leave(name, place);
        reject(stolen());
      };
      signal?.addEventListener('abort', withdraw);
      const queue = queueOf(name);
      if (steal) queue.shift()?.lose();
      if (steal) queue.unshift(place);
      else queue.push(place);
      if (queue[0] === place) place.grant();
    });
  }

  return {
    connect: (device) => ({ request: (...args) => request(device, ...args) }),
    concerns: (device) => [...queues.values()].some((queue) => queue.some((place) => place.device === device)),
  };
}
