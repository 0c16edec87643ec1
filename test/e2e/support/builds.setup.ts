import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the pages that the test files of this run have built. */
    readonly builds: string;
  }
}

/**
 * Creates the folder in which a run builds its pages. In watch mode a change empties it. Returns what removes it. `TEST_BUILDS` is a folder that
 * several runs share, of the same sources: it stays.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const { TEST_BUILDS: shared } = process.env;
  if (shared) return project.provide('builds', shared);
  const builds = await mkdtemp(join(tmpdir(), 'brooklet-builds-'));
  const remove = (): Promise<void> => rm(builds, { recursive: true, force: true });
  project.provide('builds', builds);
  project.onTestsRerun(async () => {
    await remove();
    await mkdir(builds);
  });
  return remove;
}
