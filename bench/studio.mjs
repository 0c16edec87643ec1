// Measures how Studio feels while an answer streams: key to paint and long tasks, 250 chunks a second into 1,000 messages of Markdown.
// Prints one row; there is no limit, because the machine decides. Run it on a quiet one, after `npm run build`. Other work of the machine is in
// the time of a task, but not in its processor time.
//
//   node bench/studio.mjs
//   node bench/studio.mjs --compiled    compiled by React Compiler
//   node bench/studio.mjs --long        names what took long in the frames over 50 ms, too

import { chromium } from 'playwright';
import { createAgent } from '../dist/index.js';
import { createMemoryStore, exportAll } from '../dist/storage/index.js';
import { createScriptedClient } from '../dist/testing/index.js';
import { launchArgs } from '../scripts/find-browser.mjs';
import { reactCompiler } from '../scripts/react-compiler.mjs';
import { serveStudio } from '../scripts/serve-studio.mjs';
import { percentile, readKeys, startModel, watchKeys } from './stream.mjs';

const isCompiled = process.argv.includes('--compiled');
const messages = 1_000;
const rate = 250;
const seconds = 8;
const keys = 120;
const markdown =
  '## A heading\n\nSome *words*, `code` and [a link](https://example.com).\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n';

/** @param {number} index */
const piece = (index) => (index % 40 === 39 ? `\n\n${markdown}\n` : `*word* ${index} `);

/** Returns a file with one conversation of many messages. */
async function writeHistory() {
  const store = createMemoryStore();
  const agent = createAgent({ client: createScriptedClient([]), store });
  const session = await agent.openSession(agent.createSession());
  for (let index = 0; index < messages / 2; index++) {
    session.addMessage({ role: 'user', content: `Question ${index}` });
    session.addMessage({ role: 'assistant', content: markdown });
  }
  await session.flushed();
  let text = '';
  for await (const piece of exportAll(store)) text += piece;
  return { name: 'history.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(text) };
}

/**
 * Begins to record the tasks of a page's main thread. Returns a function that ends it, and resolves with the ms of processor time of each task.
 *
 * @param {import('playwright').Page} page
 */
async function recordTasks(page) {
  const devtools = await page.context().newCDPSession(page);
  /** @type {any[]} */
  const events = [];
  devtools.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await devtools.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] } });
  return async () => {
    const complete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
    await devtools.send('Tracing.end');
    await complete;
    const calls = events.filter(({ name }) => name === 'FireAnimationFrame');
    const isOfPage = (/** @type {any} */ { pid, tid }) => pid === calls[0]?.pid && tid === calls[0]?.tid;
    const tasks = events.filter((event) => event.name === 'ThreadControllerImpl::RunTask' && isOfPage(event));
    return tasks.map(({ tdur = 0 }) => tdur / 1_000);
  };
}

const [studio, model, history] = [
  await serveStudio(isCompiled ? [reactCompiler()] : []),
  await startModel({ rate, seconds, piece }),
  await writeHistory(),
];
const executablePath = process.env.CHROMIUM_PATH;
const browser = await chromium.launch({ ...(executablePath && { executablePath }), args: [...launchArgs] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const endpoint = { providerId: 'custom', baseURL: model.baseURL, model: 'm', needsKey: false };
  await page.addInitScript(
    (value) => localStorage.setItem('brooklet-studio:endpoint', value),
    JSON.stringify(endpoint),
  );
  await page.goto(studio.url);
  const composer = page.locator('.composer textarea');
  await composer.waitFor();
  await page.keyboard.press('Control+k');
  await page.locator('.palette-entry').first().waitFor();
  await page.keyboard.type('Import');
  await page.keyboard.press('Enter');
  await page.locator('dialog input[type=file]').setInputFiles(history);
  await page.getByRole('button', { name: 'Import 1 conversation' }).click();
  await page.locator('.session a').first().click();
  await page.locator('.row').nth(3).waitFor();
  await page.keyboard.press('Escape');
  await composer.fill('Tell me more');
  await page.keyboard.press('Enter');
  await page.getByText('word 20').first().waitFor();

  await page.evaluate(() => {
    const figures = Object.assign(globalThis, {
      longTasks: /** @type {number[]} */ ([]),
      longFrames: /** @type {string[]} */ ([]),
    });
    new PerformanceObserver((list) => {
      figures.longTasks.push(...list.getEntries().map(({ duration }) => duration));
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { duration, renderStart, styleAndLayoutStart, startTime, scripts } = /** @type {any} */ (entry);
        const end = startTime + duration;
        const named = scripts.map(
          (/** @type {any} */ script) =>
            `${script.invoker || script.invokerType} ${script.sourceFunctionName} ${Math.round(script.duration)}`,
        );
        figures.longFrames.push(
          `${Math.round(duration)} ms: before rendering ${Math.round(renderStart - startTime)}, rendering ${Math.round(styleAndLayoutStart - renderStart)}, ` +
            `style and layout ${Math.round(end - styleAndLayoutStart)}; ${named.join(', ')}`,
        );
      }
    }).observe({ type: 'long-animation-frame' });
  });
  await page.evaluate(watchKeys);
  const endRecording = await recordTasks(page);
  await composer.focus();
  await page.keyboard.type('x'.repeat(keys), { delay: 30 });
  const tasks = await endRecording();
  const toPaint = await page.evaluate(readKeys);
  const { longTasks, longFrames, rows } = await page.evaluate(() => ({
    longTasks: /** @type {number[]} */ (Reflect.get(globalThis, 'longTasks')),
    longFrames: /** @type {string[]} */ (Reflect.get(globalThis, 'longFrames')),
    rows: document.querySelectorAll('.row').length,
  }));
  if (process.argv.includes('--long')) for (const frame of longFrames) console.log(frame);
  console.log(
    `${isCompiled ? 'Compiled, ' : ''}${rate} chunks/s into ${messages} messages: ${toPaint.length} keys, to paint p50 ${percentile(toPaint, 0.5)} ms, p98 ${percentile(toPaint, 0.98)} ms; ` +
      `${longTasks.length} tasks over 50 ms${longTasks.length > 0 ? `, the longest ${Math.round(Math.max(...longTasks))} ms` : ''}; ` +
      `by processor time ${tasks.filter((ms) => ms > 50).length}, the longest ${Math.round(Math.max(...tasks))} ms; ${rows} rows in the page`,
  );
} finally {
  await browser.close();
  model.stop();
  await studio.stop();
}
