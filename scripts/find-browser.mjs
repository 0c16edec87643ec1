// Finds a Chromium that starts, or installs one by the first method that works.
//
//   node scripts/find-browser.mjs     prints its path on stdout, and each step with its reason on stderr
//
// Order: CHROMIUM_PATH, the system's, Playwright's; then install: Playwright's download, the system's package
// manager (as root), an npm package that carries one. Most tests use the shell of that Chromium, where there is one (`findShell`).

import { spawn } from 'node:child_process';
import { accessSync, chmodSync, constants, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, win32 } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';

/**
 * @typedef {{ path: string, from: string }} Browser
 * @typedef {{ timeout: number, cwd?: string, env?: Record<string, string> }} RunOptions `timeout` in ms
 *
 * The machine, as far as the search needs it, so that a test can simulate any.
 * @typedef {object} Host
 * @property {Record<string, string | undefined>} env
 * @property {string} platform as in `process.platform`
 * @property {boolean} isRoot
 * @property {string} playwrightPath where Playwright installs its own Chromium, whether it exists or not
 * @property {string} cache the folder for a browser that this script installs
 * @property {(path: string) => boolean} isExecutable
 * @property {(path: string) => Promise<string | undefined>} whyNotStarts the reason; `undefined` if the browser starts
 * @property {(command: string, args: readonly string[], options: RunOptions) => Promise<void>} run rejects unless the command exits with 0
 * @property {(folder: string) => void} remove
 * @property {(path: string, text: string) => void} writeExecutable
 * @property {(line: string) => void} say
 *
 * One method to install a browser.
 * @typedef {object} Way
 * @property {string} name
 * @property {(host: Host) => string | undefined} whyNot why this machine cannot use the method; `undefined` if it can
 * @property {(host: Host) => Promise<readonly string[]>} install returns the paths to try
 */

/** For tests only: no sandbox, which root cannot use, no network access of the browser's own, and fewer processes to start. */
export const launchArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--enable-features=NetworkServiceInProcess2',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const minute = 60_000;

/** The last release whose `engines` accept Node 20. */
const npmBrowser = '@sparticuz/chromium@147.0.0';

/**
 * Returns every place where this machine may have a browser, best first.
 * @param {Host} host
 * @returns {Browser[]}
 */
export function listCandidates(host) {
  const { env, platform } = host;
  /** @type {Browser[]} */
  const candidates = [];
  if (env.CHROMIUM_PATH) candidates.push({ path: env.CHROMIUM_PATH, from: 'CHROMIUM_PATH' });

  const windows = platform === 'win32';
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];
  candidates.push(...onPath(host, names));

  if (platform === 'darwin') {
    for (const app of ['Chromium', 'Google Chrome', 'Microsoft Edge']) {
      for (const folder of ['', env.HOME ?? '']) {
        candidates.push({ path: `${folder}/Applications/${app}.app/Contents/MacOS/${app}`, from: 'Applications' });
      }
    }
  }
  if (windows) {
    for (const app of [
      'Chromium\\Application\\chrome',
      'Google\\Chrome\\Application\\chrome',
      'Microsoft\\Edge\\Application\\msedge',
    ]) {
      for (const folder of [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA]) {
        if (folder) candidates.push({ path: win32.join(folder, `${app}.exe`), from: 'Program Files' });
      }
    }
  }

  candidates.push({ path: host.playwrightPath, from: 'Playwright' });
  for (const path of npmBrowserPaths(host)) candidates.push({ path, from: `${npmBrowser}, installed before` });
  return candidates;
}

/**
 * Returns each place of the PATH where one of these programs may be.
 * @param {Pick<Host, 'env' | 'platform'>} host
 * @param {readonly string[]} names without `.exe`
 * @returns {Browser[]}
 */
function onPath({ env, platform }, names) {
  const windows = platform === 'win32';
  const paths = windows ? win32 : posix;
  const folders = (env.PATH ?? env.Path ?? '').split(windows ? ';' : ':').filter(Boolean);
  return names.flatMap((name) =>
    folders.map((folder) => ({ path: paths.join(folder, windows ? `${name}.exe` : name), from: 'PATH' })),
  );
}

/** Names of Chromium's shell. */
const shells = ['chromium-headless-shell', 'chrome-headless-shell', 'headless_shell'];

/**
 * Returns every place where this machine may have the shell of Chromium, best first.
 * @param {Host} host
 * @returns {Browser[]}
 */
