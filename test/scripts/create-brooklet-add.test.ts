import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { root } from '../../scripts/manifest.mjs';

const script = fileURLToPath(new URL('../../create-brooklet/index.js', import.meta.url));
const manifest: { readonly exports: Readonly<Record<string, unknown>> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);
/** What a copied file may import: public names of the package, and what its users have. */
const known = new Set([
  ...Object.keys(manifest.exports).map((path) => posix.join('brooklet', path)),
  'react',
  'marked',
]);
/** The parts of `brooklet/ui`, as its index names them. */
const index = readFileSync(join(root, 'src/ui/index.ts'), 'utf8');
const parts = [...index.matchAll(/^export \{([^}]*)\} from/gmu)].flatMap(([, names = '']) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ')),
);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'add-'));
  mkdirSync(join(folder, 'src'));
  write('package.json', JSON.stringify({ dependencies: { react: '*', brooklet: '*', marked: '*' } }));
  link('react', join(root, 'node_modules/react'));
  link('brooklet', root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
function link(name: string, to: string): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(to, join(folder, 'node_modules', name), 'junction');
}
const add = (...args: string[]) =>
  spawnSync(process.execPath, [script, 'add', ...args], { cwd: folder, encoding: 'utf8' });
const listAll = (path: string): readonly string[] =>
  readdirSync(join(folder, path), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => posix.relative(join(folder, path), join(entry.parentPath, entry.name)))
    .toSorted();

/** What a copied file imports. */
const importsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?:\bfrom|\bimport\(|^import) ?'([^']+)'/gmu), ([, path = '']) => path);

