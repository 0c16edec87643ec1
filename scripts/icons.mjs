// Draws the icons of Studio from demo/public/icon.svg. Run it when the drawing changes. Needs a Chromium.
//
//   node scripts/icons.mjs

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { launchArgs } from './find-browser.mjs';

const at = (/** @type {string} */ path) => fileURLToPath(new URL(`../demo/${path}`, import.meta.url));
const drawing = await readFile(at('public/icon.svg'), 'utf8');
/** A maskable icon fills the square, and keeps its drawing in the inner four fifths. */
const maskable = drawing
  .replace('viewBox="0 0 32 32"', 'viewBox="-4 -4 40 40"')
  .replace(/<rect[^>]*>/, '<rect x="-4" y="-4" width="40" height="40" fill="#0f766e" />');

const icons = /** @type {const} */ ([
  ['icon-192.png', 192, drawing],
  ['icon-512.png', 512, drawing],
  ['icon-maskable-512.png', 512, maskable],
  ['apple-touch-icon.png', 180, maskable],
]);

const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...launchArgs] });
try {
  const page = await browser.newPage();
  for (const [name, size, svg] of icons) {
    await page.setViewportSize({ width: size, height: size });
    await page.setContent(
      `<style>body { margin: 0 } svg { display: block; width: 100vw; height: 100vh }</style>${svg}`,
    );
    await page.screenshot({ path: at(`public/${name}`), omitBackground: true });
  }
} finally {
  await browser.close();
}
