import { describe, expect, it } from 'vitest';
import type { Host } from '../../scripts/find-browser.mjs';
import { ensureNats, findNats } from '../../scripts/find-nats.mjs';

/** A machine with these programs, where `apt-get` installs nats-server if it may. */
function machine(programs: readonly string[], changes: Partial<Host> = {}) {
  const present = new Set(programs);
  const said: string[] = [];
  const ran: string[] = [];
  const host: Host = {
    env: { PATH: '/usr/bin' },
    platform: 'linux',
    isRoot: true,
    playwrightPath: '',
    cache: '',
    isExecutable: (path) => present.has(path),
    whyNotStarts: async () => undefined,
    run: async (command, args) => {
      ran.push([command, ...args].join(' '));
      if (args.includes('nats-server')) present.add('/usr/sbin/nats-server');
    },
    remove: () => {},
    writeExecutable: () => {},
    say: (line) => void said.push(line),
    ...changes,
  };
  return { host, said, ran };
}

describe('finding nats-server', () => {
  it('prefers NATS_SERVER, then PATH, then the folders of system programs', () => {
    const programs = ['/mine/nats', '/usr/bin/nats-server', '/usr/sbin/nats-server'];
    const { host } = machine(programs, { env: { NATS_SERVER: '/mine/nats', PATH: '/usr/bin' } });
    expect(findNats(host)).toBe('/mine/nats');
    expect(findNats(machine(programs).host)).toBe('/usr/bin/nats-server');
    expect(findNats(machine(programs.slice(2)).host)).toBe('/usr/sbin/nats-server');
    expect(findNats(machine([]).host)).toBeUndefined();
  });

  it('installs it where it may', async () => {
    const { host, ran } = machine(['/usr/bin/apt-get']);
    expect(await ensureNats(host)).toBe('/usr/sbin/nats-server');
    expect(ran).toEqual(['apt-get update', 'apt-get install -y --no-install-recommends nats-server']);
  });

  it('installs nothing without root, without apt-get, and where there is a server', async () => {
    for (const { host, ran } of [
      machine(['/usr/bin/apt-get'], { isRoot: false }),
      machine([]),
      machine(['/usr/bin/apt-get', '/usr/sbin/nats-server']),
    ]) {
      await ensureNats(host);
      expect(ran).toEqual([]);
    }
  });

  it('reports an installation that fails', async () => {
    const { host, said } = machine(['/usr/bin/apt-get'], {
      run: async () => {
        throw new Error('apt-get has no network');
      },
    });
    expect(await ensureNats(host)).toBeUndefined();
    expect(said.join()).toContain('apt-get has no network');
  });
});
