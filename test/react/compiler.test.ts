import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compile } from '../../scripts/react-compiler.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the compiler did with the files of a folder: the number of functions that it compiled, and those that it left as they are. */
async function compileAll(folder: string) {
  const names = await readdir(root + folder, { recursive: true });
  const results = await Promise.all(
    names
      .filter((name) => /\.tsx?$/u.test(name))
      .map(async (name) => {
        const file = `${root}${folder}/${name}`;
        return { name, ...(await compile(await readFile(file, 'utf8'), file)) };
      }),
  );
  return {
    compiled: results.reduce((sum, { compiled }) => sum + compiled.length, 0),
    left: results.flatMap(({ name, left }) => left.map((reason) => `${name}, line ${reason}`)).toSorted(),
  };
}

describe('React Compiler', () => {
  it('compiles every hook and component of the package but the two that read which sessions are in memory', async () => {
    const { compiled, left } = await compileAll('src/react');
    expect(left).toEqual([
      expect.stringMatching(/^useSession\.ts, .* Skipped due to .* directive/u),
      expect.stringMatching(/^useSuspenseSession\.ts, .* Skipped due to .* directive/u),
    ]);
    expect(compiled).toBeGreaterThan(15);
  });

  it('compiles every component and hook of the parts of a chat', async () => {
    const { compiled, left } = await compileAll('src/ui');
    expect(left).toEqual([
      // Which sessions are in memory is not a state of React.
      expect.stringMatching(/^call\/ChildSession\.tsx, .* Skipped due to .* directive/u),
      // What is typed stays in its field: the fields of the page get a function that reads it later.
      expect.stringMatching(/^key\/KeyForm\.tsx, .* Cannot access refs during render/u),
    ]);
    expect(compiled).toBeGreaterThan(60);
  });

  it('compiles every component of Studio but the virtual list', { timeout: 240_000 }, async () => {
    const { compiled, left } = await compileAll('demo/src');
    expect(left).toEqual([
      // The virtual list has functions that change.
      expect.stringMatching(/^conversation\/VirtualRows\.tsx, .* incompatible library/u),
    ]);
    expect(compiled).toBeGreaterThan(200);
  });

  // The compiler keeps an object that does not change, with the call of the hook in it: the second rendering would leave the hook out.
  it.each(['src/react', 'src/ui', 'demo/src'])(
    'finds no hook that is called within an object in %s',
    async (folder) => {
      const names = (await readdir(root + folder, { recursive: true })).filter((name) => /\.tsx?$/u.test(name));
      const found = await Promise.all(
        names.map(async (name) =>
          (await readFile(`${root}${folder}/${name}`, 'utf8'))
            .split('\n')
            .filter((line) => /^\s*\w+: use[A-Z]\w*[(<]/u.test(line)),
        ),
      );
      expect(found.flat()).toEqual([]);
    },
  );

  it('names a function that it leaves as it is', async () => {
    const { compiled, left } = await compile(
      'export function useIt() { const [one] = useState(1); try { return one; } finally { one.toString(); } }',
      'useIt.ts',
    );
    expect(compiled).toEqual([]);
    expect(left).toEqual([expect.stringContaining('TryStatement')]);
  });
});
