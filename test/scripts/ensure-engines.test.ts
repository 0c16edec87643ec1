import { describe, expect, it } from 'vitest';
import { ensureEngines } from '../../scripts/ensure-engines.mjs';
import { findEngines } from '../../scripts/find-engines.mjs';

/** A Debian whose `apt-get install` adds the programs of the packages that the feed has. */
function debian({ isRoot = true, installed = ['/usr/bin/chromium'], feed = [] as readonly string[] } = {}) {
  const files = new Set(['/usr/bin/apt-get', ...installed]);
  const said: string[] = [];
  const ran: string[] = [];
  const contents: Readonly<Record<string, readonly string[]>> = {
    'firefox-esr': ['/usr/bin/firefox-esr'],
    'webkit2gtk-driver': ['/usr/bin/WebKitWebDriver', '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser'],
    xvfb: ['/usr/bin/Xvfb'],
    'gir1.2-webkit2-4.1': ['/usr/bin/python3'],
  };
  const env = { PATH: '/usr/local/bin:/usr/bin' };
  const isExecutable = (path: string): boolean => files.has(path);
  const host = {
    env,
    isRoot,
    isExecutable,
    say: (line: string) => void said.push(line),
    run: async (command: string, args: readonly string[]) => {
      ran.push([command, ...args].join(' '));
      for (const name of args) if (feed.includes(name)) for (const file of contents[name] ?? []) files.add(file);
    },
  };
  const list = (folder: string): readonly string[] => (folder === '/usr/lib' ? ['x86_64-linux-gnu'] : []);
  const succeeds = (command: string): boolean => files.has(command) && command !== '/usr/local/bin/python3';
  const find = () => findEngines({ env, platform: 'linux', isExecutable, list, succeeds });
  return { said, ran, ensure: () => ensureEngines({ host, find }) };
}

const all = ['firefox-esr', 'webkit2gtk-driver', 'xvfb', 'gir1.2-webkit2-4.1'];

describe('the engines of a machine', () => {
  it('are installed by apt-get, as root', async () => {
    const { ensure, ran, said } = debian({ feed: all });
    expect(await ensure()).toEqual(['chromium', 'firefox', 'webkit', 'webkit-disk']);
    expect(ran).toEqual([
      'apt-get update',
      'apt-get install -y --no-install-recommends firefox-esr webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1',
    ]);
    expect(said).toEqual([]);
  });

  it('are named in a line each, with what is missing, where they cannot be installed', async () => {
    const { ensure, ran, said } = debian({ isRoot: false, installed: ['/usr/bin/chromium', '/usr/bin/Xvfb'] });
    expect(await ensure()).toEqual(['chromium']);
    expect(ran).toEqual([]);
    expect(said).toEqual([
      'firefox is not run, browser missing: as root, apt-get install firefox-esr (Debian, Ubuntu)',
      'webkit is not run, WebKitWebDriver, browser missing: as root, apt-get install webkit2gtk-driver xvfb (Debian, Ubuntu)',
      'webkit-disk is not run, WebKitWebDriver, python3 with the bindings of WebKit2 4.1 missing: as root, apt-get install webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1 (Debian, Ubuntu)',
    ]);
  });

  it('include only what the packages brought', async () => {
    const { ensure, said } = debian({ feed: ['firefox-esr'] });
    expect(await ensure()).toEqual(['chromium', 'firefox']);
    expect(said).toHaveLength(2);
  });

  it('take the Python that has the bindings, not the first one', async () => {
    const { ensure } = debian({ feed: all, installed: ['/usr/bin/chromium', '/usr/local/bin/python3'] });
    expect(await ensure()).toContain('webkit-disk');
  });
});
