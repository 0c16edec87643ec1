// Builds Studio into a temporary folder and serves it.

import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, preview } from 'vite';

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url));

/**
 * @typedef {object} Served
 * @property {string} url
 * @property {string} folder what is served; a change takes effect with the next request
 * @property {() => Promise<void>} leave stops the server and keeps the folder
 * @property {() => Promise<void>} stop
 */

/**
 * @param {readonly import('vite').Plugin[]} [plugins] added to those of Studio
 * @param {string} [built] folder of a build, which is copied; default: Studio is built
 * @returns {Promise<Served>}
 */
export async function serveStudio(plugins = [], built) {
  // The configuration of Vite is that of the tests where this is set.
  const { VITEST, NODE_ENV } = process.env;
  delete process.env.VITEST;
  process.env.NODE_ENV = 'production';
  try {
    return await serve(plugins, built);
  } finally {
    if (VITEST !== undefined) process.env.VITEST = VITEST;
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

/** @param {readonly import('vite').Plugin[]} plugins @param {string | undefined} built @returns {Promise<Served>} */
async function serve(plugins, built) {
  const outDir = await mkdtemp(join(tmpdir(), 'brooklet-studio-'));
  if (built !== undefined) await cp(built, outDir, { recursive: true });
  else await build({ configFile, logLevel: 'error', plugins: [...plugins], build: { outDir } });
  const server = await preview({
    configFile,
    logLevel: 'error',
    build: { outDir },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const address = server.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  let isServing = true;
  const leave = async () => {
    if (isServing) await server.close();
    isServing = false;
  };
  return {
    url: `http://localhost:${address.port}/`,
    folder: outDir,
    leave,
    async stop() {
      await leave();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}
