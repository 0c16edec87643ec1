import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDeclarations } from '../../scripts/declarations.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'declarations-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Reads the surface of the first file. */
function read(files: Record<string, string>): ReturnType<typeof readDeclarations> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readDeclarations([{ name: 'entry', file: join(folder, Object.keys(files)[0] ?? '') }]);
}

/** What the entry exports: name and text. */
const shown = ({ surfaces }: ReturnType<typeof read>): unknown =>
  surfaces[0]?.exports.map(({ name, declared }) => [name, declared.declarations.map(({ text }) => text)]);

describe('the declarations of a package', () => {
  it('follows re-exports, renames and imports to the declaration, in the order of names', () => {
    const result = read({
      'index.d.ts': `export { b as z, type A } from './a.ts';\nexport declare const m: number;\n`,
      'a.d.ts': `import { b } from './b.js';\nexport interface A { a: 1 }\nexport { b };\n`,
      'b.d.ts': `export declare function b(): void;\n`,
    });

    expect(shown(result)).toEqual([
      ['A', ['export interface A { a: 1 }']],
      ['m', ['export declare const m: number;']],
      ['z', ['export declare function b(): void;']],
    ]);
  });

  it('takes all declarations of a name: overloads, and a value beside a type', () => {
    const result = read({
      'index.d.ts': `export declare function f(a: 1): 1;\nexport declare function f(a: 2): 2;\nexport type V = 1;\nexport declare const V: 1;\n`,
    });

    expect(shown(result)).toEqual([
      ['V', ['export type V = 1;', 'export declare const V: 1;']],
      ['f', ['export declare function f(a: 1): 1;', 'export declare function f(a: 2): 2;']],
    ]);
  });

  it('removes comments from the text, and keeps the docstring apart', () => {
    const { surfaces } = read({
      'index.d.ts': `/** Not its own. */\n\ndeclare const other: 1;\n/** Says what it is. */\nexport interface A {\n  /** inner */\n  a: '/* no comment */';\n}\n// a remark\nexport type B = typeof other;\n`,
    });
    const declarations = surfaces[0]?.exports.map(({ declared }) => declared.declarations[0]);

    expect(declarations).toMatchObject([
      { doc: 'Says what it is.', text: expect.not.stringContaining('inner') },
      { doc: '', text: 'export type B = typeof other;' },
    ]);
    expect(declarations?.[0]?.text).toContain('/* no comment */');
  });

  it('finds what exports mention and no entry exports, however far, and nothing of packages', () => {
    const result = read({
      'index.d.ts': `import type { Observable } from 'rxjs';\nimport type { Inner } from './inner.ts';\nexport declare class A extends Base<Inner> { readonly a$: Observable<string>; }\ndeclare class Base<T> { readonly Unrelated: T; }\n`,
      'inner.d.ts': `export interface Inner { readonly far: Far }\ninterface Far { readonly self: Far }\ninterface Unrelated {}\n`,
    });

    expect(result.mentioned.map(({ name }) => name)).toEqual(['Base', 'Far', 'Inner']);
  });

  it('refuses an export whose declaration is missing, and exports without names', () => {
    expect(() => read({ 'index.d.ts': `export { gone } from './gone.ts';\n`, 'gone.d.ts': '' })).toThrow('gone');
    expect(() => read({ 'index.d.ts': `export * from './all.ts';\n` })).toThrow('ExportAllDeclaration');
  });
});