function listShells(host) {
  const { env, platform, playwrightPath } = host;
  if (env.CHROMIUM_SHELL_PATH) return [{ path: env.CHROMIUM_SHELL_PATH, from: 'CHROMIUM_SHELL_PATH' }];
  // A browser that the caller names runs every test.
  if (env.CHROMIUM_PATH || platform !== 'linux') return [];
  const ofPlaywright = playwrightPath
    .replace('/chromium-', '/chromium_headless_shell-')
    .replace(/\/chrome-(linux[\w-]*)\/chrome$/, '/chrome-headless-shell-$1/chrome-headless-shell');
  return [...onPath(host, shells), { path: ofPlaywright, from: "Playwright's shell" }];
}

/**
 * Returns the shell of Chromium: the same engine without window, profiles and extensions, which opens a page in less than half of the time.
 * Returns `undefined` where there is none, or where the caller names a browser. macOS and Windows use the whole Chromium.
 *
 * @param {Host} host
 * @returns {Promise<Browser | undefined>}
 */
export const findShell = (host) => firstThatStarts(host, listShells(host));

/**
 * Returns the first candidate that starts.
 * @param {Host} host
 * @returns {Promise<Browser | undefined>}
 */
export const findBrowser = (host) => firstThatStarts(host, listCandidates(host));

/**
 * @param {Host} host
 * @param {readonly Browser[]} candidates
 * @returns {Promise<Browser | undefined>}
 */
async function firstThatStarts(host, candidates) {
  for (const candidate of candidates) {
    if (!host.isExecutable(candidate.path)) {
      if (candidate.from.startsWith('CHROMIUM_'))
        host.say(`${candidate.from} is ${candidate.path}, which is not there.`);
      continue;
    }
    const reason = await host.whyNotStarts(candidate.path);
    if (reason === undefined) return candidate;
    host.say(`${candidate.path} (${candidate.from}) does not start: ${reason}`);
  }
  return undefined;
}

