// Finds the browsers of `npm run test:engines`, one for each engine: what is installed, and where.

import { execFileSync } from 'node:child_process';
import { accessSync, constants, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * `webkit` keeps its databases in memory, `webkit-disk` on the disk: two back ends of one engine.
 * @typedef {'chromium' | 'firefox' | 'webkit' | 'webkit-disk'} EngineName
 *
 * The programs that an engine needs, by their role.
 * @typedef {Readonly<Record<string, string>>} Programs
 *
 * The machine, as far as the search needs it.
 * @typedef {object} Machine
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {string} platform as in `process.platform`
 * @property {(path: string) => boolean} isExecutable
 * @property {(folder: string) => readonly string[]} list the names in a folder; none where the folder is missing
 * @property {(command: string, args: readonly string[]) => boolean} succeeds whether the command exits with 0
 *
 * @typedef {{ readonly name: EngineName, readonly programs: Programs, readonly missing: readonly string[] }} FoundEngine `missing`: roles without a program
 */

/** @type {readonly EngineName[]} */
export const engineNames = ['chromium', 'firefox', 'webkit', 'webkit-disk'];

/** The packages of Debian and Ubuntu that have all programs of an engine. @type {Readonly<Record<EngineName, readonly string[]>>} */
export const debianPackages = {
  chromium: ['chromium', 'fonts-liberation'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
  'webkit-disk': ['webkit2gtk-driver', 'xvfb', 'python3-gi', 'gir1.2-webkit2-4.1'],
};

/**
 * Returns each engine with the programs that this machine has.
 *
 * @param {Machine} [machine]
 * @returns {readonly FoundEngine[]}
 */
export const findEngines = (machine = thisMachine()) =>
  engineNames.map((name) => {
    /** @type {Record<string, string>} */
    const programs = {};
    /** @type {string[]} */
    const missing = [];
    for (const [role, path] of Object.entries(rolesOf(name, machine))) {
      if (path === undefined) missing.push(role);
      else programs[role] = path;
    }
    return { name, programs, missing };
  });

/**
 * @param {EngineName} name
 * @param {Machine} machine
 * @returns {Readonly<Record<string, string | undefined>>}
 */
function rolesOf(name, machine) {
  const { env, platform } = machine;
  switch (name) {
    case 'chromium':
      return {
        browser: env.CHROMIUM_PATH ?? onPath(machine, ['chromium', 'chromium-browser', 'google-chrome', 'chrome']),
      };
    case 'firefox': {
      const application = '/Applications/Firefox.app/Contents/MacOS/firefox';
      const system = platform === 'darwin' && machine.isExecutable(application) ? application : undefined;
      return { browser: env.FIREFOX_PATH ?? onPath(machine, ['firefox-esr', 'firefox']) ?? system };
    }
    case 'webkit':
      return { ...displayed(machine), browser: env.MINIBROWSER_PATH ?? findMiniBrowser(machine) };
    default: {
      // The bindings are a package of the system: a Python that was installed beside has none.
      const python = allOnPath(machine, ['python3']).find((path) => machine.succeeds(path, ['-c', bindings]));
      return { ...displayed(machine), [pythonRole]: python };
    }
  }
}

/** The role of the interpreter that shows WebKit with its databases on the disk. */
export const pythonRole = 'python3 with the bindings of WebKit2 4.1';

/** Loads what support/webkit-on-disk.py loads. */
const bindings = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')";

/** @param {Machine} machine */
const displayed = (machine) => ({
  WebKitWebDriver: onPath(machine, ['WebKitWebDriver']),
  Xvfb: onPath(machine, ['Xvfb']),
});

/** @param {Machine} machine */
function findMiniBrowser({ isExecutable, list }) {
  const folders = ['/usr/libexec', '/usr/lib', ...list('/usr/lib').map((name) => join('/usr/lib', name))];
  return folders.map((folder) => join(folder, 'webkit2gtk-4.1', 'MiniBrowser')).find(isExecutable);
}

/** @param {Machine} machine @param {readonly string[]} names */
const onPath = (machine, names) => allOnPath(machine, names)[0];

/**
 * @param {Machine} machine
 * @param {readonly string[]} names
 */
function allOnPath({ env, isExecutable }, names) {
  const folders = (env.PATH ?? '').split(':').filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => posix.join(folder, name))).filter(isExecutable);
}

/** @returns {Machine} */
function thisMachine() {
  return {
    env: process.env,
    platform: process.platform,
    isExecutable: (path) => succeeds(() => accessSync(path, constants.X_OK)),
    list: (folder) => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
    succeeds: (command, args) => succeeds(() => execFileSync(command, args, { stdio: 'ignore', timeout: 30_000 })),
  };
}

/** @param {() => unknown} act */
function succeeds(act) {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
