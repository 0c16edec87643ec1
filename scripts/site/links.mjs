// Finds broken links in a built site. Pure: the files of the site in, sentences out.

import { dirname, resolve } from 'node:path/posix';

/**
 * @param {ReadonlyMap<string, string>} pages the HTML pages, by their path in the site (`zh/index.html`)
 * @param {ReadonlySet<string>} files every file of the site, by its path
 * @returns {readonly string[]} a sentence for each link and each picture whose target is not there
 */
export function findBroken(pages, files) {
  /** @type {Map<string, ReadonlySet<string>>} */
  const ids = new Map();
  /** @param {string} page */
  const idsOf = (page) => {
    const found =
      ids.get(page) ?? new Set(Array.from((pages.get(page) ?? '').matchAll(/\sid="([^"]*)"/g), ([, id]) => id ?? ''));
    ids.set(page, found);
    return found;
  };

  /** @param {string} page @param {string} target @returns {string | undefined} what is missing */
  const missing = (page, target) => {
    const [address = '', anchor] = target.split('#');
    const path = decodeURI(address.split('?')[0] ?? '');
    const file =
      path === '' ? page : resolve('/', dirname(page), path.endsWith('/') ? `${path}index.html` : path).slice(1);
    if (!files.has(file)) return `no file ${file}`;
    // Other pages than those of the site, such as Studio, read their anchor as they like.
    if (!anchor || !pages.has(file)) return undefined;
    return idsOf(file).has(decodeURIComponent(anchor)) ? undefined : `no heading ${anchor} in ${file}`;
  };

  const broken = [];
  for (const [page, html] of pages) {
    const targets = new Set(
      Array.from(html.matchAll(/<[^>]*?\s(?:href|src|srcset)="([^"]*)"/g), ([, target]) => target ?? ''),
    );
    for (const target of targets) {
      if (/^(?:[a-z]+:|\/\/)/.test(target)) continue;
      const reason = missing(page, target.replaceAll('&amp;', '&'));
      if (reason) broken.push(`${page}: ${target}: ${reason}`);
    }
  }
  return broken;
}