describe('npx create-brooklet add', () => {
  it('lists the parts that brooklet/ui exports, each with what it is', () => {
    const { status, stdout } = add('--list');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => line.trim().split(/\s+/u)[0])).toEqual(parts);
    for (const line of lines) expect(line.trim()).toMatch(/^\w+\s+\S.*\.$/u);
  });

  it('copies every part with all that it imports, by names that a user of the package has', () => {
    const { status, stderr } = add('--all', '--to', 'src/chat');
    expect([status, stderr]).toEqual([0, '']);
    const files = listAll('src/chat');
    expect(files).toContain('style.css');
    for (const file of files.filter((one) => !one.endsWith('.css')))
      for (const path of importsOf(read(join('src/chat', file)))) {
        if (!path.startsWith('.')) expect(known, `${file} imports ${path}`).toContain(path);
        else {
          const target = posix.join(posix.dirname(file), path);
          expect(
            files.filter((one) => one === `${target}.ts` || one === `${target}.tsx`),
            `${file} imports ${path}`,
          ).toHaveLength(1);
        }
      }
  });

  it('copies no more than a part needs, and accepts its name in any spelling', () => {
    expect(add('code-block').status).toBe(0);
    const files = listAll('src/components/brooklet');
    expect(files).toContain('markdown/CodeBlock.tsx');
    // The types of props name each other.
    const others = files.filter((file) => file.startsWith('thread/') || file.startsWith('call/'));
    expect(others.filter((file) => !file.endsWith('/props.ts'))).toEqual([]);
    expect(files).not.toContain('Chat.tsx');
  });

  it('marks what a server component may import', () => {
    add('versions');
    expect(read('src/components/brooklet/thread/Versions.tsx')).toMatch(/^'use client';\n\nimport/u);
    expect(read('src/components/brooklet/base/Icon.tsx')).toMatch(/^import/u);
  });

  it('is in a file as it is in the package, but for its imports and its first line', () => {
    add('diff');
    const withoutPaths = (text: string): string =>
      text.replaceAll(/from '[^']+'/gu, 'from').replace("'use client';\n\n", '');
    expect(withoutPaths(read('src/components/brooklet/call/Diff.tsx'))).toBe(
      withoutPaths(readFileSync(join(root, 'src/ui/call/Diff.tsx'), 'utf8')),
    );
  });

  it('keeps a file that was changed, shows the difference, and replaces it with --force', () => {
    add('diff');
    const path = 'src/components/brooklet/call/limits.ts';
    const original = read(path);
    const own = original.replace('maxDiffLines = 1_000', 'maxDiffLines = 5');
    write(path, own);
    rmSync(join(folder, 'src/components/brooklet/call/Diff.tsx'));

    const { status, stdout } = add('diff');
    expect(status).toBe(0);
    expect(read(path)).toBe(own);
    expect(stdout).toContain('- export const maxDiffLines = 5;');
    expect(stdout).toContain('+ export const maxDiffLines = 1_000;');
    expect(stdout).toContain('kept: yours differs');
    expect(listAll('src/components/brooklet')).toContain('call/Diff.tsx');

    expect(add('diff', '--force').stdout).toContain('overwritten');
    expect(read(path)).toBe(original);
  });

  it('takes other ends of lines for no difference', () => {
    add('diff');
    const path = 'src/components/brooklet/call/limits.ts';
    write(path, read(path).replaceAll('\n', '\r\n'));
    expect(add('diff').stdout).not.toContain('kept');
  });

  it('writes nothing with --dry', () => {
    const { status, stdout } = add('chat', '--dry');
    expect(status).toBe(0);
    expect(stdout).toContain(`${join('src/components/brooklet', 'Chat.tsx')} (would copy)`);
    expect(listAll('src')).toEqual([]);
  });

  it('writes nothing where one of several names is unknown, and suggests what was meant', () => {
    const { status, stderr } = add('composer', 'thraed', 'form', 'zzz');
    expect(status).toBe(1);
    expect(stderr).toContain('There is no part "thraed". Did you mean Thread?');
    expect(stderr).toContain('There is no part "form". Did you mean');
    expect(stderr).toContain('SchemaForm');
    expect(stderr).toContain('There is no part "zzz". --list names all.');
    expect(listAll('src')).toEqual([]);
  });

  it('writes nothing where a folder stands in the place of a file', () => {
    mkdirSync(join(folder, 'src/components/brooklet/call/props.ts'), { recursive: true });
    const { status, stderr } = add('diff');
    expect(status).toBe(1);
    expect(stderr).toContain('call/props.ts exists and is not a file.');
    expect(listAll('src')).toEqual([]);
  });

  it('names the parts where none is named', () => {
    const { status, stderr } = add();
    expect(status).toBe(1);
    expect(stderr).toContain('Name the parts to copy.');
    expect(stderr).toContain('Composer');
  });

  it.each([
    [['add', 'diff', '--to'], '--to'],
    [['add', 'diff', '--into', 'src'], '--into'],
    [['add', 'diff', '--imports', 'jsx'], '--imports is none, js, ts, not jsx.'],
  ])('refuses %j', ([, ...args], said) => {
    const { status, stderr } = add(...args);
    expect(status).toBe(1);
    expect(stderr).toContain(said);
    expect(listAll('src')).toEqual([]);
  });

  it.each([
    ['js', 'nodenext', [], './useLabels.js'],
    ['none', 'bundler', [], './useLabels'],
    ['ts', 'bundler', ['--imports', 'ts'], './useLabels.ts'],
  ])('ends imports as the project resolves them: %s', (_, module, args, expected) => {
    write('tsconfig.json', `{\n  // modules\n  "compilerOptions": { "moduleResolution": "${module}" }\n}`);
    add('chinese', 'diff', ...args);
    const paths = importsOf(read('src/components/brooklet/call/Diff.tsx'));
    expect(paths).toContain(`../labels/${expected.slice(2)}`);
  });

  it('names the packages that the project lacks, by the command of its package manager', () => {
    write('package.json', JSON.stringify({ dependencies: { react: '*', brooklet: '*' } }));
    write('pnpm-lock.yaml', '');
    expect(add('markdown').stdout).toMatch(/pnpm add marked@\^\d+/u);
    expect(add('diff', '--to', 'other').stdout).not.toContain('pnpm');
  });

  it.each([
    ['react', 'This project has no React, which the parts need: npm install react react-dom'],
    ['brooklet', 'This project has no brooklet, of which the parts are. Install it first'],
  ])('says what a project without %s needs', (name, sentence) => {
    rmSync(join(folder, 'node_modules', name));
    const { status, stderr } = add('diff');
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
    expect(listAll('src')).toEqual([]);
  });

  it('says that an old React or an old brooklet has not what the parts need', () => {
    rmSync(join(folder, 'node_modules/react'));
    write('node_modules/react/package.json', JSON.stringify({ name: 'react', version: '17.0.2' }));
    expect(add('diff').stderr).toContain('The parts need React 18 or later, and this is 17.0.2.');
    write('node_modules/react/package.json', JSON.stringify({ name: 'react', version: '19.0.0' }));
    rmSync(join(folder, 'node_modules/brooklet'));
    write('node_modules/brooklet/package.json', JSON.stringify({ name: 'brooklet', version: '0.0.1' }));
    expect(add('diff').stderr).toContain('brooklet 0.0.1 has no parts to copy. Install a later version.');
  });

  it('says where it has to run', () => {
    rmSync(join(folder, 'package.json'));
    expect(add('diff').stderr).toContain('There is no package.json in');
  });
});
