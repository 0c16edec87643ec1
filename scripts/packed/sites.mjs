// Serves a built project, and uses its page in a browser.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkChat } from './chat-page.mjs';
import { serve } from '../serve-folder.mjs';
import { findPort } from './servers.mjs';

/** @typedef {import('./consumers.mjs').Stage} Stage */

/**
 * @param {Stage} stage
 * @param {string} folder
 * @param {{ headers?: Readonly<Record<string, string>> | undefined, query?: string, check?: Parameters<typeof checkChat>[2] }} [options]
 */
export async function checkServed({ browser }, folder, { headers, query = '', check } = {}) {
  const server = await serve(folder, headers);
  const context = await browser.newContext();
  try {
    await checkChat(await context.newPage(), `${server.url}${query}`, check);
  } finally {
    await context.close();
    server.stop();
  }
}

/** The command of Next.js. */
export const next = 'node_modules/next/dist/bin/next';

/** @param {Stage} stage @param {string} folder of a built project @param {Parameters<typeof checkChat>[2]} check */
export async function checkNext({ browser }, folder, check) {
  const port = await findPort();
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', port], { cwd: folder });
  const context = await browser.newContext();
  try {
    await once(server.stdout, 'data');
    await checkChat(await context.newPage(), `http://127.0.0.1:${port}/`, check);
  } finally {
    await context.close();
    server.kill();
  }
}
