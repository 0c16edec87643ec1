import { expect, test } from 'vitest';

const script = new URL('../support/agent-in-worker.ts', import.meta.url);
const answer = 'completed: Hi | Hello worker. (stored)';

/** Sends the worker a port, and returns its answer on that port. */
function ask(post: (message: string, transfer: Transferable[]) => void): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data));
    port1.start();
    post('answer', [port2]);
  });
}

/** Rejects when the script of the worker fails. */
function failureOf(worker: Worker | SharedWorker): Promise<never> {
  return new Promise((_, reject) => {
    worker.addEventListener('error', (event) =>
      reject(new Error(event instanceof ErrorEvent ? event.message : 'The worker cannot be started.')),
    );
  });
}

test('an agent answers and stores in a dedicated worker', async () => {
  const worker = new Worker(script, { type: 'module' });
  const asked = ask((message, transfer) => worker.postMessage(message, transfer));
  expect(await Promise.race([asked, failureOf(worker)])).toBe(answer);
  worker.terminate();
});

test('an agent answers and stores in a shared worker', async () => {
  const worker = new SharedWorker(script, { type: 'module' });
  const asked = ask((message, transfer) => worker.port.postMessage(message, transfer));
  expect(await Promise.race([asked, failureOf(worker)])).toBe(answer);
  worker.port.close();
});
