// Ends the process with a message when one seed takes too long: an endless chain of promises leaves no timer a turn.

import { writeSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** s of processor time that one seed may take; usually it takes some hundredths of a second. */
const longest = 4;

/**
 * Watches the seeds from now on. Returns a function that is called with each seed before it is played.
 *
 * @param {string} replay the command that plays a seed
 */
export function watchSeeds(replay) {
  const current = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: { current, replay } });
  worker.unref();
  return (/** @type {number} */ seed) => void Atomics.store(current, 0, seed);
}

if (!isMainThread && parentPort) {
  /** @type {{ current: Int32Array, replay: string }} */
  const { current, replay } = workerData;
  let last = -1;
  let begin = 0;
  setInterval(() => {
    const seed = Atomics.load(current, 0);
    // Of the whole process: a machine that is busy with other work does not count.
    const now = process.cpuUsage().user / 1_000_000;
    if (seed !== last) begin = now;
    last = seed;
    if (seed < 0 || now - begin < longest) return;
    writeSync(2, `seed ${seed}:\n  does not end: a chain of promises has no end\n  Replay it: ${replay} ${seed}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, 500);
}
