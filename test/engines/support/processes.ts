import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

let reaper: ChildProcess | undefined;

/** Sends a line to the process that cleans up after this one: see reaper.mjs. */
function leave(line: string): void {
  if (reaper === undefined) {
    const script = fileURLToPath(new URL('reaper.mjs', import.meta.url));
    reaper = spawn(process.execPath, [script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
    // The process of the tests ends without waiting for it.
    reaper.unref();
    if (reaper.stdin instanceof Socket) reaper.stdin.unref();
  }
  reaper.stdin?.write(`${line}\n`);
}

/** Has the group of a process ended together with this process. Returns what ends it at once. */
export function endWithThisProcess(child: ChildProcess): () => Promise<void> {
  const { pid } = child;
  if (pid === undefined) throw new Error('The process did not start.');
  leave(`+${pid}`);
  const ended = new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  return async () => {
    // Xvfb removes its socket and its lock then.
    signal(pid, 'SIGTERM');
    await Promise.race([ended, sleep(2_000, undefined, { ref: false })]);
    signal(pid, 'SIGKILL');
    await ended;
    leave(`-${pid}`);
  };
}

/** Sends a signal to a process group, if it has not ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended.
  }
}

/** A program that leads a process group of its own. */
export interface Program {
  readonly child: ChildProcess;
  /** Ends the whole group. */
  stop(): Promise<void>;
}

export function start(
  command: string,
  args: readonly string[],
  {
    env = {},
    stdio = 'ignore',
  }: { readonly env?: Readonly<Record<string, string>>; readonly stdio?: StdioOptions } = {},
): Program {
  const child = spawn(command, args, { stdio, detached: true, env: { ...process.env, ...env } });
  child.once('error', () => {});
  return { child, stop: endWithThisProcess(child) };
}

/** A temporary folder. Returns its path, and what removes it. */
export async function createFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'brooklet-engine-'));
  leave(path);
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** A port without a listener at this moment: who uses it tries another one if it is taken meanwhile. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
