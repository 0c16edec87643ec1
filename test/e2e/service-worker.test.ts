import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alias } from '../../vite.config.ts';
import { type Browser, startBrowser } from './support/browser.ts';

const script = fileURLToPath(new URL('../support/agent-in-worker.ts', import.meta.url));

/** The script of a service worker in one file: a service worker may not `import()`. */
async function bundle(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [script],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [
      {
        name: 'package',
        setup(build) {
          build.onResolve({ filter: /^brooklet(\/|$)/ }, ({ path }) => ({
            path: alias.find(({ find }) => find.test(path))?.replacement ?? path,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? expect.unreachable();
}

let server: Server;
let browser: Browser;

beforeAll(async () => {
  const code = await bundle();
  server = createServer((request, response) => {
    const isScript = request.url === '/worker.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? code : '<!doctype html><title>A page</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  browser = await startBrowser();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

test('an agent answers and stores in a service worker whose script is one file', async () => {
  // The server listens on a port, not on a path.
  const { port } = server.address() as AddressInfo;
  const { page } = await browser.open(`http://127.0.0.1:${port}/`);
  const answer = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js', { type: 'module' });
    const { active } = await navigator.serviceWorker.ready;
    const { port1, port2 } = new MessageChannel();
    return new Promise<unknown>((resolve) => {
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => resolve(data));
      port1.start();
      active?.postMessage('answer', [port2]);
    });
  });
  expect(answer).toBe('completed: Hi | Hello worker. (stored)');
});
