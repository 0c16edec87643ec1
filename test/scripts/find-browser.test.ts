import { describe, expect, it } from 'vitest';
import { ensureBrowser, findBrowser, findShell, type Host, listCandidates, ways } from '../../scripts/find-browser.mjs';

/** A machine with these files; a file that does not start has a reason. */
function machine(files: Record<string, 'starts' | { readonly trouble: string }>, changes: Partial<Host> = {}) {
  const said: string[] = [];
  const ran: string[] = [];
  const present = new Map(Object.entries(files));
  const host: Host = {
    env: { PATH: '/usr/local/bin:/usr/bin' },
    platform: 'linux',
    isRoot: false,
    playwrightPath: '/playwright/chrome',
    cache: '/cache',
    isExecutable: (path) => present.has(path),
    whyNotStarts: async (path) => {
      const file = present.get(path);
      return typeof file === 'object' ? file.trouble : undefined;
    },
    run: async (command, args) => {
      ran.push([command, ...args].join(' '));
      throw new Error(`${command} has no network`);
    },
    remove: () => {},
    writeExecutable: (path) => void present.set(path, 'starts'),
    say: (line) => void said.push(line),
    ...changes,
  };
  return { host, said, ran, present };
}

describe('finding a browser', () => {
  it('prefers CHROMIUM_PATH', async () => {
    const { host } = machine(
      { '/mine/chrome': 'starts', '/usr/bin/chromium': 'starts' },
      { env: { CHROMIUM_PATH: '/mine/chrome', PATH: '/usr/bin' } },
    );

    expect(await findBrowser(host)).toEqual({ path: '/mine/chrome', from: 'CHROMIUM_PATH' });
  });

  it('reports a CHROMIUM_PATH that does not exist, and continues', async () => {
    const { host, said } = machine(
      { '/usr/bin/chromium': 'starts' },
      { env: { CHROMIUM_PATH: '/mine/chrome', PATH: '/usr/bin' } },
    );

    expect(await findBrowser(host)).toEqual({ path: '/usr/bin/chromium', from: 'PATH' });
    expect(said).toEqual(['CHROMIUM_PATH is /mine/chrome, which is not there.']);
  });

  it('skips a browser that does not start, and reports the reason', async () => {
    const { host, said } = machine({
      '/usr/bin/chromium-browser': { trouble: 'it wants snap' },
      '/usr/bin/google-chrome': 'starts',
    });

    expect(await findBrowser(host)).toEqual({ path: '/usr/bin/google-chrome', from: 'PATH' });
    expect(said).toEqual(['/usr/bin/chromium-browser (PATH) does not start: it wants snap']);
  });

  it("uses Playwright's browser if the system has none, then a browser that it installed before", async () => {
    const both = machine({ '/playwright/chrome': 'starts', '/cache/unpacked/chromium': 'starts' });
    const cached = machine({ '/cache/unpacked/chromium': 'starts' });

    expect(await findBrowser(both.host)).toEqual({ path: '/playwright/chrome', from: 'Playwright' });
    expect((await findBrowser(cached.host))?.path).toBe('/cache/unpacked/chromium');
  });

  it('searches the usual folders of macOS and Windows', () => {
    const pathsOn = (changes: Partial<Host>): readonly string[] =>
      listCandidates(machine({}, changes).host).map(({ path }) => path);

    expect(pathsOn({ platform: 'darwin' })).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect(pathsOn({ platform: 'win32', env: { Path: 'C:\\bin', PROGRAMFILES: 'C:\\Program Files' } })).toEqual(
      expect.arrayContaining([
        'C:\\bin\\chrome.exe',
        'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
        'C:\\Program Files\\Microsoft\\Edge\\Application\\msedge.exe',
      ]),
    );
  });
});

