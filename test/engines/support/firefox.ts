import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Page } from 'puppeteer-core';
import { type Engine, type EngineTab, fromJson, type StartOptions, toProgram } from './engine.ts';
import { createFolder, endWithThisProcess } from './processes.ts';

/** Starts Firefox with a profile on the disk, over WebDriver BiDi. */
export async function startFirefox(options: StartOptions): Promise<Engine> {
  const { programs, width = 1100, height = 800, isPrivate = false } = options;
  const profile = await createFolder();
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      headless: true,
      ...(programs.browser !== undefined && { executablePath: programs.browser }),
      userDataDir: profile.path,
      defaultViewport: { width, height },
      env: { ...process.env, HOME: profile.path },
      extraPrefsFirefox: { 'browser.privatebrowsing.autostart': isPrivate },
    });
    const child = browser.process();
    const end = child ? endWithThisProcess(child) : async () => {};
    return {
      name: 'firefox',
      version: (await browser.version()).replace(/^.*\//u, ''),
      open: async () => tabOf(await browser.newPage()),
      async close() {
        await browser.close().catch(() => {});
        await end();
        await profile.remove();
      },
    };
  } catch (error) {
    await profile.remove();
    throw error;
  }
}

function tabOf(page: Page): EngineTab {
  page.setDefaultTimeout(15_000);
  page.setDefaultNavigationTimeout(45_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  return {
    goto: async (url) => void (await page.goto(url)),
    reload: () => reload(page),
    // A page that comes out of the page cache fires no `load`, for which `goBack` would wait.
    back: async () => void (await page.evaluate('setTimeout(() => history.back())')),
    url: async () => page.url(),
    run: async (work, ...args) => fromJson(await page.evaluate(toProgram(work, args))),
    async click(css) {
      await page.bringToFront();
      await page.waitForSelector(css, { visible: true });
      await page.click(css);
    },
    async type(css, text) {
      await page.bringToFront();
      const element = await page.waitForSelector(css, { visible: true });
      await element?.type(text);
    },
    async clickAt(x, y, times = 1) {
      await page.bringToFront();
      await page.mouse.click(x, y, { count: times });
    },
    async write(text) {
      await page.bringToFront();
      await page.keyboard.type(text);
    },
    press: (key) => page.keyboard.press(key),
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => page.close(),
    problems: () => problems,
    reportsProblems: true,
  };
}

/** Puppeteer waits for ever for the reload of a page that came out of the page cache. */
async function reload(page: Page): Promise<void> {
  await page.evaluate('globalThis.isBeforeReload = true; setTimeout(() => location.reload())');
  const end = Date.now() + 45_000;
  const isLoaded = "!globalThis.isBeforeReload && document.readyState === 'complete'";
  while (Date.now() < end) {
    // While the page is exchanged, there is none to ask.
    if ((await page.evaluate(isLoaded).catch(() => false)) === true) return;
    await sleep(20);
  }
  throw new Error('The page was not loaded again in 45 s.');
}
