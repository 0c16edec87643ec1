import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Mutation } from './mutant.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** In this project, whose packages the tests import. */
const folders = join(root, 'test/testing/replay');

interface Pasted {
  /** The tests, and files beside them, by name. */
  readonly files: Readonly<Record<string, string>>;
  /** Changes of the sources of the package, which the files do not have. */
  readonly mutations?: readonly Mutation[];
}

interface Outcome {
  readonly hasFailed: boolean;
  readonly output: string;
}

/** Runs tests as they were pasted into a folder of this project, in a vitest of their own. */
export async function runPasted({ files, mutations = [] }: Pasted): Promise<Outcome> {
  const folder = await mkdtemp(join(folders, 'pasted-'));
  try {
    const all = { ...files, 'vitest.config.ts': configFor(folder, mutations) };
    await Promise.all(Object.entries(all).map(([name, text]) => writeFile(join(folder, name), text)));
    return await run(['run', '--reporter=verbose', '--config', join(folder, 'vitest.config.ts')]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The configuration of a project that tests against the sources of this package. */
function configFor(folder: string, mutations: readonly Mutation[]): string {
  const up = relative(folder, root);
  return `import { mutating } from '${up}/scripts/mutation.mjs';
import { alias } from '${up}/scripts/alias.mjs';
export default {
  root: ${JSON.stringify(root)},
  resolve: { alias },
  plugins: [mutating(${JSON.stringify(mutations)})],
  test: { include: ['${relative(root, folder)}/*.test.ts'] },
};`;
}

function run(options: readonly string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'node_modules/vitest/vitest.mjs'), ...options],
      { cwd: root, env: { ...process.env, NO_COLOR: '1' } },
      (error, stdout, stderr) => resolve({ hasFailed: error !== null, output: stdout + stderr }),
    );
  });
}
