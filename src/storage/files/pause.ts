/** Pauses of one long work. */
export interface Pauses {
  /** Returns a promise where a pause is due. */
  readonly spend: (cost: number) => Promise<void> | undefined;
}

/**
 * Creates pauses for long work, so that the page stays responsive: call `spend` with the cost of each step, in characters
 * processed, and await its result. By default about 10 ms of work lie between two pauses.
 */
export function createPauses(budget = 250_000): Pauses {
  let spent = 0;
  return {
    spend(cost) {
      spent += cost;
      if (spent < budget) return undefined;
      spent = 0;
      return nextTask();
    },
  };
}

/** Resolves in a task of its own. Not a timer: browsers throttle timers, in a hidden tab to one per second. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => {
      port1.close();
      resolve();
    });
    port1.start();
    port2.postMessage(null);
  });
}
