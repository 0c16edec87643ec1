/** Microtasks that a session takes at most between an input and the next event, without loading code. */
const turns = 1_000;
/** Microtasks after which a session that can continue without an input has continued. */
const shortTurns = 120;
/** Tasks that a session takes at most, to load code for example. */
const tasks = 100;

/** Resolves when `isReached` returns `true`, or when nothing more can happen. `isWorking`: whether something runs that takes real time. */
export async function waitUntil(isReached: () => boolean, isWorking: () => boolean): Promise<void> {
  for (let turn = 0; turn < turns && !isReached(); turn++) await Promise.resolve();
  for (let task = 0; (task < tasks || isWorking()) && !isReached(); task++) await nextTask();
}

/** Resolves when `isReached` returns `true`, or after the microtasks that follow from an input. */
export async function settle(isReached: () => boolean): Promise<void> {
  for (let turn = 0; turn < shortTurns && !isReached(); turn++) await Promise.resolve();
}

/** Resolves in the next task, also where a test has replaced the timers. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(undefined);
  });
}
