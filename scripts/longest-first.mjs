// The order of the test files: the longest first, so that no worker ends long before the others.

import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { estimate } from './progress.mjs';

export class LongestFirst extends BaseSequencer {
  /** @override @param {import('vitest/node').TestSpecification[]} files */
  sort(files) {
    const { root } = this.ctx.config;
    const lengthOf = (/** @type {import('vitest/node').TestSpecification} */ { moduleId }) =>
      estimate(relative(root, moduleId));
    return Promise.resolve(files.toSorted((one, other) => lengthOf(other) - lengthOf(one)));
  }
}
