// The order of the test files: one project after the other, and in each the longest first, so that no worker ends long before the others.

import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { estimate } from './progress.mjs';

/** @typedef {import('vitest/node').TestSpecification} TestSpecification */

export class LongestFirst extends BaseSequencer {
  /**
   * Vitest keeps a worker with its modules only where the next file is of the same project. The projects that start a process for each file
   * are first, since some of these files wait for most of their time.
   *
   * @override
   * @param {TestSpecification[]} files
   */
  sort(files) {
    const { root } = this.ctx.config;
    const lengthOf = (/** @type {TestSpecification} */ { moduleId }) => estimate(relative(root, moduleId));
    const names = this.ctx.projects
      .toSorted((one, other) => Number(other.config.isolate) - Number(one.config.isolate))
      .map(({ name }) => name);
    const placeOf = (/** @type {TestSpecification} */ { project }) => names.indexOf(project.name);
    return Promise.resolve(
      files.toSorted((one, other) => placeOf(one) - placeOf(other) || lengthOf(other) - lengthOf(one)),
    );
  }
}
