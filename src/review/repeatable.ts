/**
 * Returns a function that starts the work, or starts it again behind the one that is under way. Work that fails is not started again: the
 * promise of the call that started it rejects.
 */
export function repeatable(work: () => Promise<void>): () => Promise<void> {
  let isWorking = false;
  let isAsked = false;
  return async () => {
    isAsked = true;
    if (isWorking) return;
    isWorking = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isWorking = false;
  };
}
