/**
 * Lets a long piece of work give the page a chance to breathe: `spend` what each step costs, in characters looked at or
 * the like, and await what it gives. About 10 ms of work lie between two pauses.
 */
export function createPauses(budget = 250_000): { readonly spend: (cost: number) => Promise<void> | undefined } {
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

/** Not a timer: those are held back, in a hidden tab for a whole second. */
function nextTask(): Promise<void> {
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
