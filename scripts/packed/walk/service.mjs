// OpenAI's service for a page whose code names its real address: the browser finds this machine there.

import { createServer } from 'node:https';
import { join } from 'node:path';
import { chromium } from 'playwright';
import { runnerImport } from 'vite';
import { launchArgs } from '../../find-browser.mjs';
import { root } from '../../manifest.mjs';
import { createCertificate } from './certificate.mjs';

/** @typedef {import('../../../test/engines/support/robot/model.ts').Model} Model */

const host = 'api.openai.com';

/** What a page of another origin may send. A request with anything else fails in the browser, as a preflight of a service that does not list it. */
const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization, content-type' };

/** Starts the service with the model of the robot, which refuses what the real one refuses. */
export async function startService() {
  /** @type {{ module: { createModel: () => Model } }} */
  const { module } = await runnerImport(join(root, 'test/engines/support/robot/model.ts'), { configFile: false });
  const model = module.createModel();
  const server = createServer(createCertificate(host), (request, response) => {
    for (const [name, value] of Object.entries(cors)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    model.handle(request, response, new URL(request.url ?? '/', `https://${host}`).pathname);
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    model,
    port: address.port,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Starts a browser that finds the service at its address, and nothing else but this machine.
 *
 * @param {string} executablePath
 * @param {number} port of the service
 */
export const startBrowserWith = (executablePath, port) =>
  chromium.launch({
    executablePath,
    args: [
      ...launchArgs,
      `--host-resolver-rules=MAP ${host}:443 127.0.0.1:${port}, MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
    ],
  });
