// What the benches of pages share: a model that streams at a rate, and the time from a key to the paint that follows it.

import { createServer } from 'node:http';

/**
 * Starts a model that answers each request with pieces of a text, so many a second, for some seconds.
 *
 * @param {{ rate: number, seconds: number, piece: (index: number) => string }} options
 */
export async function startModel({ rate, seconds, piece }) {
  const server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', '*');
    if (request.method !== 'POST') return void response.end();
    response.setHeader('content-type', 'text/event-stream');
    const begun = Date.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(rate * seconds, Math.floor(((Date.now() - begun) / 1_000) * rate));
      for (; sent < due; sent++) {
        const delta = { content: piece(sent) };
        response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
      }
      if (sent < rate * seconds) return;
      clearInterval(timer);
      response.end('data: [DONE]\n\n');
    }, 4);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return { baseURL: `http://127.0.0.1:${address.port}/v1`, stop: () => server.close() };
}

/** Begins to collect the ms from each key to the end of the frame that follows it. Runs in a page. */
export function watchKeys() {
  const figures = Object.assign(globalThis, { toPaint: /** @type {number[]} */ ([]) });
  const { port1, port2 } = new MessageChannel();
  const pressed = /** @type {number[]} */ ([]);
  port1.onmessage = () => figures.toPaint.push(...pressed.splice(0).map((at) => performance.now() - at));
  addEventListener('keydown', ({ timeStamp }) => {
    pressed.push(timeStamp);
    requestAnimationFrame(() => port2.postMessage(0));
  });
}

/** What `watchKeys` has collected. Runs in a page. */
export const readKeys = () => /** @type {number[]} */ (Reflect.get(globalThis, 'toPaint'));

/** @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN);
}
