// Writes what depends on where the package is published: fields of package.json, addresses of pictures, how to install, a line for a CDN.
// The owner states the place once, in `repository` of package.json (docs/publishing.md).
//
//   node scripts/publishing.mjs              writes it
//   node scripts/publishing.mjs --check      fails where a file differs
//   node scripts/publishing.mjs --publish    the same, and fails where no repository is stated: npm runs this before it publishes

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './manifest.mjs';
import { installTexts } from './publishing-texts.mjs';

/**
 * @typedef {object} Place where the package is published
 * @property {string} repository `https://github.com/OWNER/NAME`
 * @property {string} version
 * @property {string} integrity of the file for one script tag
 */

/**
 * The address of the repository that a package.json states; `undefined` while none is stated.
 *
 * @param {{ readonly repository?: { readonly url?: string } }} manifest
 * @throws Error for an address that is not one of a repository on GitHub
 */
export function repositoryOf({ repository }) {
  if (repository === undefined) return undefined;
  const [, address] =
    /^(?:git\+)?(https:\/\/github\.com\/[\w.-]+\/[\w.-]+?)(?:\.git)?$/.exec(repository.url ?? '') ?? [];
  if (address === undefined)
    throw new Error('package.json: write repository.url as git+https://github.com/OWNER/NAME.git.');
  return address;
}

/**
 * Returns a package.json with the fields that follow from the repository.
 *
 * @param {string} text
 * @param {string | undefined} repository
 * @param {string} [directory] of the package in the repository
 */
export function toManifest(text, repository, directory) {
  /** @type {Record<string, unknown>} */
  const manifest = JSON.parse(text);
  const { repository: _repository, homepage: _homepage, bugs: _bugs, ...rest } = manifest;
  if (repository === undefined) return `${JSON.stringify(rest, null, 2)}\n`;
  const fields = {
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, ...(directory !== undefined && { directory }) },
  };
  const lines = Object.entries(rest).flatMap(([key, value]) =>
    key === 'license' ? [...Object.entries(fields), [key, value]] : [[key, value]],
  );
  return `${JSON.stringify(Object.fromEntries(lines), null, 2)}\n`;
}

/**
 * Returns a README: how to install and the CDN line between their marks, and pictures by their address, which a page of npm needs.
 *
 * @param {string} text
 * @param {'en' | 'zh'} language
 * @param {Place | undefined} place `undefined` while the package is not published
 */
export function toReadme(text, language, place) {
  const texts = installTexts(language, place);
  const withTexts = Object.entries(texts).reduce(
    (page, [mark, body]) =>
      page.replace(new RegExp(`(<!-- begin ${mark} -->\n\n).*?(\n\n<!-- end ${mark} -->)`, 's'), `$1${body}$2`),
    text,
  );
  const folder = language === 'en' ? 'docs/images/' : '../images/';
  const images = place
    ? `${place.repository.replace('github.com', 'raw.githubusercontent.com')}/v${place.version}/docs/images/`
    : folder;
  return withTexts.replaceAll(/(src|srcset)="[^"]*images\//g, `$1="${images}`);
}

/** @param {string} path */
const read = (path) => readFileSync(`${root}${path}`, 'utf8');

function main() {
  /** @type {{ readonly version: string, readonly repository?: { readonly url?: string } }} */
  const manifest = JSON.parse(read('package.json'));
  const repository = repositoryOf(manifest);
  const isPublishing = process.argv.includes('--publish');
  if (isPublishing && repository === undefined)
    throw new Error('Not published: package.json states no repository. docs/publishing.md says what to fill in.');
  const file = 'dist/brooklet-chat.min.js';
  if (repository !== undefined && !existsSync(`${root}${file}`)) throw new Error('Run `npm run build` first.');
  const place = repository && {
    repository,
    version: manifest.version,
    integrity: `sha384-${createHash('sha384')
      .update(readFileSync(`${root}${file}`))
      .digest('base64')}`,
  };
  const wanted = {
    'package.json': toManifest(read('package.json'), repository),
    'create-brooklet/package.json': toManifest(read('create-brooklet/package.json'), repository, 'create-brooklet'),
    'README.md': toReadme(read('README.md'), 'en', place || undefined),
    'docs/zh/README.md': toReadme(read('docs/zh/README.md'), 'zh', place || undefined),
  };
  const stale = Object.entries(wanted).filter(([path, text]) => read(path) !== text);
  if (process.argv.includes('--check') || isPublishing) {
    for (const [path] of stale) console.error(`${path} differs: run \`node scripts/publishing.mjs\`.`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else for (const [path, text] of stale) writeFileSync(`${root}${path}`, text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
