// `npm run site`: builds the documentation site with VitePress, from the Markdown of the repository and the built package, and the Studio
// into it. Fails where a link leads nowhere.
//
//   npm run site                           builds into dist-site/
//   npm run site -- --base /brooklet/      for a site that is not at the root of its host
//   npm run site -- --serve                serves what is built
//
// The generator is a package of its own (docs/site), which the first run installs.

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDeclarations } from '../declarations.mjs';
import { entries, root } from '../manifest.mjs';
import { findBroken } from './links.mjs';
import { pageOf, sources } from './map.mjs';
import { toFrontPage, toPage } from './page.mjs';
import { toReference } from './reference.mjs';

const { values } = parseArgs({
  options: { base: { type: 'string', default: '/' }, serve: { type: 'boolean', default: false } },
});
const { base } = values;
if (!/^\/(?:.*\/)?$/.test(base)) throw new Error(`--base must begin and end with a slash: ${base}`);

const generator = join(root, 'docs/site');
const pages = join(generator, 'pages');
const output = join(root, 'dist-site');

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, SITE_BASE: base } });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed.`);
}

/** @param {string} page @param {string} text */
function write(page, text) {
  mkdirSync(dirname(join(pages, page)), { recursive: true });
  writeFileSync(join(pages, page), text);
}

async function writePages() {
  rmSync(pages, { recursive: true, force: true });
  for (const source of sources) {
    const page = pageOf(source) ?? source;
    const text = toPage(source, readFileSync(join(root, source), 'utf8'));
    if (page === 'index.md') write(page, toFrontPage(text, english));
    else if (page === 'zh/index.md') write(page, toFrontPage(text, chinese));
    else write(page, text);
  }
  const declarations = readDeclarations(entries.map(({ name, types }) => ({ name, file: types })));
  for (const [page, text] of await toReference(declarations)) write(page, text);
  cpSync(join(root, 'docs/images'), join(pages, 'public/images'), { recursive: true });
  cpSync(join(root, 'demo/public/icon.svg'), join(pages, 'public/icon.svg'));
  const list = readFileSync(join(root, 'llms.txt'), 'utf8').replaceAll(/\(docs\/([\w-]+)\.md\)/g, `(${base}$1.html)`);
  writeFileSync(join(pages, 'public/llms.txt'), list);
}

const english = { start: 'Get started', studio: 'Try the Studio', other: '中文', otherLink: '/zh/' };
const chinese = { start: '快速开始', studio: '试用 Studio', other: 'English', otherLink: '/' };

/** Every file of the site, by its path. */
const listFiles = () =>
  readdirSync(output, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(output.length + 1)
        .replaceAll('\\', '/'),
    );

function checkLinks() {
  const files = listFiles();
  const html = files.filter((file) => file.endsWith('.html') && !file.startsWith('studio/'));
  const absolute = new RegExp(`((?:href|src|srcset)=")${base}`, 'g');
  const texts = new Map(
    html.map((file) => [file, readFileSync(join(output, file), 'utf8').replaceAll(absolute, '$1/')]),
  );
  const broken = findBroken(texts, new Set(files));
  for (const line of broken) console.error(line);
  if (broken.length > 0) throw new Error(`${broken.length} links of the site are broken.`);
  console.log(`site: ${html.length} pages in ${output}, and no broken link.`);
}

if (!existsSync(join(generator, 'node_modules/vitepress')))
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], generator);
const vitepress = join(generator, 'node_modules/vitepress/bin/vitepress.js');
if (values.serve) {
  run(process.execPath, [vitepress, 'preview', generator], generator);
} else {
  if (!entries.every(({ types }) => existsSync(types))) run('npm', ['run', 'build'], root);
  await writePages();
  run(process.execPath, [vitepress, 'build', generator], generator);
  run(
    process.execPath,
    [
      join(root, 'node_modules/vite/bin/vite.js'),
      'build',
      '--base',
      `${base}studio/`,
      '--outDir',
      join(output, 'studio'),
    ],
    root,
  );
  checkLinks();
}
