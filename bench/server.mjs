import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { agui, chatCompletions, wishOf } from './wires.mjs';

/**
 * The pages, and the servers that answer them.
 *
 * @typedef {object} Served
 * @property {string} pages origin of the pages
 * @property {readonly string[]} apis origins of the servers; a browser opens six connections to each
 * @property {(isHeld?: boolean) => Promise<NextAnswer>} next resolves to the next answer as soon as its head is written
 * @property {() => Promise<void>} stop
 */

/**
 * Times are in ms since the epoch.
 *
 * @typedef {object} NextAnswer
 * @property {Promise<number>} firstChunk when it was written
 * @property {Promise<number>} closed when the server noticed that the connection was closed
 * @property {() => void} release sends the first chunk, if it is held back
 */

/** Bytes that are written at once if there is no rate. */
const slice = 8192;

const now = () => performance.timeOrigin + performance.now();

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Serves the built pages and answers prompts, all on this machine. @returns {Promise<Served>} */
export async function serve() {
  /** @type {{ tell: (answer: NextAnswer) => void, isHeld: boolean }[]} */
  let waiting = [];

  /**
   * @param {import('node:http').IncomingMessage} request
   * @param {import('node:http').ServerResponse} response
   */
  async function answer(request, response) {
    let body = '';
    for await (const piece of request.setEncoding('utf8')) body += piece;
    const { chunks, rate, kind, wait } = wishOf(body);
    const { begin, piece, end } = (request.url === '/agui' ? agui : chatCompletions)(kind, randomUUID());
    const whole =
      rate === 0 ? Buffer.from(Array.from({ length: chunks }, (_, index) => piece(index)).join('') + end) : undefined;
    const closed = once(response, 'close').then(now);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    response.write(begin);
    let release = () => {};
    /** @type {Promise<void>} */
    const released = new Promise((resolve) => (release = resolve));
    if (!waiting.some(({ isHeld }) => isHeld)) release();
    const firstChunk = Promise.all([sleep(wait), released]).then(now);
    for (const { tell } of waiting) tell({ firstChunk, closed, release });
    waiting = [];
    const since = await firstChunk;

    if (whole !== undefined) {
      for (let at = 0; at < whole.length && !response.destroyed; at += slice) {
        if (!response.write(whole.subarray(at, at + slice))) await Promise.race([once(response, 'drain'), closed]);
      }
      response.end();
      return;
    }
    for (let index = 0; index < chunks && !response.destroyed;) {
      const due = Math.min(chunks, Math.floor(((now() - since) / 1000) * rate) + 1);
      for (; index < due; index++) response.write(piece(index));
      await sleep(1000 / rate);
    }
    response.end(end);
  }

  /** @type {import('node:http').RequestListener} */
  function api(request, response) {
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'POST') void answer(request, response);
    else if (request.method === 'GET') response.end(String(now()));
    else {
      const headers = request.headers['access-control-request-headers'] ?? '';
      response.writeHead(204, { 'access-control-allow-headers': headers, 'access-control-max-age': '600' }).end();
    }
  }

  /** @type {import('node:http').RequestListener} */
  function page(request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://here');
    if (!pathname.endsWith('.js')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(pathname));
      return;
    }
    const code = readFileSync(fileURLToPath(new URL(`dist${pathname}`, import.meta.url)));
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(code);
  }

  const listening = [await listen(page), await listen(api), await listen(api)];
  const [pages = '', ...apis] = listening.map(({ origin }) => origin);
  return {
    pages,
    apis,
    next: (isHeld = false) => new Promise((tell) => waiting.push({ tell, isHeld })),
    async stop() {
      for (const { stop } of listening) await stop();
    },
  };
}

/** @param {string} path of an entry, without `.js` */
const html = (path) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <title>bench</title>
  <link rel="icon" href="data:," />
  <style>
    body { font: 16px/1.5 sans-serif; max-width: 45rem; margin: auto; }
    article { white-space: pre-wrap; margin: 1em 0; }
  </style>
  <div id="root"></div>
  <script type="module" src="${path}.js"></script>
</html>`;

/** @param {import('node:http').RequestListener} listener */
async function listen(listener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
