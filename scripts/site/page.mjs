// Makes a page of the site of a file of the repository. Pure: text in, text out.

import { dirname, join, relative } from 'node:path/posix';
import { pageOf } from './map.mjs';

/** What is no prose: comments, blocks of code between fences, and code between backticks. */
const noProse = /(<!--.*?-->\n*|^```.*?^```$|``[^`]+``|`[^`\n]*`)/ms;

/**
 * Returns the Markdown of a page: its links lead to pages, its pictures to the folder of public files, and comments are left out.
 *
 * @param {string} source the file, as a path from the root of the repository
 * @param {string} text its content
 * @throws Error for a link to a file that is no page
 */
export function toPage(source, text) {
  const page = pageOf(source);
  if (page === undefined) throw new Error(`${source} is no page of the site.`);

  /** @param {string} target */
  const toTarget = (target) => {
    if (/^(?:[a-z]+:|#|\/)/.test(target)) return target;
    const [path = '', anchor] = target.split('#');
    const file = join(dirname(source), path);
    if (file === 'llms.txt') return '/llms.txt';
    const found = pageOf(file);
    if (found === undefined) throw new Error(`${source} links to ${target}, which is no page of the site.`);
    const link = relative(dirname(page), found);
    return anchor === undefined ? link : `${link}#${anchor}`;
  };

  return text
    .split(noProse)
    .map((piece, index) => {
      if (index % 2 === 0) return toProse(piece, toTarget);
      return piece.startsWith('<!--') ? '' : piece;
    })
    .join('');
}

/**
 * @param {string} prose
 * @param {(target: string) => string} toTarget
 */
function toProse(prose, toTarget) {
  return prose
    .replaceAll(/\]\(([^)\s]+)\)/g, (_match, /** @type {string} */ target) => `](${toTarget(target)})`)
    .replaceAll(/(src|srcset)="(?:\.\.\/)*(?:docs\/)?images\//g, '$1="/images/')
    .replaceAll('{{', '&#123;&#123;');
}

/** @typedef {{ readonly start: string, readonly studio: string, readonly other: string, readonly otherLink: string }} Labels */

/**
 * Returns the front page of a language: a README whose first lines have become the hero.
 *
 * @param {string} markdown a page that `toPage` has made of a README
 * @param {Labels} labels the texts of the buttons
 * @throws Error for a README that does not begin with its name, and a bold sentence before the rest of a paragraph
 */
export function toFrontPage(markdown, { start, studio, other, otherLink }) {
  const begin = /^# (?<name>.+)\n\n(?:\[[^\n]+\n\n)?\*\*(?<text>.+?)\*\*\s*(?<tagline>.+)\n\n/.exec(markdown);
  if (!begin?.groups) throw new Error('The README does not begin with its name and a bold sentence.');
  const { name, text, tagline } = begin.groups;
  const hero = {
    layout: 'home',
    hero: {
      name,
      text,
      tagline,
      actions: [
        { theme: 'brand', text: start, link: './getting-started' },
        { theme: 'alt', text: studio, link: '/studio/', target: '_self' },
        { theme: 'alt', text: other, link: otherLink },
      ],
    },
  };
  // JSON is YAML.
  return `---\n${JSON.stringify(hero)}\n---\n\n${markdown.slice(begin[0].length)}`;
}