describe('finding the shell of Chromium', () => {
  const playwrightPath = '/cache/chromium-1255/chrome-linux64/chrome';
  const ofPlaywright = '/cache/chromium_headless_shell-1255/chrome-headless-shell-linux64/chrome-headless-shell';

  it("finds the system's, then Playwright's", async () => {
    const both = machine(
      { '/usr/bin/chromium-headless-shell': 'starts', [ofPlaywright]: 'starts' },
      { playwrightPath },
    );
    const one = machine({ [ofPlaywright]: 'starts' }, { playwrightPath });

    expect((await findShell(both.host))?.path).toBe('/usr/bin/chromium-headless-shell');
    expect((await findShell(one.host))?.path).toBe(ofPlaywright);
  });

  it('leaves every test to the browser that CHROMIUM_PATH names', async () => {
    const files = { '/mine/chrome': 'starts', '/usr/bin/chromium-headless-shell': 'starts' } as const;
    const { host } = machine(files, { env: { CHROMIUM_PATH: '/mine/chrome', PATH: '/usr/bin' } });
    const named = { CHROMIUM_PATH: '/mine/chrome', CHROMIUM_SHELL_PATH: '/usr/bin/chromium-headless-shell' };

    expect(await findShell(host)).toBeUndefined();
    expect((await findShell({ ...host, env: named }))?.path).toBe('/usr/bin/chromium-headless-shell');
  });

  it('returns nothing where there is none, or none that starts', async () => {
    const { host, said } = machine({ '/usr/bin/chromium-headless-shell': { trouble: 'a library is missing' } });

    expect(await findShell(machine({ '/usr/bin/chromium': 'starts' }).host)).toBeUndefined();
    expect(await findShell(host)).toBeUndefined();
    expect(said).toEqual(['/usr/bin/chromium-headless-shell (PATH) does not start: a library is missing']);
  });
});

describe('installing a browser', () => {
  it('installs nothing if a browser exists', async () => {
    const { host, ran } = machine({ '/usr/bin/chromium': 'starts' });

    await ensureBrowser(host);

    expect(ran).toEqual([]);
  });

  it("uses Playwright's download first", async () => {
    const { host, present } = machine({});
    const run: Host['run'] = async () => void present.set('/playwright/chrome', 'starts');

    expect(await ensureBrowser({ ...host, run })).toEqual({
      path: '/playwright/chrome',
      from: "Playwright's own download",
    });
  });

  it("uses the system's package manager as root if the download fails or does not start", async () => {
    const { host, present, said } = machine({ '/usr/bin/apt-get': 'starts' }, { isRoot: true });
    const run: Host['run'] = async (command, args) => {
      if (command === process.execPath) present.set('/playwright/chrome', { trouble: 'libnss3.so is missing' });
      if (command === 'apt-get' && args[0] === 'install') present.set('/usr/bin/chromium', 'starts');
    };

    expect(await ensureBrowser({ ...host, run })).toEqual({
      path: '/usr/bin/chromium',
      from: "the system's package manager (apt-get)",
    });
    expect(said).toContain('/playwright/chrome does not start: libnss3.so is missing');
  });

  it('installs the shell, too, and goes on where the system has no package for it', async () => {
    const { host, present, ran } = machine({ '/usr/bin/apt-get': 'starts' }, { isRoot: true });
    const run: Host['run'] = async (command, args) => {
      ran.push(args.join(' '));
      if (command === process.execPath) throw new Error('no network');
      if (args.includes('chromium-headless-shell')) throw new Error('Unable to locate package');
      if (args.includes('chromium')) present.set('/usr/bin/chromium', 'starts');
    };

    expect((await ensureBrowser({ ...host, run }))?.path).toBe('/usr/bin/chromium');
    expect(ran.at(-1)).toBe('install -y --no-install-recommends chromium-headless-shell');
  });

  it('uses the npm package without root, alone or with its libraries', async () => {
    const { host, present, said } = machine({ '/usr/bin/apt-get': 'starts' });
    const run: Host['run'] = async (command, args) => {
      if (command === process.execPath && !args.includes('--eval')) throw new Error('no network');
      if (args.includes('--eval')) present.set('/cache/unpacked/chromium', { trouble: 'libnss3.so is missing' });
    };

    expect((await ensureBrowser({ ...host, run }))?.path).toBe('/cache/unpacked/chromium-with-libraries');
    expect(said).toContain("Not by the system's package manager (apt-get): it needs root.");
    expect(said).toContain("Not by the system's package manager (dnf): there is no dnf.");
  });

  it('gives up after every method, and reports what to do', async () => {
    const { host, said, ran } = machine({ '/usr/bin/apk': 'starts' }, { isRoot: true });

    expect(await ensureBrowser(host)).toBeUndefined();
    expect(ran).toHaveLength(3);
    expect(said.at(-1)).toBe(
      'No browser, and none could be installed. Install Chromium or Chrome, or set CHROMIUM_PATH to one.',
    );
  });

  it('uses a Linux-only method on Linux only', () => {
    const { host } = machine({ '/usr/bin/apt-get': 'starts' }, { isRoot: true, platform: 'darwin' });

    expect(ways.filter((way) => way.whyNot(host) === undefined).map(({ name }) => name)).toEqual([
      "Playwright's own download",
    ]);
  });
});
