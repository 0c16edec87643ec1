// A terminal: runs the commands of a page one after the other, in the folder in which the last one has left it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { run } from '../project.mjs';

/** The address that a development server prints. */
const printed = /https?:\/\/localhost:\d+\/?/;

/**
 * @param {string} start the first folder
 * @param {(command: string) => readonly string[]} toWords a command as it is run
 */
export function openShell(start, toWords) {
  let folder = start;
  /** @type {(() => void)[]} */
  const ends = [];
  return {
    getFolder: () => folder,
    /**
     * Runs a command until it has ended; a server until it has printed its address, with which it resolves.
     *
     * @param {string} command
     * @returns {Promise<string | undefined>}
     */
    async run(command) {
      const [program = '', ...args] = toWords(command);
      if (program === 'cd') folder = join(folder, args[0] ?? '');
      else if (/^npm run dev\b/.test(command)) {
        const { url, stop } = await startServer(folder, program, args);
        ends.push(stop);
        return url;
      } else await run(folder, program, args);
      return undefined;
    },
    close: () => ends.forEach((end) => end()),
  };
}

/** @param {string} folder @param {string} program @param {readonly string[]} args */
async function startServer(folder, program, args) {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined };
  // A group of its own: npm starts the server by a shell, and both end.
  const server = spawn(program, args, { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => {
    if (server.pid !== undefined && server.exitCode === null) process.kill(-server.pid);
  };
  let output = '';
  const found = new Promise((/** @type {(url: string) => void} */ resolve) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text) => {
        output += stripVTControlCharacters(String(text));
        const [url] = printed.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
  });
  const ended = once(server, 'close').then(() => undefined);
  const timeout = AbortSignal.timeout(2 * 60_000);
  const late = once(timeout, 'abort').then(() => undefined);
  const url = await Promise.race([found, ended, late]);
  if (url === undefined) {
    stop();
    throw new Error(`${program} ${args.join(' ')} has printed no address:\n${output}`);
  }
  return { url, stop };
}
