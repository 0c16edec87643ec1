import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { expect, test } from 'vitest';
import { alias } from '../../scripts/alias.mjs';
import { startBrowser } from './support/browser.ts';
import { listen } from './support/server.ts';
import { during } from './support/stage.ts';

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

const site = during(
  async () => {
    const code = await bundle();
    return listen((request, response) => {
      const isScript = request.url === '/worker.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? code : '<!doctype html><title>A page</title>');
    });
  },
  ({ stop }) => stop(),
);
const browser = during(startBrowser, (its) => its.close());

test('an agent answers and stores in a service worker whose script is one file', async () => {
  const { page } = await browser().open(`http://${site().host}/`);
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
