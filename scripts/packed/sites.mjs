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
  try {
    await visit(browser, `${server.url}${query}`, check);
  } finally {
    server.stop();
  }
}

/**
 * Serves a built project of Next.js, and uses some of its pages.
 *
 * @param {Stage} stage
 * @param {string} folder
 * @param {Readonly<Record<string, Parameters<typeof checkChat>[2]>>} checks by the path of the page
 */
export async function checkNext({ browser }, folder, checks) {
  const port = await findPort();
  const next = 'node_modules/next/dist/bin/next';
  const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', port], { cwd: folder });
  try {
    await once(server.stdout, 'data');
    for (const [path, check] of Object.entries(checks)) await visit(browser, `http://127.0.0.1:${port}${path}`, check);
  } finally {
    server.kill();
  }
}

/** @param {Stage['browser']} browser @param {string} url @param {Parameters<typeof checkChat>[2]} check */
export async function visit(browser, url, check) {
  const context = await browser.newContext();
  // A development server compiles a page when it is opened, next to another consumer.
  context.setDefaultNavigationTimeout(2 * 60_000);
  try {
    await checkChat(await context.newPage(), url, check);
  } finally {
    await context.close();
  }
}
