import { fast } from './work/fast.mjs';
import { steady } from './work/steady.mjs';
import { firstText } from './work/first-text.mjs';
import { toolInput } from './work/tool-input.mjs';
import { stop } from './work/stop.mjs';
import { heap } from './work/heap.mjs';
import { size } from './work/size.mjs';
import { storage } from './work/storage.mjs';
import { opening } from './work/opening.mjs';
import { core } from './work/core.mjs';
import { many } from './work/many.mjs';
import { request } from './work/request.mjs';
import { encrypted } from './work/encrypted.mjs';

/**
 * One figure of one side, e.g. `{ busy: 12.3, commits: 40 }`.
 * @typedef {Record<string, number>} Sample
 */

/**
 * A task that every side performs, one after the other.
 *
 * @typedef {object} Case
 * @property {string} id e.g. `A 2000`
 * @property {string} label for the table
 * @property {readonly string[]} sides ids of the sides that can perform it
 * @property {boolean} [quick] whether `--quick` performs it, too
 * @property {number} [runs] repetitions; default 3, `--quick` 1
 * @property {(bench: { browser: import('./browser.mjs').Browser, served: import('./server.mjs').Served }, side: string) => Promise<Sample>} measure
 */

/**
 * @typedef {object} Metric
 * @property {string} id a key of the samples
 * @property {string} unit as the floor's own value is given; empty for counts
 * @property {boolean} [absolute] given as it is for all sides, and not as a ratio to the floor's
 * @property {number} [slack] factor by which it may become worse before `--check` fails; default: the spread of the stored row
 */

/**
 * @typedef {object} Work
 * @property {string} id one letter
 * @property {string} title
 * @property {readonly Metric[]} metrics the first is compared
 * @property {readonly Case[]} cases
 */

/** @type {readonly Work[]} */
export const works = [
  fast,
  steady,
  firstText,
  toolInput,
  stop,
  heap,
  size,
  storage,
  opening,
  core,
  many,
  request,
  encrypted,
];
