// Measures how `<Chat>` of brooklet/ui feels while an answer streams, 250 chunks a second: key to paint within 1,000 messages, beside a field alone
// in the same run; and how much of the page moves while a report with tables grows. Prints rows; there is no limit, because the machine decides.
// Run it on a quiet one.
//
//   node bench/parts.mjs
//   node bench/parts.mjs --shifts    names the largest shifts, too

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { chromium } from 'playwright';
import { build } from 'vite';
import { alias } from '../scripts/alias.mjs';
import { ensureBrowser, launchArgs, thisMachine } from '../scripts/find-browser.mjs';
import { serve } from '../scripts/serve-folder.mjs';
import { viewer } from '../scripts/viewer.mjs';
import { percentile, readKeys, startModel, watchKeys } from './stream.mjs';

const rate = 250;
const keys = 120;
const markdown =
  '## A heading\n\nSome *words*, `code` and [a link](https://example.com).\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n';

/** A report with tables whose cells get longer, a list and code: a word a chunk, as a model writes it. */
const section = (/** @type {number} */ number) => `## Section ${number}

The brooks of the valley were measured in ${number} places, in spring and in autumn, on foot and from the bridge.

| Brook | Length | Flow in spring | Flow in autumn | Remark |
| :---- | -----: | -------------: | -------------: | :----- |
${Array.from(
  { length: 12 },
  (_, row) =>
    `| Brook ${row} of the ${row % 3 === 0 ? 'long eastern ' : ''}valley | ${(row + 1) * 1_240} m | ${(row * row + 1) * 1_000} l | ${row * 128} l | ${'passes a pond and a mill '.repeat(row % 4)} |`,
).join('\n')}

1. The source of brook ${number}
   - its height above the sea
2. The mouth

\`\`\`ts
const flow = width * depth * speed;
\`\`\`

`;
const words = Array.from({ length: 12 }, (_, number) => section(number + 1))
  .join('')
  .split(/(?<=\s)/u);

async function buildPage() {
  const outDir = await mkdtemp(join(tmpdir(), 'brooklet-parts-'));
  await build({
    configFile: false,
    root: fileURLToPath(new URL('parts', import.meta.url)),
    logLevel: 'warn',
    plugins: [react(), viewer()],
    // The peers of the bench have a React of their own.
    resolve: { alias, dedupe: ['react', 'react-dom'] },
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 5_000 },
  });
  const { url, stop } = await serve(outDir);
  return {
    url,
    async stop() {
      stop();
      await rm(outDir, { recursive: true });
    },
  };
}

/** @param {import('playwright').Page} page */
async function typeInto(page) {
  await page.evaluate(watchKeys);
  await page.locator('textarea').focus();
  await page.keyboard.type('x'.repeat(keys), { delay: 30 });
  return page.evaluate(readKeys);
}

/** @typedef {{ readonly value: number, readonly moved: string, readonly at: number }} Shift */

/** Cumulative layout shift: the largest sum of a window of at most 5 s whose shifts are less than 1 s apart. @param {readonly Shift[]} shifts */
function shiftOf(shifts) {
  let [largest, sum, begun, last] = [0, 0, -Infinity, -Infinity];
  for (const { value, at } of shifts) {
    if (at - last >= 1_000 || at - begun >= 5_000) [sum, begun] = [0, at];
    sum += value;
    last = at;
    largest = Math.max(largest, sum);
  }
  return largest;
}

/** @param {readonly Shift[]} shifts @returns what has moved, the most first */
function sumsOf(shifts) {
  /** @type {Map<string, { sum: number, count: number }>} */
  const sums = new Map();
  for (const { value, moved } of shifts) {
    const { sum, count } = sums.get(moved) ?? { sum: 0, count: 0 };
    sums.set(moved, { sum: sum + value, count: count + 1 });
  }
  return [...sums].toSorted(([, one], [, other]) => other.sum - one.sum);
}

/** @param {string} name @param {readonly number[]} toPaint */
const rowOf = (name, toPaint) =>
  `${name}: ${toPaint.length} keys, to paint p50 ${percentile(toPaint, 0.5)} ms, p98 ${percentile(toPaint, 0.98)} ms`;

const site = await buildPage();
const { path: executablePath } = await ensureBrowser(thisMachine());
const browser = await chromium.launch({ executablePath, args: [...launchArgs] });
const stream = await startModel({
  rate,
  seconds: 8,
  piece: (index) => (index % 40 === 39 ? `\n\n${markdown}\n` : `*word* ${index} `),
});
const report = await startModel({
  rate,
  seconds: Math.ceil(words.length / rate),
  piece: (index) => words[index] ?? '',
});
try {
  const open = async (/** @type {Record<string, string>} */ query) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    page.on('pageerror', (error) => console.error(error));
    await page.goto(`${site.url}?${new URLSearchParams(query)}`);
    await page.locator('textarea').waitFor();
    return page;
  };
  const ask = async (/** @type {import('playwright').Page} */ page) => {
    await page.locator('textarea').fill('Tell me more');
    await page.keyboard.press('Enter');
  };

  const floor = await open({ floor: '' });
  console.log(rowOf('A field alone', await typeInto(floor)));
  await floor.close();

  const chat = await open({ model: stream.baseURL, messages: '1000', markdown });
  await ask(chat);
  await chat.getByRole('log').getByText('word 20').first().waitFor();
  console.log(rowOf(`Chat, ${rate} chunks/s into 1000 messages`, await typeInto(chat)));
  await chat.close();

  const page = await open({ model: report.baseURL });
  await ask(page);
  await page.evaluate(() => {
    const shifts = Object.assign(globalThis, { shifts: /** @type {object[]} */ ([]) }).shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput, sources, startTime } = /** @type {any} */ (entry);
        const moved = sources.map((/** @type {any} */ { node }) => node?.nodeName ?? '').join(' ');
        if (!hadRecentInput) shifts.push({ value, moved, at: startTime });
      }
    }).observe({ type: 'layout-shift' });
  });
  await page.locator('[data-part=chat][data-state=idle]').waitFor({ timeout: 120_000 });
  /** @type {Shift[]} */
  const shifts = await page.evaluate(() => Reflect.get(globalThis, 'shifts'));
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const dots = sumsOf(shifts).find(([moved]) => moved === 'P SPAN')?.[1].sum ?? 0;
  console.log(
    `Layout shift of a report of ${words.length} chunks with 12 tables: ${sum.toFixed(2)} in all, ${dots.toFixed(2)} of it the dots below the text; ` +
      `as CLS ${shiftOf(shifts).toFixed(3)}`,
  );
  if (process.argv.includes('--shifts'))
    for (const [moved, same] of sumsOf(shifts)) console.log(`  ${same.sum.toFixed(4)} in ${same.count}  ${moved}`);
} finally {
  await browser.close();
  stream.stop();
  report.stop();
  await site.stop();
}