/** @type {readonly Way[]} */
export const ways = [
  {
    name: "Playwright's own download",
    whyNot: () => undefined,
    install: async (host) => {
      const cli = join(dirname(createRequire(import.meta.url).resolve('playwright/package.json')), 'cli.js');
      await host.run(process.execPath, [cli, 'install', 'chromium'], {
        timeout: 5 * minute,
        // Playwright tries five times; a network that drops packets should cost seconds.
        env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '5000' },
      });
      return [host.playwrightPath];
    },
  },
  systemPackage(
    'apt-get',
    [['update'], ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation']],
    [['install', '-y', '--no-install-recommends', 'chromium-headless-shell']],
  ),
  systemPackage('dnf', [['install', '-y', 'chromium']]),
  systemPackage('apk', [['add', '--no-cache', 'chromium']]),
  {
    name: `the npm package ${npmBrowser}`,
    whyNot: ({ platform }) => (platform === 'linux' ? undefined : 'it carries a browser for Linux only'),
    install: async (host) => {
      const [path = '', withLibraries = ''] = npmBrowserPaths(host);
      host.remove(host.cache);
      host.writeExecutable(
        withLibraries,
        [
          '#!/bin/sh',
          '# Starts the browser beside it with the libraries that came with it.',
          'here=$(dirname "$(readlink -f "$0")")',
          'export LD_LIBRARY_PATH="$here/al2023/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"',
          '[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_PATH="$here/fonts"',
          'exec "$here/chromium" "$@"',
          '',
        ].join('\n'),
      );
      const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund'];
      await host.run('npm', ['install', ...quiet, '--prefix', host.cache, npmBrowser], { timeout: 5 * minute });
      // The package unpacks into the temporary folder, and unpacks its libraries only if the environment is AWS Lambda.
      const unpack = "import('@sparticuz/chromium').then((it) => it.default.executablePath())";
      await host.run(process.execPath, ['--input-type=module', '--eval', unpack], {
        timeout: minute,
        cwd: host.cache,
        env: { TMPDIR: dirname(path), AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
      });
      return [path, withLibraries];
    },
  },
];

/**
 * Returns the paths of the npm package's browser: alone, and with the libraries of the package.
 * @param {Host} host
 */
function npmBrowserPaths({ cache }) {
  return [join(cache, 'unpacked', 'chromium'), join(cache, 'unpacked', 'chromium-with-libraries')];
}

/**
 * @param {string} manager
 * @param {readonly (readonly string[])[]} steps its arguments
 * @param {readonly (readonly string[])[]} [extras] steps that may fail: packages that not every system has
 * @returns {Way}
 */
export function systemPackage(manager, steps, extras = []) {
  return {
    name: `the system's package manager (${manager})`,
    whyNot: (host) => {
      if (host.platform !== 'linux') return 'it is for Linux';
      const folders = (host.env.PATH ?? '').split(':').filter(Boolean);
      if (!folders.some((folder) => host.isExecutable(posix.join(folder, manager)))) return `there is no ${manager}`;
      return host.isRoot ? undefined : 'it needs root';
    },
    install: async (host) => {
      const options = { timeout: 5 * minute, env: { DEBIAN_FRONTEND: 'noninteractive' } };
      for (const step of steps) await host.run(manager, step, options);
      for (const step of extras) await host.run(manager, step, options).catch(() => {});
      return listCandidates(host)
        .filter(({ from }) => from === 'PATH')
        .map(({ path }) => path);
    },
  };
}

/**
 * Returns the browser of this machine, and installs one if there is none. Returns `undefined` if every method failed; the reasons are logged.
 * @param {Host} host
 * @returns {Promise<Browser | undefined>}
 */
export async function ensureBrowser(host) {
  const found = await findBrowser(host);
  if (found) return found;

  host.say('No Chromium that starts: not in CHROMIUM_PATH, not on this system, not among those of Playwright.');
  for (const way of ways) {
    const reason = way.whyNot(host);
    if (reason !== undefined) {
      host.say(`Not by ${way.name}: ${reason}.`);
      continue;
    }
    host.say(`Installing one by ${way.name}, because the browser tests need it …`);
    try {
      for (const path of await way.install(host)) {
        if (!host.isExecutable(path)) continue;
        const reason = await host.whyNotStarts(path);
        if (reason === undefined) return { path, from: way.name };
        host.say(`${path} does not start: ${reason}`);
      }
      host.say('That gave no browser that starts.');
    } catch (error) {
      host.say(`That failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  host.say('No browser, and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.');
  return undefined;
}

/**
 * Returns the machine that runs this process.
 * @returns {Host}
 */
export function thisMachine() {
  return {
    env: process.env,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    playwrightPath: chromium.executablePath(),
    cache: fileURLToPath(new URL('../node_modules/.cache/brooklet-browser', import.meta.url)),
    isExecutable: (path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    },
    whyNotStarts: async (executablePath) => {
      try {
        // As the tests start it: `--version` succeeds with some browsers that do not start.
        const browser = await chromium.launch({ executablePath, args: launchArgs, timeout: 30_000 });
        try {
          const page = await browser.newPage();
          await page.evaluate('document.title');
        } finally {
          await browser.close();
        }
        return undefined;
      } catch (error) {
        return firstReason(String(error));
      }
    },
    run: (command, args, { timeout, cwd, env }) => {
      return new Promise((resolve, reject) => {
        process.stderr.write(`$ ${[command, ...args].join(' ')}\n`);
        const child = spawn(command, args, {
          // The output goes to stderr: stdout is for the result.
          stdio: ['ignore', 2, 2],
          env: { ...process.env, ...env },
          cwd,
          timeout,
        });
        child.once('error', reject);
        child.once('close', (code, signal) => {
          if (code === 0) resolve();
          else if (signal) reject(new Error(`${command} was stopped by ${signal}, after at most ${timeout / 1000} s`));
          else reject(new Error(`${command} exited with ${code}`));
        });
      });
    },
    remove: (folder) => rmSync(folder, { recursive: true, force: true }),
    writeExecutable: (path, text) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      chmodSync(path, 0o755);
    },
    say: (line) => void process.stderr.write(`browser: ${line}\n`),
  };
}

/**
 * Returns the cause of a failed launch: Playwright reports many lines, with the cause in the middle.
 * @param {string} report
 */
function firstReason(report) {
  const lines = report.split('\n').map((line) => line.trim());
  const cause = lines.find((line) =>
    /error while loading|cannot open|No such file|not found|requires|Permission/i.test(line),
  );
  return (cause ?? lines.find(Boolean) ?? 'no reason given').slice(0, 300);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const browser = await ensureBrowser(thisMachine());
  if (browser) process.stdout.write(`${browser.path}\n`);
  else process.exitCode = 1;
}
