import { describe, expect, it } from 'vitest';
import { createGraph } from '../../scripts/graph.mjs';

const files: Readonly<Record<string, string>> = {
  'vite.config.ts': `import { alias } from './scripts/alias.mjs';\nexport default { alias, page: 'src/index.ts' };`,
  'scripts/alias.mjs': `export const alias = ['src/storage/index.ts'];`,
  'src/index.ts': `export { a } from './a.ts';`,
  'src/a.ts': `import type { B } from './b.ts';\nexport const a = (): Promise<unknown> => import('./lazy.ts');`,
  'src/b.ts': `export type B = string;`,
  'src/lazy.ts': `export {};`,
  'src/storage/index.ts': `export {};`,
  'src/viewer/main.tsx': `export const page = <p>viewer</p>;`,
  'src/devtools/drawer/main.tsx': `export {};`,
  'src/review/html/viewer.ts': `export { script } from 'virtual:brooklet-viewer';`,
  'demo/index.html': `<script type="module" src="/src/main.ts"></script><link href="/style.css" />`,
  'demo/src/main.ts': `import 'brooklet';`,
  'demo/style.css': `@import './more.css';`,
  'demo/more.css': ``,
  'test/page/index.html': `<script src="main.ts"></script>`,
  'test/page/main.ts': `import 'brooklet/storage';`,
  'test/page.test.ts': `const page = new URL('./page', import.meta.url);`,
  'test/studio.test.ts': 'const page = `${root}/demo/index.html`;',
  'test/served.test.ts': `serve({ configFile: 'vite.config.ts' });`,
  'test/mock.test.ts': `replace('../src/lazy.ts');`,
  'test/lister.test.ts': `readdirSync(new URL('../src', import.meta.url)); new URL('..', import.meta.url);`,
  'test/words.test.ts': `say('demo', 'a/b', 'src', 'no.such', './nothing.ts');`,
};
const graph = createGraph(Object.keys(files), (file) => files[file]);
const needsOf = (file: string): readonly string[] => [...graph.reach([file])].filter((one) => one !== file).toSorted();

describe('a file needs', () => {
  it('what it imports: types, on demand, by the name of the package', () => {
    expect(needsOf('demo/src/main.ts')).toEqual(['src/a.ts', 'src/b.ts', 'src/index.ts', 'src/lazy.ts']);
  });

  it('a page that it names by its folder or file, with scripts and styles', () => {
    expect(needsOf('test/page.test.ts')).toEqual(['src/storage/index.ts', 'test/page/index.html', 'test/page/main.ts']);
    expect(needsOf('test/studio.test.ts')).toEqual(
      expect.arrayContaining(['demo/index.html', 'demo/src/main.ts', 'demo/style.css', 'demo/more.css', 'src/a.ts']),
    );
  });

  it('Studio, where it builds with the configuration', () => {
    expect(needsOf('test/served.test.ts')).toEqual(
      expect.arrayContaining(['vite.config.ts', 'demo/src/main.ts', 'src/a.ts']),
    );
  });

  it('a module that it replaces, and what a virtual module is made of', () => {
    expect(needsOf('test/mock.test.ts')).toEqual(['src/lazy.ts']);
    expect(needsOf('src/review/html/viewer.ts')).toEqual(['src/viewer/main.tsx']);
  });

  it('nothing for a word, or a folder that it lists', () => {
    expect(needsOf('test/words.test.ts')).toEqual([]);
    expect(needsOf('test/lister.test.ts')).toEqual([]);
  });
});

it('the configuration is what it imports, and names nothing', () => {
  expect([...graph.configuration]).toEqual(['vite.config.ts', 'scripts/alias.mjs']);
  expect(needsOf('scripts/alias.mjs')).toEqual([]);
});
