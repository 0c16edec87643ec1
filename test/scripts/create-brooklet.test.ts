import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../create-brooklet/index.js', import.meta.url));
function readVersion(path: string): string {
  const { version }: { version: string } = JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
  return version;
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'create-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args, '--package', fileURLToPath(import.meta.url)], {
    cwd: folder,
    encoding: 'utf8',
  });

describe('create-brooklet', () => {
  it('creates the React template in a folder of its own, and prints the next steps', () => {
    const { status, stdout } = create('My Chat');
    const manifest = JSON.parse(readFileSync(join(folder, 'My Chat/package.json'), 'utf8'));

    expect(status).toBe(0);
    expect(stdout).toContain('npm install');
    expect(manifest).toMatchObject({
      name: 'my-chat',
      dependencies: { brooklet: `file:${fileURLToPath(import.meta.url)}`, react: expect.anything() },
    });
    expect(existsSync(join(folder, 'My Chat/.gitignore'))).toBe(true);
  });

  it.each([
    ['react', 'src/App.tsx'],
    ['plain', 'src/main.ts'],
    ['next', 'app/page.tsx'],
  ])('creates the template %s, which has %s', (template, file) => {
    expect(create('.', '--template', template).status).toBe(0);
    expect(existsSync(join(folder, file))).toBe(true);
    expect(existsSync(join(folder, 'src/client.ts'))).toBe(true);
  });

  it.each([
    ['react', 'index.html', '<link rel="icon" href="data:,"'],
    ['plain', 'index.html', '<link rel="icon" href="data:,"'],
    ['next', 'app/layout.tsx', "icons: { icon: 'data:,' }"],
  ])('names an icon in the template %s: the console of a new project has no error', (template, file, icon) => {
    expect(create('.', '--template', template).status).toBe(0);
    expect(readFileSync(join(folder, file), 'utf8')).toContain(icon);
  });

  it('changes nothing in a folder that has files', () => {
    mkdirSync(join(folder, 'chat'));
    writeFileSync(join(folder, 'chat/mine.txt'), '');
    const { status, stderr } = create('chat');

    expect(status).toBe(1);
    expect(stderr).toContain('is not empty');
    expect(existsSync(join(folder, 'chat/package.json'))).toBe(false);
  });

  it('depends on the published version where it is installed, and on a packed file in a clone', () => {
    const clone = fileURLToPath(new URL('../../create-brooklet', import.meta.url));
    cpSync(clone, join(folder, 'installed'), { recursive: true });
    const run = (from: string, ...args: string[]) =>
      spawnSync(process.execPath, [join(from, 'index.js'), ...args], { cwd: folder, encoding: 'utf8' });
    expect(run('installed', 'mine').status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'mine/package.json'), 'utf8'))).toMatchObject({
      dependencies: { brooklet: '^0.1.0' },
    });

    mkdirSync(join(folder, 'clone/.git'), { recursive: true });
    cpSync(clone, join(folder, 'clone/create-brooklet'), { recursive: true });
    const refused = run('clone/create-brooklet', 'theirs');
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('npm pack')]);
    expect(existsSync(join(folder, 'theirs'))).toBe(false);
    writeFileSync(join(folder, 'clone/brooklet-0.1.0.tgz'), '');
    expect(run('clone/create-brooklet', 'theirs').status).toBe(0);
    expect(readFileSync(join(folder, 'theirs/package.json'), 'utf8')).toContain('clone/brooklet-0.1.0.tgz"');
  });

  it('lists the templates when there is no such one', () => {
    const { status, stderr } = create('chat', '--template', 'vue');
    expect(status).toBe(1);
    expect(stderr).toContain('There is no template "vue".');
    expect(stderr).toContain('react|plain|next');
  });

  it('has the version of the package, which the templates depend on', () => {
    expect(readVersion('../../create-brooklet/package.json')).toBe(readVersion('../../package.json'));
  });
});
