import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { expect, test } from 'vitest';

const storage = fileURLToPath(new URL('../../src/storage/index.ts', import.meta.url));
const sample = fileURLToPath(new URL('./raw.ts', import.meta.url));

/** A script that uses a store in every way that opens something, and never closes it. */
const script = `
  import 'fake-indexeddb/auto';
  import { createIndexedDBStore } from '${storage}';
  import { writeOf } from '${sample}';
  const store = createIndexedDBStore({ name: 'left-open' });
  store.changes$.subscribe((id) => console.log('changed', id));
  await store.write(writeOf('a', 0, 1, 2));
  await store.remove('a');
  await store.restore('a');
  const { sessions } = await store.list({ search: 'a' });
  await store.meta.update('key', () => 1);
  console.log('listed', sessions.length);
`;

test('a Node process ends by itself although its store was not closed', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'brooklet-'));
  try {
    await build({
      configFile: false,
      logLevel: 'warn',
      resolve: { alias: { 'brooklet/core': fileURLToPath(new URL('../../src/core/model/index.ts', import.meta.url)) } },
      plugins: [
        {
          name: 'script',
          resolveId: (id) => (id === 'script' ? id : undefined),
          load: (id) => (id === 'script' ? script : undefined),
        },
      ],
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir,
        emptyOutDir: true,
        rolldownOptions: { input: 'script', output: { entryFileNames: 'script.mjs' } },
      },
    });
    // Killed after the time-out, which rejects: the process has to end by itself.
    const { stdout } = await promisify(execFile)(process.execPath, [join(outDir, 'script.mjs')], { timeout: 20_000 });
    expect(stdout).toContain('listed 1');
  } finally {
    await rm(outDir, { recursive: true });
  }
}, 40_000);
